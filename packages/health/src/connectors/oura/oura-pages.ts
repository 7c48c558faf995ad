import { DAY_MS } from '@salus/contracts/time-units'
import { dateAtOffset, parseDate } from '@salus/kernel/time/instants'
import type { Collection, TimeRange } from '../connector.ts'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'oura'

const PATH = '/v2/usercollection'

/** How a collection is requested, and how an answer leads to its next page. */
type Paging = Pick<Collection, 'history' | 'mostDaysAtOnce' | 'overlapHours' | 'page' | 'next'>

/**
 * Returns the records of a page, or the one record that is the answer.
 * @throws VendorError `unexpected`
 */
export function recordsOf(answer: unknown): readonly unknown[] {
  if (isFields(answer) && Array.isArray(answer.data)) return answer.data
  if (isFields(answer) && typeof answer.id === 'string') return [answer]
  throw new VendorError(SLUG, { kind: 'unexpected', status: null })
}

const nextToken = (answer: unknown): string | null =>
  isFields(answer) && typeof answer.next_token === 'string' ? answer.next_token || null : null

/**
 * Requests records of local days. A local day can differ from the UTC day at either end of a range,
 * so one more day is requested on both sides.
 */
export function pagedByDay(collection: string): Paging {
  return {
    history: 'by_range',
    mostDaysAtOnce: 30,
    // A ring may be synchronized days later, and the scores of a day are revised until the next
    // one.
    overlapHours: 72,
    page: ({ from, to }, cursor) => ({
      path: `${PATH}/${collection}`,
      query: {
        start_date: dateAtOffset(from - DAY_MS, 0),
        end_date: dateAtOffset(to + DAY_MS, 0),
        next_token: cursor ?? undefined,
      },
    }),
    next: nextToken,
  }
}

/** Requests samples by time; the vendor answers at most 30 days at once. */
export function pagedByTime(collection: string): Paging {
  return {
    history: 'by_range',
    mostDaysAtOnce: 30,
    overlapHours: 24,
    page: ({ from, to }: TimeRange, cursor) => ({
      path: `${PATH}/${collection}`,
      query: {
        start_datetime: new Date(from).toISOString(),
        end_datetime: new Date(to).toISOString(),
        next_token: cursor ?? undefined,
      },
    }),
    next: nextToken,
  }
}

/** Requests the present state. */
export function presentState(collection: string): Paging {
  return {
    history: 'none',
    mostDaysAtOnce: 1,
    overlapHours: 0,
    page: (_range, cursor) => ({
      path: `${PATH}/${collection}`,
      query: { next_token: cursor ?? undefined },
    }),
    next: nextToken,
  }
}

/**
 * Returns the request for records of another collection on the days of a page; none for a page
 * without days.
 */
export function sameDays(answer: unknown, collection: string): VendorRequest | undefined {
  const days = recordsOf(answer)
    .map((record) => (isFields(record) ? record.day : undefined))
    .filter((day) => typeof day === 'string' && parseDate(day) === day)
    .sort() as string[]
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const query = { start_date: first, end_date: dateAtOffset(Date.parse(last) + DAY_MS, 0) }
  return { path: `${PATH}/${collection}`, query }
}
