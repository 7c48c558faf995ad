import { MINUTE_MS } from '@salus/contracts/time-units'
import { type ActiveMinute, activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Span } from '../people/days.ts'
import { glucoseValues } from '../people/glucose.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { deriveSeed, isAt, normalAt } from '../people/noise.ts'
import { DAILY_MEASURES, oxygenUptakeOn } from './daily-measures.ts'
import { BAND, BY_HAND, interval, PHONE, type Point, rounded, sampleTime } from './points.ts'
import { nightsIn } from './sleep-records.ts'

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
  ...DAILY_MEASURES,
}
