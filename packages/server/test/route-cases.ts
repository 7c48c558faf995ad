import { SERIES, SERIES_BY_UPLOAD_NAME, series } from '@salus/contracts/series'
import { CONSOLE_CASES, ORGANIZATION_USER_CASES } from './console/route-cases.ts'
import { CONTINUOUS_QUERY_CASES, DATA_CASES } from './data-route-cases.ts'
import { FHIR_CASES, FHIR_OPERATOR_CASES } from './fhir/route-cases.ts'
import { IMPORT_CASES, IMPORT_SETTING_CASES } from './imports/route-cases.ts'
import { LAB_CASES, LAB_OPERATOR_CASES } from './lab-route-cases.ts'
import { LINK_CASES, TEAM_SETTINGS_CASES } from './link/route-cases.ts'
import { MANAGEMENT_CASES } from './management-route-cases.ts'
import { MOBILE_CASES } from './mobile/route-cases.ts'
import { PORTAL_CASES } from './persons-rights/portal-cases.ts'
import { RIGHTS_CASES, RIGHTS_OPERATOR_CASES } from './persons-rights/route-cases.ts'
import { UploadForm } from './reports/report-client.ts'
import { validUpload } from './sample-items.ts'
import type { Subject } from './subject.ts'
import { WEBHOOK_CASES } from './webhooks/route-cases.ts'

/** A request that succeeds when the owner of the subject sends it. */
export interface RouteCase {
  method: string
  /** As OpenAPI writes it. */
  path: string
  /** Values of the path beside the ids of the subject. */
  params?: Record<string, string> | ((subject: Subject) => Record<string, string>)
  query?: (subject: Subject) => Record<string, string>
  /** A form where it is URLSearchParams. */
  body?: (subject: Subject) => object | Buffer
  headers?: Record<string, string>
  /**
   * The credential beside the keys: none where the request itself is the secret, else the link
   * token or the cookie of the subject.
   */
  credential?: 'none' | 'link' | 'console' | 'portal'
  /** Cookie of another session than that of the subject. */
  consoleToken?: (subject: Subject) => string
  /**
   * What a stranger gets who sends the same: 404, a view of its own things, or 403 for what is the
   * operator's.
   */
  stranger: 'not found' | 'own view' | 'forbidden'
  /** The team's other environment has the same right to it. */
  isOfWholeTeam?: boolean
  /** A production key is refused, because it has no sandbox. */
  isOfSandbox?: boolean
  /** Refused with 400 in production, where the operator has to configure a service first. */
  isOffInProduction?: boolean
  /**
   * What a stranger gets who names its own organization and our team or key; default `stranger`.
   */
  strangerAtHome?: 'not found' | 'own view'
  /** Refused with 403 to everybody whose it is: Salus has no such thing. */
  isRefused?: true
  /** Needs a secret of the subject that works once, so an example of the document is refused. */
  isOnce?: true
  /** `fresh` for requests that use the subject up, `deleted` when its user must be deleted. */
  subject?: 'shared' | 'fresh' | 'deleted'
}

export const START = '2026-02-20T08:00:00Z'
export const USER_INFO = {
  first_name: 'Ada',
  last_name: 'Moreau',
  email: 'ada.moreau@example.com',
  phone_number: '+15550100199',
  gender: 'female',
  dob: '1990-04-12',
  address: {
    first_line: '1 Main St',
    country: 'US',
    zip: '85001-2345',
    city: 'Phoenix',
    state: 'AZ',
  },
}

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const
const fresh = { subject: 'fresh' } as const

