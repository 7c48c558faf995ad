import { DAY_SECONDS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { PageData } from '../page-data.ts'
import { isFields, type SourceType, type VendorInstant } from '../vendor-records.ts'

export type Fields = Record<string, unknown>

/** A time of a record and the record, which is quarantined where the time is invalid. */
interface Timed {
  resource: string
  record: unknown
}

const NOON_MS = (DAY_SECONDS * 1000) / 2
/** Google's limit of an offset from UTC. */
const MOST_OFFSET_SECONDS = 64_800

/** Kinds of devices; others, such as a smart display, are no source type of Salus. */
const FORM_FACTORS: Readonly<Record<string, SourceType>> = {
  FITNESS_BAND: 'watch',
  WATCH: 'watch',
  PHONE: 'phone',
  RING: 'ring',
  CHEST_STRAP: 'chest_strap',
  SCALE: 'scale',
}

/** Returns an object, empty for anything else. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

/** Looks up a name that a vendor sent in a table of ours. */
export const lookUp = <Value>(
  table: Readonly<Record<string, Value>>,
  name: unknown,
): Value | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined

/** Reads a text, or null. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.toWellFormed() : null

/**
 * Reads a number, which is text where the schema has int64; null where there is none, and NaN for
 * anything else, so that the record is quarantined.
 */
export function numberOf(value: unknown): number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'number') return value
  const isNumeric = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value)
  return isNumeric ? Number(value) : Number.NaN
}

/** Multiplies a number that may be absent. */
export const scaled = (value: unknown, factor: number): number | null => {
  const number = numberOf(value)
  return number === null ? null : number * factor
}

/** Divides a number that may be absent: millimeters by 1000 stay exact. */
export const divided = (value: unknown, divisor: number): number | null => {
  const number = numberOf(value)
  return number === null ? null : number / divisor
}

/** Reads a duration such as `4200s` in seconds; null where there is none, NaN for other text. */
export function secondsOf(value: unknown): number | null {
  if (value === undefined || value === null) return null
  const [, seconds] = typeof value === 'string' ? (/^(-?\d+(?:\.\d+)?)s$/.exec(value) ?? []) : []
  return seconds === undefined ? Number.NaN : Number(seconds)
}

/** Returns `YYYY-MM-DD` of `{year, month, day}`; undefined for anything else. */
export function dateTextOf(date: unknown): string | undefined {
  const { year, month, day } = fieldsOf(date)
  if (![year, month, day].every(Number.isSafeInteger)) return undefined
  const two = (value: unknown) => String(value).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** Reads the date of a record of a day, in the calendar of the person. */
export const dateOf = (data: PageData, { resource, record }: Timed, date: unknown) =>
  data.date(resource, dateTextOf(date), record)

/**
 * A value of a day without a time. It is placed at noon UTC, which is that day nearly everywhere.
 */
export const noonOf = (day: string): VendorInstant => ({
  at: startOfUtcDay(day) + NOON_MS,
  offset: null,
})

/** Returns the local time `{date, time}` as if it were UTC, epoch milliseconds. */
function civilMs(civil: unknown): number {
  const { date, time } = fieldsOf(civil)
  const { hours = 0, minutes = 0, seconds = 0 } = fieldsOf(time)
  const day = Date.parse(dateTextOf(date) ?? '')
  return day + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
}

/**
 * Returns the offset from UTC in seconds: that of the record, otherwise the difference between its
 * local time and its instant; null where neither is known.
 */
function offsetOf(at: number, utcOffset: unknown, civil: unknown): number | null {
  const said = secondsOf(utcOffset)
  // Local times are read in whole seconds.
  const offset = said ?? civilMs(civil) / 1000 - Math.floor(at / 1000)
  return Number.isInteger(offset) && Math.abs(offset) <= MOST_OFFSET_SECONDS ? offset : null
}

/** Reads an instant in RFC 3339 with the offset beside it. */
function instantOf(
  data: PageData,
  { resource, record }: Timed,
  [time, utcOffset, civil]: readonly [time: unknown, utcOffset: unknown, civil: unknown],
  problem?: 'invalid_end_date',
): VendorInstant | undefined {
  const instant = data.instant(resource, time, record, problem)
  if (instant === undefined) return undefined
  return { at: instant.at, offset: offsetOf(instant.at, utcOffset, civil) ?? instant.offset }
}

/** Reads the time of a sample; quarantines the record and returns undefined when it is invalid. */
export function sampleTimeOf(
  data: PageData,
  timed: Timed,
  sampleTime: unknown,
): VendorInstant | undefined {
  const { physicalTime, utcOffset, civilTime } = fieldsOf(sampleTime)
  return instantOf(data, timed, [physicalTime, utcOffset, civilTime])
}

/** Reads an interval; quarantines the record and returns undefined when it is invalid. */
export function intervalOf(
  data: PageData,
  timed: Timed,
  interval: unknown,
): { start: VendorInstant; end: VendorInstant } | undefined {
  const { startTime, startUtcOffset, civilStartTime, ...rest } = fieldsOf(interval)
  const start = instantOf(data, timed, [startTime, startUtcOffset, civilStartTime])
  if (start === undefined) return undefined
  const { endTime, endUtcOffset, civilEndTime } = rest
  const end = instantOf(data, timed, [endTime, endUtcOffset, civilEndTime], 'invalid_end_date')
  return end && { start, end }
}

/** Returns the kind of source of a record; merged records name none. */
export function sourceOf(record: Fields): SourceType {
  const { recordingMethod, device } = fieldsOf(record.dataSource)
  // Entered by hand.
  if (recordingMethod === 'MANUAL') return 'app'
  return lookUp(FORM_FACTORS, fieldsOf(device).formFactor) ?? 'unknown'
}

/** Returns the product name of the device of a record, or an empty text. */
export const deviceModelOf = (record: Fields): string =>
  textOf(fieldsOf(fieldsOf(record.dataSource).device).displayName) ?? ''

/** Returns the id at the end of a record's name; empty where the vendor does not name it. */
export function recordIdOf(record: Fields): string {
  const name = textOf(record.name) ?? textOf(record.dataPointName) ?? ''
  return name.slice(name.lastIndexOf('/') + 1)
}

/** Returns the id of a session, which is named by its start where the vendor does not name it. */
export const sessionIdOf = (record: Fields, start: VendorInstant): string =>
  recordIdOf(record) || `${new Date(start.at).toISOString()} ${sourceOf(record)}`
