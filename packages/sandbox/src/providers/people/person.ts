import { betweenAt, deriveSeed, isAt, pickAt, seedOf, unitAt } from './noise.ts'

/**
 * Constant facts of a person: body, habits, home. Everything else follows from these and the time.
 */
export interface Person {
  readonly seed: number
  readonly sex: 'male' | 'female'
  readonly age: number
  readonly heightMeters: number
  readonly weightKilograms: number
  readonly restingHeartRate: number
  readonly maximalHeartRate: number
  /** RMSSD in the night of a good day, milliseconds. */
  readonly restingVariability: number
  readonly homeZone: string
  /** Hour at which an ordinary night begins; more than 24 is after midnight. */
  readonly bedHour: number
  readonly sleepHours: number
  /** How much later nights before free days begin, hours. */
  readonly weekendShift: number
  /** From 0, sedentary, to 1, always active. */
  readonly activity: number
  /** Days of the week, from Monday, 0, on which they exercise. */
  readonly exerciseDays: ReadonlySet<number>
  readonly exerciseHour: number
  readonly sports: readonly Sport[]
  readonly napChance: number
  /** Hours of the three meals. */
  readonly mealHours: readonly [number, number, number]
  /** Type 1 diabetes, with insulin; else glucose stays nearly healthy. */
  readonly isDiabetic: boolean
  readonly traits: ReadonlySet<string>
}

export interface Sport {
  readonly name: string
  /** Part of the way from the resting to the maximal heart rate. */
  readonly intensity: number
  readonly met: number
  readonly stepsAMinute: number
  readonly metersASecond: number
}

const SPORTS: readonly Sport[] = [
  { name: 'running', intensity: 0.74, met: 9.5, stepsAMinute: 164, metersASecond: 2.8 },
  { name: 'cycling', intensity: 0.64, met: 7.2, stepsAMinute: 0, metersASecond: 6.6 },
  { name: 'walking', intensity: 0.36, met: 3.6, stepsAMinute: 112, metersASecond: 1.4 },
  { name: 'strength_training', intensity: 0.5, met: 5, stepsAMinute: 18, metersASecond: 0 },
  { name: 'swimming', intensity: 0.66, met: 7.8, stepsAMinute: 0, metersASecond: 0.8 },
  { name: 'yoga', intensity: 0.22, met: 2.6, stepsAMinute: 4, metersASecond: 0 },
]

export const ZONES: readonly string[] = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Madrid',
  'Europe/Stockholm',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Sydney',
  'America/Sao_Paulo',
]

const SALT = 'salus people'

/**
 * Returns the owner of an account at a provider. The words between `+` and `@`, or the end, of the
 * account's name are options: `travel`, `minute`, `live` (docs/sandbox.md#people).
 */
export function personOf(slug: string, account: string): Person {
  const seed = seedOf(`${SALT}/${slug}/${account}`)
  const at = (use: number, low: number, high: number) =>
    betweenAt(deriveSeed(seed, use), 0, low, high)
  const sex = isAt(deriveSeed(seed, 1), 0, 0.5) ? 'female' : 'male'
  const age = Math.round(at(2, 19, 74))
  const activity = at(3, 0.1, 1)
  const heightMeters = sex === 'female' ? at(4, 1.54, 1.78) : at(4, 1.66, 1.95)
  const bodyMassIndex = at(5, 19.5, 31)
  const days = [0, 1, 2, 3, 4, 5, 6].filter((day) =>
    isAt(deriveSeed(seed, 6), day, 0.15 + 0.5 * activity),
  )
  const mealShift = at(12, -0.7, 0.9)
  return {
    seed,
    sex,
    age,
    heightMeters: Math.round(heightMeters * 100) / 100,
    weightKilograms: Math.round(bodyMassIndex * heightMeters ** 2 * 10) / 10,
    restingHeartRate: Math.round(66 - 14 * activity + at(7, -5, 6)),
    maximalHeartRate: Math.round(208 - 0.7 * age),
    restingVariability: Math.round((78 - 0.65 * age) * (0.75 + 0.5 * activity)),
    homeZone: pickAt(deriveSeed(seed, 8), 0, ZONES),
    bedHour: at(9, 21.9, 24.6),
    sleepHours: at(10, 6.7, 8.4),
    weekendShift: at(11, 0.2, 1.3),
    activity,
    exerciseDays: new Set(days),
    exerciseHour: unitAt(deriveSeed(seed, 13), 0) < 0.4 ? at(14, 9.5, 11) : at(14, 17, 19),
    sports: [0, 1].map((position) => pickAt(deriveSeed(seed, 15), position, SPORTS)),
    napChance: at(16, 0, 0.12),
    mealHours: [7.8 + mealShift, 12.6 + mealShift, 18.9 + mealShift],
    isDiabetic: isAt(deriveSeed(seed, 17), 0, 0.85),
    traits: traitsOf(account),
  }
}

/** Returns the options in the name of an account. */
export function traitsOf(account: string): ReadonlySet<string> {
  const [name = ''] = account.split('@')
  return new Set(name.split('+').slice(1))
}
