import { MINUTE_MS } from '@salus/contracts/time-units'
import { type ActiveMinute, activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Span } from '../people/days.ts'
import { glucoseValues } from '../people/glucose.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { betweenAt, deriveSeed, isAt, normalAt } from '../people/noise.ts'
import {
  BAND,
  BY_HAND,
  dateOf,
  idOf,
  interval,
  PHONE,
  type Point,
  rounded,
  SCALE,
  sampleTime,
} from './points.ts'
import { recordedSleeps } from './sleep-records.ts'

/** Samples and intervals of the vendor, each a function of the person and the time. */

export type Maker = (calendar: Calendar, span: Span) => Point[]

/** Minutes in which something is worth a record. */
const minuteBy =
  (content: (calendar: Calendar, minute: ActiveMinute) => object | undefined): Maker =>
  (calendar, span) =>
    activeMinutes(calendar, span).flatMap((minute) => {
      const made = minute.isWorn ? content(calendar, minute) : undefined
      const whole = { from: minute.at, to: minute.at + MINUTE_MS }
      return made === undefined ? [] : [{ ...whole, content: made, dataSource: BAND }]
    })

const minuteInterval = (calendar: Calendar, at: number) =>
  interval(calendar, { from: at, to: at + MINUTE_MS })

/** The phone also counts, so that the raw list has most steps twice. */
const steps: Maker = (calendar, span) => {
  const band = minuteBy((_calendar, { at, steps: count }) =>
    count === 0
      ? undefined
      : { steps: { interval: minuteInterval(calendar, at), count: String(count) } },
  )(calendar, span)
  const phone = activeMinutes(calendar, span)
    .filter(({ at, steps: count }) => count > 40 && (at / MINUTE_MS) % 3 === 0)
    .map(({ at, steps: count }) => ({
      from: at,
      to: at + MINUTE_MS,
      content: {
        steps: { interval: minuteInterval(calendar, at), count: String(Math.round(count * 0.9)) },
      },
      dataSource: PHONE,
      isRawOnly: true as const,
    }))
  return [...band, ...phone]
}

const distance = minuteBy((calendar, { at, meters }) =>
  meters === 0
    ? undefined
    : {
        distance: {
          interval: minuteInterval(calendar, at),
          millimeters: String(Math.round(meters * 1000)),
        },
      },
)

/** Energy beyond rest. */
export const activeCaloriesOf = ({ person }: Calendar, { met }: ActiveMinute): number =>
  met < 2 ? 0 : rounded(caloriesOf(met - 1, person.weightKilograms), 4)

const activeEnergy = minuteBy((calendar, minute) => {
  const kcal = activeCaloriesOf(calendar, minute)
  return kcal === 0
    ? undefined
    : { activeEnergyBurned: { interval: minuteInterval(calendar, minute.at), kcal } }
})

const sampleAt = (at: number, rest: Omit<Point, 'from' | 'to'>): Point => ({
  from: at,
  to: at,
  dataSource: BAND,
  ...rest,
})

const heartRate: Maker = (calendar, span) => {
  const points: Point[] = []
  new Heart(calendar).each(span, MINUTE_MS, (at, beats) => {
    const content = { sampleTime: sampleTime(calendar, at), beatsPerMinute: String(beats) }
    points.push(sampleAt(at, { content: { heartRate: content } }))
  })
  return points
}

const NIGHT_STEP_MS = 5 * MINUTE_MS

/** Samples of the nights in a span, one in five minutes. */
const nightly =
  (content: (calendar: Calendar, at: number, day: number) => object | undefined): Maker =>
  (calendar, span) =>
    nightsIn(calendar, span).flatMap((night) => {
      const points: Point[] = []
      for (let at = night.from; at < night.to; at += NIGHT_STEP_MS) {
        const made = content(calendar, at, night.day)
        if (made !== undefined) points.push(sampleAt(at, { content: made }))
      }
      return points
    })

const nightsIn = (calendar: Calendar, span: Span) =>
  calendar
    .days({ from: span.from, to: span.to + 86_400_000 })
    .flatMap(({ number }) =>
      recordedSleeps(calendar, number, Number.POSITIVE_INFINITY).filter(
        ({ kind }) => kind === 'night',
      ),
    )

const variability = nightly((calendar, at) => ({
  heartRateVariability: {
    sampleTime: sampleTime(calendar, at),
    rootMeanSquareOfSuccessiveDifferencesMilliseconds: new Heart(calendar).variabilityAt(at),
    standardDeviationMilliseconds: new Heart(calendar).variabilityAt(at) + 11.5,
  },
}))

/** Some nights have only their mean. */
export const hasOxygenSamples = (day: number): boolean => day % 3 !== 0
export const hasBreathSample = (day: number): boolean => day % 4 !== 0

