import type { RouteCase } from '../route-cases.ts'

const theirs = { stranger: 'not found' } as const
/** What only whoever runs the installation sees. */
const operators = { stranger: 'forbidden' } as const
const fresh = { subject: 'fresh' } as const

const MANAGED_ENVIRONMENT = '/v1/org/{org_id}/team/{team_id}/{env}'
const WEBHOOKS = `${MANAGED_ENVIRONMENT}/webhook`
const WEBHOOK = `${WEBHOOKS}/{webhook_id}`
const EVENT = `${MANAGED_ENVIRONMENT}/event/{event_id}`
const URL_OF_A_WEBHOOK = 'https://hooks.example.com/other'

/** Webhooks and events, which a management key sees, and operation. */
export const WEBHOOK_CASES: readonly RouteCase[] = [
  { method: 'GET', path: WEBHOOKS, ...theirs },
  { method: 'POST', path: WEBHOOKS, body: () => ({ url: URL_OF_A_WEBHOOK }), ...theirs },
  { method: 'GET', path: WEBHOOK, ...theirs },
  { method: 'PATCH', path: WEBHOOK, body: () => ({ description: 'Changed' }), ...theirs },
  { method: 'DELETE', path: WEBHOOK, ...theirs, ...fresh },
  { method: 'GET', path: `${WEBHOOK}/headers`, ...theirs },
  {
    method: 'PUT',
    path: `${WEBHOOK}/headers`,
    body: () => ({ headers: { 'x-kind': 'health' } }),
    ...theirs,
  },
  { method: 'GET', path: `${WEBHOOK}/secret`, ...theirs },
  { method: 'POST', path: `${WEBHOOK}/secret/rotate`, body: () => ({}), ...theirs },
  { method: 'GET', path: `${WEBHOOK}/attempt`, ...theirs },
  { method: 'GET', path: `${WEBHOOK}/attempt_histogram`, ...theirs },
  { method: 'POST', path: `${WEBHOOK}/event/{event_id}/resend`, ...theirs },
  {
    method: 'POST',
    path: `${WEBHOOK}/resend`,
    body: ({ eventId }) => ({ event_ids: [eventId] }),
    ...theirs,
  },
  {
    method: 'POST',
    path: `${WEBHOOK}/recover`,
    body: () => ({ since: '2026-02-01' }),
    ...theirs,
  },
  {
    method: 'POST',
    path: `${WEBHOOK}/send_example`,
    body: () => ({ event_type: 'daily.data.steps.created' }),
    ...theirs,
  },
  { method: 'GET', path: `${MANAGED_ENVIRONMENT}/event`, ...theirs },
  { method: 'GET', path: EVENT, ...theirs },
  { method: 'GET', path: `${EVENT}/attempt`, ...theirs },
  {
    method: 'GET',
    path: `${MANAGED_ENVIRONMENT}/event_explanation`,
    query: ({ managedUserId }) => ({
      user_id: managedUserId,
      event_type: 'daily.data.steps.created',
    }),
    ...theirs,
  },
  { method: 'GET', path: `${MANAGED_ENVIRONMENT}/event_type`, ...theirs },
  { method: 'GET', path: `${MANAGED_ENVIRONMENT}/webhook_status`, ...theirs },
  { method: 'GET', path: `${MANAGED_ENVIRONMENT}/audit_log`, ...theirs },
  { method: 'GET', path: `${MANAGED_ENVIRONMENT}/overview`, ...theirs },
  {
    method: 'GET',
    path: `${MANAGED_ENVIRONMENT}/event_stream`,
    query: () => ({ after: '0-0', follow: 'false' }),
    ...theirs,
  },
  { method: 'GET', path: '/v1/operation/status', ...operators },
  { method: 'GET', path: '/v1/operation/delivery', ...operators },
  { method: 'GET', path: '/v1/operation/provider', ...operators },
  { method: 'GET', path: '/v1/operation/provider/setup', ...operators },
  {
    method: 'GET',
    path: '/v1/operation/provider/setup/{provider}',
    params: () => ({ provider: 'oura' }),
    ...operators,
  },
  { method: 'GET', path: '/v1/operation/job_kind', ...operators },
  { method: 'GET', path: '/v1/operation/job', ...operators },
  {
    method: 'POST',
    path: '/v1/operation/job/retry',
    body: () => ({ kind: 'recover_webhook' }),
    ...operators,
  },
  { method: 'GET', path: '/v1/operation/audit_log', ...operators },
]
