import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type SourceType, type VendorInstant } from '../vendor-records.ts'
import { SLUG } from './libreview-sign-in.ts'

type Fields = Record<string, unknown>

/** `3/1/2026 6:45:00 AM` */
const TIMESTAMP = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) (AM|PM)$/

/** Record types by their numbers in exports of the vendor. */
const GLUCOSE = new Map<unknown, { sourceType: SourceType; type: string }>([
  [0, { sourceType: 'automatic', type: 'automatic' }],
  [1, { sourceType: 'manual_scan', type: 'manual_scan' }],
  [2, { sourceType: 'fingerprick', type: 'fingerprick' }],
])
const INSULIN = 4
const FOOD = 5
const NOTE = 6
const INSULIN_TYPES: Readonly<Record<string, string>> = {
  rapid: 'rapid_acting',
  long: 'long_acting',
}

/** Returns the list of an answer whose `status` is success. @throws VendorError `unexpected` */
function listOf(answer: unknown, find: (data: Fields) => unknown): readonly unknown[] {
  if (isFields(answer) && answer.status === 0) {
    const list = find(isFields(answer.data) ? answer.data : { list: answer.data })
    if (Array.isArray(list)) return list
  }
  throw new VendorError(SLUG, { kind: 'unexpected', status: null })
}

/** Maps the readings of the last hours. */
export function mapGraph(answer: unknown, data: PageData): void {
  for (const record of listOf(answer, (found) => found.graphData)) addRecord(data, record)
}

/** Maps the last scans. */
export function mapLogbook(answer: unknown, data: PageData): void {
  for (const record of listOf(answer, (found) => found.list)) addRecord(data, record)
}

export function mapMeasurements(answer: unknown, data: PageData): void {
  for (const record of listOf(answer, (found) => found.measurements)) addRecord(data, record)
}

function addRecord(data: PageData, record: unknown): void {
  if (!isFields(record)) data.quarantine('glucose', 'not_an_object', record)
  else if (record.type === INSULIN) addInsulin(data, record)
  else if (record.type === FOOD) addCarbohydrates(data, record)
  else if (record.type === NOTE) addNote(data, record)
  else addGlucose(data, record)
}

function addGlucose(data: PageData, record: Fields): void {
  // Other types, such as ketones, have no series.
  const kind = GLUCOSE.get(record.type)
  const start = kind && localTime(data, 'glucose', record)
  if (start === undefined) return
  const value = record.ValueInMgPerDl as number
  data.addSample('glucose', { ...entry(record), ...kind, start, value, unit: 'mg/dL' }, record)
}

function addInsulin(data: PageData, record: Fields): void {
  const time = localTime(data, 'insulin_injection', record)
  if (time === undefined) return
  const start = hourOf(time)
  const type = INSULIN_TYPES[String(record.insulinType)] ?? ''
  const sample = { ...entry(record), start, value: record.insulin as number, unit: 'unit', type }
  data.addSample('insulin_injection', sample, record)
}

function addCarbohydrates(data: PageData, record: Fields): void {
  const time = localTime(data, 'carbohydrates', record)
  if (time === undefined) return
  const start = hourOf(time)
  const sample = { ...entry(record), start, value: record.carbohydrates as number, unit: 'g' }
  data.addSample('carbohydrates', sample, record)
}

function addNote(data: PageData, record: Fields): void {
  const time = localTime(data, 'note', record)
  if (time === undefined) return
  const start = hourOf(time)
  if (typeof record.note !== 'string') data.quarantine('note', 'invalid_value', record)
  else data.addNote({ ...entry(record), start, text: record.note }, record)
}

const entry = ({ id }: Fields) =>
  ({ sourceType: 'unknown', recordId: typeof id === 'string' ? id : '' }) as const

/** Returns local time as if it were UTC (docs/contract/01-conventions.md#base-rules). */
function localTime(data: PageData, resource: string, record: Fields): VendorInstant | undefined {
  const parts = typeof record.Timestamp === 'string' ? TIMESTAMP.exec(record.Timestamp) : null
  const [, month = '', day = '', year = '', hour = '', minute = '', second = '', half] = parts ?? []
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  const two = (text: string) => (text.length === 1 ? `0${text}` : text)
  const text = `${year}-${two(month)}-${two(day)}T${two(String(hours))}:${minute}:${second}Z`
  return data.instant(resource, text, record)
}

/**
 * Truncates the time of an entry to the hour (docs/contract/05-timeseries.md#resource-table).
 * Entries of one hour stay distinct by their minutes, stored as milliseconds, which answers omit.
 */
export function hourOf(start: VendorInstant): VendorInstant {
  const minutes = Math.floor((start.at % HOUR_MS) / MINUTE_MS)
  return { ...start, at: start.at - (start.at % HOUR_MS) + minutes }
}
