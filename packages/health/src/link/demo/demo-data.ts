import { type Series, series } from '@salus/contracts/series'
import { HOUR_MS } from '@salus/contracts/time-units'
import { PageData } from '../../connectors/index.ts'
import type { HistorySubject } from '../../ingest/index.ts'
import { summaryHistory } from '../../summaries/index.ts'

/**
 * The generated life that demo data are made of. Epoch milliseconds, seconds east of UTC, seconds
 * in a sleep.
 */
export interface DemoLife {
  readonly heightMeters: number
  readonly sex: 'male' | 'female'
  readonly days: readonly (Movement & {
    readonly date: string
    readonly totalCalories: number
    readonly lowSeconds: number
    readonly mediumSeconds: number
    readonly highSeconds: number
    readonly weightKilograms: number
  })[]
  readonly sleeps: readonly (Lived & {
    readonly date: string
    readonly isNight: boolean
    readonly stages: readonly {
      readonly stage: 'deep' | 'light' | 'rem' | 'awake'
      readonly from: number
      readonly to: number
    }[]
  })[]
  readonly workouts: readonly (Movement & { readonly sport: string })[]
  readonly heartRates: readonly Measured[]
  readonly variabilities: readonly Measured[]
  readonly hours: readonly Movement[]
  readonly glucose: readonly Measured[]
  readonly meals: readonly Measured[]
}

interface Lived {
  readonly from: number
  readonly to: number
  readonly offset: number
}
interface Movement extends Lived {
  readonly steps: number
  readonly meters: number
  readonly calories: number
}
/** The type that PageData accepts. */
interface VendorInstant {
  at: number
  offset: number | null
}
interface Measured {
  readonly at: number
  readonly offset: number
  readonly value: number
}

/**
 * Generates the life of an account between two instants, for a vendor if one is named; the same
 * account always has the same life.
 */
export type ReadLife = (
  account: string,
  span: { from: number; to: number },
  slug?: string,
) => DemoLife

export const DEMO_PROVIDERS = ['apple_health_kit', 'fitbit', 'freestyle_libre', 'oura'] as const
export type DemoProvider = (typeof DEMO_PROVIDERS)[number]

interface MeasuredData {
  summaries: readonly ('activity' | 'sleep' | 'workouts' | 'body' | 'profile')[]
  series: readonly (
    | 'heartrate'
    | 'hrv'
    | 'steps'
    | 'distance'
    | 'calories_active'
    | 'glucose'
    | 'carbohydrates'
    | 'body_weight'
  )[]
  sourceType: 'watch' | 'ring' | 'automatic' | 'unknown'
}

const MOVEMENT = ['heartrate', 'steps', 'distance', 'calories_active'] as const
const BODY = ['activity', 'sleep', 'workouts', 'body', 'profile'] as const

/** Data that the device of each provider measures. */
const MEASURED_DATA: Record<DemoProvider, MeasuredData> = {
  apple_health_kit: {
    summaries: BODY,
    series: [...MOVEMENT, 'hrv', 'body_weight'],
    sourceType: 'watch',
  },
  fitbit: { summaries: BODY, series: [...MOVEMENT, 'hrv', 'body_weight'], sourceType: 'watch' },
  oura: {
    summaries: ['activity', 'sleep', 'workouts', 'profile'],
    series: ['heartrate', 'hrv'],
    sourceType: 'ring',
  },
  freestyle_libre: { summaries: [], series: ['glucose', 'carbohydrates'], sourceType: 'automatic' },
}

/** Returns the data with a history and an event for it. */
export function demoSubjects(provider: DemoProvider): (Series | HistorySubject)[] {
  const { summaries, series: names } = MEASURED_DATA[provider]
  return [...summaries.map(summaryHistory), ...names.map(series)]
}

/** Returns the data of a time range as the provider would bring them. */
export function demoData(
  owner: { userId: string; provider: DemoProvider },
  life: DemoLife,
): PageData {
  const data = new PageData(owner)
  const measured = MEASURED_DATA[owner.provider]
  const { summaries, sourceType } = measured
  // The clocks of glucose sensors have no zone (docs/contract/01-conventions.md#dates-and-times).
  const isFloating = owner.provider === 'freestyle_libre'
  const instant = (at: number, offset: number): VendorInstant =>
    isFloating ? { at: at + offset * 1000, offset: null } : { at, offset }
  const parts = { data, sourceType, instant }
  addSamples(parts, measured, life)
  if (summaries.includes('activity')) addDays(parts, life)
  if (summaries.includes('sleep')) addSleeps(parts, life)
  if (summaries.includes('workouts')) addWorkouts(parts, life)
  if (summaries.includes('body')) addBodies(parts, life)
  if (summaries.includes('profile')) addProfile(parts, life)
  return data
}

interface Parts {
  data: PageData
  sourceType: MeasuredData['sourceType']
  instant: (at: number, offset: number) => VendorInstant
}

