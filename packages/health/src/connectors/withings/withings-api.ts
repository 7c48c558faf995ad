import { DAY_MS } from '@salus/contracts/time-units'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import { dateAtOffset, parseDate } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { Collection, PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError, type VendorFailure, type VendorRequest } from '../vendor-client.ts'
import { isFields, type SourceType, type VendorInstant } from '../vendor-records.ts'

export const SLUG = 'withings'

export type Fields = Record<string, unknown>

/** How a collection is requested, and how an answer leads to its next page. */
type Paging = Pick<Collection, 'history' | 'mostDaysAtOnce' | 'overlapHours' | 'page' | 'next'>

const unexpected = (status: number | null = null): VendorError =>
  new VendorError(SLUG, { kind: 'unexpected', status })

/** Returns a request in the vendor's form: everything is POST, and the action is in the body. */
export function callOf(
  path: string,
  action: string,
  parameters: Readonly<Record<string, string | null>> = {},
): VendorRequest {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => {
    return entry[1] !== null
  })
  return { method: 'POST', path, form: { action, ...Object.fromEntries(given) } }
}

/** Returns the `body` of an answer. @throws VendorError `unexpected` */
export function bodyOf(answer: unknown): Fields {
  if (isFields(answer) && (answer.status ?? 0) === 0 && isFields(answer.body)) return answer.body
  throw unexpected()
}

/** Returns the list of a page. @throws VendorError `unexpected` */
export function listOf(answer: unknown, name: string): readonly unknown[] {
  const list = bodyOf(answer)[name]
  if (Array.isArray(list)) return list
  throw unexpected()
}

/** Returns the body of a further answer; undefined where there is none. */
export const bodyOfDetail = (detail: unknown): Fields | undefined =>
  isFields(detail) && isFields(detail.body) ? detail.body : undefined

/** Returns the values of a record; the vendor writes no values as null or as an empty list. */
export const valuesOfRecord = ({ data }: Fields): unknown =>
  Array.isArray(data) && data.length === 0 ? {} : (data ?? {})

/** Calls back with each record that is an object; the others are quarantined. */
export function forEachRecord(
  records: readonly unknown[],
  data: PageData,
  resource: string,
  add: (record: Fields) => void,
): void {
  for (const record of records) {
    if (isFields(record)) add(record)
    else data.quarantine(resource, 'not_an_object', record)
  }
}

/** The vendor writes `more` as true or 1, and the offset of the next page beside it. */
function nextOffset(answer: unknown): string | null {
  const { more, offset } = isFields(answer) && isFields(answer.body) ? answer.body : {}
  return (more === true || more === 1) && typeof offset === 'number' ? String(offset) : null
}

interface Call {
  readonly path: string
  readonly action: string
  readonly days: number
  readonly overlapHours: number
  readonly fields?: string
  readonly more?: Readonly<Record<string, string>>
}

const pageOf = (
  { path, action, fields, more = {} }: Call,
  { cursor }: Pick<PageRequest, 'cursor'>,
  range: Readonly<Record<string, string>>,
): VendorRequest =>
  callOf(path, action, { ...more, data_fields: fields ?? null, ...range, offset: cursor })

/** Requests records by instants in whole seconds. */
export function pagedByTime(call: Call): Paging {
  return {
    history: 'by_range',
    mostDaysAtOnce: call.days,
    overlapHours: call.overlapHours,
    page: ({ from, to }, cursor) =>
      pageOf(call, { cursor }, { startdate: secondsOf(from), enddate: secondsOf(to) }),
    next: nextOffset,
  }
}

/**
 * Requests records of local days. A local day can differ from the UTC day at either end of a range,
 * so one more day is requested on both sides.
 */
export function pagedByDay(call: Call): Paging {
  return {
    history: 'by_range',
    mostDaysAtOnce: call.days,
    overlapHours: call.overlapHours,
    page: (range, cursor) => pageOf(call, { cursor }, daysAround(range)),
    next: nextOffset,
  }
}

/** Returns the parameters for the local days of a range, and one more on both sides. */
export const daysAround = ({ from, to }: PageRequest['range']): Record<string, string> => ({
  startdateymd: dateAtOffset(from - DAY_MS, 0),
  enddateymd: dateAtOffset(to + DAY_MS, 0),
})

const secondsOf = (milliseconds: number): string => String(Math.floor(milliseconds / 1000))