const TEAM_CASES: RouteCase[] = [
  { method: 'GET', path: '/v2/access', ...own },
  {
    method: 'POST',
    path: '/mcp',
    body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    headers: { accept: 'application/json, text/event-stream' },
    ...own,
  },
  { method: 'GET', path: '/v2/team/{team_id}', ...theirs, isOfWholeTeam: true },
  { method: 'GET', path: '/v2/team/svix/url', ...own },
  {
    method: 'GET',
    path: '/v2/team/users/search',
    query: ({ clientUserId }) => ({ query_id: clientUserId }),
    ...own,
  },
  {
    method: 'POST',
    path: '/v2/user',
    body: () => ({ client_user_id: 'a new user' }),
    ...own,
  },
  { method: 'GET', path: '/v2/user', ...own },
  {
    method: 'POST',
    path: '/v2/user/search',
    body: ({ clientUserId }) => ({ query: clientUserId }),
    ...own,
  },
  {
    method: 'POST',
    path: '/v2/user/search/export',
    body: ({ clientUserId }) => ({ query: clientUserId }),
    ...own,
  },
  {
    method: 'POST',
    path: '/v2/batch',
    body: ({ userId }) => ({ operation: 'refreshUser', ids: [userId] }),
    ...own,
  },
  { method: 'GET', path: '/v2/user/metrics', ...own },
  { method: 'GET', path: '/v2/user/{user_id}', ...theirs },
  {
    method: 'PATCH',
    path: '/v2/user/{user_id}',
    body: () => ({ fallback_time_zone: 'Europe/Vienna', fallback_birth_date: '1990-04-12' }),
    ...theirs,
  },
  { method: 'DELETE', path: '/v2/user/{user_id}', ...theirs, ...fresh },
  { method: 'GET', path: '/v2/user/resolve/{client_user_id}', ...theirs },
  {
    method: 'POST',
    path: '/v2/user/undo_delete',
    query: ({ userId }) => ({ user_id: userId }),
    ...theirs,
    subject: 'deleted',
  },
  { method: 'PATCH', path: '/v2/user/{user_id}/info', body: () => USER_INFO, ...theirs },
  { method: 'GET', path: '/v2/user/{user_id}/info/latest', ...theirs },
  {
    method: 'POST',
    path: '/v2/user/refresh/{user_id}',
    query: () => ({ timeout: '5' }),
    ...theirs,
  },
  {
    method: 'POST',
    path: '/v2/link/provider/manual/{provider}',
    params: { provider: 'omron_ble' },
    body: ({ userId }) => ({ user_id: userId }),
    ...theirs,
    ...fresh,
  },
  { method: 'GET', path: '/v2/user/providers/{user_id}', ...theirs },
  {
    method: 'DELETE',
    path: '/v2/user/{user_id}/{provider}',
    params: { provider: 'manual' },
    ...theirs,
    ...fresh,
  },
  { method: 'GET', path: '/v2/user/{user_id}/device', ...theirs },
  { method: 'GET', path: '/v2/user/{user_id}/device/{device_id}', ...theirs },
  { method: 'GET', path: '/v2/user/{user_id}/put_aside', ...theirs },
  {
    method: 'GET',
    path: '/v2/user/{user_id}/event_explanation',
    query: () => ({ event_type: 'daily.data.steps.created' }),
    ...theirs,
  },
  { method: 'GET', path: '/v2/introspect/historical_pull', ...own },
]

const period = () => ({ start_date: '2026-02-01', end_date: '2026-02-28' })
const read = (path: string): RouteCase => ({ method: 'GET', path, query: period, ...theirs })

/** Uploads come before the reads, so that the reads have something to show. */
const TIMESERIES_CASES: RouteCase[] = [
  ...[...SERIES_BY_UPLOAD_NAME].map(
    ([name, entry]): RouteCase => ({
      method: 'POST',
      path: `/v2/timeseries/{user_id}/${name}`,
      body: () => validUpload(entry, START),
      ...theirs,
    }),
  ),
  ...SERIES.map(({ name }) => read(`/v2/timeseries/{user_id}/${name}/grouped`)),
  ...SERIES.filter(({ legacy }) => legacy).map(({ name }) =>
    read(`/v2/timeseries/{user_id}/${name}`),
  ),
  ...(series('cholesterol').types?.allowed ?? []).map((type) =>
    read(`/v2/timeseries/{user_id}/${type}`),
  ),
]

