import { getUserRow } from '@salus/accounts/users'
import { readQueryTables } from '@salus/health/queries'
import {
  listSummaryExtents,
  type MergedSleep,
  readMergedActivity,
  readMergedSessions,
} from '@salus/health/summaries'
import { listExtents, type MergedSource } from '@salus/health/timeseries'
import type { Scope } from '@salus/kernel/scope'
import { dateAtOffset, dateInZone, formatInstant } from '@salus/kernel/time/instants'
import { listPersonResults, type PersonResult } from '@salus/lab/result-history'
import {
  GLUCOSE_RANGE,
  type Glance,
  type GlanceFigureName,
  type GlanceResults,
} from './glance.schema.ts'
import { addDays, type DayValue, toFigure } from './glance-figures.ts'

/** Days on which the newest value is looked for, before the newest data. */
const REACH_DAYS = 31
/** The newest value, and the days before it that it is compared with. */
const WINDOW_DAYS = 2 * REACH_DAYS
const MOST_RESULTS = 5
const RESULTS_READ = 500

interface GlanceParts {
  baseUrl: string
  /** Maximum number of rows that one query may read. */
  maxSourceRows: number
}

/** A person and the part of the time in which figures are looked for. */
interface Reading extends GlanceParts {
  userId: string
  /** Last local day, YYYY-MM-DD. */
  until: string
}

/** Values of a figure by local day. */
type Values = ReadonlyMap<string, DayValue>

/**
 * Returns the newest value of each figure of a person, and the newest laboratory results.
 * @throws AppError 404 for the user, 400 `range_too_large`
 */
export async function showGlance(scope: Scope, id: string, parts: GlanceParts): Promise<Glance> {
  const user = await getUserRow(scope, id)
  const now = scope.clock.now()
  const today = dateInZone(now, user.fallback_time_zone ?? 'UTC')
  const [samples, summaries, results] = await Promise.all([
    listExtents(scope, user.id),
    listSummaryExtents(scope, [user.id]),
    newestResults(scope, user.id),
  ])
  const extents = [
    ...samples.map(({ series, newest }) => [series, newest] as const),
    ...summaries.map(({ resource, newest }) => [resource, newest] as const),
  ]
  /** Reads values until the newest day with such data; none without any. */
  const readUntil = async <Found>(
    names: readonly string[],
    read: (reading: Reading) => Promise<Found>,
  ): Promise<Found | undefined> => {
    const newest = extents.filter(([name]) => names.includes(name)).map(([, at]) => at)
    if (newest.length === 0) return undefined
    // Local time is a day ahead at most, and a night has the date of its end.
    const last = addDays(dateAtOffset(Math.max(...newest), 0), 2)
    const until = last < today ? last : today
    return read({ ...parts, userId: user.id, until })
  }
  const [steps, nights, resting, glucose, weight] = await Promise.all([
    readUntil(['steps', 'activity'], (reading) => readSteps(scope, reading)),
    readUntil(['sleep'], (reading) => readNights(scope, reading)),
    readUntil(['activity'], (reading) => readRestingRates(scope, reading)),
    readUntil(['glucose'], (reading) => readGlucose(scope, reading)),
    readUntil(['body', 'body_weight'], (reading) => readWeights(scope, reading)),
  ])
  // Values of nights and of whole days are not compared with each other.
  const variabilities = nights?.variabilities.size
    ? nights.variabilities
    : await readUntil(['hrv'], (reading) => readVariabilities(scope, reading))
  const values: Record<GlanceFigureName, Values | undefined> = {
    steps,
    sleep_duration: nights?.durations,
    resting_heart_rate: new Map([...(resting ?? []), ...(nights?.restingRates ?? [])]),
    heart_rate_variability: variabilities,
    glucose_in_range: glucose,
    weight,
  }
  return {
    user_id: user.id,
    date: today,
    time_zone: user.fallback_time_zone,
    as_of: formatInstant(now),
    figures: Object.entries(values).map(([name, found]) =>
      toFigure(name as GlanceFigureName, found ?? new Map(), today),
    ),
    results,
  }
}

