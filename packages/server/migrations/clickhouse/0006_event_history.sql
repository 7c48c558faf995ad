-- Events of people whose deliveries are over, an hour later (docs/decisions/0123). A version of an event
-- counts when PostgreSQL knows its move. A day is a partition, so that retention drops it whole.
create table if not exists event_history (
  environment_id UUID,
  id String codec(ZSTD(1)),
  user_id UUID,
  event_type LowCardinality(String),
  sequence UInt64 codec(Delta(8), ZSTD(1)),
  transaction_id UInt64 codec(Delta(8), ZSTD(1)),
  created_at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  body String codec(ZSTD(3)),
  only_endpoint_id Nullable(UUID) codec(ZSTD(1)),
  except_endpoint_id Nullable(UUID) codec(ZSTD(1)),
  unsent_reason LowCardinality(String),
  trace_parent String codec(ZSTD(1)),
  delivery_endpoints Array(UUID) codec(ZSTD(1)),
  delivery_statuses Array(LowCardinality(String)) codec(ZSTD(1)),
  deliveries String codec(ZSTD(3)),
  move UInt64 codec(Delta(8), ZSTD(1)),
  index by_transaction transaction_id type minmax granularity 1,
  index by_user user_id type bloom_filter(0.01) granularity 1
)
engine = ReplacingMergeTree(move)
partition by toYYYYMMDD(created_at)
order by (environment_id, id)
settings fsync_after_insert = 1, fsync_part_directory = 1;

-- Attempts to deliver them, in partitions by the day of the event.
create table if not exists webhook_attempt_history (
  environment_id UUID,
  endpoint_id UUID,
  attempted_at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  event_id String codec(ZSTD(1)),
  number UInt32 codec(ZSTD(1)),
  user_id UUID,
  event_type LowCardinality(String),
  event_created_at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  response_status Nullable(Int32) codec(ZSTD(1)),
  error LowCardinality(String),
  duration_ms Int32 codec(ZSTD(1)),
  response_body String codec(ZSTD(3)),
  move UInt64 codec(Delta(8), ZSTD(1)),
  index by_event event_id type bloom_filter(0.01) granularity 1
)
engine = ReplacingMergeTree(move)
partition by toYYYYMMDD(event_created_at)
order by (environment_id, endpoint_id, attempted_at, event_id, number)
settings fsync_after_insert = 1, fsync_part_directory = 1;
