import { DAY_SECONDS } from '@salus/contracts/time-units'
import { dateAtOffset } from '@salus/kernel/time/instants'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'

export const SLUG = 'garmin'

export type Fields = Record<string, unknown>
export type Reader = NonNullable<ReturnType<PageData['read']>>

/** A record with its place in time. */
export interface Summary {
  /** The record as it was received, without its access token. */
  record: Fields
  reader: Reader
  /** In UTC, with the offset of the device's local time; null where the record has none. */
  start: VendorInstant
  /** `start` plus the duration; equal to it where the record has no duration. */
  end: VendorInstant
}

export const WATCH = { sourceType: 'watch' } as const

/** Zones are within 18 hours of UTC. */
const MOST_OFFSET_SECONDS = 64_800
/** No record is longer. */
export const LONGEST_SECONDS = 7 * DAY_SECONDS

export const unexpected = (): VendorError =>
  new VendorError(SLUG, { kind: 'unexpected', status: null })

/**
 * Returns the records of a message, which has them under their type, or of the answer to a ping's
 * address, which is the list alone.
 * @param names Names of the type in messages: the vendor has used several spellings.
 * @throws VendorError `unexpected`
 */
export function recordsOf(answer: unknown, names: readonly string[]): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  const lists = isFields(answer) ? names.map((name) => answer[name]).filter(Array.isArray) : []
  if (lists.length === 0) throw unexpected()
  return lists.flat()
}

/**
 * Calls back with each record that has a valid time; the others are quarantined. The reader may
 * have a problem with the offset or the duration: `data.isValid` finds it.
 * @param times Beginning of the names of the time: `startTime` or `measurementTime`.
 */
export function forEachSummary(
  records: readonly unknown[],
  { data, resource, times }: { data: PageData; resource: string; times: string },
  add: (summary: Summary) => void,
): void {
  for (const item of records) {
    const { userAccessToken: _secret, ...record } = isFields(item) ? item : {}
    const reader = data.read(resource, isFields(item) ? record : item)
    if (reader === undefined) continue
    const offset = offsetOf(reader, `${times}OffsetInSeconds`)
    const epoch = { unit: 's', offset } as const
    const start = data.epochInstant(resource, record[`${times}InSeconds`], epoch, record)
    if (start === undefined) continue
    const seconds = reader.number('durationInSeconds', 0, LONGEST_SECONDS) ?? 0
    add({ record, reader, start, end: { at: start.at + seconds * 1000, offset } })
  }
}

/** Reads an offset of local time in seconds. */
export const offsetOf = (reader: Reader, name: string): number | null =>
  reader.integer(name, -MOST_OFFSET_SECONDS, MOST_OFFSET_SECONDS)

/**
 * Returns the day under which the vendor shows a record, otherwise the local day of an instant.
 * Undefined for an invalid date, whose record is quarantined.
 */
export function dayOf(
  data: PageData,
  resource: string,
  record: Fields,
  { at, offset }: VendorInstant,
): string | undefined {
  const { calendarDate } = record
  if ((calendarDate ?? null) !== null) return data.date(resource, calendarDate, record)
  return dateAtOffset(at, offset ?? 0)
}

/** A value at an instant, epoch milliseconds. */
interface Point {
  at: number
  value: unknown
}

/**
 * Returns the values of a map from seconds since the start, such as `{"0": 60, "900": 65}`.
 * Those below `least`, which stand for none, are left out.
 */
export function pointsOf(
  data: PageData,
  resource: string,
  { record, start }: Pick<Summary, 'record' | 'start'>,
  values: unknown,
  least: number,
): Point[] {
  if ((values ?? null) === null) return []
  const { summaryId } = record
  if (!isFields(values)) {
    data.quarantine(resource, 'invalid_field', { summaryId, values })
    return []
  }
  const points: Point[] = []
  for (const seconds in values) {
    const value = values[seconds]
    if (value === null || (typeof value === 'number' && value < least)) continue
    const after = seconds === '' ? Number.NaN : Number(seconds)
    if (after >= 0 && after < LONGEST_SECONDS) points.push({ at: start.at + after * 1000, value })
    else data.quarantine(resource, 'invalid_start_date', { summaryId, seconds, value })
  }
  return points
}

/** Returns a text, also of a number; undefined where there is none. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'number' || (typeof value === 'string' && value !== '')
    ? String(value).toWellFormed()
    : undefined
