import { readInstant, readLocalInstant, type VendorInstant } from '../../../connectors/index.ts'

const SHORT = /^(\d\d)\/(\d\d)\/(\d\d)(?: (\d\d:\d\d:\d\d))?$/
const OFFSET = /^([+-])(\d\d):?(\d\d)(?::?\d\d)?$/
const SECONDS = /^(-?\d{1,6})s?$/
const MOST_OFFSET = 18 * 3600

/**
 * Returns `05/01/23 05:00:16` as `2023-05-01T05:00:16`, a date alone at its midnight; undefined for
 * any other text.
 */
export function isoOfShort(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const [, month, day, year, time = '00:00:00'] = SHORT.exec(text) ?? []
  return month === undefined ? undefined : `20${year}-${month}-${day}T${time}`
}

/** Reads `05/01/23 05:00:16` of a list in UTC, epoch milliseconds. */
export function utcOfShort(text: unknown): number | undefined {
  const local = isoOfShort(text)
  return local === undefined ? undefined : readLocalInstant(local, 0)?.at
}

/** Reads a time in UTC, as `2026-09-01T06:00:00Z` or `2026-09-01 06:00:00+0000`. */
export function readUtc(text: string): number | undefined {
  const plain = text.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
  return readInstant(plain)?.at
}

/** Reads an offset from UTC in seconds, as `-05:00` or `-18000s`; null for none. */
export function readOffset(text: string): number | null {
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? []
  const seconds =
    sign === undefined
      ? Number(SECONDS.exec(text)?.[1] ?? Number.NaN)
      : (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
  return Math.abs(seconds) <= MOST_OFFSET ? seconds : null
}

/** Returns the local date and time of an instant, without its milliseconds. */
export const localText = ({ at, offset }: VendorInstant): string =>
  new Date(at + (offset ?? 0) * 1000).toISOString().slice(0, 19)
