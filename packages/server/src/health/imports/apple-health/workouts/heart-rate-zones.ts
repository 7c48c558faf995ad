/** Highest heart rate of a person of unknown age is that of this age (contract 06, section 6). */
const UNKNOWN_AGE = 30
const ZONE_COUNT = 6
/** A rate holds until the next one, but no longer than this: after it nothing is known. */
const MOST_HOLD_MS = 60_000

export interface HeartRateSample {
  /** Epoch milliseconds. */
  at: number
  /** Beats a minute. */
  rate: number
}

/** Full years at an instant; undefined birth date: the age that stands for unknown. */
export function ageAt(birthDate: string | null, at: number): number {
  if (birthDate === null) return UNKNOWN_AGE
  const day = new Date(at).toISOString().slice(0, 10)
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  const age = day.slice(5) < birthDate.slice(5) ? years - 1 : years
  return age >= 0 && age <= 120 ? age : UNKNOWN_AGE
}

/**
 * Seconds in each zone: below 50, 50 to 60, 60 to 70, 70 to 80, 80 to 90, and from 90 % of 220 - age.
 * @param samples In order of time, all before `endedAt`.
 */
export function heartRateZones(
  samples: readonly HeartRateSample[],
  endedAt: number,
  age: number,
): number[] {
  const zones = new Array<number>(ZONE_COUNT).fill(0)
  for (const [index, { at, rate }] of samples.entries()) {
    const next = samples[index + 1]?.at ?? endedAt
    const percent = (100 * rate) / (220 - age)
    const zone = Math.min(Math.max(Math.floor(percent / 10) - 4, 0), ZONE_COUNT - 1)
    zones[zone] = (zones[zone] as number) + Math.min(next - at, MOST_HOLD_MS) / 1000
  }
  return zones
}