const rangeOf = ({ until }: Reading, days: number) => ({
  start_date: addDays(until, 1 - days),
  end_date: until,
})

async function readSteps(scope: Scope, reading: Reading): Promise<Values> {
  const values = new Map<string, DayValue>()
  // Their newest day is known to a few days, and they are the largest of all series.
  const range = rangeOf(reading, REACH_DAYS)
  for await (const days of readMergedActivity(scope, reading.userId, range, ['steps'])) {
    for (const { calendar_date: date, steps: value, sources } of days) {
      if (value === null) continue
      const used = sources.filter(({ fields }) => fields.includes('steps'))
      values.set(date, { value, sources: used.map(({ fields: _, ...source }) => source) })
    }
  }
  return values
}

interface Nights {
  durations: Values
  restingRates: Values
  variabilities: Values
}

/** Reads nights with all sources merged: of each date the longest long_sleep. */
async function readNights(scope: Scope, reading: Reading): Promise<Nights> {
  const longest = new Map<string, MergedSleep>()
  const query = { ...rangeOf(reading, WINDOW_DAYS), provider: '' }
  const pages = readMergedSessions(scope, 'sleep', reading.userId, query, reading.baseUrl)
  for await (const page of pages) {
    for (const night of page as MergedSleep[]) {
      const known = longest.get(night.calendar_date)
      if (night.type !== 'long_sleep' || (known?.duration ?? 0) > night.duration) continue
      longest.set(night.calendar_date, night)
    }
  }
  const valuesOf = (read: (night: MergedSleep) => number | null): Values =>
    new Map(
      [...longest].flatMap(([date, night]) => {
        const value = read(night)
        return value === null ? [] : [[date, { value, ...originOf(night) }] as const]
      }),
    )
  return {
    durations: valuesOf(({ total, duration }) => total || duration || null),
    restingRates: valuesOf((night) => night.hr_resting),
    variabilities: valuesOf((night) => night.average_hrv),
  }
}

function originOf(night: MergedSleep): Omit<DayValue, 'value'> {
  const { provider, type, app_id } = night.source as MergedSource
  return {
    sources: [{ provider, type, app_id: app_id ?? null }],
    setAside: night.merged.set_aside.map(({ source }) => source),
    localStart: floatingTime(night.bedtime_start, night.bedtime_start_offset),
    localEnd: floatingTime(night.bedtime_stop, night.timezone_offset),
  }
}

function floatingTime(instant: string, offsetSeconds: number | null): string {
  return new Date(Date.parse(instant) + (offsetSeconds ?? 0) * 1000).toISOString().slice(0, 19)
}

/** Rows of a query, each as a list of the values of its columns. */
async function readRows(
  scope: Scope,
  { userId, until, maxSourceRows }: Reading,
  query: object,
): Promise<unknown[][]> {
  const timeframe = {
    type: 'relative',
    anchor: until,
    past: { unit: 'day', value: WINDOW_DAYS },
  } as const
  const request = { timeframe, queries: [query as never] }
  const [table = {}] = await readQueryTables(scope, userId, request, maxSourceRows)
  const columns = Object.values(table)
  return (columns[0] ?? []).map((_, row) => columns.map((values) => values[row]))
}

const ofDay = (index: string) => ({
  date_trunc: { unit: 'day', value: 1 },
  arg: { index },
})
const SOURCE = [{ source: 'source_provider' }, { source: 'source_type' }] as const

const sourceOf = (provider: unknown, type: unknown): MergedSource => ({
  provider: String(provider),
  type: type as MergedSource['type'],
  app_id: null,
})

/** Reads the resting heart rate of summaries of days, for days without that of a night. */
const readRestingRates = (scope: Scope, reading: Reading): Promise<Values> =>
  readByDay(scope, reading, 'activity', {
    func: 'newest',
    arg: { activity: 'heart_rate_resting' },
  })

