import { EXPORT_FILE } from '../imports/route-cases.ts'
import type { RouteCase } from '../route-cases.ts'

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const
const fresh = { subject: 'fresh' } as const
const headers = { 'x-salus-portal': '1' }
const signedIn = { credential: 'portal', headers, ...own } as const

const SESSIONS = '/v2/user/{user_id}/portal_session'
const SHARES = '/v2/user/{user_id}/portal_share'
const TUS = { ...headers, 'tus-resumable': '1.0.0' }

/** Links to the page of a person, and what the page requests. */
export const PORTAL_CASES: readonly RouteCase[] = [
  {
    method: 'POST',
    path: '/v2/user/{user_id}/create_portal_url',
    body: () => ({ context: 'launch' }),
    ...theirs,
  },
  { method: 'GET', path: SESSIONS, ...theirs },
  { method: 'DELETE', path: `${SESSIONS}/{portal_session_id}`, ...theirs, ...fresh },
  { method: 'DELETE', path: SESSIONS, ...theirs, ...fresh },
  { method: 'GET', path: SHARES, ...theirs },
  { method: 'DELETE', path: `${SHARES}/{share_id}`, ...theirs, ...fresh },
  {
    method: 'POST',
    path: '/me/session',
    body: ({ portalCode }) => ({ code: portalCode }),
    credential: 'none',
    headers,
    ...own,
    ...fresh,
  },
  { method: 'GET', path: '/me/session', ...signedIn },
  { method: 'DELETE', path: '/me/session', ...signedIn, ...fresh },
  { method: 'GET', path: '/me/connection', ...signedIn },
  { method: 'POST', path: '/me/connection', body: () => ({}), ...signedIn },
  {
    method: 'DELETE',
    path: '/me/connection/{provider}',
    params: { provider: 'manual' },
    ...signedIn,
    ...fresh,
  },
  { method: 'GET', path: '/me/data', ...signedIn },
  { method: 'GET', path: '/me/result', ...signedIn },
  { method: 'GET', path: '/me/result/{order_id}/pdf', ...signedIn },
  { method: 'GET', path: '/me/access_log', ...signedIn },
  { method: 'GET', path: '/me/share', ...signedIn },
  {
    method: 'POST',
    path: '/me/share',
    body: () => ({ label: 'Physician', kinds: ['heart'], expires_in_days: 7 }),
    ...signedIn,
  },
  { method: 'DELETE', path: '/me/share/{share_id}', ...signedIn, ...fresh },
  { method: 'GET', path: '/me/export', ...signedIn },
  { method: 'POST', path: '/me/export', body: () => ({ format: 'csv' }), ...signedIn, ...fresh },
  { method: 'GET', path: '/me/export/{export_id}/download', ...signedIn },
  { method: 'POST', path: '/me/erasure_request', ...signedIn, ...fresh },
  { method: 'DELETE', path: '/me/erasure_request', ...signedIn, ...fresh },
  { method: 'GET', path: '/me/import', ...signedIn },
  {
    method: 'POST',
    path: '/me/import',
    body: ({ finishedUploadId }) => ({ upload_id: finishedUploadId }),
    ...signedIn,
    ...fresh,
  },
  {
    method: 'POST',
    path: '/me/import/uploads',
    ...signedIn,
    headers: { ...TUS, 'upload-length': '4' },
  },
  { method: 'GET', path: '/me/import/uploads/{upload_id}', ...signedIn },
  {
    method: 'PATCH',
    path: '/me/import/uploads/{upload_id}',
    body: () => EXPORT_FILE,
    ...signedIn,
    headers: { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    ...fresh,
  },
]
