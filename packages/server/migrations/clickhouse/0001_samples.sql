-- One row a sample of any series. The sort key is the natural key of contract 04, section 7: of two
-- rows with the same key the one with the larger version stays. The tenant and the person come
-- first, so every read touches one person's granules only.
--
-- An insert names what neighboring samples share in one column, origin, which is never stored: its
-- parts, separated by U+001F, become the other columns. The engine reads each distinct origin once,
-- where a dozen columns would be parsed on every row (docs/decisions/0007). Inserts that name the
-- columns themselves work too.
--
-- An upload is acknowledged when it is durable, so an insert reaches the disk before it returns
-- (docs/decisions/0008).
create table if not exists samples (
  origin LowCardinality(String) ephemeral,
  environment_id UUID default toUUIDOrZero(substringIndex(substringIndex(origin, '\x1f', 1), '\x1f', -1)),
  user_id UUID default toUUIDOrZero(substringIndex(substringIndex(origin, '\x1f', 2), '\x1f', -1)),
  series LowCardinality(String) default substringIndex(substringIndex(origin, '\x1f', 3), '\x1f', -1),
  started_at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  provider LowCardinality(String) default substringIndex(substringIndex(origin, '\x1f', 4), '\x1f', -1),
  source_type LowCardinality(String) default substringIndex(substringIndex(origin, '\x1f', 5), '\x1f', -1),
  app_id LowCardinality(String) default substringIndex(substringIndex(origin, '\x1f', 6), '\x1f', -1),
  sample_type LowCardinality(String) default substringIndex(substringIndex(origin, '\x1f', 7), '\x1f', -1),
  workout_id UUID default toUUIDOrZero(substringIndex(substringIndex(origin, '\x1f', 8), '\x1f', -1)),
  sport LowCardinality(String) default substringIndex(substringIndex(origin, '\x1f', 9), '\x1f', -1),
  ended_at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  timezone_offset Nullable(Int32) default toInt32OrNull(substringIndex(substringIndex(origin, '\x1f', 10), '\x1f', -1)) codec(ZSTD(1)),
  time_zone LowCardinality(String) default substringIndex(substringIndex(origin, '\x1f', 11), '\x1f', -1),
  value Float64 codec(ZSTD(1)),
  diastolic Float64 codec(ZSTD(1)),
  text_value String codec(ZSTD(1)),
  extra LowCardinality(String) default substringIndex(substringIndex(origin, '\x1f', 12), '\x1f', -1),
  version UInt64 codec(DoubleDelta, ZSTD(1))
)
engine = ReplacingMergeTree(version)
order by (environment_id, user_id, series, started_at, provider, source_type, app_id, sample_type, workout_id)
settings fsync_after_insert = 1, fsync_part_directory = 1;

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
order by (environment_id, user_id, resource, provider, reason, item_hash)
settings fsync_after_insert = 1, fsync_part_directory = 1;