/** Reads the mean of the samples of each day, for people whose nights have no variability. */
const readVariabilities = (scope: Scope, reading: Reading): Promise<Values> =>
  readByDay(scope, reading, 'merged', { func: 'mean', arg: { merged: 'hrv', field: 'value' } })

/** Reads an aggregate of each local day; a day without a value is missing. */
async function readByDay(
  scope: Scope,
  reading: Reading,
  index: string,
  aggregate: object,
): Promise<Values> {
  const rows = await readRows(scope, reading, {
    select: [{ group_key: '*' }, aggregate],
    group_by: [ofDay(index)],
  })
  return new Map(
    rows.flatMap(([day, value]) =>
      typeof value === 'number'
        ? [[String(day).slice(0, 10), { value, sources: [] }] as const]
        : [],
    ),
  )
}

async function readGlucose(scope: Scope, reading: Reading): Promise<Values> {
  const glucose = { merged: 'glucose', field: 'value' }
  const select = [{ group_key: '*' }, { func: 'count', arg: glucose }]
  const group_by = [ofDay('merged'), ...SOURCE]
  const where = `value >= ${GLUCOSE_RANGE.from} AND value <= ${GLUCOSE_RANGE.to}`
  const [all, inRange] = await Promise.all([
    readRows(scope, reading, { select, group_by }),
    readRows(scope, reading, { select, group_by, where }),
  ])
  const counted = new Map<string, { all: number; inRange: number; sources: MergedSource[] }>()
  for (const [day, provider, type, count] of all) {
    const date = String(day).slice(0, 10)
    const known = counted.get(date) ?? { all: 0, inRange: 0, sources: [] }
    known.all += Number(count)
    known.sources.push(sourceOf(provider, type))
    counted.set(date, known)
  }
  for (const [day, , , count] of inRange) {
    const known = counted.get(String(day).slice(0, 10))
    if (known !== undefined) known.inRange += Number(count)
  }
  return new Map(
    [...counted].map(([date, { all, inRange, sources }]) => [
      date,
      { value: (100 * inRange) / all, sources },
    ]),
  )
}

/** Reads the newest weight of each day: of a summary of the body, or of a sample if it is newer. */
async function readWeights(scope: Scope, reading: Reading): Promise<Values> {
  const rowsOf = (index: string, weight: object) =>
    readRows(scope, reading, {
      select: [{ index }, weight, ...SOURCE],
    })
  const [bodies, samples] = await Promise.all([
    rowsOf('body', { body: 'weight_kilogram' }),
    rowsOf('merged', { merged: 'weight', field: 'value' }),
  ])
  const values = new Map<string, DayValue>()
  for (const [at, value, provider, type] of [...samples, ...bodies]) {
    if (typeof value !== 'number') continue
    const localEnd = String(at)
    const date = localEnd.slice(0, 10)
    if ((values.get(date)?.localEnd ?? '') > localEnd) continue
    values.set(date, { value, sources: [sourceOf(provider, type)], localEnd })
  }
  return values
}

const isCritical = ({ interpretation }: PersonResult) => interpretation === 'critical'
const isAbnormal = (result: PersonResult) =>
  result.interpretation === 'abnormal' || isCritical(result)

/** Returns the results of the newest day that has any; null without results. */
async function newestResults(scope: Scope, userId: string): Promise<GlanceResults | null> {
  const { results } = await listPersonResults(scope, userId, { limit: RESULTS_READ })
  const [newest] = results
  if (newest === undefined) return null
  const ofDay = results.filter(({ date }) => date === newest.date)
  const rank = (result: PersonResult) => (isCritical(result) ? 0 : isAbnormal(result) ? 1 : 2)
  return {
    date: newest.date,
    count: ofDay.length,
    abnormal: ofDay.filter(isAbnormal).length,
    critical: ofDay.filter(isCritical).length,
    results: ofDay.toSorted((one, other) => rank(one) - rank(other)).slice(0, MOST_RESULTS),
  }
}
