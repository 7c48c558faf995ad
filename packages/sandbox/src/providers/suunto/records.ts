import { MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Exercise, Span } from '../people/days.ts'
import { Heart } from '../people/heart.ts'
import { localText } from '../people/local-time.ts'
import { deriveSeed, normalAt, uuidAt } from '../people/noise.ts'
import { type Sleep, secondsIn, sleepsOn } from '../people/sleep.ts'
import { isWornDuring } from '../people/states.ts'
import { type SyncHabit, syncedUntil } from '../people/sync.ts'

/** Records of the Suunto Cloud API, each a function of the person and of what was uploaded. */

const WATCH_SYNC: SyncHabit = { use: 531, everyHours: [1, 5], silentDays: 0.06 }

/** Returns the time up to which the watch of an account uploaded its data. */
export const suuntoUntil = (calendar: Calendar, now: number): number =>
  syncedUntil(calendar, now, WATCH_SYNC)

export const SAMPLE_MS = 10 * MINUTE_MS
const JOULES = 4184

const ACTIVITIES: Readonly<Record<string, number>> = {
  running: 1,
  cycling: 2,
  walking: 0,
  strength_training: 23,
  swimming: 21,
  yoga: 51,
}

/** `2026-03-01T07:30:00+02:00` */
const zonedText = (calendar: Calendar, at: number): string => {
  const text = localText(at, calendar.offsetAt(at))
  return text.slice(0, 19) + text.slice(23)
}

/** Returns what started in a span and was uploaded until then. */
export function exercisesIn(calendar: Calendar, span: Span, until: number) {
  return calendar
    .days(span)
    .flatMap(({ number, exercises }) => exercises.map((exercise) => ({ day: number, exercise })))
    .filter(({ exercise: { from, to } }) => from >= span.from && from < span.to && to <= until)
    .filter(({ exercise }) => isWornDuring(calendar, exercise))
}

export function workoutRecord(calendar: Calendar, day: number, exercise: Exercise) {
  const { from, to, sport } = exercise
  const { seed, weightKilograms } = calendar.person
  const minutes = activeMinutes(calendar, exercise)
  const beats: number[] = []
  new Heart(calendar).each(exercise, MINUTE_MS, (_at, rate) => beats.push(rate))
  const sum = (value: (minute: (typeof minutes)[number]) => number) =>
    minutes.reduce((total, minute) => total + value(minute), 0)
  const average = Math.round(beats.reduce((total, rate) => total + rate, 0) / beats.length)
  const highest = Math.max(...beats)
  return {
    workoutId: 0,
    workoutKey: uuidAt(deriveSeed(seed, 532), day).replaceAll('-', '').slice(0, 24),
    activityId: ACTIVITIES[sport.name] ?? 4,
    startTime: from,
    stopTime: to,
    totalTime: (to - from) / 1000,
    timeOffsetInMinutes: calendar.offsetAt(from) / MINUTE_MS,
    totalDistance: Number(sum(({ meters }) => meters).toFixed(1)),
    stepCount: sum(({ steps }) => steps),
    energyConsumption: Math.round(sum(({ met }) => caloriesOf(met, weightKilograms))),
    hrdata: {
      workoutAvgHR: average,
      workoutMaxHR: highest,
      avg: average,
      hrmax: highest,
      max: calendar.person.maximalHeartRate,
      min: Math.min(...beats),
    },
    gear: {
      manufacturer: 'Suunto',
      name: 'Suunto Race',
      displayName: 'Suunto Race',
      serialNumber: `S${seed}`,
      swVersion: '2.40.44',
    },
  }
}

/** Returns nights and naps that ended in a span and were uploaded until then. */
export function sleepsIn(calendar: Calendar, span: Span, until: number): Sleep[] {
  return calendar
    .days(span)
    .flatMap(({ number }) => sleepsOn(calendar, number))
    .filter(({ to }) => to >= span.from && to < span.to && to <= until)
    .filter((sleep) => isWornDuring(calendar, sleep))
}

export function sleepRecord(calendar: Calendar, sleep: Sleep) {
  const { from, to, kind, day } = sleep
  const beats: number[] = []
  new Heart(calendar).each(sleep, 5 * MINUTE_MS, (_at, rate) => beats.push(rate))
  const score = 80 + 8 * normalAt(deriveSeed(calendar.person.seed, 533), day)
  return {
    timestamp: zonedText(calendar, to),
    entryData: {
      SleepId: from / 1000,
      BedtimeStart: zonedText(calendar, from),
      BedtimeEnd: zonedText(calendar, to),
      Duration: (to - from) / 1000,
      DeepSleepDuration: secondsIn(sleep, 'deep'),
      LightSleepDuration: secondsIn(sleep, 'light'),
      REMSleepDuration: secondsIn(sleep, 'rem'),
      WakeAfterSleepOnsetDuration: secondsIn(sleep, 'awake'),
      HRAvg: Number((beats.reduce((sum, rate) => sum + rate, 0) / beats.length).toFixed(2)),
      HRMin: Math.min(...beats),
      SleepQualityScore: Math.round(Math.min(Math.max(score, 1), 100)),
      IsNap: kind === 'nap',
    },
  }
}

/** Returns samples of ten minutes in which the watch was worn. */
export function samplesIn(calendar: Calendar, { from, to }: Span, until: number) {
  const heart = new Heart(calendar)
  const { weightKilograms } = calendar.person
  const samples: object[] = []
  const end = Math.min(to, until - SAMPLE_MS + 1)
  heart.each({ from, to: end }, SAMPLE_MS, (at, rate, context) => {
    const minutes = activeMinutes(calendar, { from: at, to: at + SAMPLE_MS })
    const energy = minutes.reduce((sum, { met }) => sum + caloriesOf(met, weightKilograms), 0)
    const isAsleep = context === 'sleep'
    samples.push({
      timestamp: zonedText(calendar, at),
      entryData: {
        HR: rate,
        StepCount: minutes.reduce((sum, { steps }) => sum + steps, 0),
        EnergyConsumption: Math.round(energy * JOULES),
        HRV: isAsleep ? heart.variabilityAt(at) : null,
        SpO2: isAsleep ? 0.97 : null,
      },
    })
  })
  return samples
}
