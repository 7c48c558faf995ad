import { timeOfEventId } from '@salus/kernel/events/event-id'

/**
 * Returns a condition on the time of events that leaves the partitions of other days out: each of
 * them has a granule in which an id could be. An id has the time of its event, but for a clock that
 * was set back a little.
 */
export function onDaysOf(column: string, ids: readonly string[]) {
  const times = ids.map(timeOfEventId)
  return {
    condition: `${column} between fromUnixTimestamp64Milli({firstMs:Int64}) - toIntervalDay(1)
      and fromUnixTimestamp64Milli({lastMs:Int64}) + toIntervalDay(1)`,
    parameters: { firstMs: Math.min(times[0] ?? 0, ...times), lastMs: Math.max(0, ...times) },
  }
}
