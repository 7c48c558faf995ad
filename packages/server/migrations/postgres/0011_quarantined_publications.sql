-- What was stored and cannot be published must stop neither a start nor an upload: after a few failures
-- its note is set aside with the kind of the last one, and tried again every hour and at every start.

alter table unannounced_samples
  add column quarantined_at timestamptz,
  add column failures integer not null default 0,
  add column failure text;

alter table unannounced_summaries
  add column quarantined_at timestamptz,
  add column failures integer not null default 0,
  add column failure text;
