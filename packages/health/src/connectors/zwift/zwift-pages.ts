import type { DetailRequest, NestedAnswer, PageRequest } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'
import { readInstant } from '../vendor-times.ts'

export const SLUG = 'zwift'

export type Fields = Record<string, unknown>

export const ACTIVITIES_A_PAGE = 20

/** Placeholder of the profile's id, which `authorize` replaces. */
export const PROFILE = '{profileId}'

export const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/** Returns the activities of a page, the newest first. @throws VendorError `unexpected` */
export function activitiesOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer
  throw unexpected()
}

/** Reads `2024-05-01T17:04:11.000+0000`. The vendor writes all times in UTC, without a zone. */
export function timeOf(text: unknown): VendorInstant | undefined {
  const withColon = typeof text === 'string' ? text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : text
  const instant = readInstant(withColon)
  return instant && { at: instant.at, offset: null }
}

/** Ids may be longer than a number, so that there is a text beside them. */
export function idOf({ id_str: text, id }: Fields): string | undefined {
  if (typeof text === 'string' && text !== '') return text
  return typeof id === 'string' || Number.isSafeInteger(id) ? String(id) : undefined
}

/** Returns the start of the oldest activity of a page, epoch milliseconds. */
export function oldestOf(answer: unknown): number | null {
  const starts = (Array.isArray(answer) ? answer : []).flatMap(
    (record) => (isFields(record) && timeOf(record.startDate)?.at) || [],
  )
  return starts.length === 0 ? null : starts.reduce((a, b) => Math.min(a, b))
}

/**
 * Returns the requests for the activities of a page that begin in the range: all fields of each,
 * and then the seconds of it.
 */
export function detailsOf(
  answer: unknown,
  { range }: Pick<PageRequest, 'range'>,
): { id: string; request: DetailRequest }[] {
  return activitiesOf(answer).flatMap((record) => {
    const id = isFields(record) ? idOf(record) : undefined
    const at = isFields(record) ? timeOf(record.startDate)?.at : undefined
    if (id === undefined || at === undefined || at < range.from || at >= range.to) return []
    const path = `/api/activities/${encodeURIComponent(id.toWellFormed())}`
    const details = secondsOf
    return [{ id, request: { path, query: { fetchSnapshots: 'true' }, isOptional: true, details } }]
  })
}

/** The seconds of an activity are a file at the same host, once the vendor has processed them. */
function secondsOf(activity: unknown): DetailRequest[] {
  const data = isFields(activity) ? activity.fitnessData : undefined
  const { status, fullDataUrl }: Fields = isFields(data) ? data : {}
  const url = typeof fullDataUrl === 'string' ? URL.parse(fullDataUrl) : null
  const isOwn = url !== null && /(?:^|\.)zwift\.com$/.test(url.hostname)
  const isReady = status === undefined || status === 'AVAILABLE'
  return isOwn && isReady ? [{ path: `${url.pathname}${url.search}`, isOptional: true }] : []
}

/** Returns all fields of an activity and its seconds, as far as the vendor has them. */
export function partsOf(detail: unknown): { activity: Fields; seconds: unknown } {
  const { answer, details = [] }: Partial<NestedAnswer> = isFields(detail)
    ? (detail as Partial<NestedAnswer>)
    : {}
  return {
    activity: isFields(answer) ? answer : {},
    seconds: Array.isArray(details) ? details[0] : undefined,
  }
}
