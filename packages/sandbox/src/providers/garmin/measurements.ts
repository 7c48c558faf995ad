import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar } from '../people/days.ts'
import { dateText } from '../people/local-time.ts'
import { betweenAt, deriveSeed, isAt, normalAt } from '../people/noise.ts'
import { idOf, type Summary, seconds } from './place.ts'

/** Measurements that people make in the morning; they are uploaded at once. */

const measured = (calendar: Calendar, at: number) => ({
  measurementTimeInSeconds: seconds(at),
  measurementTimeOffsetInSeconds: calendar.offsetAt(at) / 1000,
})

const morningOf = (calendar: Calendar, day: number, minutes: number): number =>
  calendar.day(day).night.to + minutes * MINUTE_MS

/** Every third day on a scale that measures composition; some weights are typed in. */
export function bodiesOn(calendar: Calendar, day: number, until: number): Summary[] {
  const { seed, weightKilograms, heightMeters, sex } = calendar.person
  const at = morningOf(calendar, day, 15)
  if ((day + seed) % 3 !== 0 || at > until) return []
  const weight = Math.round(1000 * weightKilograms + 300 * normalAt(deriveSeed(seed, 540), day))
  const isTyped = isAt(deriveSeed(seed, 541), day, 0.2)
  const fat = Number(betweenAt(deriveSeed(seed, 542), 0, sex === 'male' ? 12 : 20, 30).toFixed(1))
  return [
    {
      summaryId: idOf(calendar, at, '-b'),
      ...measured(calendar, at),
      weightInGrams: weight,
      ...(!isTyped && {
        bodyFatInPercent: fat,
        bodyWaterInPercent: 55,
        bodyMassIndex: Number((weight / 1000 / heightMeters ** 2).toFixed(1)),
        muscleMassInGrams: Math.round(weight * 0.42),
        boneMassInGrams: Math.round(weight * 0.04),
      }),
    },
  ]
}

/** Every fifth day, with a cuff or typed in. */
export function pressuresOn(calendar: Calendar, day: number, until: number): Summary[] {
  const { seed, age, restingHeartRate } = calendar.person
  const at = morningOf(calendar, day, 25)
  if ((day + seed) % 5 !== 0 || at > until) return []
  const high = normalAt(deriveSeed(seed, 543), day)
  return [
    {
      summaryId: idOf(calendar, at, '-p'),
      ...measured(calendar, at),
      systolic: Math.round(112 + age / 4 + 6 * high),
      diastolic: Math.round(72 + age / 8 + 4 * high),
      pulse: restingHeartRate + 6,
      sourceType: isAt(deriveSeed(seed, 544), day, 0.3) ? 'MANUAL' : 'DEVICE',
    },
  ]
}

/** Once a week. */
export function metricsOn(calendar: Calendar, day: number, until: number): Summary[] {
  const { seed, age, activity } = calendar.person
  if ((day + seed) % 7 !== 0 || calendar.day(day).night.to > until) return []
  const uptake = 46 - 0.3 * (age - 25) + 10 * (activity - 0.5)
  return [
    {
      summaryId: idOf(calendar, calendar.day(day).from, '-u'),
      calendarDate: dateText(day),
      vo2Max: Math.round(uptake + betweenAt(deriveSeed(seed, 545), day, -1, 1)),
      enhanced: true,
      fitnessAge: age,
    },
  ]
}

export const CYCLE_DAYS = 28
export const PERIOD_DAYS = 5

/** Returns the first day of the cycle of a day. */
export const cycleStartOf = ({ person: { seed } }: Calendar, day: number): number =>
  day - ((((day + seed) % CYCLE_DAYS) + CYCLE_DAYS) % CYCLE_DAYS)

/** A summary of each day has the whole cycle. Women have it. */
export function cyclesOn(calendar: Calendar, day: number, until: number): Summary[] {
  const { from, night } = calendar.day(day)
  if (calendar.person.sex !== 'female' || night.to > until) return []
  const start = cycleStartOf(calendar, day)
  return [
    {
      summaryId: idOf(calendar, from, '-m'),
      periodStartDate: dateText(start),
      dayInCycle: day - start + 1,
      periodLength: PERIOD_DAYS,
      currentPhase: day - start < PERIOD_DAYS ? 1 : 2,
      currentPhaseType: day - start < PERIOD_DAYS ? 'MENSTRUAL' : 'FOLLICULAR',
      predictedCycleLength: CYCLE_DAYS,
      isPredictedCycle: false,
      lastUpdatedTimeInSeconds: seconds(night.to),
    },
  ]
}
