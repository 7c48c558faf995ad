-- Rows of the audit log whose segment has left PostgreSQL, in the order of their chains. user_id is
-- zero where has_user is 0; status is 0, and key_id and previous_hash are empty, for none. The hash
-- before a row is that of the row before it, so previous_hash is only stored where it is another.
create table if not exists audit_history (
  chain_id UInt32,
  sequence UInt64 codec(Delta(8), ZSTD(1)),
  at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  environment_id Nullable(UUID) codec(ZSTD(1)),
  actor_kind LowCardinality(String),
  actor_id Nullable(UUID) codec(ZSTD(1)),
  method LowCardinality(String),
  route LowCardinality(String),
  status UInt16,
  user_id UUID codec(ZSTD(1)),
  has_user UInt8,
  object_id Nullable(UUID) codec(ZSTD(1)),
  key_id LowCardinality(String),
  previous_hash String codec(ZSTD(1)),
  hash FixedString(32) codec(NONE),
  segment UInt32,
  opened_on Date,
  index audit_history_by_time at type minmax granularity 1,
  index audit_history_by_segment segment type minmax granularity 1,
  index audit_history_by_user user_id type bloom_filter(0.01) granularity 1
)
engine = ReplacingMergeTree
partition by toYYYYMM(opened_on)
order by (chain_id, sequence)
settings fsync_after_insert = 1, fsync_part_directory = 1;
