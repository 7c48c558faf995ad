-- One row a sample of any series. The sort key is the natural key of contract 04, section 7: of two
-- rows with the same key the one with the larger version stays. The tenant and the person come
-- first, so every read and every FINAL touches one person's granules only.
create table if not exists samples (
  environment_id UUID,
  user_id UUID,
  series LowCardinality(String),
  started_at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  provider LowCardinality(String),
  source_type LowCardinality(String),
  app_id LowCardinality(String),
  sample_type LowCardinality(String),
  workout_id UUID,
  sport LowCardinality(String),
  ended_at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  timezone_offset Nullable(Int32) codec(ZSTD(1)),
  time_zone LowCardinality(String),
  value Float64 codec(ZSTD(1)),
  diastolic Float64 codec(ZSTD(1)),
  text_value String codec(ZSTD(1)),
  extra LowCardinality(String),
  version UInt64 codec(DoubleDelta, ZSTD(1))
)
engine = ReplacingMergeTree(version)
order by (environment_id, user_id, series, started_at, provider, source_type, app_id, sample_type, workout_id);

-- Items of uploads and imports that could not be stored, as they came, with the reason. The same
-- item put aside again replaces itself.
create table if not exists put_aside_items (
  environment_id UUID,
  user_id UUID,
  resource LowCardinality(String),
  provider LowCardinality(String),
  reason LowCardinality(String),
  item_hash UInt64 materialized sipHash64(item),
  item String codec(ZSTD(3)),
  received_at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1))
)
engine = ReplacingMergeTree(received_at)
order by (environment_id, user_id, resource, provider, reason, item_hash);
