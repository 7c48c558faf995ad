import type { RouteCase } from '../route-cases.ts'
import type { Subject } from '../subject.ts'

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const
const fresh = { subject: 'fresh' } as const
/** The link token is the credential, so whoever has it is no stranger. */
const linked = { credential: 'link', ...own } as const
const open = { credential: 'none', ...own } as const

const byUser = ({ userId }: Subject) => ({ user_id: userId })
const inBulk = ({ userId }: Subject) => ({ provider: 'oura', user_ids: [userId] })
const password = { params: { provider: 'abbott_libreview' } }

/** How people are connected to cloud providers. */
export const LINK_CASES: readonly RouteCase[] = [
  { method: 'GET', path: '/v2/providers', ...own },
  { method: 'POST', path: '/v2/link/token', body: byUser, ...theirs },
  {
    method: 'POST',
    path: '/v2/link/token/isValid',
    body: ({ linkToken }) => ({ token: linkToken }),
    ...open,
  },
  {
    method: 'POST',
    path: '/v2/link/start',
    body: ({ linkToken }) => ({ link_token: linkToken, provider: 'oura' }),
    ...open,
  },
  {
    method: 'POST',
    path: '/v2/link/token/continue',
    body: ({ linkContinuation }) => ({ continuation: linkContinuation }),
    ...open,
  },
  { method: 'GET', path: '/v2/link/state', ...linked },
  { method: 'GET', path: '/v2/link/providers', ...linked },
  { method: 'GET', path: '/v2/team/link/config', ...linked },
  {
    method: 'GET',
    path: '/v2/link/provider/oauth/{oauth_provider}',
    params: { oauth_provider: 'oura' },
    ...linked,
  },
  {
    method: 'GET',
    path: '/v2/link/connect/{provider}',
    params: { provider: 'oura' },
    query: ({ linkToken }) => ({ state: linkToken, error: 'access_denied' }),
    ...open,
  },
  {
    method: 'POST',
    path: '/v2/link/provider/password/{provider}',
    ...password,
    body: () => ({ username: 'ada', password: 'wrong' }),
    ...linked,
  },
  {
    method: 'POST',
    path: '/v2/link/provider/password/{provider}/complete_mfa',
    ...password,
    body: () => ({ mfa_code: '123456' }),
    ...linked,
  },
  {
    method: 'POST',
    path: '/v2/link/provider/email/{provider}',
    params: { provider: 'freestyle_libre' },
    body: () => ({ email: 'ada.moreau@example.com', region: 'us' }),
    ...linked,
    ...fresh,
  },
  {
    method: 'POST',
    path: '/v2/link/auth',
    body: () => ({ username: 'ada', password: 'wrong', provider: 'abbott_libreview' }),
    ...linked,
  },
  {
    method: 'POST',
    path: '/v2/link/auth/email',
    body: () => ({ email: 'ada.moreau@example.com', provider: 'freestyle_libre', region: 'za' }),
    ...linked,
  },
  {
    method: 'POST',
    path: '/v2/link/connect/demo',
    body: ({ userId }) => ({ user_id: userId, provider: 'oura' }),
    ...theirs,
    isOfSandbox: true,
  },
  {
    method: 'POST',
    path: '/v2/link/bulk_import',
    body: ({ userId }) => ({
      provider: 'oura',
      connections: [
        {
          user_id: userId,
          access_token: 'an access token',
          refresh_token: 'a refresh token',
          provider_id: 'ring-1',
          expires_at: 1_800_000_000,
        },
      ],
    }),
    ...own,
  },
  { method: 'POST', path: '/v2/link/bulk_export', body: inBulk, ...own },
  { method: 'POST', path: '/v2/link/bulk_pause', body: inBulk, ...own },
  { method: 'POST', path: '/v2/link/bulk_trigger_historical_pull', body: inBulk, ...own },
  { method: 'GET', path: '/v2/link/bulk_op', ...own },
]

const CREDENTIALS = '/v1/org/{org_id}/team_custom_credentials/{env}/{region}'
const PREFERENCES = '/v1/org/{org_id}/team_data_pull_preferences/{env}/{region}'
const SCOPES = '/v1/org/{org_id}/team/{team_id}/scope_requirements'
const ofManagedTeam = ({ managedTeamId }: Subject) => ({ team_id: managedTeamId })

/** What a team settles about it. */
export const TEAM_SETTINGS_CASES: readonly RouteCase[] = [
  { method: 'GET', path: SCOPES, ...theirs },
  {
    method: 'POST',
    path: SCOPES,
    body: () => ({ oura: { user_must_grant: ['daily'], user_may_grant: [] } }),
    ...theirs,
  },
  { method: 'GET', path: CREDENTIALS, query: ofManagedTeam, ...theirs },
  {
    method: 'POST',
    path: CREDENTIALS,
    body: (subject) => ({
      ...ofManagedTeam(subject),
      ...{ provider: 'oura', client_id: 'an app', client_secret: 'its secret' },
    }),
    ...theirs,
  },
  {
    method: 'DELETE',
    path: CREDENTIALS,
    query: ({ customCredentialId }) => ({ credential_id: customCredentialId }),
    ...theirs,
    // A report, in which another organization's app is not found.
    strangerAtHome: 'own view',
    ...fresh,
  },
  {
    method: 'POST',
    path: '/v1/org/{org_id}/prepare_team_custom_credentials/{env}/{region}',
    body: (subject) => ({ ...ofManagedTeam(subject), provider: 'oura' }),
    ...theirs,
  },
  { method: 'GET', path: PREFERENCES, query: ofManagedTeam, ...theirs },
  {
    method: 'POST',
    path: PREFERENCES,
    body: ({ managedTeamId }) => ({
      team_ids: [managedTeamId],
      providers: { oura: { default: { historical_days_to_pull: 30 } } },
    }),
    ...theirs,
  },
  { method: 'DELETE', path: PREFERENCES, query: ofManagedTeam, ...theirs },
]
