-- Samples of one series of a person on one UTC day, for narrow reads: a copy of what ClickHouse
-- has, made when a day is read again and kept current by every write (docs/decisions/0104).
-- Unlogged: a copy needs no write-ahead log, and is empty after a crash of the database.
create unlogged table cached_days (
  environment_id uuid not null,
  user_id uuid not null,
  series text not null,
  -- Days since 1970-01-01 in UTC.
  day integer not null,
  -- Another one after every write to the day, so that a copy of an older state is not kept.
  revision uuid not null default gen_random_uuid(),
  -- Compressed samples; null where the day was read once, or a write made the copy invalid.
  content bytea,
  -- What was stored since, one frame for each write.
  additions bytea not null default '',
  read_at timestamptz not null,
  primary key (environment_id, user_id, series, day)
);
-- Content is compressed already, and must stay outside of the row, which each write replaces.
alter table cached_days alter column content set storage external;

create index cached_days_by_read on cached_days (read_at);

-- Writes to ClickHouse that have begun and not ended. Their days are read from ClickHouse. A write
-- that is missing here at its end makes its copies invalid.
create unlogged table day_writes (
  id uuid not null,
  environment_id uuid not null,
  user_id uuid not null,
  series text not null,
  first_day integer not null,
  last_day integer not null,
  begun_at timestamptz not null,
  primary key (environment_id, user_id, series, id)
);

create index day_writes_by_beginning on day_writes (begun_at);
