import { BUCKETS_OF_SHARD, firstShardOf } from '@salus/kernel/clickhouse/cluster/placement'

/** Bytes of the people of a bucket, and the index of the shard that has them. */
export interface BucketSize {
  bucket: number
  shard: number
  bytes: number
}

/** Buckets that move from one shard to another, by indexes. */
export interface PlannedMove {
  from: number
  to: number
  buckets: number[]
  bytes: number
}

/** Shards whose bytes differ from their share by less than this part of it stay as they are. */
const TOLERANCE = 0.03

/**
 * Returns the moves after which each shard has its share of the bytes, with as few bytes moved as
 * whole buckets allow.
 * @param shares Proportion of each shard; a shard with 0 is emptied.
 */
export function planBalance(
  sizes: readonly BucketSize[],
  shares: readonly number[],
): PlannedMove[] {
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const whole = shares.reduce((sum, share) => sum + share, 0)
  const target = shares.map((share) => (total * share) / whole)
  const held = shares.map((_, shard) =>
    sizes.filter((size) => size.shard === shard).reduce((sum, { bytes }) => sum + bytes, 0),
  )
  const left = sizes.filter(({ bytes }) => bytes > 0).toSorted((a, b) => b.bytes - a.bytes)
  const excess = (shard: number): number => (held[shard] ?? 0) - (target[shard] ?? 0)
  const steps: (BucketSize & { to: number })[] = []
  for (const size of left) {
    const { shard, bytes } = size
    const to = shares.reduce(
      (least, _, other) => (excess(other) < excess(least) ? other : least),
      0,
    )
    const isOver = excess(shard) > TOLERANCE * (target[shard] ?? 0)
    // A move that only exchanges the two is none, unless the shard is to be emptied.
    const isBetter =
      shares[shard] === 0 ||
      Math.abs(excess(shard) - bytes) + Math.abs(excess(to) + bytes) <
        Math.abs(excess(shard)) + Math.abs(excess(to))
    if (to === shard || !isOver || !isBetter) continue
    held[shard] = (held[shard] ?? 0) - bytes
    held[to] = (held[to] ?? 0) + bytes
    steps.push({ ...size, to })
  }
  return joinSteps(steps)
}

/**
 * Returns the moves that empty a shard, also of buckets without people: people who are created
 * later with its placement go elsewhere.
 * @param others Indexes of the shards that take them.
 */
export function planDrain(
  sizes: readonly BucketSize[],
  shard: number,
  others: readonly number[],
): PlannedMove[] {
  const known = new Set(sizes.map(({ bucket }) => bucket))
  const empty = Array.from(
    { length: BUCKETS_OF_SHARD },
    (_, byte) => shard * BUCKETS_OF_SHARD + byte,
  )
    .filter((bucket) => !known.has(bucket))
    .map((bucket) => ({ bucket, shard: firstShardOf(bucket), bytes: 0 }))
  const all = [...sizes, ...empty].filter((size) => size.shard === shard)
  const held = new Map(
    others.map((other) => [
      other,
      sizes.filter((size) => size.shard === other).reduce((sum, { bytes }) => sum + bytes, 0),
    ]),
  )
  // Empty ones count a little, so that they are spread too.
  const steps = all
    .toSorted((a, b) => b.bytes - a.bytes || a.bucket - b.bucket)
    .map((size) => {
      const [to = 0] = [...held].toSorted((a, b) => a[1] - b[1]).map(([other]) => other)
      held.set(to, (held.get(to) ?? 0) + size.bytes + 1)
      return { ...size, to }
    })
  return joinSteps(steps)
}

/** Returns moves of about a part of the bytes of one shard to another. */
export function planPart(
  sizes: readonly BucketSize[],
  { from, to, percent }: { from: number; to: number; percent: number },
): PlannedMove[] {
  const own = sizes.filter(({ shard, bytes }) => shard === from && bytes > 0)
  const wanted = (own.reduce((sum, { bytes }) => sum + bytes, 0) * percent) / 100
  let moved = 0
  const steps = own
    .toSorted((a, b) => b.bytes - a.bytes || a.bucket - b.bucket)
    .filter(({ bytes }) => {
      const fits = moved + bytes / 2 <= wanted
      if (fits) moved += bytes
      return fits
    })
  return joinSteps(steps.map((size) => ({ ...size, to })))
}

/** Buckets are switched together up to this size, so that a hold is short. */
const MOST_BYTES = 1e9
const MOST_BUCKETS = 16
const MOST_EMPTY_BUCKETS = 64

function joinSteps(steps: readonly (BucketSize & { to: number })[]): PlannedMove[] {
  const moves: PlannedMove[] = []
  for (const { bucket, shard, bytes, to } of steps) {
    const last = moves.findLast((move) => move.from === shard && move.to === to)
    if (
      last !== undefined &&
      last.buckets.length < (bytes === 0 && last.bytes === 0 ? MOST_EMPTY_BUCKETS : MOST_BUCKETS) &&
      last.bytes + bytes <= MOST_BYTES
    ) {
      last.buckets.push(bucket)
      last.bytes += bytes
    } else moves.push({ from: shard, to, buckets: [bucket], bytes })
  }
  return moves
}
