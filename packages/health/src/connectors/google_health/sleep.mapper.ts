import { dateAtOffset, parseInstant } from '@salus/kernel/time/instants'
import type { DetailRequest, PageRequest } from '../connector.ts'
import { PageData } from '../page-data.ts'
import {
  isFields,
  type VendorInstant,
  type VendorStage,
  type VendorStageSpan,
} from '../vendor-records.ts'
import { listOf, pointsRequest, rollUp, SLUG } from './google-pages.ts'
import {
  dateTextOf,
  deviceModelOf,
  type Fields,
  fieldsOf,
  intervalOf,
  lookUp,
  numberOf,
  scaled,
  sessionIdOf,
  sourceOf,
} from './points.ts'
import { mapSamples } from './samples.mapper.ts'

interface Sleep {
  record: Fields
  content: Fields
  start: VendorInstant
  end: VendorInstant
  /** Local day of its end. */
  day: string
}

/** What the vendor measured in a sleep, beside its stages. */
interface Signs {
  temperature: Fields
  variability: Fields
  heart: Fields
  breaths: number | null
}

const RESOURCE = 'sleep'
const STAGES: Readonly<Record<string, VendorStage>> = {
  AWAKE: 'awake',
  LIGHT: 'light',
  DEEP: 'deep',
  REM: 'rem',
  ASLEEP: 'asleep',
  // The vendor counts it neither as asleep nor as awake.
  RESTLESS: 'unknown',
}
const MOST_SECONDS = 604_800
const DAILY = ['daily-sleep-temperature-derivations', 'daily-heart-rate-variability'] as const

/**
 * Returns the requests for the signs of the nights of a page, and for the heart rates of each
 * sleep, of which the vendor computes mean and extremes.
 */
export function sleepDetails(answer: unknown, { range }: PageRequest): DetailRequest[] {
  const sleeps = sleepsOf(answer, new PageData({ userId: '', provider: SLUG }))
  if (sleeps.length === 0) return []
  const optional = { isOptional: true } as const
  const breaths = 'respiratory-rate-sleep-summary'
  return [
    ...DAILY.map((type) => pointsRequest(type, 'daily', 'reconcile', range)),
    pointsRequest(breaths, 'sample', 'reconcile', spanOf(sleeps)),
    ...sleeps.map(({ start, end }) =>
      rollUp('heart-rate', { from: start.at, to: end.at }, end.at - start.at),
    ),
  ].map((request) => ({ ...request, ...optional }))
}

/** The rate of a sleep may be dated some hours after it. */
const AFTER_MS = 12 * 3_600_000

const spanOf = (sleeps: readonly Sleep[]) => ({
  from: Math.min(...sleeps.map(({ start }) => start.at)),
  to: Math.max(...sleeps.map(({ end }) => end.at)) + AFTER_MS,
})

/** Maps sleeps with their stages, and the signs of the nights. */
export function mapSleep(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const sleeps = sleepsOf(answer, data)
  const nights = nightsOf(sleeps)
  const [temperatures, variabilities, breaths, ...hearts] = details
  const trial = new PageData({ userId: '', provider: SLUG })
  if (isFields(breaths)) mapSamples('respiratory-rate-sleep-summary', breaths, trial)
  const dailyOf = (page: unknown, field: string, day: string): Fields =>
    listOf(fieldsOf(page), 'dataPoints')
      .map((record) => fieldsOf(fieldsOf(record)[field]))
      .find(({ date }) => dateTextOf(date) === day) ?? {}
  for (const [index, sleep] of sleeps.entries()) {
    const isNight = nights.has(sleep)
    const [point] = listOf(fieldsOf(hearts[index]), 'rollupDataPoints')
    addSleep(data, sleep, {
      temperature: isNight
        ? dailyOf(temperatures, 'dailySleepTemperatureDerivations', sleep.day)
        : {},
      variability: isNight ? dailyOf(variabilities, 'dailyHeartRateVariability', sleep.day) : {},
      heart: fieldsOf(fieldsOf(point).heartRate),
      breaths: breathsOf(sleep, isNight, trial.samples),
    })
  }
}

function sleepsOf(answer: unknown, data: PageData): Sleep[] {
  return listOf(answer, 'dataPoints').flatMap((record) => {
    const content = isFields(record) ? record.sleep : undefined
    if (!isFields(record) || !isFields(content)) {
      data.quarantine(RESOURCE, 'not_an_object', record)
      return []
    }
    const interval = intervalOf(data, { resource: RESOURCE, record }, content.interval)
    if (interval === undefined) return []
    const { start, end } = interval
    if (!(end.at > start.at)) {
      data.quarantine(RESOURCE, 'end_before_start', record)
      return []
    }
    return [{ record, content, start, end, day: dateAtOffset(end.at, end.offset ?? 0) }]
  })
}

/**
 * Returns the main sleep of each day, to which the signs of a day belong: the vendor names it;
 * otherwise it is the longest one that is no nap.
 */
function nightsOf(sleeps: readonly Sleep[]): ReadonlySet<Sleep> {
  const rank = ({ content, start, end }: Sleep): number => {
    const { mainSleep, nap } = fieldsOf(content.metadata)
    return mainSleep === true ? Number.POSITIVE_INFINITY : nap === true ? 0 : end.at - start.at
  }
  const best = new Map<string, Sleep>()
  for (const sleep of sleeps) {
    const known = best.get(sleep.day)
    if (rank(sleep) > (known === undefined ? 0 : rank(known))) best.set(sleep.day, sleep)
  }
  return new Set(best.values())
}

