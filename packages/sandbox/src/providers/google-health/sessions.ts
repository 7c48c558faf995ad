import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Exercise, Span } from '../people/days.ts'
import { loggedMealsOn, mealsOn } from '../people/glucose.ts'
import { Heart } from '../people/heart.ts'
import { betweenAt, deriveSeed, isAt } from '../people/noise.ts'
import { isWornDuring } from '../people/states.ts'
import {
  BAND,
  BY_HAND,
  durationText,
  idOf,
  interval,
  type Point,
  rounded,
  timeText,
} from './points.ts'

/** Sessions of the vendor, as it has them at an instant. */
export type SessionMaker = (calendar: Calendar, span: Span, now: number) => Point[]

const TYPES: Readonly<Record<string, string>> = {
  running: 'RUNNING',
  cycling: 'BIKING',
  walking: 'WALKING',
  strength_training: 'STRENGTH_TRAINING',
  swimming: 'SWIMMING_POOL',
  yoga: 'YOGA_VINYASA',
}

const hasTrack = ({ sport }: Exercise): boolean => ['running', 'cycling'].includes(sport.name)

/** What a person did in an exercise, in the units of the vendor. */
export function metricsOf(calendar: Calendar, span: Span) {
  const { weightKilograms } = calendar.person
  const minutes = activeMinutes(calendar, span)
  const sum = (of: (minute: (typeof minutes)[number]) => number): number =>
    minutes.reduce((total, minute) => total + of(minute), 0)
  const beats: number[] = []
  new Heart(calendar).each(span, MINUTE_MS, (_at, rate) => beats.push(rate))
  const meters = sum((minute) => minute.meters)
  const rate = Math.round(beats.reduce((total, beat) => total + beat, 0) / beats.length)
  return {
    caloriesKcal: rounded(
      sum(({ met }) => caloriesOf(met, weightKilograms)),
      3,
    ),
    ...(meters > 0 && {
      distanceMillimeters: Math.round(meters * 1000),
      averageSpeedMillimetersPerSecond: rounded((meters * 1e6) / (span.to - span.from), 3),
    }),
    steps: String(sum(({ steps }) => steps)),
    ...(beats.length > 0 && { averageHeartRateBeatsPerMinute: String(rate) }),
    heartRateZoneDurations: { lightTime: '300s', moderateTime: '900s' },
  }
}

/** The band notices a walk on every fourth day, without a start by the person. */
function walkOn(calendar: Calendar, day: number): Exercise[] {
  if (day % 4 !== 0) return []
  const { night, exercises } = calendar.day(day)
  const from = night.to + 5 * HOUR_MS
  const to = from + 24 * MINUTE_MS
  const isBusy = exercises.some((one) => one.from < to && one.to > from)
  return isBusy ? [] : [{ from, to, sport: WALK, effort: 1 }]
}

const WALK = { name: 'walking', intensity: 0.3, met: 3, stepsAMinute: 100, metersASecond: 1.3 }

/** Returns the exercises that begin in a span. */
export const exercisesIn = (calendar: Calendar, span: Span) =>
  calendar
    .days(span)
    .flatMap(({ number, exercises }) =>
      [...exercises, ...walkOn(calendar, number)].map((exercise, position) => ({
        exercise,
        id: idOf(calendar, 'exercise', number, position),
      })),
    )
    .filter(({ exercise }) => isWornDuring(calendar, exercise))

const exercises: SessionMaker = (calendar, span) =>
  exercisesIn(calendar, span).map(({ exercise, id }) => ({
    from: exercise.from,
    to: exercise.to,
    id,
    dataSource: BAND,
    content: {
      exercise: {
        interval: interval(calendar, exercise),
        exerciseType: TYPES[exercise.sport.name] ?? 'OTHER',
        displayName: exercise.sport.name.replaceAll('_', ' '),
        activeDuration: durationText(exercise.to - exercise.from),
        exerciseMetadata: hasTrack(exercise) ? { hasGps: true } : {},
        metricsSummary: metricsOf(calendar, exercise),
      },
    },
  }))

