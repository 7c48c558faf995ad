import type { Collection, DetailRequest, PageRequest, RecordAccess } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export const SLUG = 'strava'

export type Fields = Record<string, unknown>

const PATH = '/api/v3'

/**
 * Activities of a page. Each needs two further requests, and an app may send 100 in a quarter of an
 * hour: a page must fit into what is left of one.
 */
export const ACTIVITIES_A_PAGE = 20

const STREAMS = 'time,distance,latlng,altitude,velocity_smooth,heartrate,cadence,watts,temp'

/** Returns the activities of a page. @throws VendorError `unexpected` */
export function activitiesOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  throw new VendorError(SLUG, { kind: 'unexpected', status: null })
}

/**
 * Requests activities by the time of their start, the oldest first. Both bounds are exclusive. What
 * is no longer listed is not removed: that would take a whole range at once, whose requests an app
 * with 100 in a quarter of an hour may never have. Messages name what was deleted.
 */
export const pagedByStart: Pick<
  Collection,
  'history' | 'mostDaysAtOnce' | 'overlapHours' | 'page' | 'next'
> = {
  history: 'by_range',
  mostDaysAtOnce: 90,
  // Activities may be uploaded late, and changes of their data send no message.
  overlapHours: 336,
  page: ({ from, to }, cursor) => ({
    path: `${PATH}/athlete/activities`,
    query: {
      after: String(Math.ceil(from / 1000) - 1),
      before: String(Math.ceil(to / 1000)),
      per_page: String(ACTIVITIES_A_PAGE),
      page: cursor ?? '1',
    },
  }),
  // There is no token: the last page is the one that is not full.
  next: (answer, { cursor }: PageRequest) =>
    Array.isArray(answer) && answer.length >= ACTIVITIES_A_PAGE
      ? String((Number(cursor ?? '1') || 1) + 1)
      : null,
}

const isNumbered = (record: unknown): record is Fields =>
  isFields(record) && (typeof record.id === 'number' || typeof record.id === 'string')

const activityPath = (id: unknown) =>
  `${PATH}/activities/${encodeURIComponent(String(id).toWellFormed())}`

/** Returns whether an activity has all fields, and not only those of a list. */
const isDetailed = (record: Fields): boolean => record.resource_state === 3 || 'calories' in record

/** An activity of a page, and the positions of the answers to its further requests. */
export interface Wanted {
  record: unknown
  detail: number | null
  streams: number | null
}

/** Returns the further requests of a page: all fields of each activity, and its streams. */
export function requestsOf(answer: unknown): { requests: DetailRequest[]; wanted: Wanted[] } {
  const requests: DetailRequest[] = []
  const request = (path: string, query: Record<string, string>): number =>
    requests.push({ path, query, isOptional: true }) - 1
  const wanted = activitiesOf(answer).map((record) => {
    if (!isNumbered(record)) return { record, detail: null, streams: null }
    const path = activityPath(record.id)
    return {
      record,
      detail: isDetailed(record) ? null : request(path, { include_all_efforts: 'false' }),
      // A manual entry has none.
      streams:
        record.manual === true
          ? null
          : request(`${path}/streams`, { keys: STREAMS, key_by_type: 'true' }),
    }
  })
  return { requests, wanted }
}

export const activityRecord: RecordAccess = {
  request: (id) => ({ path: activityPath(id), query: { include_all_efforts: 'false' } }),
  toPage: (activity) => [activity],
  remove: (id, data) => data.removeSummary('workouts', id),
}
