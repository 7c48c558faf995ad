import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { type ActiveMinute, activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Span } from '../people/days.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { dateText } from '../people/local-time.ts'
import { betweenAt, deriveSeed, isAt, smoothAt } from '../people/noise.ts'
import { statesOn } from '../people/states.ts'
import { idOf, offsetsOf, placed, type Summary, seconds } from './place.ts'

/**
 * Summaries of days and their parts, each a function of the person, the day and the time of the
 * upload.
 */

const QUARTER_MS = 15 * MINUTE_MS
const RESTING_MET = 1
/** From here on a minute counts as moderate or vigorous. */
const [MODERATE_MET, VIGOROUS_MET] = [3, 6]

export const stepOfRates = ({ person: { traits } }: Calendar): number =>
  traits.has('minute') ? 15_000 : MINUTE_MS

/** The part of a day that was uploaded; undefined before the first minute. */
function partOf(calendar: Calendar, day: number, until: number): Span | undefined {
  const { from, to } = calendar.day(day)
  const end = Math.floor(Math.min(to, until) / MINUTE_MS) * MINUTE_MS
  return end > from ? { from, to: end } : undefined
}

const sum = (minutes: readonly ActiveMinute[], of: (minute: ActiveMinute) => number): number =>
  minutes.reduce((total, minute) => total + of(minute), 0)

/** Energy above rest, in kilocalories. */
const activeEnergy = (calendar: Calendar, minutes: readonly ActiveMinute[]): number =>
  sum(minutes, ({ met }) =>
    caloriesOf(Math.max(0, met - RESTING_MET), calendar.person.weightKilograms),
  )

const wornMinutes = (calendar: Calendar, span: Span): ActiveMinute[] =>
  activeMinutes(calendar, span).filter(({ isWorn }) => isWorn)

export function dailiesOn(calendar: Calendar, day: number, until: number): Summary[] {
  const span = partOf(calendar, day, until)
  if (span === undefined) return []
  const minutes = wornMinutes(calendar, span)
  const rates: Record<string, number> = {}
  new Heart(calendar).each(span, stepOfRates(calendar), (at, rate) => {
    rates[seconds(at) - seconds(span.from)] = rate
  })
  const beats = Object.values(rates)
  const basal = caloriesOf(RESTING_MET, calendar.person.weightKilograms)
  const minutesFrom = (least: number, most: number) =>
    60 * minutes.filter(({ met }) => met >= least && met < most).length
  const rest = calendar.person.restingHeartRate
  return [
    {
      summaryId: idOf(
        calendar,
        span.from,
        `-${(seconds(span.to) - seconds(span.from)).toString(16)}-6`,
      ),
      calendarDate: dateText(day),
      activityType: 'WALKING',
      ...placed(calendar, span),
      steps: sum(minutes, ({ steps }) => steps),
      distanceInMeters: Number(sum(minutes, ({ meters }) => meters).toFixed(1)),
      activeTimeInSeconds: 60 * minutes.filter(({ steps }) => steps > 0).length,
      activeKilocalories: Math.round(activeEnergy(calendar, minutes)),
      bmrKilocalories: Math.round((basal * (span.to - span.from)) / MINUTE_MS),
      floorsClimbed: Math.floor(betweenAt(deriveSeed(calendar.person.seed, 530), day, 0, 20)),
      moderateIntensityDurationInSeconds: minutesFrom(MODERATE_MET, VIGOROUS_MET),
      vigorousIntensityDurationInSeconds: minutesFrom(VIGOROUS_MET, 100),
      ...(beats.length > 0 && {
        minHeartRateInBeatsPerMinute: Math.min(...beats),
        maxHeartRateInBeatsPerMinute: Math.max(...beats),
        averageHeartRateInBeatsPerMinute: Math.round(
          beats.reduce((total, rate) => total + rate, 0) / beats.length,
        ),
        restingHeartRateInBeatsPerMinute: rest,
      }),
      timeOffsetHeartRateSamples: rates,
      averageStressLevel: beats.length > 0 ? 31 : -1,
      stepsGoal: 7500,
      floorsClimbedGoal: 10,
    },
  ]
}

/** Kinds of movement of a quarter of an hour. */
const kindOf = ({ met, steps }: ActiveMinute): string => {
  if (steps > 140) return 'RUNNING'
  if (steps > 60) return 'WALKING'
  return met > 2 ? 'GENERIC' : 'SEDENTARY'
}

