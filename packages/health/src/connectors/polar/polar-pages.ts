import { DAY_MS } from '@salus/contracts/time-units'
import { dateAtOffset } from '@salus/kernel/time/instants'
import type { Collection, TimeRange } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'polar'

export type Fields = Record<string, unknown>

export const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/** Each answer is whole. */
const onePage = { history: 'by_range', overlapHours: 48, next: () => null } as const

/**
 * Requests local days by date, up to the present one in UTC: it is not known whether the vendor
 * accepts a later one. Days that end later are in the overlap of the next polls.
 */
export function pagedByDay(
  path: string,
  mostDaysAtOnce: number,
  query: Readonly<Record<string, string>> = {},
): Omit<Collection, 'name' | 'resources' | 'map'> {
  return {
    ...onePage,
    mostDaysAtOnce,
    page: ({ from, to }: TimeRange) => ({
      path,
      query: {
        from: dateAtOffset(from, 0),
        to: dateAtOffset(to - 1, 0),
        ...query,
      },
    }),
  }
}

/** Requests a list that always has the last 28 or 30 days, so that one request spans a history. */
export function wholeList(
  path: string,
  query: Readonly<Record<string, string>> = {},
): Omit<Collection, 'name' | 'resources' | 'map'> {
  return { ...onePage, mostDaysAtOnce: 31, page: () => ({ path, query }) }
}

/**
 * Returns the records of a list, bare or in a field, or the one record that is the answer; none for
 * an answer without a body.
 * @param own A field that every record has.
 * @throws VendorError `unexpected`
 */
export function recordsOf(answer: unknown, field: string, own: string): readonly unknown[] {
  if (answer === undefined) return []
  if (Array.isArray(answer)) return answer
  if (!isFields(answer)) throw unexpected()
  if (Array.isArray(answer[field])) return answer[field]
  if (own in answer) return [answer]
  throw unexpected()
}

/** As `recordsOf`, without what is no object, which is quarantined. */
export function soundRecordsOf(
  data: PageData,
  resource: string,
  records: readonly unknown[],
): Fields[] {
  return records.filter((record): record is Fields => data.read(resource, record) !== undefined)
}

/**
 * Returns a record with underscores in its names: the transactions that are deprecated have
 * `start-time` and the like.
 * @param own A field that records of transactions have.
 */
export function withUnderscores(record: Fields, own: string): Fields {
  if (!(own in record)) return record
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name.replaceAll('-', '_'), value]),
  )
}

/** Returns the range of the date of a message. */
export function rangeOfDate(date: string): TimeRange | null {
  const from = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(from) ? null : { from, to: from + DAY_MS }
}
