/**
 * Decides which shard holds a user (docs/decisions/0037-people-on-shards.md). Users are spread by a
 * hash of their id; the shards that take part are fixed when a user is created, so that shards that
 * are added later are used and no user moves.
 */
export interface Placement {
  /**
   * Epoch milliseconds. Applies to users created from then until the next placement begins; 0 is
   * the first.
   */
  since: number
  /**
   * Indexes of shards, from 0. A user is assigned to one of these entries, so a shard may occur
   * twice.
   */
  slots: readonly number[]
}

/** Returns the slots for the shares of shards, such as [0, 1, 1] for 1 and 2. */
export function slotsOf(shares: readonly number[]): number[] {
  return shares.flatMap((share, shard) => Array<number>(share).fill(shard))
}

const bySlots = (slots: readonly number[]): string =>
  `[${slots.join(', ')}][sipHash64(user_id) % ${slots.length} + 1]`

/** Buckets of each shard, by the last byte of the id of a person. */
export const BUCKETS_OF_SHARD = 256

/**
 * People who are moved between shards together: those with one shard by the placements and one last
 * byte of their id. Most buckets are not moved and have no record.
 */
interface MovedBucket {
  /** Shard by the placements × BUCKETS_OF_SHARD + the last byte of the id. */
  bucket: number
  /** Index of the shard that answers for its people. */
  shard: number
  /** Index of the shard that holds a copy, which does not count; the same as shard without one. */
  copy: number
}

/**
 * Record in place of a bucket for as long as people are moved. Processes look for records every few
 * seconds, so that they know of it before the first copy.
 */
export const UNDER_WAY = 65_535

/** Returns the index of the shard of a bucket that was never moved. */
export const firstShardOf = (bucket: number): number => Math.floor(bucket / BUCKETS_OF_SHARD)

/** A record of a moved bucket; the one with the largest version counts. */
export interface BucketRecord extends MovedBucket {
  version: number
}

/** Whether a bucket has rows on two shards, of which one does not count. */
export const hasCopy = ({ shard, copy }: MovedBucket): boolean => shard !== copy

/** Returns SQL for the bucket of `user_id`. */
export const bucketSql = (placements: readonly Placement[]): string =>
  `toUInt16(${firstShardSql(placements)}) * ${BUCKETS_OF_SHARD} + toUInt16(bitAnd(toUInt128(user_id), ${BUCKETS_OF_SHARD - 1}))`

/** Returns SQL for the index of the shard of `user_id`. */
export function placementSql(
  placements: readonly Placement[],
  moved: readonly MovedBucket[] = [],
): string {
  const first = firstShardSql(placements)
  const elsewhere = moved.filter(
    ({ bucket, shard }) => bucket !== UNDER_WAY && firstShardOf(bucket) !== shard,
  )
  if (elsewhere.length === 0) return first
  const buckets = elsewhere.map(({ bucket }) => bucket).join(', ')
  const shards = elsewhere.map(({ shard }) => shard).join(', ')
  return `transform(${bucketSql(placements)}, [${buckets}], [${shards}], ${first})`
}

/**
 * Returns SQL for the index of the shard of `user_id` by the placements alone. The time is read
 * from the id itself (UUID version 7); an id without one belongs to the first placement.
 */
function firstShardSql(placements: readonly Placement[]): string {
  const sorted = placements.toSorted((a, b) => a.since - b.since)
  const last = sorted.at(-1)
  if (last === undefined) throw new TypeError('There is always a first placement.')
  const earlier = sorted.slice(0, -1).map(({ slots }, index) => {
    const until = sorted[index + 1]?.since
    return `toUnixTimestamp64Milli(UUIDv7ToDateTime(user_id)) < ${until}, ${bySlots(slots)}`
  })
  if (earlier.length === 0) return bySlots(last.slots)
  return `multiIf(${[...earlier, bySlots(last.slots)].join(', ')})`
}
