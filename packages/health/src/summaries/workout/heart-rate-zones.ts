import { type Reading, type RecordedSession, readingsWithin } from '../session-readings.ts'

/**
 * Age that determines the maximum heart rate of a user of unknown age
 * (docs/contract/06-summaries.md#workouts).
 */
const UNKNOWN_AGE = 30
const ZONE_COUNT = 6
/** A rate is valid until the next one, but no longer than this. */
const USUAL_HOLD_MS = 60_000
/**
 * Rates of regular but rare measurements are valid longer: twice the usual distance, up to this.
 */
const MOST_HOLD_MS = 600_000

/** Returns full years at an instant; a null birth date gives the age for unknown ones. */
export function ageAt(birthDate: string | null, at: number): number {
  if (birthDate === null) return UNKNOWN_AGE
  const day = new Date(at).toISOString().slice(0, 10)
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  const age = day.slice(5) < birthDate.slice(5) ? years - 1 : years
  return age >= 0 && age <= 120 ? age : UNKNOWN_AGE
}

/** Returns the estimated maximum heart rate at an age. */
export function maximumRateAt(birthDate: string | null, at: number): number {
  return 220 - ageAt(birthDate, at)
}

/**
 * Returns how long a rate is valid at most. Measurements every five minutes cover the whole
 * workout; those of every second that stop for five minutes do not.
 * @param rates In order of time.
 */
function longestHold(rates: readonly Reading[]): number {
  const distances = rates
    .slice(1)
    .map(({ startedAt }, index) => startedAt - (rates[index] as Reading).startedAt)
    .sort((a, b) => a - b)
  const usual = distances[Math.floor((distances.length - 1) / 2)] ?? 0
  return Math.min(Math.max(USUAL_HOLD_MS, 2 * usual), MOST_HOLD_MS)
}

/**
 * Returns the seconds in each zone: below 50, 50 to 60, 60 to 70, 70 to 80, 80 to 90, and from 90 %
 * of the maximum.
 * @param readings Beats per minute, in any order; those outside the session are left out.
 */
export function heartRateZones(
  readings: readonly Reading[],
  session: RecordedSession,
  maximumRate: number,
): number[] {
  const zones = new Array<number>(ZONE_COUNT).fill(0)
  const rates = readingsWithin(readings, session)
  const hold = longestHold(rates)
  for (const [index, { startedAt, value }] of rates.entries()) {
    const next = rates[index + 1]?.startedAt ?? session.endedAt
    const percent = (100 * value) / maximumRate
    const zone = Math.min(Math.max(Math.floor(percent / 10) - 4, 0), ZONE_COUNT - 1)
    zones[zone] = (zones[zone] as number) + Math.min(next - startedAt, hold) / 1000
  }
  return zones
}
