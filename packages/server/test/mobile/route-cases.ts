import type { RouteCase } from '../route-cases.ts'
import { EXCHANGE, SIGN_IN_TYPE } from './app-client.ts'

const theirs = { stranger: 'not found' } as const
const fresh = { subject: 'fresh' } as const
const open = { credential: 'none', stranger: 'own view' } as const
const store = { params: { provider: 'apple_health_kit' } }

/** Apps on phones: how they sign in, and how they synchronize. */
export const MOBILE_CASES: readonly RouteCase[] = [
  { method: 'POST', path: '/v2/user/{user_id}/sign_in_token', ...theirs },
  { method: 'POST', path: '/v2/user/{user_id}/revoke_app_api_key', ...theirs },
  { method: 'DELETE', path: '/v2/user/{user_id}/mobile_session', ...theirs, ...fresh },
  {
    method: 'POST',
    path: '/v2/link/code/create',
    query: ({ userId }) => ({ user_id: userId }),
    ...theirs,
  },
  {
    method: 'POST',
    path: '/v2/link/code/exchange',
    query: ({ linkCode }) => ({ code: linkCode, grant_type: 'sign_in_token' }),
    ...open,
    ...fresh,
  },
  {
    method: 'POST',
    path: '/v1/token',
    body: ({ userToken }) =>
      new URLSearchParams({
        grant_type: EXCHANGE,
        subject_token_type: SIGN_IN_TYPE,
        subject_token: userToken,
      }),
    ...open,
    ...fresh,
  },
  {
    method: 'POST',
    path: '/v2/user/{user_id}/sdk_sync_state/{provider}',
    body: () => ({ tzinfo: 'Europe/Vienna' }),
    ...store,
    ...theirs,
  },
  {
    method: 'POST',
    path: '/v2/user/{user_id}/sdk_start_historical_stage/{provider}',
    body: () => ({
      range_start: '2026-02-01T00:00:00Z',
      range_end: '2026-02-20T00:00:00Z',
      backfill_type: 'steps',
    }),
    ...store,
    ...theirs,
  },
  {
    method: 'POST',
    path: '/v2/user/{user_id}/sdk_sync_progress/{provider}',
    body: () => ({ sync_progress: { data_count: 12 }, device_info: { model: 'Watch7,5' } }),
    ...store,
    ...theirs,
  },
]
