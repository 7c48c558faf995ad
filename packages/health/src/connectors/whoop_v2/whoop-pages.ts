import { DAY_MS } from '@salus/contracts/time-units'
import type { Collection, RecordAccess } from '../connector.ts'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'whoop_v2'

export type Fields = Record<string, unknown>

const PATH = '/developer/v2'

/** Largest page of the vendor. */
const MOST_RECORDS = 25

type Paging = Pick<
  Collection,
  'history' | 'mostDaysAtOnce' | 'overlapHours' | 'completes' | 'page' | 'next'
>

/**
 * Returns the records of a page, or the one record that is the answer.
 * @throws VendorError `unexpected`
 */
export function recordsOf(answer: unknown): readonly unknown[] {
  if (isFields(answer) && Array.isArray(answer.records)) return answer.records
  if (isFields(answer) && 'score_state' in answer) return [answer]
  throw new VendorError(SLUG, { kind: 'unexpected', status: null })
}

/**
 * Requests the records of a list, the newest first.
 * @param kind What an answer has completely. The vendor splits and merges nights and removes
 *   workouts, and a lost message must not leave the former records.
 */
export function paged(
  list: string,
  kind: 'activity' | 'sleep' | 'workouts',
  mostRecords = MOST_RECORDS,
): Paging {
  return {
    history: 'by_range',
    // The vendor states no limit. A range that is interrupted begins again, so it is a short one.
    mostDaysAtOnce: 30,
    // A strap that was away from its phone hands over its data up to two weeks later.
    overlapHours: 336,
    completes: { summaries: [kind] },
    page: ({ from, to }, cursor) => listRequest(list, { from, to }, mostRecords, cursor),
    next: (answer) =>
      isFields(answer) && typeof answer.next_token === 'string' ? answer.next_token || null : null,
  }
}

function listRequest(
  list: string,
  { from, to }: { from: number; to: number },
  mostRecords: number,
  cursor: string | null,
): VendorRequest {
  return {
    path: `${PATH}/${list}`,
    query: {
      start: new Date(from).toISOString(),
      end: new Date(to).toISOString(),
      limit: String(mostRecords),
      nextToken: cursor ?? undefined,
    },
  }
}

/** Number of sleeps on a page. Their recoveries, with two days more, then fit on one page. */
export const SLEEPS_A_PAGE = 20

/**
 * Returns the request for the recoveries of a page of sleeps, which the vendor lists by time too;
 * none for a page without times.
 */
export function recoveriesOf(answer: unknown): (VendorRequest & { isOptional: true })[] {
  const times = recordsOf(answer)
    .flatMap((record) => (isFields(record) ? [record.start, record.end] : []))
    .map((text) => (typeof text === 'string' ? Date.parse(text) : Number.NaN))
    .filter((at) => Math.abs(at) < MOST_INSTANT)
  if (times.length === 0) return []
  const range = { from: Math.min(...times) - DAY_MS, to: Math.max(...times) + DAY_MS }
  return [{ ...listRequest('recovery', range, MOST_RECORDS, null), isOptional: true }]
}

/** Within the years that `Date` can write with a day more. */
const MOST_INSTANT = 8e15

/** Access to the records of a list by their id. */
export const recordOf = (list: string, resource: 'sleep' | 'workouts'): RecordAccess => ({
  request: (id) => ({ path: `${PATH}/${list}/${encodeURIComponent(id.toWellFormed())}` }),
  toPage: (record) => ({ records: [record] }),
  remove: (id, data) => data.removeSummary(resource, id),
})

/** Requests the present state. */
export const presentState = (path: string): Paging => ({
  history: 'none',
  mostDaysAtOnce: 1,
  overlapHours: 0,
  page: () => ({ path: `${PATH}/${path}` }),
  next: () => null,
})