/** Returns the offset of a zone at an instant of Unix seconds; null where either is unknown. */
export function offsetAt(zone: unknown, seconds: unknown): number | null {
  if (typeof zone !== 'string' || typeof seconds !== 'number') return null
  return zoneOffsetSeconds(zone, seconds * 1000)
}

/** Reads Unix seconds; the vendor names the zone beside them instead of an offset. */
export function instantOf(
  data: PageData,
  resource: string,
  seconds: unknown,
  zone: unknown,
  record: unknown,
  problem?: 'invalid_end_date',
): VendorInstant | undefined {
  const offset = offsetAt(zone, seconds)
  // 0 and -1 are no times of records.
  const known = typeof seconds === 'number' && seconds > 0 ? seconds : undefined
  return data.epochInstant(resource, known, { unit: 's', offset }, record, problem)
}

/** Common parts of a summary: an invalid date is replaced by the local day. */
export function frameOf({ timezone, date, modified }: Fields, { offset }: VendorInstant) {
  const day = typeof date === 'string' ? parseDate(date) : undefined
  return {
    ...(day !== undefined && { calendarDate: day }),
    ...(offset !== null && { timeZone: timezone as string }),
    ...modifiedOf(modified),
  }
}

export const modifiedOf = (modified: unknown): { modifiedAt?: number } =>
  typeof modified === 'number' && Number.isFinite(modified) ? { modifiedAt: modified * 1000 } : {}

/** Whether a user typed a record in, now or at sign-up. */
export const isTypedIn = ({ attrib }: Fields): boolean => attrib === 2 || attrib === 4

/** Numbers of device models from one on; those of sleep monitors and thermometers have no type. */
const MODELS: readonly (readonly [first: number, last: number, type: SourceType])[] = [
  [1, 12, 'scale'],
  [14, 16, 'scale'],
  [18, 18, 'scale'],
  [41, 48, 'cuff'],
  [51, 59, 'watch'],
  [90, 99, 'watch'],
  [1051, 1054, 'phone'],
  [1057, 1057, 'phone'],
  [1058, 1058, 'watch'],
  [1061, 1061, 'fingerprick'],
]

/** Returns the type of a device by the number of its model; undefined for other numbers. */
export function sourceTypeOf(model: unknown): SourceType | undefined {
  if (typeof model !== 'number') return undefined
  return MODELS.find(([first, last]) => model >= first && model <= last)?.[2]
}

const UNAUTHORIZED = new Set([100, 101, 102, 200, 401])
const REFUSED = new Set([214, 277, 2553, 2555])
const TOO_MANY = 601
const TROUBLE = new Set([
  ...[215, 219, 222, 224, 226, 231, 233, 237, 253],
  ...[518, 519, 520, 521, 522, 524, 525, 526, 527, 528, 529, 530, 531, 602, 700],
])
/** The limit is one of a minute. */
const WAIT_MS = 60_000

/** Reads the vendor's status, which every answer of HTTP 200 begins with. */
export function failureOf(answer: OutboundAnswer): VendorFailure | undefined {
  if (answer.status !== 200) return undefined
  const start = answer.bytes().subarray(0, 64).toString('latin1')
  const status = Number(/^\s*\{\s*"status"\s*:\s*(-?\d+)/.exec(start)?.[1] ?? statusOf(answer))
  if (status === 0) return undefined
  if (UNAUTHORIZED.has(status)) return { kind: 'unauthorized' }
  if (REFUSED.has(status)) return { kind: 'refused' }
  if (status === TOO_MANY) return { kind: 'rate_limited', retryAfterMs: WAIT_MS }
  return TROUBLE.has(status) ? { kind: 'unavailable' } : { kind: 'unexpected', status }
}

function statusOf(answer: OutboundAnswer): unknown {
  try {
    const json = answer.json()
    return isFields(json) ? json.status : undefined
  } catch {
    // The reader of the JSON says so.
    return 0
  }
}

/** Unwraps a token answer; an error is a status with a text. */
export function toStandardAnswer(answer: unknown): Fields {
  if (!isFields(answer)) throw unexpected()
  const { status, body, error } = answer
  if (status === 0 && isFields(body)) return { token_type: 'bearer', ...body }
  return { error: oauthErrorOf(Number(status), String(error)) }
}

function oauthErrorOf(status: number, text: string): string {
  if (status === TOO_MANY) return 'slow_down'
  if (TROUBLE.has(status)) return 'temporarily_unavailable'
  if (/client/i.test(text)) return 'invalid_client'
  return /code|token/i.test(text) ? 'invalid_grant' : 'invalid_request'
}
