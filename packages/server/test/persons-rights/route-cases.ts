import type { RouteCase } from '../route-cases.ts'

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const
const fresh = { subject: 'fresh' } as const

const EXPORTS = '/v2/user/{user_id}/export'
const ONE_EXPORT = `${EXPORTS}/{export_id}`
const NOTES = '/v2/user/{user_id}/note'

export const RIGHTS_CASES: readonly RouteCase[] = [
  { method: 'GET', path: '/v2/user/{user_id}/glance', ...theirs },
  { method: 'POST', path: '/v2/user/{user_id}/timeline', body: () => ({ limit: 100 }), ...theirs },
  { method: 'GET', path: NOTES, ...theirs },
  {
    method: 'POST',
    path: NOTES,
    body: () => ({ text: 'Prefers calls in the morning', name: 'Ines' }),
    ...theirs,
    ...fresh,
  },
  {
    method: 'PATCH',
    path: `${NOTES}/{note_id}`,
    body: () => ({ text: 'Prefers calls in the evening', name: 'Ines', version: 1 }),
    ...theirs,
    ...fresh,
  },
  {
    method: 'POST',
    path: `${NOTES}/{note_id}/entered_in_error`,
    body: () => ({ name: 'Ines', version: 1 }),
    ...theirs,
    ...fresh,
  },
  { method: 'GET', path: `${NOTES}/{note_id}/version`, ...theirs },
  { method: 'POST', path: EXPORTS, body: () => ({ format: 'json' }), ...theirs, ...fresh },
  { method: 'GET', path: EXPORTS, ...theirs },
  { method: 'GET', path: ONE_EXPORT, ...theirs },
  { method: 'GET', path: `${ONE_EXPORT}/download`, ...theirs },
  {
    method: 'POST',
    path: `${ONE_EXPORT}/link`,
    body: () => ({ expires_in_seconds: 60 }),
    ...theirs,
  },
  { method: 'DELETE', path: ONE_EXPORT, ...theirs, ...fresh },
  { method: 'GET', path: '/export/{link_secret}', credential: 'none', ...own },
  { method: 'GET', path: '/receipt_keys', credential: 'none', ...own },
  { method: 'POST', path: '/v2/user/{user_id}/erasure', ...theirs, ...fresh },
  { method: 'POST', path: '/v2/user/{user_id}/erasure/dry_run', ...theirs, ...fresh },
  { method: 'GET', path: '/v2/erasure', ...own },
  { method: 'GET', path: '/v2/erasure/{erasure_id}', ...theirs },
]

const ENVIRONMENT = '/v1/org/{org_id}/team/{team_id}/{env}'
const RULES = () => ({ rules: [{ resource: 'heartrate', days: 365 }] })

/** Of the management API: holds and retention of a further team's sandbox. */
export const RIGHTS_OPERATOR_CASES: readonly RouteCase[] = [
  { method: 'GET', path: `${ENVIRONMENT}/legal_hold`, ...theirs },
  {
    method: 'POST',
    path: `${ENVIRONMENT}/legal_hold`,
    body: ({ freeUserId }) => ({ user_id: freeUserId, reason: 'A dispute' }),
    ...theirs,
    ...fresh,
  },
  { method: 'POST', path: `${ENVIRONMENT}/legal_hold/{hold_id}/release`, ...theirs },
  { method: 'GET', path: `${ENVIRONMENT}/retention`, ...theirs },
  { method: 'GET', path: `${ENVIRONMENT}/retention/resource`, ...theirs },
  { method: 'PUT', path: `${ENVIRONMENT}/retention`, body: RULES, ...theirs },
  { method: 'POST', path: `${ENVIRONMENT}/retention/dry_run`, body: RULES, ...theirs },
]
