import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { dateAtOffset } from '@salus/kernel/time/instants'
import type { Collection, TimeRange } from '../connector.ts'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'google_health'

const USER = '/v4/users/me'
/** The maximum of samples and intervals; sessions have at most 25 on a page. */
const MOST_POINTS = 10_000

export const unexpected = (): VendorError =>
  new VendorError(SLUG, { kind: 'unexpected', status: null })

/** How a collection is requested, and how an answer leads to its next page. */
type Paging = Pick<Collection, 'history' | 'mostDaysAtOnce' | 'overlapHours' | 'page' | 'next'>

/** `list` has every source, with its name; `reconcile` is the merged stream that the app shows. */
type Read = 'list' | 'reconcile'

/** How the records of a data type are placed in time, which decides how they are filtered. */
export type RecordKind = 'interval' | 'sample' | 'daily' | 'session' | 'sleep' | 'ecg'

const POINTS = 'dataPoints'

/** Returns the list of a page under one of the names; other names are those of other pages. */
export function listOf(answer: unknown, ...names: readonly string[]): readonly unknown[] {
  if (!isFields(answer) || answer.error !== undefined) throw unexpected()
  const lists = names.map((name) => answer[name]).filter((list) => list !== undefined)
  // The answer for one record is the record.
  if (lists.length === 0 && names.includes(POINTS) && isFields(answer.dataSource)) return [answer]
  // A page without records has no list.
  if (lists.length === 0) return []
  if (!lists.every(Array.isArray)) throw unexpected()
  return lists.flat()
}

export const nextToken = (answer: unknown): string | null =>
  isFields(answer) && typeof answer.nextPageToken === 'string' ? answer.nextPageToken || null : null

/** The member of a filter and its text of an instant. Only those of the table are accepted. */
const FILTERS: Record<RecordKind, { member: string; text: (at: number) => string }> = {
  interval: { member: 'interval.start_time', text: (at) => new Date(at).toISOString() },
  sample: { member: 'sample_time.physical_time', text: (at) => new Date(at).toISOString() },
  daily: { member: 'date', text: (at) => dateAtOffset(at, 0) },
  session: {
    member: 'interval.civil_start_time',
    text: (at) => new Date(at).toISOString().slice(0, 19),
  },
  sleep: { member: 'interval.end_time', text: (at) => new Date(at).toISOString() },
  ecg: { member: 'interval.start_time', text: (at) => new Date(at).toISOString() },
}

/**
 * How much more than a range is requested. Local times and days differ from UTC at either end, and
 * a sleep that begins in a range may end after it.
 */
const MARGINS: Record<RecordKind, readonly [before: number, after: number]> = {
  interval: [0, 0],
  sample: [0, 0],
  daily: [DAY_MS, 2 * DAY_MS],
  session: [DAY_MS, DAY_MS],
  sleep: [0, DAY_MS],
  ecg: [0, 0],
}

/** Returns the request for the records of a data type in a range. */
export function pointsRequest(
  type: string,
  kind: RecordKind,
  read: Read,
  range: TimeRange,
  cursor: string | null = null,
): VendorRequest {
  const [before, after] = MARGINS[kind]
  const { member, text } = FILTERS[kind]
  const name = `${type.replaceAll('-', '_')}.${member}`
  const from = `${name} >= "${text(range.from - before)}"`
  const until = `${name} < "${text(range.to + after)}"`
  const isSmall = type === 'sleep' || type === 'exercise'
  return {
    path: `${USER}/dataTypes/${type}/dataPoints${read === 'reconcile' ? ':reconcile' : ''}`,
    query: {
      // The vendor accepts no end for electrocardiograms.
      filter: kind === 'ecg' ? from : `${from} AND ${until}`,
      pageSize: String(isSmall ? 25 : MOST_POINTS),
      pageToken: cursor ?? undefined,
    },
  }
}

/** @param mostDaysAtOnce The vendor has no limit; longer ranges have more pages. */
export function pagedPoints(
  type: string,
  kind: RecordKind,
  { read = 'reconcile', mostDaysAtOnce = 30 }: { read?: Read; mostDaysAtOnce?: number } = {},
): Paging {
  return {
    history: 'by_range',
    mostDaysAtOnce,
    // A device may synchronize days later.
    overlapHours: 72,
    page: (range, cursor) => pointsRequest(type, kind, read, range, cursor),
    next: nextToken,
  }
}

/** Returns the request for the sums or means of a data type by local days, at most 14. */
export function dailyRollUp(
  type: string,
  { from, to }: TimeRange,
  cursor: string | null = null,
): VendorRequest {
  const dayAt = (at: number) => {
    const [year, month, day] = dateAtOffset(at, 0).split('-').map(Number)
    return { date: { year, month, day } }
  }
  return {
    method: 'POST',
    path: `${USER}/dataTypes/${type}/dataPoints:dailyRollUp`,
    json: {
      range: { start: dayAt(from - DAY_MS), end: dayAt(to + 2 * DAY_MS) },
      windowSizeDays: 1,
      ...(cursor !== null && { pageToken: cursor }),
    },
  }
}

/** Returns the request for the sums or means of a data type by windows of time. */
export function rollUp(
  type: string,
  { from, to }: TimeRange,
  windowMs: number,
  cursor: string | null = null,
): VendorRequest {
  return {
    method: 'POST',
    path: `${USER}/dataTypes/${type}/dataPoints:rollUp`,
    json: {
      range: { startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString() },
      windowSize: `${windowMs / 1000}s`,
      ...(cursor !== null && { pageToken: cursor }),
    },
  }
}

/** Requests windows of whole hours, so that a later request has the same ones. */
export function pagedHours(type: string): Paging {
  return {
    history: 'by_range',
    mostDaysAtOnce: 30,
    overlapHours: 72,
    page({ from, to }, cursor) {
      const hours = {
        from: Math.floor(from / HOUR_MS) * HOUR_MS,
        to: Math.ceil(to / HOUR_MS) * HOUR_MS,
      }
      return rollUp(type, hours, HOUR_MS, cursor)
    },
    next: nextToken,
  }
}

/** Requests the present state. */
export function presentState(path: string, query: Record<string, string> = {}): Paging {
  return {
    history: 'none',
    mostDaysAtOnce: 1,
    overlapHours: 0,
    page: (_range, cursor) => ({
      path: `${USER}/${path}`,
      query: { ...query, pageToken: cursor ?? undefined },
    }),
    next: nextToken,
  }
}

export const SETTINGS: VendorRequest = { path: `${USER}/settings` }

/** Returns the request for the track of an exercise, which needs the scope of locations. */
export const trackRequest = (exerciseId: string): VendorRequest => ({
  path: `${USER}/dataTypes/exercise/dataPoints/${encodeURIComponent(exerciseId)}:exportExerciseTcx`,
})
