import { DAY_MS } from '@salus/contracts/time-units'
import type { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { Collection, VendorApp, VendorTokens } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import { VendorError, type VendorFailure, type VendorRequest } from '../vendor-client.ts'
import { isFields, type VendorInstant } from '../vendor-records.ts'

export const SLUG = 'ihealth'

export type Fields = Record<string, unknown>

/** Stands for the account id in paths; `authorize` puts it in. */
const USER = 'USER_ID'

const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/**
 * Requests records of a kind, 50 a page. The vendor compares the local times of records with the
 * bounds, so one more day is requested on both sides.
 */
export const pagedByTime = (
  kind: string,
): Pick<Collection, 'history' | 'mostDaysAtOnce' | 'overlapHours' | 'page' | 'next'> => ({
  history: 'by_range',
  mostDaysAtOnce: 90,
  overlapHours: 72,
  page: ({ from, to }, cursor) => ({
    path: `/openapiv2/user/${USER}/${kind}.json/`,
    query: {
      locale: 'default',
      start_time: String(Math.floor((from - DAY_MS) / 1000)),
      end_time: String(Math.ceil((to + DAY_MS) / 1000)),
      page_index: cursor ?? '1',
    },
  }),
  next: (answer) => {
    const { NextPageUrl: url, PageNumber: page } = isFields(answer) ? answer : {}
    const hasMore = typeof url === 'string' && url !== '' && Number.isSafeInteger(page)
    return hasMore ? String((page as number) + 1) : null
  },
})

/** Names of the secrets of an app: one of the project, and one of each kind. */
export const SECRETS = {
  sc: { meaning: 'SC of the project', isRequired: true },
  sv_bp: { meaning: 'SV of OpenApiBP', isRequired: true },
  sv_glucose: { meaning: 'SV of OpenApiBG', isRequired: true },
  sv_weight: { meaning: 'SV of OpenApiWeight', isRequired: true },
  sv_spo2: { meaning: 'SV of OpenApiSpO2', isRequired: true },
  sv_activity: { meaning: 'SV of OpenApiActivity', isRequired: true },
  sv_sleep: { meaning: 'SV of OpenApiSleep', isRequired: true },
  redirect_uri: { meaning: 'Redirect address of the app', isRequired: false },
} as const

/** Adds the credentials, all of which the vendor wants in the address of each request. */
export function authorize(
  request: VendorRequest,
  { accessToken, extra }: VendorTokens,
  app: VendorApp | undefined,
): VendorRequest {
  const kind = /([a-z0-9]+)\.json/.exec(request.path)?.[1]
  const { sc, redirect_uri, [`sv_${kind}`]: sv } = app?.secrets ?? {}
  return {
    ...request,
    path: request.path.replace(USER, encodeURIComponent(extra?.UserID ?? '')),
    query: {
      client_id: app?.clientId,
      client_secret: app?.clientSecret,
      access_token: accessToken,
      redirect_uri,
      sc,
      sv,
      ...request.query,
    },
  }
}

/** Converts the names of a token answer, or of an error. */
export function toStandardAnswer(answer: unknown): Fields {
  if (!isFields(answer)) throw unexpected()
  if (answer.AccessToken === undefined) return { error: oauthErrorOf(answer) }
  const { AccessToken, RefreshToken, Expires, APIName, UserID } = answer
  return {
    access_token: AccessToken,
    refresh_token: RefreshToken,
    expires_in: Expires,
    token_type: 'bearer',
    scope: APIName,
    UserID,
  }
}

const textOf = ({ Error: error, ErrorDescription: description }: Fields): string =>
  `${String(error)} ${String(description)}`

/** The numbers of errors are not published: the text decides. */
function oauthErrorOf(answer: Fields): string {
  const { Error: error } = answer
  if (typeof error === 'string' && /^[a-z]+(_[a-z]+)+$/.test(error)) return error
  const text = textOf(answer)
  if (/client/i.test(text)) return 'invalid_client'
  return /code|token/i.test(text) ? 'invalid_grant' : 'invalid_request'
}

const FAILURES: readonly (readonly [text: RegExp, failure: VendorFailure])[] = [
  [/token|expired/i, { kind: 'unauthorized' }],
  [/limit|too many|frequen/i, { kind: 'rate_limited', retryAfterMs: null }],
  [/denied|unauthorized|permission|scope/i, { kind: 'refused' }],
  [/server|system|temporarily|unavailable|busy/i, { kind: 'unavailable' }],
]

/** Reads an error, which the vendor sends with HTTP 200 or 500. */
export function failureOf(answer: OutboundAnswer): VendorFailure | undefined {
  if (!/^\s*\{\s*"Error/.test(answer.bytes().subarray(0, 32).toString('latin1'))) return undefined
  try {
    const error = answer.json()
    if (!isFields(error) || error.ErrorCode === undefined) return undefined
    const known = FAILURES.find(([text]) => text.test(textOf(error)))?.[1]
    return known ?? { kind: 'unexpected', status: answer.status }
  } catch {
    return undefined
  }
}

/** Calls back with each record of a page; those that are no objects are quarantined. */
export function forEachRecord(
  answer: unknown,
  data: PageData,
  { list, resource }: { list: string; resource: string },
  add: (record: Fields, page: Fields) => void,
): void {
  const records = isFields(answer) ? answer[list] : undefined
  if (!isFields(answer) || !Array.isArray(records)) throw unexpected()
  for (const record of records) {
    if (isFields(record)) add(record, answer)
    else data.quarantine(resource, 'not_an_object', record)
  }
}

const MOST_HOURS = 14

/** Returns the offset of a record in seconds; newer answers have it under two names. */
export const offsetOf = ({ TimeZone, time_zone: zone }: Fields): number | null =>
  secondsOf(TimeZone) ?? secondsOf(zone)

/** Reads an offset: `-0800`, `-08:00`, `0800`, `-8`, -8 or 5.5. */
function secondsOf(zone: unknown): number | null {
  if (typeof zone === 'number') return Math.abs(zone) <= MOST_HOURS ? zone * 3600 : null
  const match =
    typeof zone === 'string' ? /^([+-]?)(?:(\d\d):?([0-5]\d)|(\d\d?))$/.exec(zone.trim()) : null
  if (match === null) return null
  const [, sign, hours, minutes = 0, hoursAlone] = match
  const seconds = Number(hours ?? hoursAlone) * 3600 + Number(minutes) * 60
  if (seconds > MOST_HOURS * 3600) return null
  return sign === '-' ? -seconds : seconds
}

/** The local date and time of a record as text; undefined where it has none. */
export function localTextOf(seconds: unknown): string | undefined {
  // 0 and -1 are no times of records.
  const date = new Date(typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 19)
}

/**
 * Reads an instant, which the vendor writes as the local clock in seconds since 1970. Without an
 * offset nothing is known about it, and the record is quarantined.
 */
export function instantOf(
  data: PageData,
  resource: string,
  seconds: unknown,
  record: Fields,
  problem?: 'invalid_end_date',
): VendorInstant | undefined {
  const offset = offsetOf(record)
  // 0 and -1 are no times of records.
  const isKnown = typeof seconds === 'number' && seconds > 0 && offset !== null
  const at = isKnown ? seconds - offset : undefined
  return data.epochInstant(resource, at, { unit: 's', offset }, record, problem)
}

/** Common parts of records: the id, the last change in UTC, and whether it was typed in. */
export function frameOf({ DataID: id, LastChangeTime: changed }: Fields) {
  return {
    ...(typeof id === 'string' && { recordId: id }),
    ...(typeof changed === 'number' && changed > 0 && { modifiedAt: changed * 1000 }),
  }
}

export const isTypedIn = ({ DataSource: source }: Fields): boolean => source === 'Manual'
