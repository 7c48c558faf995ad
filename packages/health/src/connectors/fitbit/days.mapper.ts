import { DAY_MS, MINUTE_MS, SECOND_MS } from '@salus/contracts/time-units'
import { dateAtOffset, startOfUtcDay } from '@salus/kernel/time/instants'
import type { DetailRequest, PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import {
  dayOf,
  type Fields,
  LocalTimes,
  otherDaysOf,
  PERSON,
  PROFILE,
  unexpected,
} from './fitbit-pages.ts'

const TRACKER = { sourceType: 'watch' } as const
const MOST_MINUTES = 25 * 60
const METERS_PER_KILOMETER = 1000

/** Series of intraday answers, with the label of their unit. */
const INTRADAY = {
  heart: { series: 'heartrate', unit: 'bpm' },
  steps: { series: 'steps', unit: 'count' },
  distance: { series: 'distance', unit: 'km' },
} as const
type Intraday = keyof typeof INTRADAY

export const summaryPath = (day: string) => `activities/date/${day}.json`
export const intradayPath = (name: Intraday) => (day: string) =>
  `activities/${name}/date/${day}/1d/1min.json`

const requestOf = (path: string): DetailRequest => ({ path: `${PERSON}/${path}` })

export const summaryDetails = (_answer: unknown, { range }: PageRequest): DetailRequest[] => [
  PROFILE,
  ...otherDaysOf(range).map((day) => requestOf(summaryPath(day))),
]

/** @param more Further data of the same days. */
export const intradayDetails =
  (name: Intraday, ...more: Intraday[]) =>
  (_answer: unknown, { range }: PageRequest): DetailRequest[] => {
    const others = otherDaysOf(range)
    const paths = [
      ...others.map(intradayPath(name)),
      ...more.flatMap((one) => [dayOf(range), ...others].map(intradayPath(one))),
    ]
    return [PROFILE, ...paths.map(requestOf)]
  }

/** Maps the days of a range. */
export function mapDays(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
  { range }: PageRequest,
): void {
  const times = new LocalTimes(data, details)
  const days = [dayOf(range), ...otherDaysOf(range)]
  for (const [index, page] of [answer, ...details.slice(1)].entries()) {
    const day = days[index]
    // The first is the page; others may be missing where only a payload is mapped.
    if (index > 0 && !page) continue
    if (!isFields(page) || !isFields(page.summary)) throw unexpected()
    if (day !== undefined) addDay(data, times, day, page)
  }
}

function addDay(data: PageData, times: LocalTimes, day: string, answer: Fields): void {
  const summary = data.read('activity', answer.summary)
  if (summary === undefined || !isFields(answer.summary)) return
  const seconds = (name: string): number | null => {
    const minutes = summary.integer(name, 0, MOST_MINUTES)
    return minutes === null ? null : minutes * 60
  }
  const values = {
    calories_total: summary.number('caloriesOut'),
    calories_active: summary.number('activityCalories'),
    steps: summary.integer('steps'),
    distance_meter: distanceOf(data, answer.summary),
    floors_climbed: summary.integer('floors'),
    intensity_sedentary_second: seconds('sedentaryMinutes'),
    intensity_low_second: seconds('lightlyActiveMinutes'),
    intensity_medium_second: seconds('fairlyActiveMinutes'),
    intensity_high_second: seconds('veryActiveMinutes'),
    heart_rate_resting: summary.heartRate('restingHeartRate'),
  }
  if (!data.isValid('activity', summary, answer)) return
  // A day that has not begun, or is from before the account.
  if (Object.values(values).every((value) => !value)) return
  const from = times.instant('activity', `${day}T00:00:00`, answer)
  const next = dateAtOffset(startOfUtcDay(day) + DAY_MS, 0)
  const to = from && times.instant('activity', `${next}T00:00:00`, answer)
  if (from === undefined || to === undefined) return
  const start = { at: startOfUtcDay(day), offset: from.offset }
  data.addSummary('activity', {
    ...TRACKER,
    recordId: day,
    calendarDate: day,
    start,
    ...(typeof times.place === 'string' && { timeZone: times.place }),
    values,
    raw: answer,
  })
  const value = values.calories_active
  // The vendor has them by day only (docs/decisions/0072-fitbit-and-dexcom.md).
  if (value === null) return
  const sample = { ...TRACKER, start: from, end: to, value, unit: 'kcal' }
  data.addSample('calories_active', sample, answer.summary)
}

/** Returns the meters of `total`; the other distances are parts of it. */
function distanceOf(data: PageData, { distances }: Fields): number | null {
  const all = Array.isArray(distances) ? distances.filter(isFields) : []
  const reader = data.read('activity', all.find(({ activity }) => activity === 'total') ?? {})
  const kilometers = reader?.number('distance') ?? null
  return kilometers === null ? null : kilometers * METERS_PER_KILOMETER
}

/** Maps rows of a local time and a value, of the days of a range. */
export function mapIntraday(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
  { range }: PageRequest,
): void {
  const times = new LocalTimes(data, details)
  const names = Object.keys(INTRADAY) as Intraday[]
  const isOfDay = (one: unknown, name: Intraday): one is Fields =>
    isFields(one) && Array.isArray(one[`activities-${name}`])
  if (!names.some((name) => isOfDay(answer, name))) throw unexpected()
  for (const page of [answer, ...details]) {
    for (const name of names) if (isOfDay(page, name)) addRows(data, times, page, name, range)
  }
}

function addRows(
  data: PageData,
  times: LocalTimes,
  answer: Fields,
  name: Intraday,
  range: PageRequest['range'],
): void {
  const { series, unit } = INTRADAY[name]
  const [total] = answer[`activities-${name}`] as unknown[]
  const rows = answer[`activities-${name}-intraday`]
  if (!isFields(rows) || !Array.isArray(rows.dataset)) return
  const { dateTime: day = dayOf(range), value: sum } = isFields(total) ? total : {}
  // A day without any has not begun, or the tracker has not synchronized.
  if (name !== 'heart' && Number(sum) === 0) return
  if (data.date(series, day, total) === undefined) return
  const each = rows.datasetType === 'second' ? SECOND_MS : MINUTE_MS
  const interval = typeof rows.datasetInterval === 'number' ? rows.datasetInterval * each : each
  const midnight = midnightOf(times, day)
  const isRate = name === 'heart'
  let earliest = Number.NEGATIVE_INFINITY
  for (const row of rows.dataset) {
    if (!isFields(row)) {
      data.quarantine(series, 'not_an_object', row)
      continue
    }
    const { time, value } = row as { time: unknown; value: number }
    const seconds = midnight === undefined ? Number.NaN : secondsOf(time)
    const start = Number.isNaN(seconds)
      ? times.instant(series, `${day}T${time}`, row, earliest)
      : { at: (midnight?.at ?? 0) + seconds * 1000, offset: midnight?.offset ?? null }
    if (start === undefined) continue
    earliest = start.at + 1
    const end = isRate ? start : { at: start.at + interval, offset: start.offset }
    data.addSample(series, { sourceType: 'watch', start, end, value, unit }, row)
  }
}

/** The start of a day without a change of the clock; a day has 1,440 rows. */
function midnightOf(times: LocalTimes, day: unknown): VendorInstant | undefined {
  const start = times.find(`${day}T00:00:00`)
  const end = times.find(`${day}T23:59:59`)
  return start?.offset === end?.offset ? start : undefined
}

const ZERO = 48
const COLON = 58

/** Returns the second of the day of `08:15:00`; NaN for any other value. */
function secondsOf(time: unknown): number {
  if (typeof time !== 'string' || time.length !== 8) return Number.NaN
  if (time.charCodeAt(2) !== COLON || time.charCodeAt(5) !== COLON) return Number.NaN
  const two = (at: number): number => {
    const [tens, ones] = [time.charCodeAt(at) - ZERO, time.charCodeAt(at + 1) - ZERO]
    return tens >= 0 && tens < 6 && ones >= 0 && ones < 10 ? tens * 10 + ones : Number.NaN
  }
  const hours = two(0)
  return hours < 24 ? hours * 3600 + two(3) * 60 + two(6) : Number.NaN
}