/** Each kind of movement of a quarter has a summary; all have the start of the quarter. */
export function epochsOn(calendar: Calendar, day: number, until: number): Summary[] {
  const span = partOf(calendar, day, until)
  if (span === undefined) return []
  const byQuarter = Map.groupBy(wornMinutes(calendar, span), ({ at }) =>
    Math.floor(at / QUARTER_MS),
  )
  return [...byQuarter].flatMap(([quarter, minutes]) => {
    const from = quarter * QUARTER_MS
    const byKind = Map.groupBy(minutes, kindOf)
    return [...byKind].map(([kind, own]) => ({
      summaryId: idOf(calendar, from, `-${kind}`),
      activityType: kind,
      ...placed(calendar, { from, to: from + QUARTER_MS }),
      activeTimeInSeconds: 60 * own.length,
      steps: sum(own, ({ steps }) => steps),
      distanceInMeters: Number(sum(own, ({ meters }) => meters).toFixed(2)),
      activeKilocalories: Math.round(activeEnergy(calendar, own)),
      met: Number((sum(own, ({ met }) => met) / own.length).toFixed(2)),
      intensity: kind === 'SEDENTARY' ? 'SEDENTARY' : 'ACTIVE',
      meanMotionIntensity: 3,
      maxMotionIntensity: 7,
    }))
  })
}

const STRESS_STEP_MS = 3 * MINUTE_MS
/** Values that stand for none. */
export const [OFF_WRIST, IN_MOTION] = [-1, -2]

/** Returns the stress of a person at rest, from 1 to 100. */
export function stressAt({ person: { seed } }: Calendar, at: number): number {
  const wave = smoothAt(deriveSeed(seed, 531), at / (2 * HOUR_MS))
  return Math.min(100, Math.max(1, Math.round(34 + 28 * wave)))
}

function isExercising(calendar: Calendar, at: number): boolean {
  const states = statesOn(calendar, calendar.dayAt(at))
  return states.some(({ kind, from, to }) => kind === 'exercising' && from <= at && at < to)
}

export function stressOn(calendar: Calendar, day: number, until: number): Summary[] {
  const span = partOf(calendar, day, until)
  if (span === undefined) return []
  const levels = offsetsOf(calendar, span, STRESS_STEP_MS, (at, isWorn) =>
    !isWorn ? OFF_WRIST : isExercising(calendar, at) ? IN_MOTION : stressAt(calendar, at),
  )
  return [
    {
      summaryId: idOf(calendar, span.from, '-15180'),
      calendarDate: dateText(day),
      ...placed(calendar, span),
      timeOffsetStressLevelValues: levels,
      timeOffsetBodyBatteryValues: { 0: 62 },
    },
  ]
}

const BREATH_STEP_MS = 2 * MINUTE_MS

export function respirationOn(calendar: Calendar, day: number, until: number): Summary[] {
  const span = partOf(calendar, day, until)
  if (span === undefined) return []
  const { breath } = nightSignsOn(calendar, day)
  return [
    {
      summaryId: idOf(calendar, span.from, '-r'),
      ...placed(calendar, span),
      timeOffsetEpochToBreaths: offsetsOf(calendar, span, BREATH_STEP_MS, (_at, isWorn) =>
        isWorn ? breath : -1,
      ),
    },
  ]
}

const SNAPSHOT_MS = 2 * MINUTE_MS

/** On some days people measure themselves for two minutes, in the hour after getting up. */
export function snapshotsOn(calendar: Calendar, day: number, until: number): Summary[] {
  const { night } = calendar.day(day)
  const from = night.to + 10 * MINUTE_MS
  const seed = deriveSeed(calendar.person.seed, 532)
  if (!isAt(seed, day, 0.3) || from + SNAPSHOT_MS > until) return []
  const heart = new Heart(calendar)
  const span = { from, to: from + SNAPSHOT_MS }
  const mapOf = (stepMs: number, value: (at: number) => number) =>
    offsetsOf(calendar, span, stepMs, value)
  const oxygen = Math.round(nightSignsOn(calendar, day).oxygen)
  return [
    {
      summaryId: idOf(calendar, from, '-hs'),
      calendarDate: dateText(day),
      ...placed(calendar, span),
      summaries: [
        { summaryType: 'heart_rate', avgValue: 60, epochSummaries: mapOf(5000, () => 60) },
        { summaryType: 'stress', avgValue: 22, epochSummaries: mapOf(30_000, () => 22) },
        { summaryType: 'spo2', avgValue: oxygen, epochSummaries: mapOf(30_000, () => oxygen) },
        {
          summaryType: 'rmssd_hrv',
          avgValue: heart.variabilityAt(from),
          epochSummaries: mapOf(60_000, (at) => heart.variabilityAt(at)),
        },
        { summaryType: 'sdrr_hrv', avgValue: 70 },
      ],
    },
  ]
}
