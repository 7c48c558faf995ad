import { DAY_SECONDS } from '@salus/contracts/time-units'
import type { DetailRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { isFields, type SourceType, type VendorStage } from '../vendor-records.ts'
import {
  bodyOfDetail,
  callOf,
  type Fields,
  forEachRecord,
  frameOf,
  instantOf,
  listOf,
  offsetAt,
  sourceTypeOf,
  valuesOfRecord,
} from './withings-api.ts'

/** Seconds of a week: no sleep is longer. */
const MOST_SECONDS = 604_800

/** Stages by the vendor's numbers; others are unknown. */
export const STAGES = new Map<unknown, VendorStage>([
  [0, 'awake'],
  [1, 'light'],
  [2, 'deep'],
  [3, 'rem'],
  [4, 'manual'],
  // Out of bed.
  [15, 'awake'],
])
/** A sleep monitor, which lies below the mattress, has no type of its own. */
const DEVICES = new Map<unknown, SourceType>([[16, 'watch']])

/** Readings of rows: their field, the largest value that can be one, and their resource. */
const READINGS = {
  heartRates: { field: 'hr', most: 350, resource: 'heartrate' },
  rmssd: { field: 'rmssd', most: 1000, resource: 'sleep' },
  sdnn: { field: 'sdnn_1', most: 1000, resource: 'sleep' },
  respiratoryRates: { field: 'rr', most: 120, resource: 'sleep' },
} as const
type ReadingKind = (typeof READINGS)[keyof typeof READINGS]

export const SUMMARY_FIELDS = [
  ...['total_sleep_time', 'asleepduration', 'lightsleepduration', 'deepsleepduration'],
  ...['remsleepduration', 'wakeupduration', 'sleep_latency', 'durationtosleep', 'sleep_efficiency'],
  ...['sleep_score', 'hr_average', 'hr_min', 'hr_max', 'rr_average'],
].join(',')

/** A span of Unix seconds. */
interface Span {
  from: number
  to: number
}

function spanOf(record: unknown): Span | undefined {
  const { startdate: from, enddate: to } = isFields(record) ? record : {}
  const areSeconds = Number.isSafeInteger(from) && Number.isSafeInteger(to)
  const span = { from: from as number, to: to as number }
  return areSeconds && span.from < span.to ? span : undefined
}

/**
 * Returns the requests for the stages of a page: one for all sleeps within a day, since a request
 * spans a day at most.
 */
export function sleepDetails(answer: unknown): DetailRequest[] {
  const spans = listOf(answer, 'series')
    .flatMap((record) => spanOf(record) ?? [])
    .sort((one, other) => one.from - other.from)
  const days: Span[] = []
  for (const { from, to } of spans) {
    const day = days.at(-1)
    if (day !== undefined && Math.max(day.to, to) - day.from <= DAY_SECONDS) {
      day.to = Math.max(day.to, to)
    } else days.push({ from, to: Math.min(to, from + DAY_SECONDS) })
  }
  return days.map(({ from, to }) => {
    const data_fields = Object.values(READINGS)
      .map(({ field }) => field)
      .join(',')
    const parameters = { startdate: String(from), enddate: String(to), data_fields }
    return { ...callOf('/v2/sleep', 'get', parameters), isOptional: true } as const
  })
}

/**
 * Maps nights with the rows of their stages. A tracker and a sleep monitor that recorded the same
 * night have a record each: both are stored, by source.
 */
export function mapSleep(answer: unknown, data: PageData, details: readonly unknown[]): void {
  const rows = details.flatMap((detail) => rowsOf(data, detail))
  forEachRecord(listOf(answer, 'series'), data, 'sleep', (record) => {
    // A stage, of an answer to the other action: it is no night.
    if (record.state !== undefined && record.data === undefined) {
      data.quarantine('sleep', 'invalid_field', record)
      return
    }
    const own = rows.filter((row) => isOfNight(row, record))
    addNight(data, record, own)
  })
}

function addNight(data: PageData, record: Fields, rows: readonly Fields[]): void {
  const zone = record.timezone
  const start = instantOf(data, 'sleep', record.startdate, zone, record)
  const end = start && instantOf(data, 'sleep', record.enddate, zone, record, 'invalid_end_date')
  const values = start && end && valuesOf(data, record)
  if (!start || !end || values === undefined) return
  const sourceType = DEVICES.get(record.model) ?? sourceTypeOf(record.model_id) ?? 'unknown'
  const readings = Object.fromEntries(
    Object.entries(READINGS).map(([name, kind]) => [
      name,
      rows.flatMap((row) => pointsOf(data, kind, row[kind.field])),
    ]),
  )
  const added = data.addSleep({
    recordId: String(record.id ?? record.startdate),
    start,
    end,
    sourceType,
    ...frameOf(record, end),
    values,
    stages: rows.map((row) => ({
      stage: STAGES.get(row.state) ?? 'unknown',
      from: (row.startdate as number) - start.at / 1000,
      to: (row.enddate as number) - start.at / 1000,
    })),
    readings,
    raw: record,
  })
  if (added === undefined) return
  for (const { startedAt, value } of readings.heartRates ?? []) {
    const at = { at: startedAt, offset: offsetAt(zone, startedAt / 1000) }
    data.addSample('heartrate', { start: at, sourceType, value, unit: 'bpm' })
  }
}

/** Returns the columns that the vendor reports; undefined for a record that is quarantined. */
function valuesOf(data: PageData, record: Fields) {
  const reader = data.read('sleep', valuesOfRecord(record))
  if (reader === undefined) return undefined
  const seconds = (name: string): number | null => reader.integer(name, 0, MOST_SECONDS)
  const stages = {
    stage_light_second: seconds('lightsleepduration'),
    stage_deep_second: seconds('deepsleepduration'),
    stage_rem_second: seconds('remsleepduration'),
  }
  const known = Object.values(stages).filter((value) => value !== null)
  const staged = known.reduce((sum, value) => sum + value, 0)
  // A ratio; above 1 it can only be a percentage.
  const share = reader.number('sleep_efficiency', 0, 100)
  const latencies = [seconds('sleep_latency'), seconds('durationtosleep')]
  const values = {
    // Other apps that the vendor reads have the time asleep, and no stages.
    stage_asleep_second: seconds('total_sleep_time') || staged || seconds('asleepduration'),
    stage_awake_second: seconds('wakeupduration'),
    ...stages,
    latency_second: latencies.find((value) => value !== null) ?? null,
    efficiency: share !== null && share <= 1 ? 100 * share : share,
    score: reader.integer('sleep_score', 0, 100) || null,
    heart_rate_mean: reader.heartRate('hr_average'),
    heart_rate_minimum: reader.heartRate('hr_min'),
    heart_rate_maximum: reader.heartRate('hr_max'),
    respiratory_rate: reader.measured('rr_average', 120),
    ...(record.completed === false && { type: 'unknown' }),
  }
  return data.isValid('sleep', reader, record) ? values : undefined
}

/** Returns the rows of an answer, with the number of the kind of the device where it names one. */
function rowsOf(data: PageData, detail: unknown): Fields[] {
  const { series = [], model } = bodyOfDetail(detail) ?? {}
  if (!Array.isArray(series)) {
    data.quarantine('sleep_cycle', 'invalid_field', series)
    return []
  }
  return series.flatMap((row) => {
    if (spanOf(row) === undefined) {
      data.quarantine('sleep_cycle', 'invalid_field', row)
      return []
    }
    return [{ ...row, model: typeof row.model === 'number' ? row.model : model }]
  })
}

/** Whether a row is of a night, and of its device where two recorded it. */
function isOfNight(row: Fields, night: Fields): boolean {
  const [part, whole] = [spanOf(row), spanOf(night)]
  if (!part || !whole || part.from >= whole.to || part.to <= whole.from) return false
  return ['model', 'model_id', 'hash_deviceid'].every((name) => {
    const [one, other] = [row[name] ?? null, night[name] ?? null]
    return one === null || other === null || one === other
  })
}

/** Returns the readings of a row by Unix seconds; 0 means that there is none. */
function pointsOf(data: PageData, { most, resource }: ReadingKind, field: unknown) {
  if (!isFields(field)) return []
  return Object.entries(field).flatMap(([key, value]) => {
    const startedAt = Number(key) * 1000
    if (value === 0 || value === null) return []
    if (typeof value !== 'number' || !Number.isSafeInteger(startedAt)) {
      data.quarantine(resource, 'invalid_value', { [key]: value })
      return []
    }
    if (value < 0 || value > most) {
      data.quarantine(resource, 'out_of_range', { [key]: value })
      return []
    }
    return [{ startedAt, endedAt: startedAt, value }]
  })
}