/** A valid request for every operation of the OpenAPI document. */
export const ROUTE_CASES: readonly RouteCase[] = [
  ...TIMESERIES_CASES,
  ...TEAM_CASES,
  ...IMPORT_CASES,
  ...IMPORT_SETTING_CASES,
  ...RIGHTS_CASES,
  ...DATA_CASES,
  ...LINK_CASES,
  ...MOBILE_CASES,
  ...LAB_CASES,
  ...FHIR_CASES,
  ...CONSOLE_CASES,
  ...PORTAL_CASES,
  ...ORGANIZATION_USER_CASES,
  ...MANAGEMENT_CASES,
  ...TEAM_SETTINGS_CASES,
  ...WEBHOOK_CASES,
  ...CONTINUOUS_QUERY_CASES,
  ...LAB_OPERATOR_CASES,
  ...RIGHTS_OPERATOR_CASES,
  ...FHIR_OPERATOR_CASES,
]

export const isOpenCase = ({ credential }: RouteCase): boolean => credential !== undefined

export const isManagementCase = (entry: RouteCase): boolean =>
  entry.path.startsWith('/v1/') && !isOpenCase(entry)

/** The request of a case about a subject. */
export function requestOf(entry: RouteCase, subject: Subject) {
  const values: Record<string, string> = {
    user_id: subject.userId,
    client_user_id: encodeURIComponent(subject.clientUserId),
    device_id: subject.deviceId,
    note_id: subject.noteId,
    job_id: subject.jobId,
    upload_id: subject.uploadId,
    workout_id: subject.workoutId,
    sleep_id: subject.sleepId,
    rule_id: subject.ruleId,
    episode_id: subject.episodeId,
    query_id: subject.managedQueryId,
    query_id_or_slug: subject.queryId,
    org_id: subject.organizationId,
    team_id: isManagementCase(entry) ? subject.managedTeamId : subject.teamId,
    key_id: subject.managementKeyId,
    session_id: subject.consoleSessionId,
    portal_session_id: subject.portalSessionId,
    share_id: subject.shareId,
    organization_user_id: subject.organizationUserId,
    passkey_id: subject.passkeyId,
    webhook_id: subject.webhookId,
    event_id: subject.eventId,
    order_id: subject.orderId,
    transaction_id: subject.transactionId,
    lab_test_id: isManagementCase(entry) ? subject.pendingLabTestId : subject.labTestId,
    lab_id: subject.labId,
    provider_id: subject.providerId,
    task_id: subject.taskId,
    document_id: subject.resultDocumentId,
    raw_result_id: subject.rawResultId,
    id: subject.operatorResultId,
    run_id: subject.runId,
    export_id: subject.exportId,
    link_secret: subject.linkSecret,
    template_id: subject.templateId,
    address_id: subject.addressId,
    address_secret: subject.addressSecret,
    erasure_id: subject.erasureId,
    hold_id: subject.holdId,
    env: 'sandbox',
    region: 'us',
    ...(typeof entry.params === 'function' ? entry.params(subject) : entry.params),
  }
  const path = entry.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? name)
  const query = new URLSearchParams(entry.query?.(subject) ?? {}).toString()
  const body = entry.body?.(subject)
  const [payload, type] = encode(body)
  return {
    url: query === '' ? path : `${path}?${query}`,
    payload,
    headers: {
      ...(body === undefined ? {} : { 'content-type': type }),
      ...entry.headers,
      ...(entry.credential === 'console' && {
        cookie: `salus-console=${entry.consoleToken?.(subject) ?? subject.consoleToken}`,
      }),
      ...(entry.credential === 'portal' && {
        cookie: `salus-portal=${subject.portalToken}`,
      }),
      ...(entry.credential === 'link' && { 'x-service-link-token': subject.linkToken }),
    },
  }
}

function encode(body: object | undefined): [payload: string | Buffer | undefined, type: string] {
  if (Buffer.isBuffer(body)) return [body, 'application/xml']
  if (body instanceof UploadForm) return [body.bytes, body.type]
  if (body instanceof URLSearchParams) return [`${body}`, 'application/x-www-form-urlencoded']
  return [body && JSON.stringify(body), 'application/json']
}