/** Returns the breaths per minute of a sleep: a sample within it, or for a night of its day. */
function breathsOf(
  { start, end, day }: Sleep,
  isNight: boolean,
  samples: PageData['samples'],
): number | null {
  const within = samples.find(({ startedAt }) => startedAt >= start.at && startedAt <= end.at)
  const ofDay = samples.find(
    ({ startedAt, timezoneOffset }) =>
      isNight && startedAt > end.at && dateAtOffset(startedAt, timezoneOffset ?? 0) === day,
  )
  return (within ?? ofDay)?.value ?? null
}

function addSleep(data: PageData, sleep: Sleep, signs: Signs): void {
  const { record, content, start, end } = sleep
  const values = valuesOf(data, sleep, signs)
  if (values === undefined) return
  data.addSleep({
    recordId: sessionIdOf(record, start),
    start,
    end,
    sourceType: sourceOf(record),
    deviceModel: deviceModelOf(record),
    values,
    stages: stagesOf(content, start.at),
    raw: record,
  })
}

/** Returns the columns that the vendor reports; undefined for a record that is quarantined. */
function valuesOf(data: PageData, { record, content }: Sleep, signs: Signs) {
  const { nap, processed } = fieldsOf(content.metadata)
  const summary = fieldsOf(content.summary)
  const { stagesSummary } = summary
  const stages = Array.isArray(stagesSummary) ? stagesSummary.filter(isFields) : []
  const seconds = (type: string) => scaled(stages.find((stage) => stage.type === type)?.minutes, 60)
  const reader = data.read(RESOURCE, {
    asleep: scaled(summary.minutesAsleep, 60),
    awake: scaled(summary.minutesAwake, 60),
    latency: scaled(summary.minutesToFallAsleep, 60),
    light: seconds('LIGHT'),
    deep: seconds('DEEP'),
    rem: seconds('REM'),
  })
  if (reader === undefined) return undefined
  const values = {
    type: nap === true ? 'acknowledged_nap' : null,
    // Stages of a sleep that is not processed are still to come.
    state: processed === true ? 'confirmed' : processed === false ? 'tentative' : null,
    stage_asleep_second: reader.integer('asleep', 0, MOST_SECONDS),
    stage_awake_second: reader.integer('awake', 0, MOST_SECONDS),
    stage_light_second: reader.integer('light', 0, MOST_SECONDS),
    stage_deep_second: reader.integer('deep', 0, MOST_SECONDS),
    stage_rem_second: reader.integer('rem', 0, MOST_SECONDS),
    latency_second: reader.integer('latency', 0, MOST_SECONDS),
    ...signValues(data, signs),
  }
  return data.isValid(RESOURCE, reader, record) ? values : undefined
}

/** Returns what was measured in a sleep; invalid signs are quarantined, and the sleep is kept. */
function signValues(data: PageData, signs: Signs) {
  const { nightlyTemperatureCelsius: nightly, baselineTemperatureCelsius: usual } =
    signs.temperature
  const reader = data.read(RESOURCE, {
    mean: numberOf(signs.heart.beatsPerMinuteAvg),
    least: numberOf(signs.heart.beatsPerMinuteMin),
    most: numberOf(signs.heart.beatsPerMinuteMax),
    variability: numberOf(signs.variability.averageHeartRateVariabilityMilliseconds),
    temperature: numberOf(nightly),
    delta: differenceOf(numberOf(nightly), numberOf(usual)),
  })
  if (reader === undefined) return {}
  const values = {
    heart_rate_mean: reader.heartRate('mean'),
    heart_rate_minimum: reader.heartRate('least'),
    heart_rate_maximum: reader.heartRate('most'),
    hrv_mean_rmssd: reader.measured('variability', 1000),
    skin_temperature: reader.number('temperature', 20, 45),
    skin_temperature_delta: reader.number('delta', -10, 10),
    respiratory_rate: signs.breaths,
  }
  return data.isValid(RESOURCE, reader, signs) ? values : {}
}

/** Rounds, because 33.9 less 33.6 is not 0.3 in binary fractions. */
const differenceOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Number((a - b).toFixed(6))

/** A night has some dozens of stages. */
const MOST_SPANS = 2000

/** Returns the stages; short awakenings are within the stages of the vendor and end them. */
function stagesOf({ stages, shortAwakenings }: Fields, startedAt: number): VendorStageSpan[] {
  const awake = spansOf(shortAwakenings, startedAt).map(({ from, to }) => ({ from, to }))
  const cut = spansOf(stages, startedAt).flatMap((span) =>
    awake.reduce((parts, { from, to }) => parts.flatMap((part) => without(part, from, to)), [span]),
  )
  return [...cut, ...awake.map((span) => ({ ...span, stage: 'awake' as const }))]
}

/** Returns what is left of a stage outside of an interval. */
const without = (span: VendorStageSpan, from: number, to: number): VendorStageSpan[] =>
  [
    { ...span, to: Math.min(span.to, from) },
    { ...span, from: Math.max(span.from, to) },
  ].filter((part) => part.from < part.to)

function spansOf(list: unknown, startedAt: number): VendorStageSpan[] {
  const second = (text: unknown): number => {
    const parsed = typeof text === 'string' ? parseInstant(text) : undefined
    return parsed === undefined
      ? Number.NaN
      : Math.round((parsed.epochMilliseconds - startedAt) / 1000)
  }
  const entries = Array.isArray(list) ? list.slice(0, MOST_SPANS).filter(isFields) : []
  return entries.flatMap(({ type, startTime, endTime }) => {
    const [from, to] = [second(startTime), second(endTime)]
    return from < to ? [{ stage: lookUp(STAGES, type) ?? 'unknown', from, to }] : []
  })
}