const TRACK_STEP_MS = 10_000

/** Returns the track of an exercise: a point in ten seconds, to the east of the home. */
export function trackOf(calendar: Calendar, { from, to, sport }: Exercise): string {
  const rates = new Map<number, number>()
  new Heart(calendar).each({ from, to }, MINUTE_MS, (at, beats) => rates.set(at, beats))
  const [lat, lng] = [40 + (calendar.person.seed % 1000) / 100, (calendar.person.seed % 180) - 90]
  const points: string[] = []
  for (let at = from; at < to; at += TRACK_STEP_MS) {
    const meters = ((at - from) / 1000) * sport.metersASecond
    const rate = rates.get(at)
    const heart = rate === undefined ? '' : `<HeartRateBpm><Value>${rate}</Value></HeartRateBpm>`
    points.push(
      `<Trackpoint><Time>${timeText(at)}</Time><Position><LatitudeDegrees>${lat}</LatitudeDegrees>` +
        `<LongitudeDegrees>${(lng + meters / 80_000).toFixed(7)}</LongitudeDegrees></Position>` +
        `<AltitudeMeters>120.5</AltitudeMeters><DistanceMeters>${meters.toFixed(2)}</DistanceMeters>${heart}</Trackpoint>`,
    )
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Other">
<Id>${timeText(from)}</Id><Lap StartTime="${timeText(from)}"><Track>${points.join('\n')}</Track></Lap></Activity></Activities>
</TrainingCenterDatabase>`
}

/** After this time the person corrects the grams that were estimated at first. */
const CORRECTED_AFTER_MS = 6 * HOUR_MS
const MEALS = ['BREAKFAST', 'LUNCH', 'DINNER'] as const

/** Grams of a logged meal, as the diary has them at an instant. */
export const gramsAt = (meal: { at: number; carbohydrates: number }, now: number): number =>
  now < meal.at + CORRECTED_AFTER_MS ? Math.round(meal.carbohydrates / 10) * 10 : meal.carbohydrates

const nutrition: SessionMaker = (calendar, span, now) =>
  calendar.days(span).flatMap(({ number }) =>
    loggedMealsOn(calendar, number).map((meal) => {
      const position = mealsOn(calendar, number).findIndex(({ at }) => at === meal.at)
      const grams = gramsAt(meal, now)
      return {
        from: meal.at,
        to: meal.at,
        id: idOf(calendar, 'nutrition-log', number, position),
        dataSource: BY_HAND,
        content: {
          nutritionLog: {
            interval: interval(calendar, { from: meal.at, to: meal.at }),
            mealType: MEALS[position] ?? 'ANYTIME',
            foodDisplayName: grams > 60 ? 'Pasta' : 'Sandwich',
            energy: { kcal: grams * 8 },
            totalCarbohydrate: { grams, userProvidedUnit: 'GRAM' },
            totalFat: { grams: rounded(grams / 4, 2) },
            nutrients: [
              { nutrient: 'PROTEIN', quantity: { grams: rounded(grams / 5, 2) } },
              { nutrient: 'SODIUM', quantity: { grams: 0.4 } },
              ...(position === 0 ? [{ nutrient: 'CAFFEINE', quantity: { grams: 0.08 } }] : []),
            ],
          },
        },
      }
    }),
  )

/** Milliliters and times of a day's drinks. */
export function drinksOn(calendar: Calendar, day: number): { at: number; milliliters: number }[] {
  const seed = deriveSeed(calendar.person.seed, 830)
  const { night } = calendar.day(day)
  return [0, 1, 2]
    .filter((position) => isAt(deriveSeed(seed, position), day, 0.7))
    .map((position) => ({
      at: night.to + (90 + position * 200) * MINUTE_MS,
      milliliters: 50 * Math.round(betweenAt(deriveSeed(seed, 9 + position), day, 4, 11)),
    }))
}

const hydration: SessionMaker = (calendar, span) =>
  calendar.days(span).flatMap(({ number }) =>
    drinksOn(calendar, number).map(({ at, milliliters }, position) => ({
      from: at,
      to: at,
      id: idOf(calendar, 'hydration-log', number, position),
      dataSource: BY_HAND,
      content: {
        hydrationLog: {
          interval: interval(calendar, { from: at, to: at }),
          amountConsumed: { milliliters, userProvidedUnit: 'MILLILITER' },
        },
      },
    })),
  )

export const ECG_HERTZ = 250
const ECG_SECONDS = 30
const ECG_FACTOR = 10_922

/** Whether a person records an electrocardiogram on a day, and when. */
export function readingOn(calendar: Calendar, day: number): number | undefined {
  if (!isAt(deriveSeed(calendar.person.seed, 840), day, 0.06)) return undefined
  return calendar.day(day).night.to + 150 * MINUTE_MS
}

/** Returns the samples of a reading: a beat in each interval between beats. */
export const waveformOf = ({ person }: Calendar): number[] =>
  Array.from({ length: ECG_HERTZ * ECG_SECONDS }, (_, index) => {
    const phase = (((index / ECG_HERTZ) * person.restingHeartRate) / 60) % 1
    const beat =
      Math.exp(-(((phase - 0.3) / 0.015) ** 2)) - 0.2 * Math.exp(-(((phase - 0.34) / 0.02) ** 2))
    return Math.round(ECG_FACTOR * (beat + 0.15 * Math.exp(-(((phase - 0.6) / 0.05) ** 2))))
  })

const electrocardiograms: SessionMaker = (calendar, span) =>
  calendar.days(span).flatMap(({ number }) => {
    const at = readingOn(calendar, number)
    if (at === undefined) return []
    return [
      {
        from: at,
        to: at,
        id: idOf(calendar, 'electrocardiogram', number, 0),
        dataSource: BAND,
        content: {
          electrocardiogram: {
            interval: interval(calendar, { from: at, to: at }),
            beatsPerMinuteAvg: String(calendar.person.restingHeartRate),
            leadNumber: 1,
            millivoltsScalingFactor: ECG_FACTOR,
            samplingFrequencyHertz: ECG_HERTZ,
            resultClassification: 'NORMAL_SINUS_RHYTHM',
            waveformSamples: waveformOf(calendar),
            medicalDeviceInfo: { deviceModel: 'Charge 6', firmwareVersion: '1.8' },
          },
        },
      },
    ]
  })

/** Returns the span of a notification on a day: some older people have one, rarely. */
export function alertOn(calendar: Calendar, day: number): Span | undefined {
  const chance = calendar.person.age > 60 ? 0.03 : 0.008
  if (!isAt(deriveSeed(calendar.person.seed, 841), day, chance)) return undefined
  const { night } = calendar.day(day)
  return { from: night.to - 4 * HOUR_MS, to: night.to - 2 * HOUR_MS }
}

const alerts: SessionMaker = (calendar, span) =>
  calendar.days(span).flatMap(({ number }) => {
    const alert = alertOn(calendar, number)
    if (alert === undefined) return []
    const content = { interval: interval(calendar, alert), alertWindows: [] }
    return [
      {
        ...alert,
        id: idOf(calendar, 'irregular-rhythm-notification', number, 0),
        dataSource: BAND,
        content: { irregularRhythmNotification: content },
      },
    ]
  })

export const SESSIONS: Readonly<Record<string, SessionMaker>> = {
  exercise: exercises,
  'nutrition-log': nutrition,
  'hydration-log': hydration,
  electrocardiogram: electrocardiograms,
  'irregular-rhythm-notification': alerts,
}
