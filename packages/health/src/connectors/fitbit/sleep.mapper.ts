import { HOUR_MS } from '@salus/contracts/time-units'
import type { DetailRequest, PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import {
  isFields,
  type VendorInstant,
  type VendorStage,
  type VendorStageSpan,
} from '../vendor-records.ts'
import {
  daysOf,
  type Fields,
  forEachRecord,
  idOf,
  LocalTimes,
  listOf,
  noonOf,
  PERSON,
  PROFILE,
} from './fitbit-pages.ts'

/** Levels of `stages` and of `classic`, which has neither phases nor wakes under three minutes. */
const LEVELS: Readonly<Record<string, VendorStage>> = {
  deep: 'deep',
  light: 'light',
  rem: 'rem',
  wake: 'awake',
  asleep: 'asleep',
  restless: 'awake',
  awake: 'awake',
}
const MOST_MINUTES = 7 * 24 * 60
/** Times of a sleep and its duration may differ by some seconds. */
const HALF_HOUR_MS = HOUR_MS / 2
/** Names of the breathing rates of a night by stage. */
const RATES: Readonly<Record<string, string>> = {
  deep: 'deepSleepSummary',
  light: 'lightSleepSummary',
  rem: 'remSleepSummary',
}

export const sleepPath = (days: string) => `1.2/user/-/sleep/date/${days}.json`
const details = (days: string, paths: readonly string[]): DetailRequest[] =>
  paths.map((path) => ({ path: `${PERSON}/${path}/date/${days}.json`, isOptional: true }))

/** A night is dated by its end, which may be a day after the range. */
export const sleepDays = ({ range }: Pick<PageRequest, 'range'>) => daysOf(range, 1)

export const sleepDetails = (_answer: unknown, request: PageRequest): DetailRequest[] => [
  PROFILE,
  ...details(sleepDays(request), ['temp/skin', 'hrv', 'br']),
]

export const breathDetails = (_answer: unknown, request: PageRequest): DetailRequest[] => [
  PROFILE,
  { path: `/${sleepPath(sleepDays(request))}`, isOptional: true },
]

/** Returns the values of a list of an answer by date. */
function byDate(answers: readonly unknown[], name: string): Map<unknown, unknown> {
  const lists = answers.filter(isFields).map((answer) => answer[name])
  const records = lists.flatMap((list) => (Array.isArray(list) ? list.filter(isFields) : []))
  return new Map(records.map(({ dateTime, value }) => [dateTime, value]))
}

/** Maps sleeps, with what was measured in the main sleep of a day. */
export function mapSleep(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const records = listOf(answer, 'sleep')
  const times = new LocalTimes(data, details)
  const [skin, variability, breath] = ['tempSkin', 'hrv', 'br'].map((name) => byDate(details, name))
  forEachRecord(records, data, 'sleep', (record) => {
    const start = times.instant('sleep', record.startTime, record)
    const { duration, endTime } = record
    const least =
      start && typeof duration === 'number' ? start.at + duration - HALF_HOUR_MS : undefined
    const end = start && times.instant('sleep', endTime, record, least, 'invalid_end_date')
    const day = end && data.date('sleep', record.dateOfSleep, record)
    if (start === undefined || end === undefined || day === undefined) return
    const isMain = record.isMainSleep === true
    const nightly = {
      skin: isMain ? skin?.get(day) : undefined,
      hrv: isMain ? variability?.get(day) : undefined,
      breath: isMain ? breath?.get(day) : undefined,
    }
    const values = valuesOf(data, record, nightly)
    if (values === undefined) return
    data.addSleep({
      recordId: idOf(record.logId) || String(record.startTime),
      calendarDate: day,
      start,
      end,
      sourceType: record.logType === 'manual' ? 'app' : 'watch',
      ...(typeof times.place === 'string' && { timeZone: times.place }),
      values: { ...values, type: isMain ? 'long_sleep' : null },
      stages: spansOf(times, record, start),
      raw: record,
    })
  })
}

/** Returns the reported columns; undefined for a record that is quarantined. */
function valuesOf(
  data: PageData,
  record: Fields,
  nightly: { skin: unknown; hrv: unknown; breath: unknown },
) {
  const { levels } = record
  const summary = isFields(levels) && isFields(levels.summary) ? levels.summary : {}
  const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
  const readers = [record, summary.deep, summary.light, summary.rem, nightly.skin, nightly.hrv]
    .concat(rateOf(nightly.breath, 'fullSleepSummary') ?? nightly.breath)
    .map((value) => data.read('sleep', fieldsOf(value)))
  const [sleep, deep, light, rem, skin, hrv, breath] = readers
  const seconds = (reader: (typeof readers)[number], name: string): number | null => {
    const minutes = reader?.integer(name, 0, MOST_MINUTES) ?? null
    return minutes === null ? null : minutes * 60
  }
  const values = {
    stage_asleep_second: seconds(sleep, 'minutesAsleep'),
    stage_awake_second: seconds(sleep, 'minutesAwake'),
    stage_deep_second: seconds(deep, 'minutes'),
    stage_light_second: seconds(light, 'minutes'),
    stage_rem_second: seconds(rem, 'minutes'),
    latency_second: seconds(sleep, 'minutesToFallAsleep'),
    skin_temperature_delta: skin?.number('nightlyRelative', -10, 10) ?? null,
    hrv_mean_rmssd: hrv?.measured('dailyRmssd', 1000) ?? null,
    respiratory_rate: positive(breath?.number('breathingRate', -1, 120)),
  }
  const isSound = readers.every((reader) => reader && data.isValid('sleep', reader, record))
  return isSound ? values : undefined
}

/** -1 is a rate that the vendor could not measure. */
const positive = (rate: number | null | undefined): number | null =>
  typeof rate === 'number' && rate > 0 ? rate : null

const rateOf = (value: unknown, name: string): unknown =>
  isFields(value) ? value[name] : undefined

/**
 * Returns the stages in order. Wakes under three minutes are listed apart, over the stages that
 * they interrupt.
 */
function spansOf(times: LocalTimes, { levels }: Fields, start: VendorInstant): VendorStageSpan[] {
  const { data: long, shortData: short } = isFields(levels) ? levels : {}
  const wakes = listSpans(times, short, start).sort((a, b) => a.from - b.from)
  return listSpans(times, long, start)
    .flatMap((span) => cutOut(span, wakes))
    .concat(wakes)
}

function listSpans(times: LocalTimes, list: unknown, start: VendorInstant): VendorStageSpan[] {
  let earliest = start.at
  return (Array.isArray(list) ? list.filter(isFields) : []).flatMap((entry) => {
    const { level, seconds, dateTime } = entry
    const at = times.find(dateTime, earliest)?.at
    if (at === undefined || typeof seconds !== 'number' || !(seconds > 0)) return []
    earliest = at
    const from = Math.round((at - start.at) / 1000)
    return [{ stage: LEVELS[String(level)] ?? 'unknown', from, to: from + Math.round(seconds) }]
  })
}

/** @param holes In order of time. */
function cutOut(span: VendorStageSpan, holes: readonly VendorStageSpan[]): VendorStageSpan[] {
  const parts: VendorStageSpan[] = []
  let { from } = span
  for (const hole of holes) {
    if (hole.to <= from || hole.from >= span.to) continue
    if (hole.from > from) parts.push({ ...span, from, to: hole.from })
    from = hole.to
  }
  return from < span.to ? [...parts, { ...span, from }] : parts
}

/**
 * Maps breathing rates: one point in the middle of each segment of a stage, with the rate of that
 * stage (docs/contract/04-providers.md#oauth-scopes-and-availability). Without the stages of the
 * night its rate is placed at noon.
 */
export function mapBreath(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const records = listOf(answer, 'br')
  const times = new LocalTimes(data, details)
  const nights = nightsOf(times, details)
  forEachRecord(records, data, 'respiratory_rate', (record) => {
    const day = data.date('respiratory_rate', record.dateTime, record)
    if (day === undefined) return
    const { value } = record
    const rates = new Map(
      [...Object.entries(RATES), ['night', 'fullSleepSummary'] as const].map(([stage, name]) => [
        stage,
        rateIn(rateOf(value, name)),
      ]),
    )
    const ofNight = rateIn(value) ?? rates.get('night') ?? null
    if ([ofNight, ...rates.values()].includes(INVALID)) {
      data.quarantine('respiratory_rate', 'invalid_value', record)
      return
    }
    const add = (start: VendorInstant, rate: number): void => {
      const sample = { sourceType: 'watch', start, value: rate, unit: 'bpm' } as const
      data.addSample('respiratory_rate', sample, record)
    }
    const night = nights.get(day)
    let isStaged = false
    for (const { stage, from, to } of night?.spans ?? []) {
      const rate = rates.get(stage) ?? null
      if (night === undefined || rate === null) continue
      const at = night.at + (from + to) * 500
      add({ at, offset: times.offsetAt(at) }, rate)
      isStaged = true
    }
    if (!isStaged && ofNight !== null) add(noonOf(day), ofNight)
  })
}

const INVALID = Number.NEGATIVE_INFINITY

/** Returns the rate of a part of a night; null for none, and INVALID for what is no rate. */
function rateIn(part: unknown): number | null {
  const rate = isFields(part) ? (part.breathingRate ?? null) : null
  if (rate === null) return null
  return typeof rate === 'number' ? positive(rate) : INVALID
}

/** Returns the stages of the main sleeps among details, with their starts, by day. */
function nightsOf(
  times: LocalTimes,
  details: readonly unknown[],
): Map<unknown, { at: number; spans: readonly VendorStageSpan[] }> {
  const lists = details.filter(isFields).map(({ sleep }) => sleep)
  const records = lists.flatMap((list) => (Array.isArray(list) ? list.filter(isFields) : []))
  const nights = records.filter(({ isMainSleep }) => isMainSleep === true)
  return new Map(
    nights.flatMap((record) => {
      const start = times.find(record.startTime)
      if (start === undefined) return []
      return [[record.dateOfSleep, { at: start.at, spans: spansOf(times, record, start) }] as const]
    }),
  )
}
