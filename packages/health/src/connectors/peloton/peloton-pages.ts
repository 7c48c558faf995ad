import type { DetailRequest, PageRequest } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'peloton'

export type Fields = Record<string, unknown>

export const WORKOUTS_A_PAGE = 20

/** Placeholder of the account's id, which `authorize` replaces. */
export const ACCOUNT = '{accountId}'

export const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/** Returns the workouts of a page, the newest first. @throws VendorError `unexpected` */
export function workoutsOf(answer: unknown): readonly unknown[] {
  if (isFields(answer) && Array.isArray(answer.data)) return answer.data
  throw unexpected()
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** Whether a workout is over; the vendor also lists one that goes on. */
export const isComplete = (record: Fields): boolean =>
  (record.status === undefined || record.status === 'COMPLETE') &&
  (record.end_time ?? null) !== null

/** Returns when the oldest workout of a page was created, their order, in epoch milliseconds. */
export function oldestOf(answer: unknown): number | null {
  const data = isFields(answer) && Array.isArray(answer.data) ? answer.data : []
  const times = data.flatMap((record: unknown) => {
    const { created_at, start_time }: Fields = isFields(record) ? record : {}
    const seconds = isWhole(created_at) ? created_at : start_time
    return isWhole(seconds) ? [seconds * 1000] : []
  })
  return times.length === 0 ? null : times.reduce((a, b) => Math.min(a, b))
}

/** Returns the number of the next page; null after the last one. */
export function nextPage(answer: unknown): string | null {
  const {
    page,
    page_count: count,
    show_next: hasNext,
    data,
  }: Fields = isFields(answer) ? answer : {}
  if (!isWhole(page) || !Array.isArray(data) || data.length === 0) return null
  const isLast = hasNext === false || (isWhole(count) && page + 1 >= count)
  return isLast ? null : String(page + 1)
}

/** Returns the requests for the series of the workouts of a page that begin in the range. */
export function detailsOf(
  answer: unknown,
  { range }: Pick<PageRequest, 'range'>,
): { id: string; request: DetailRequest }[] {
  return workoutsOf(answer).flatMap((record) => {
    const { id, start_time: seconds }: Fields = isFields(record) ? record : {}
    const at = isWhole(seconds) ? seconds * 1000 : Number.NaN
    if (!isFields(record) || typeof id !== 'string' || id === '' || !isComplete(record)) return []
    if (!(at >= range.from && at < range.to)) return []
    const path = `/api/workout/${encodeURIComponent(id.toWellFormed())}/performance_graph`
    return [{ id, request: { path, query: { every_n: '1' }, isOptional: true } }]
  })
}
