import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import { recordingOn } from '../people/body.ts'
import type { Calendar, Exercise, Span } from '../people/days.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { dateText } from '../people/local-time.ts'
import { deriveSeed, unitAt } from '../people/noise.ts'
import { type SyncHabit, syncedUntil } from '../people/sync.ts'

/** Records of the vendor's API, each a function of the person, the day and the upload time. */

export type Fields = Record<string, unknown>

const WATCH_SYNC: SyncHabit = { use: 510, everyHours: [0.8, 3], silentDays: 0.05 }

/** Returns the time up to which the watch of an account uploaded its data. */
export const watchUntil = (calendar: Calendar, now: number): number =>
  syncedUntil(calendar, now, WATCH_SYNC)

export const secondsOf = (at: number): number => Math.floor(at / 1000)

/** Ids of devices are hexadecimal; those of records are numbers. */
export const deviceId = ({ person }: Calendar, kind: number): string =>
  deriveSeed(person.seed, 910 + kind)
    .toString(16)
    .padStart(8, '0')
    .repeat(5)

export const recordId = ({ person }: Calendar, day: number, kind: number): number =>
  (person.seed % 100_000) * 10_000_000 + day * 100 + kind

export interface Device {
  readonly kind: number
  readonly type: string
  readonly model: string
  readonly modelId: number
}

export const SCALE: Device = { kind: 0, type: 'Scale', model: 'Body Cardio', modelId: 6 }
export const CUFF: Device = {
  kind: 1,
  type: 'Blood Pressure Monitor',
  model: 'BPM Connect',
  modelId: 45,
}
export const WATCH: Device = { kind: 2, type: 'Activity Tracker', model: 'ScanWatch', modelId: 93 }
export const THERMOMETER: Device = {
  kind: 3,
  type: 'Smart Connected Thermometer',
  model: 'Thermo',
  modelId: 70,
}
export const MAT: Device = {
  kind: 4,
  type: 'Sleep Monitor',
  model: 'Aura Sensor V2',
  modelId: 63,
}

/** Some people also have a sensor below the mattress. */
export const hasMat = ({ person }: Calendar): boolean => person.seed % 3 === 0

const HEART_STEP_MS = 10 * MINUTE_MS

/** Heart rates of a watch: one in ten minutes. */
export function beatsOf(calendar: Calendar, span: Span): { at: number; beats: number }[] {
  const found: { at: number; beats: number }[] = []
  new Heart(calendar).each(span, HEART_STEP_MS, (at, beats) => found.push({ at, beats }))
  return found
}

export function statisticsOf(beats: readonly { beats: number }[]) {
  const all = beats.map((one) => one.beats)
  if (all.length === 0) return { hr_average: 0, hr_min: 0, hr_max: 0 }
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length
  return { hr_average: Math.round(mean), hr_min: Math.min(...all), hr_max: Math.max(...all) }
}

/** Returns the row of `getactivity` for a day, as far as the watch uploaded it. */
export function activityOn(calendar: Calendar, day: number, until: number): Fields | undefined {
  const { from, to, zone } = calendar.day(day)
  const span = { from, to: Math.min(to, until) }
  if (span.to < from + HOUR_MS) return undefined
  const { weightKilograms } = calendar.person
  const sums = { steps: 0, distance: 0, soft: 0, moderate: 0, intense: 0, calories: 0 }
  let total = 0
  for (const { met, steps, meters, isWorn } of activeMinutes(calendar, span)) {
    total += caloriesOf(met, weightKilograms)
    if (!isWorn) continue
    sums.steps += steps
    sums.distance += meters
    sums.calories += met < 2 ? 0 : caloriesOf(met - 1, weightKilograms)
    if (met >= 6) sums.intense += 60
    else if (met >= 3.2) sums.moderate += 60
    else if (met >= 2) sums.soft += 60
  }
  return {
    ...sums,
    distance: Number(sums.distance.toFixed(3)),
    calories: Number(sums.calories.toFixed(3)),
    totalcalories: Number(total.toFixed(3)),
    elevation: Math.floor(sums.steps / 900),
    active: sums.moderate + sums.intense,
    ...statisticsOf(beatsOf(calendar, span)),
    date: dateText(day),
    timezone: zone,
    deviceid: deviceId(calendar, WATCH.kind),
    hash_deviceid: deviceId(calendar, WATCH.kind),
    brand: 1,
    model: WATCH.model,
    modelid: WATCH.modelId,
    is_tracker: true,
    modified: secondsOf(until),
  }
}

/** Returns the rows of `getintradayactivity` in a span, by Unix seconds. */
export function intradayIn(calendar: Calendar, span: Span): Fields {
  const source = { deviceid: deviceId(calendar, WATCH.kind), model: WATCH.model }
  const rows: [number, Fields][] = []
  new Heart(calendar).each(span, HEART_STEP_MS, (at, beats, context) => {
    const row: Fields = { ...source, model_id: WATCH.modelId, heart_rate: beats }
    if (context === 'sleep' && at % HOUR_MS === 0) {
      const { oxygen } = nightSignsOn(calendar, calendar.dayAt(at).number)
      row.spo2_auto = Number(oxygen.toFixed(1))
    }
    rows.push([secondsOf(at), row])
    // A row of its duration alone: nothing was measured.
    if (at % HOUR_MS === 0) rows.push([secondsOf(at) + 60, { ...source, duration: 60 }])
  })
  return Object.fromEntries(rows)
}

const CATEGORIES: Readonly<Record<string, number>> = {
  running: 2,
  cycling: 6,
  walking: 1,
  strength_training: 16,
  swimming: 7,
  yoga: 28,
}

/** Returns a row of `getworkouts`. */
export function workoutOf(calendar: Calendar, day: number, exercise: Exercise): Fields {
  const { from, to, sport } = exercise
  const minutes = activeMinutes(calendar, exercise)
  const { weightKilograms, seed } = calendar.person
  const sum = (amountOf: (minute: (typeof minutes)[number]) => number): number =>
    Math.round(minutes.reduce((total, minute) => total + amountOf(minute), 0))
  return {
    id: recordId(calendar, day, 20),
    category: CATEGORIES[sport.name] ?? 36,
    timezone: calendar.zoneAt(from),
    model: WATCH.modelId,
    attrib: unitAt(deriveSeed(seed, 930), day) < 0.5 ? 0 : 7,
    startdate: secondsOf(from),
    enddate: secondsOf(to),
    date: dateText(day),
    deviceid: deviceId(calendar, WATCH.kind),
    data: {
      algo_pause_duration: null,
      calories: sum(({ met }) => caloriesOf(met - 1, weightKilograms)),
      distance: sum(({ meters }) => meters),
      elevation: 0,
      ...statisticsOf(beatsOf(calendar, exercise)),
      intensity: 30,
      manual_calories: 0,
      manual_distance: 0,
      pause_duration: 60,
      spo2_average: 0,
      steps: sum(({ steps }) => steps),
    },
    modified: secondsOf(to) + 60,
  }
}

/** Returns a row of `heart list`. */
export function heartOn(calendar: Calendar, day: number, until: number): Fields | undefined {
  const recording = recordingOn(calendar, day)
  if (recording === undefined || recording.at > until) return undefined
  const { at, beats, hasFibrillation } = recording
  return {
    deviceid: deviceId(calendar, WATCH.kind),
    model: WATCH.modelId,
    ecg: { signalid: recordId(calendar, day, 30), afib: hasFibrillation ? 1 : 0 },
    heart_rate: beats,
    timestamp: secondsOf(at),
    timezone: calendar.zoneAt(at),
    modified: secondsOf(at) + 60,
  }
}
