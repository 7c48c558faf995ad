-- Buckets of people that were moved to another shard of a cluster, as each server knows it
-- (docs/decisions/0129-moving-people-between-shards.md). A server that works alone has no rows here.
create table if not exists salus_moved_buckets (
  -- Shard by the placements × 256 + last byte of the id of the person.
  bucket UInt16,
  -- Index of the shard that answers, and of the one with a copy that does not count; the same
  -- without a copy.
  shard UInt32,
  copy UInt32,
  version UInt64
)
engine = ReplacingMergeTree(version)
order by bucket
settings fsync_after_insert = 1, fsync_part_directory = 1;
