import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { betweenAt, deriveSeed, normalAt } from '../people/noise.ts'
import { BAND, dateOf, idOf, type Point, rounded, SCALE, sampleTime } from './points.ts'
import { nightsIn, recordedSleeps } from './sleep-records.ts'

/** Measures of a night or a morning, at most one a day. */

type Maker = (calendar: Calendar, span: Span) => Point[]

const NIGHT_STEP_MS = 5 * MINUTE_MS

/** One record of each night, dated by the day of its end; known when the night is uploaded. */
const daily =
  (content: (calendar: Calendar, day: number) => object): Maker =>
  (calendar, span) =>
    nightsIn(calendar, { from: span.from - DAY_MS, to: span.to }).map(({ to, day }) => ({
      from: to,
      to,
      content: content(calendar, day),
      dataSource: BAND,
    }))

const meanVariability = (calendar: Calendar, day: number): number => {
  const [night] = recordedSleeps(calendar, day, Number.POSITIVE_INFINITY)
  const values: number[] = []
  const heart = new Heart(calendar)
  for (let at = night?.from ?? 0; at < (night?.to ?? 0); at += NIGHT_STEP_MS) {
    values.push(heart.variabilityAt(at))
  }
  return rounded(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length), 3)
}

/** Skin temperature of a night and its baseline. */
export function skinOn(calendar: Calendar, day: number): { nightly: number; baseline: number } {
  const baseline = rounded(33 + (calendar.person.seed % 20) / 10, 2)
  const { temperatureDeviation } = nightSignsOn(calendar, day)
  return { nightly: rounded(baseline + temperatureDeviation, 2), baseline }
}

export const restingRateOn = (calendar: Calendar, day: number): number =>
  Math.round(calendar.person.restingHeartRate + 6 * calendar.day(day).illness)

export const oxygenUptakeOn = ({ person }: Calendar, day: number): number =>
  rounded(48 - 0.25 * (person.age - 25) + betweenAt(deriveSeed(person.seed, 812), day, -1, 1), 2)

/** At breakfast on every third day, on a scale that measures fat too. */
const onScale =
  (type: string, content: (calendar: Calendar, at: number, day: number) => object): Maker =>
  (calendar, span) =>
    calendar
      .days(span)
      .filter(({ number }) => number % 3 === 0)
      .map(({ number, night }) => {
        const at = night.to + 25 * MINUTE_MS
        const id = idOf(calendar, type, number, 0)
        return {
          from: at,
          to: at,
          content: content(calendar, at, number),
          dataSource: SCALE,
          id,
        }
      })

export const gramsOn = ({ person }: Calendar, day: number): number =>
  Math.round(person.weightKilograms * 1000 + 400 * normalAt(deriveSeed(person.seed, 813), day))
export const fatOn = ({ person }: Calendar, day: number): number =>
  rounded((person.sex === 'male' ? 19 : 27) + normalAt(deriveSeed(person.seed, 814), day), 1)

export const DAILY_MEASURES: Readonly<Record<string, Maker>> = {
  weight: onScale('weight', (calendar, at, day) => ({
    weight: { sampleTime: sampleTime(calendar, at), weightGrams: gramsOn(calendar, day) },
  })),
  'body-fat': onScale('body-fat', (calendar, at, day) => ({
    bodyFat: { sampleTime: sampleTime(calendar, at), percentage: fatOn(calendar, day) },
  })),
  'daily-heart-rate-variability': daily((calendar, day) => ({
    dailyHeartRateVariability: {
      date: dateOf(day),
      averageHeartRateVariabilityMilliseconds: meanVariability(calendar, day),
    },
  })),
  'daily-resting-heart-rate': daily((calendar, day) => ({
    dailyRestingHeartRate: {
      date: dateOf(day),
      beatsPerMinute: String(restingRateOn(calendar, day)),
      dailyRestingHeartRateMetadata: { calculationMethod: 'WITH_SLEEP' },
    },
  })),
  'daily-oxygen-saturation': daily((calendar, day) => ({
    dailyOxygenSaturation: {
      date: dateOf(day),
      averagePercentage: nightSignsOn(calendar, day).oxygen,
      lowerBoundPercentage: nightSignsOn(calendar, day).oxygen - 3,
      upperBoundPercentage: Math.min(100, nightSignsOn(calendar, day).oxygen + 2),
    },
  })),
  'daily-respiratory-rate': daily((calendar, day) => ({
    dailyRespiratoryRate: {
      date: dateOf(day),
      breathsPerMinute: nightSignsOn(calendar, day).breath,
    },
  })),
  'daily-sleep-temperature-derivations': daily((calendar, day) => ({
    dailySleepTemperatureDerivations: {
      date: dateOf(day),
      nightlyTemperatureCelsius: skinOn(calendar, day).nightly,
      baselineTemperatureCelsius: skinOn(calendar, day).baseline,
      relativeNightlyStddev30dCelsius: 0.21,
    },
  })),
  'daily-vo2-max': daily((calendar, day) => ({
    dailyVo2Max: {
      date: dateOf(day),
      vo2Max: oxygenUptakeOn(calendar, day),
      cardioFitnessLevel: 'GOOD',
    },
  })),
}
