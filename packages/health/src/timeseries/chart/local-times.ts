import { formatInstant } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { ChartLocalTime } from './chart.schema.ts'

/** The user's local time at an instant. */
export interface OffsetReading {
  /** Epoch milliseconds. */
  first: number
  /** Offset from UTC in seconds. */
  offset: number
}

/** Samples of one hour with the same local time. */
export interface LocalHour extends OffsetReading {
  /** Counted in UTC. */
  hour: number
  count: number
}

/** Maximum number of changes of local time in an answer. */
const MOST_LOCAL_TIMES = 200

/**
 * Returns the user's local times with their starts. A change of the clock in the user's zone is not
 * a journey.
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
 * Returns one reading an hour over all series. Where sources disagree, as a watch on a journey and
 * a scale at home do, the local time of most samples counts; of equally many the previous one.
 * @param hours In order of time.
 */
export function readingsByHour(hours: readonly LocalHour[]): OffsetReading[] {
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