function addSamples(
  { data, sourceType, instant }: Parts,
  { series: names }: MeasuredData,
  life: DemoLife,
) {
  const addEach = (
    name: MeasuredData['series'][number],
    unit: string,
    values: readonly Measured[],
    more: { type?: string; extra?: Record<string, string> } = {},
  ): void => {
    if (!names.includes(name)) return
    for (const { at, offset, value } of values) {
      const start = instant(at, offset)
      data.addSample(name, { start, value, unit, sourceType, ...more })
    }
  }
  addEach('heartrate', 'bpm', life.heartRates)
  addEach('hrv', 'ms', life.variabilities, { extra: { method: 'rmssd' } })
  addEach('glucose', 'mg/dL', life.glucose, { type: 'automatic' })
  addEach('carbohydrates', 'g', life.meals)
  const weights = life.days.map((day) => ({ ...weighingOf(day), value: day.weightKilograms }))
  addEach(
    'body_weight',
    'kg',
    weights.filter(({ at }) => at < (life.days.at(-1)?.to ?? 0)),
  )
  const addHours = (
    name: MeasuredData['series'][number],
    unit: string,
    read: (hour: Movement) => number,
  ) => {
    if (!names.includes(name)) return
    for (const hour of life.hours.filter(({ steps }) => steps > 0)) {
      const [start, end] = [instant(hour.from, hour.offset), instant(hour.to, hour.offset)]
      data.addSample(name, { start, end, value: read(hour), unit, sourceType })
    }
  }
  addHours('steps', 'count', ({ steps }) => steps)
  addHours('distance', 'm', ({ meters }) => meters)
  addHours('calories_active', 'kcal', ({ calories }) => calories)
}

/** A weighing in the morning. */
const weighingOf = ({ from, offset }: Lived) => ({ at: from + 7 * HOUR_MS, offset })

function addDays({ data, sourceType, instant }: Parts, { days }: DemoLife): void {
  for (const day of days) {
    const values = {
      calories_total: day.totalCalories,
      calories_active: day.calories,
      steps: day.steps,
      distance_meter: day.meters,
      intensity_low_second: day.lowSeconds,
      intensity_medium_second: day.mediumSeconds,
      intensity_high_second: day.highSeconds,
    }
    data.addSummary('activity', {
      recordId: day.date,
      calendarDate: day.date,
      start: { ...instant(day.from, day.offset), at: Date.parse(`${day.date}T00:00:00Z`) },
      sourceType,
      values,
      raw: { day: day.date, ...values },
    })
  }
}

function addSleeps({ data, sourceType, instant }: Parts, life: DemoLife): void {
  for (const { from, to, offset, date, isNight, stages } of life.sleeps) {
    data.addSleep({
      recordId: String(from),
      calendarDate: date,
      start: instant(from, offset),
      end: instant(to, offset),
      sourceType,
      values: { type: isNight ? 'long_sleep' : 'short_sleep' },
      stages,
      readings: {
        heartRates: readingsIn(life.heartRates, { from, to }),
        rmssd: readingsIn(life.variabilities, { from, to }),
      },
      raw: { start: new Date(from).toISOString(), stages },
    })
  }
}

const readingsIn = (values: readonly Measured[], { from, to }: { from: number; to: number }) =>
  values
    .filter(({ at }) => at >= from && at < to)
    .map(({ at, value }) => ({ startedAt: at, endedAt: at, value }))

function addWorkouts(
  { data, sourceType, instant }: Parts,
  { workouts, heartRates }: DemoLife,
): void {
  for (const { from, to, offset, sport, calories, meters } of workouts) {
    data.addWorkout({
      recordId: String(from),
      start: instant(from, offset),
      end: instant(to, offset),
      sourceType,
      sport,
      values: { title: null, calories, distance_meter: meters },
      heartRates: readingsIn(heartRates, { from, to }),
      raw: { sport, start: new Date(from).toISOString(), calories, meters },
    })
  }
}

function addBodies({ data, sourceType, instant }: Parts, { days, heightMeters }: DemoLife): void {
  for (const day of days) {
    const { at, offset } = weighingOf(day)
    if (at >= day.to) continue
    const weight = day.weightKilograms
    const body_mass_index = Math.round((weight / heightMeters ** 2) * 10) / 10
    const values = { weight_kilogram: weight, body_mass_index }
    const frame = { recordId: String(at), start: instant(at, offset), sourceType }
    data.addSummary('body', { ...frame, values, raw: values })
  }
}

function addProfile({ data }: Parts, { heightMeters, sex }: DemoLife): void {
  const values = { height_centimeter: Math.round(heightMeters * 100), sex }
  const start = { at: 0, offset: null }
  data.addSummary('profile', { recordId: 'profile', start, sourceType: 'app', values, raw: values })
}
