-- Contents of messages of laboratories that are over (docs/decisions/0132). PostgreSQL has the rest of each message, and which
-- of these rows count. user_id is zero for a message without an order; answer is empty for none.
create table if not exists lab_message_contents (
  environment_id UUID,
  id UUID,
  user_id UUID,
  at DateTime64(3, 'UTC') codec(Delta(8), ZSTD(1)),
  content String codec(ZSTD(3)),
  answer String codec(ZSTD(3)),
  index by_user user_id type bloom_filter(0.01) granularity 1
)
engine = ReplacingMergeTree
partition by toYYYYMM(at)
order by (environment_id, id)
settings fsync_after_insert = 1, fsync_part_directory = 1;
