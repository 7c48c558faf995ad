import { formatInstant } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { ChartLocalTime } from './chart.schema.ts'

/** What the person's clock showed at an instant. */
export interface OffsetReading {
  /** Epoch milliseconds. */
  first: number
  /** Seconds east of UTC. */
  offset: number
}

/** Samples of one hour that agree on the local time. */
export interface LocalHour extends OffsetReading {
  /** Counted in UTC. */
  hour: number
  count: number
}

/** Most changes of the local time that an answer lists. */
const MOST_LOCAL_TIMES = 200

/**
 * From when on the person had which local time. A change is no journey where the person's zone
 * changed its clock.
 * @param readings In any order.
 */
export function listLocalTimes(
  readings: readonly OffsetReading[],
  fallbackZone: string,
): ChartLocalTime[] {
  const isAtHome = ({ first, offset }: OffsetReading): boolean =>
    zoneOffsetSeconds(fallbackZone, first) === offset
  const times: ChartLocalTime[] = []
  let before: OffsetReading | undefined
  for (const reading of readings.toSorted((a, b) => a.first - b.first)) {
    if (reading.offset !== before?.offset && times.length < MOST_LOCAL_TIMES) {
      const isJourney = before !== undefined && !(isAtHome(before) && isAtHome(reading))
      const from = formatInstant(reading.first)
      times.push({ from, timezone_offset: reading.offset, is_journey: isJourney })
    }
    before = reading
  }
  return times
}

/**
 * One reading an hour of all series together. Where sources disagree, as a watch on a journey and a
 * scale at home do, the local time counts that most samples of the hour have; of equally many the
 * one before.
 * @param hours In order of time.
 */
export function settleHours(hours: readonly LocalHour[]): OffsetReading[] {
  const settled: OffsetReading[] = []
  for (const ofHour of Map.groupBy(hours, ({ hour }) => hour).values()) {
    const before = settled.at(-1)?.offset
    const most = Math.max(...ofHour.map(({ count }) => count))
    const leading = ofHour.filter(({ count }) => count === most)
    const best = leading.find(({ offset }) => offset === before) ?? leading[0]
    if (best !== undefined) settled.push(best)
  }
  return settled
}
