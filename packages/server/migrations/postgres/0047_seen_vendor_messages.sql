-- Messages of vendors that came, so that one which comes again, from whoever kept it, is taken once. After a crash a replay
-- makes one more pull and no harm, so the rows are not logged.
create unlogged table seen_vendor_messages (
  -- of provider, app, time and body
  digest bytea primary key,
  seen_at timestamptz not null
);
create index seen_vendor_messages_by_time on seen_vendor_messages (seen_at);
