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

/**
 * Returns SQL for the index of the shard of `user_id`. The time is read from the id itself (UUID
 * version 7); an id without one belongs to the first placement.
 */
export function placementSql(placements: readonly Placement[]): string {
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