const oxygen = nightly((calendar, at, day) =>
  hasOxygenSamples(day)
    ? {
        oxygenSaturation: {
          sampleTime: sampleTime(calendar, at),
          percentage: rounded(
            Math.min(
              100,
              nightSignsOn(calendar, day).oxygen +
                0.4 * normalAt(deriveSeed(calendar.person.seed, 811), Math.floor(at / MINUTE_MS)),
            ),
            2,
          ),
        },
      }
    : undefined,
)

const breaths: Maker = (calendar, span) =>
  nightsIn(calendar, span)
    .filter(({ day }) => hasBreathSample(day))
    .map(({ to, day }) => {
      const { breath } = nightSignsOn(calendar, day)
      const content = {
        sampleTime: sampleTime(calendar, to),
        fullSleepStats: { breathsPerMinute: breath, standardDeviation: 1.1, signalToNoise: 4.2 },
        deepSleepStats: { breathsPerMinute: rounded(breath - 0.6, 3) },
      }
      return sampleAt(to, { content: { respiratoryRateSleepSummary: content } })
    })

/** One record of each night, dated by the day of its end; known when the night is uploaded. */
const daily =
  (content: (calendar: Calendar, day: number) => object): Maker =>
  (calendar, span) =>
    nightsIn(calendar, { from: span.from - 86_400_000, to: span.to }).map(({ to, day }) => ({
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
        return sampleAt(at, {
          content: content(calendar, at, number),
          dataSource: SCALE,
          id,
        })
      })

export const gramsOn = ({ person }: Calendar, day: number): number =>
  Math.round(person.weightKilograms * 1000 + 400 * normalAt(deriveSeed(person.seed, 813), day))
export const fatOn = ({ person }: Calendar, day: number): number =>
  rounded((person.sex === 'male' ? 19 : 27) + normalAt(deriveSeed(person.seed, 814), day), 1)

/** On days of illness the person takes their temperature. */
const temperature: Maker = (calendar, span) =>
  calendar
    .days(span)
    .filter(({ illness }) => illness > 0.3)
    .map(({ night, illness }) => {
      const at = night.to + 40 * MINUTE_MS
      const content = {
        sampleTime: sampleTime(calendar, at),
        temperatureCelsius: rounded(36.7 + 2 * illness, 1),
        measurementLocation: 'EAR_DRUM',
      }
      return sampleAt(at, {
        content: { coreBodyTemperature: content },
        dataSource: BY_HAND,
      })
    })

const glucose: Maker = (calendar, span) =>
  calendar.person.isDiabetic
    ? glucoseValues(calendar, span).map(({ at, value, kind }) =>
        sampleAt(at, {
          content: {
            bloodGlucose: {
              sampleTime: sampleTime(calendar, at),
              bloodGlucoseMilligramsPerDeciliter: value,
              specimen: kind === 'historic' ? 'INTERSTITIAL_FLUID' : 'CAPILLARY_BLOOD',
            },
          },
        }),
      )
    : []

const runs: Maker = (calendar, span) =>
  calendar.days(span).flatMap(({ number, exercises }) =>
    exercises
      .filter(({ sport }) => sport.name === 'running')
      .map(({ to }) => {
        const runVo2Max = oxygenUptakeOn(calendar, number)
        const content = { runVo2Max: { sampleTime: sampleTime(calendar, to), runVo2Max } }
        return sampleAt(to, { content })
      }),
  )

/** Once a month, typed in. */
const uptakes: Maker = (calendar, span) =>
  calendar
    .days(span)
    .filter(({ number }) => isAt(deriveSeed(calendar.person.seed, 815), number, 0.03))
    .map(({ number, night }) => {
      const at = night.to + 90 * MINUTE_MS
      const vo2Max = oxygenUptakeOn(calendar, number)
      const content = { sampleTime: sampleTime(calendar, at), vo2Max, measurementMethod: 'OTHER' }
      return sampleAt(at, { content: { vo2Max: content }, dataSource: BY_HAND })
    })

const height: Maker = (calendar, { to }) => {
  const { heightMeters } = calendar.person
  const at = Math.min(to, Date.UTC(2024, 0, 1))
  const heightMillimeters = String(Math.round(heightMeters * 1000))
  const content = { height: { sampleTime: sampleTime(calendar, at), heightMillimeters } }
  return [sampleAt(at, { content, dataSource: BY_HAND, id: '1' })]
}

export const MEASURES: Readonly<Record<string, Maker>> = {
  steps,
  distance,
  'active-energy-burned': activeEnergy,
  'heart-rate': heartRate,
  'heart-rate-variability': variability,
  'oxygen-saturation': oxygen,
  'respiratory-rate-sleep-summary': breaths,
  'core-body-temperature': temperature,
  'blood-glucose': glucose,
  'run-vo2-max': runs,
  'vo2-max': uptakes,
  height,
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
