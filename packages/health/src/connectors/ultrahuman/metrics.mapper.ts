import { dateAtOffset, startOfUtcDay } from '@salus/kernel/time/instants'
import type { PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields } from '../vendor-records.ts'
import { addNight } from './sleep.mapper.ts'
import {
  type Day,
  dateOf,
  type Fields,
  MOST_UNIX_SECONDS,
  offsetAt,
  unexpected,
  zoneOf,
} from './ultrahuman-days.ts'

const HALF_DAY_SECONDS = 43_200

/** Series by the type of their metric. */
const SERIES = {
  hr: { name: 'heartrate', unit: 'bpm', none: 0 },
  hrv: { name: 'hrv', unit: 'ms', none: 0, extra: { method: 'rmssd' } },
  // The skin of the finger, not the core of the body.
  temp: { name: 'body_temperature', unit: '°C', none: 0, extra: { sensor_location: 'finger' } },
  glucose: { name: 'glucose', unit: 'mg/dL', none: 0, type: 'automatic' },
} as const

/**
 * Maps the metrics of a day: `{"data": {"metrics": {"2026-02-10": [{"type", "object"}]},
 * "latest_time_zone"}}`, or without the date `{"data": {"metric_data": [...]}}` or the list alone.
 * @param details That of the user, where the answer has no time zone.
 */
export function mapMetrics(
  answer: unknown,
  data: PageData,
  [user]: readonly unknown[],
  request: PageRequest,
): void {
  for (const day of daysOf(answer, data, zoneOf(user), dateOf(request))) {
    for (const [type, series] of Object.entries(SERIES)) addSeries(data, day, type, series)
    addSteps(data, day)
    addActivity(data, day)
    for (const night of day.nights) addNight(data, day, night)
  }
}

function daysOf(
  answer: unknown,
  data: PageData,
  userZone: string | null,
  requested: string,
): Day[] {
  if (Array.isArray(answer))
    return daysOf({ data: { metric_data: answer } }, data, userZone, requested)
  if (!isFields(answer)) throw unexpected()
  const { data: content } = answer
  if (content === null && typeof answer.error !== 'string') return []
  if (!isFields(content)) throw unexpected()
  const zone = zoneOf(answer) ?? userZone
  if (isFields(content.metrics)) {
    return Object.entries(content.metrics).flatMap(([key, metrics]) => {
      const date = data.date('activity', key, metrics)
      return date === undefined ? [] : [dayOf(data, metrics, zone, date)]
    })
  }
  if (!Array.isArray(content.metric_data)) throw unexpected()
  return [
    dayOf(data, content.metric_data, zone, dateOfList(content.metric_data, zone) ?? requested),
  ]
}

/**
 * Returns the date of a list by the midnight at which its metrics begin, else by the end of its
 * sleep, else by the first value.
 */
function dateOfList(list: readonly unknown[], zone: string | null): string | undefined {
  const objects = list.map((entry) => (isFields(entry) ? entry.object : null)).filter(isFields)
  const numberOf = (pick: (object: Fields) => unknown): number | undefined =>
    objects.map(pick).find((at) => typeof at === 'number' && Math.abs(at) < MOST_UNIX_SECONDS) as
      | number
      | undefined
  const midnight = numberOf(({ day_start_timestamp: start }) => start)
  const at = midnight ?? numberOf(({ bedtime_end: end }) => end) ?? numberOf(firstTimestamp)
  if (at === undefined) return undefined
  // Without a zone it is the nearest midnight in UTC.
  const unknown = midnight === undefined ? 0 : HALF_DAY_SECONDS
  return dateAtOffset(at * 1000, offsetAt(zone, at) ?? unknown)
}

function firstTimestamp({ values }: Fields): unknown {
  const first = Array.isArray(values) ? values[0] : undefined
  return isFields(first) ? first.timestamp : undefined
}

function dayOf(data: PageData, list: unknown, zone: string | null, date: string): Day {
  if (!Array.isArray(list)) {
    data.quarantine('activity', 'invalid_field', list)
    return { date, zone, metrics: new Map(), nights: [] }
  }
  const entries = list.filter(isFields)
  for (const odd of list) if (!isFields(odd)) data.quarantine('activity', 'not_an_object', odd)
  const named = entries.map(({ type, object }) => [String(type).toLowerCase(), object] as const)
  return {
    date,
    zone,
    metrics: new Map(named.filter((entry): entry is [string, Fields] => isFields(entry[1]))),
    nights: named.filter(([type, object]) => type === 'sleep' && object).map(([, night]) => night),
  }
}

