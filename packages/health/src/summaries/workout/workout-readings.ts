import {
  amountsWithin,
  measureRates,
  type Reading,
  type RecordedSession,
  readingsWithin,
} from '../session-readings.ts'
import type { WorkoutStream } from '../summary.ts'
import type { SummaryValues } from '../summary-tables.registry.ts'
import { heartRateZones } from './heart-rate-zones.ts'

type WorkoutValues = Partial<SummaryValues<'workouts'>>

const ZONES = [1, 2, 3, 4, 5, 6] as const
const ZONE_COLUMNS = ZONES.map((zone) => `heart_rate_zone_${zone}` as const)

/** A shorter interval gives no speed. */
const LEAST_SPEED_MS = 1000

/**
 * Computes the heart rates of a workout: mean, minimum, maximum and the time in each zone.
 * @param said Values of the source, which are never changed. Either all zones or none are computed:
 *   zones that a source omits may well be empty.
 */
export function measureHeartRates(
  readings: readonly Reading[],
  session: RecordedSession,
  maximumRate: number,
  said: WorkoutValues = {},
): WorkoutValues {
  const within = readingsWithin(readings, session)
  const rates = measureRates(within, said)
  if (within.length === 0 || session.endedAt <= session.startedAt) return rates
  if (ZONE_COLUMNS.some((column) => (said[column] ?? null) !== null)) return rates
  const seconds = heartRateZones(readings, session, maximumRate)
  const zones = ZONE_COLUMNS.map((column, index) => [column, seconds[index]])
  return { ...rates, ...Object.fromEntries(zones) }
}

/**
 * Returns distances within a workout, in order. Two devices may have measured the same distance: an
 * interval that begins before the end of the previous one is not counted.
 */
export function countDistances(samples: readonly Reading[], session: RecordedSession): Reading[] {
  let until = Number.NEGATIVE_INFINITY
  return amountsWithin(samples, session).filter(({ startedAt, endedAt }) => {
    if (startedAt < until) return false
    until = endedAt
    return true
  })
}

/**
 * Computes distance and speed: the sum of the counted distances, the mean speed over the moving
 * time, otherwise over the whole workout, and the highest speed of an interval.
 * @param said Values of the source, which are never changed.
 */
export function measureMovement(
  distances: readonly Reading[],
  session: RecordedSession,
  said: WorkoutValues,
): WorkoutValues {
  const counted = distances.reduce((sum, { value }) => sum + value, 0)
  const meters = said.distance_meter ?? (distances.length > 0 ? counted : null)
  const elapsed = (session.endedAt - session.startedAt) / 1000
  const seconds = said.duration_active_second || elapsed
  const mean = meters !== null && meters > 0 && seconds > 0 ? meters / seconds : null
  const speeds = distances
    .map(({ startedAt, endedAt, value }) => ({ lasts: endedAt - startedAt, value }))
    .filter(({ lasts }) => lasts >= LEAST_SPEED_MS)
    .map(({ lasts, value }) => (1000 * value) / lasts)
  const fastest = speeds.reduce((most, speed) => Math.max(most, speed), 0)
  return {
    distance_meter: meters,
    speed_mean: mean,
    // The distance may be longer than that of the intervals.
    speed_maximum: fastest > 0 ? Math.max(fastest, mean ?? 0) : null,
  }
}

const toSecond = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/**
 * Builds the stream of a workout from its samples: heart rates and cumulative meters by second.
 * @param distances Returned by countDistances.
 */
export function buildWorkoutStream(
  session: RecordedSession,
  heartRates: readonly Reading[],
  distances: readonly Reading[],
): WorkoutStream | undefined {
  // Of several in one second the last counts.
  const rates = new Map(
    readingsWithin(heartRates, session).map(({ startedAt, value }) => [toSecond(startedAt), value]),
  )
  const covered = new Map<number, number>()
  let total = 0
  for (const { endedAt, value } of distances) {
    total += value
    covered.set(toSecond(endedAt), total)
  }
  const time = [...new Set([...rates.keys(), ...covered.keys()])].sort((a, b) => a - b)
  if (time.length === 0) return undefined
  const channel = (bySecond: Map<number, number>): (number | null)[] =>
    bySecond.size === 0 ? [] : time.map((second) => bySecond.get(second) ?? null)
  return { time, heartrate: channel(rates), distance: channel(covered) }
}
