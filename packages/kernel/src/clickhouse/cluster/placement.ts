/**
 * Which shard has a person (docs/decisions/0037-people-on-shards.md). People are spread by a hash
 * of their id; which shards take part is fixed when a person is made, so that shards that come
 * later are used and nobody moves.
 */
export interface Placement {
  /**
   * Epoch milliseconds. Holds for people made then or later, until the next placement begins; 0 is
   * the first.
   */
  since: number
  /**
   * Indexes of shards, from 0. A person is given one of these entries, so a shard may be there
   * twice.
   */
  slots: readonly number[]
}

/** Slots by the shares of shards, such as [0, 1, 1] of 1 and 2. */
export function slotsOf(shares: readonly number[]): number[] {
  return shares.flatMap((share, shard) => Array<number>(share).fill(shard))
}

const bySlots = (slots: readonly number[]): string =>
  `[${slots.join(', ')}][sipHash64(user_id) % ${slots.length} + 1]`

/**
 * SQL: the index of the shard of `user_id`. The time is read from the id itself (UUID version 7);
 * an id without one is of the first placement.
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