/** Returns the values of a series; a list of another type is quarantined. */
function valuesOf(data: PageData, resource: string, list: unknown): readonly unknown[] {
  if (Array.isArray(list)) return list
  if (list !== null && list !== undefined) data.quarantine(resource, 'invalid_field', list)
  return []
}

function addSeries(
  data: PageData,
  day: Day,
  type: string,
  { name, unit, none, ...frame }: (typeof SERIES)[keyof typeof SERIES],
): void {
  const object = day.metrics.get(type)
  // The vendor names the unit of a user who prefers another one.
  const isOther = typeof object?.unit === 'string' && OTHER_UNITS.has(object.unit)
  const sourceType = name === 'glucose' ? 'automatic' : 'ring'
  for (const record of valuesOf(data, name, object?.values)) {
    const { timestamp, value } = isFields(record) ? record : {}
    if (isFields(record) && (value === null || value === none)) continue
    const offset = offsetAt(day.zone, timestamp)
    const start = data.epochInstant(name, timestamp, { unit: 's', offset }, record)
    if (start === undefined) continue
    const said = isOther ? String(object.unit) : unit
    const sample = { sourceType, start, value: value as number, unit: said, ...frame } as const
    data.addSample(name, sample, record)
  }
}

const OTHER_UNITS = new Set(['°F', 'mmol/L'])

/** Seconds of an interval of steps whose end is not known. */
const STEP_SECONDS = 300
const LONGEST_STEP_SECONDS = 900

/**
 * Adds counts, each from its time to the next. They are counts of intervals only if they add up to
 * the total of the day; one value may be that of the whole day.
 */
function addSteps(data: PageData, day: Day): void {
  const { values, total, day_start_timestamp: dayStart } = day.metrics.get('steps') ?? {}
  const records = valuesOf(data, 'steps', values)
  const known = countsOf(values).sort((a, b) => Number(a.timestamp) - Number(b.timestamp))
  const sum = sumOf(known)
  const isWholeDay = known.length === 1 && known[0]?.timestamp === dayStart
  if (isWholeDay || (typeof total === 'number' && Math.abs(total - sum) > 1)) return
  for (const record of records) {
    const { timestamp, value } = isFields(record) ? record : {}
    if (isFields(record) && value === null) continue
    const offset = offsetAt(day.zone, timestamp)
    const start = data.epochInstant('steps', timestamp, { unit: 's', offset }, record)
    if (start === undefined) continue
    const next = Number(known[known.indexOf(record as Fields) + 1]?.timestamp) - Number(timestamp)
    const lasts = next > 0 && next <= LONGEST_STEP_SECONDS ? next : STEP_SECONDS
    const end = { at: start.at + lasts * 1000, offset }
    const sample = {
      sourceType: 'ring',
      start,
      end,
      value: value as number,
      unit: 'count',
    } as const
    data.addSample('steps', sample, record)
  }
}

/** Returns the records of a list that have a count. */
const countsOf = (values: unknown): Fields[] =>
  (Array.isArray(values) ? values : [])
    .filter(isFields)
    .filter(({ value }) => typeof value === 'number')

const sumOf = (counts: readonly Fields[]): number =>
  counts.reduce((all, { value }) => all + Number(value), 0)

/** Adds the steps and active minutes of a day; without a total, steps are the sum of the counts. */
function addActivity(data: PageData, day: Day): void {
  const { date, metrics } = day
  const [steps, minutes] = [metrics.get('steps'), metrics.get('active_minutes')]
  const counts = countsOf(steps?.values)
  const total = steps?.total ?? (counts.length > 0 ? sumOf(counts) : null)
  const raw = { steps: total, active_minutes: minutes?.value }
  if ((raw.steps ?? raw.active_minutes ?? null) === null) return
  const reader = data.read('activity', raw)
  if (reader === undefined) return
  const active = reader.number('active_minutes', 0, 1500)
  const values = {
    steps: reader.integer('steps'),
    duration_active_second: active === null ? null : Math.round(active * 60),
  }
  if (!data.isValid('activity', reader, raw)) return
  const start = { at: startOfUtcDay(date), offset: offsetAt(day.zone, startOfUtcDay(date) / 1000) }
  const frame = { recordId: date, calendarDate: date, start, sourceType: 'ring' } as const
  data.addSummary('activity', { ...frame, values, raw })
}
