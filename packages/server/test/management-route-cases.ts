import type { RouteCase } from './route-cases.ts'
import type { Subject } from './subject.ts'

const theirs = { stranger: 'not found' } as const
const fresh = { subject: 'fresh' } as const

const KEYS_PATH = '/v1/org/{org_id}/team_api_keys/{env}/{region}'
const MANAGED_TEAM = '/v1/org/{org_id}/team/{team_id}'
const MANAGED_KEY = '/v1/org/{org_id}/management_key/{key_id}'
const PIPELINES = '/v1/org/{org_id}/team_etl_pipelines/{env}/{region}'
const ofManagedTeam = ({ managedTeamId }: Subject) => ({ team_id: managedTeamId })
const changeOfPipelines = ({ managedTeamId }: Subject) => ({
  team_ids: [managedTeamId],
  push_historical_data: true,
})
const homeView = { strangerAtHome: 'own view' } as const

/** Organizations, teams, their keys, the demo team. */
export const MANAGEMENT_CASES: readonly RouteCase[] = [
  { method: 'GET', path: '/v1/org/{org_id}', ...theirs, ...homeView },
  {
    method: 'PATCH',
    path: '/v1/org/{org_id}',
    body: () => ({ name: 'Renamed' }),
    ...theirs,
    ...homeView,
  },
  { method: 'GET', path: '/v1/org/{org_id}/team', ...theirs, ...homeView },
  {
    method: 'POST',
    path: '/v1/org/{org_id}/team',
    body: () => ({ name: 'One more', region: 'us' }),
    ...theirs,
    ...homeView,
  },
  {
    method: 'POST',
    path: '/v1/org/{org_id}/resolve_team',
    body: ({ integrationTeamId }) => ({ integration_team_id: integrationTeamId }),
    ...theirs,
  },
  { method: 'GET', path: MANAGED_TEAM, ...theirs },
  { method: 'PATCH', path: MANAGED_TEAM, body: () => ({ name: 'Renamed' }), ...theirs },
  { method: 'DELETE', path: MANAGED_TEAM, ...theirs, ...fresh },
  { method: 'GET', path: PIPELINES, query: ofManagedTeam, ...theirs },
  { method: 'POST', path: PIPELINES, body: changeOfPipelines, ...theirs },
  { method: 'DELETE', path: PIPELINES, query: ofManagedTeam, ...theirs, ...homeView },
  { method: 'GET', path: KEYS_PATH, query: ofManagedTeam, ...theirs },
  {
    method: 'POST',
    path: KEYS_PATH,
    body: ({ managedTeamId }) => ({ label: 'Server', team_id: managedTeamId }),
    ...theirs,
  },
  {
    method: 'DELETE',
    path: KEYS_PATH,
    query: ({ teamKeyId }) => ({ api_key_id: teamKeyId }),
    ...theirs,
    // A report, in which another organization's key is not found.
    ...homeView,
    ...fresh,
  },
  ...['create_api_access_token', 'create_access_token'].map(
    (name): RouteCase => ({
      method: 'POST',
      path: `${MANAGED_TEAM}/${name}`,
      body: () => ({ env: 'sandbox' }),
      ...theirs,
    }),
  ),
  { method: 'GET', path: '/v1/org/{org_id}/demo_team', ...theirs, ...homeView },
  { method: 'DELETE', path: '/v1/org/{org_id}/demo_team', ...theirs, ...homeView },
  { method: 'POST', path: '/v1/org/{org_id}/demo_team', ...theirs, ...homeView },
  { method: 'GET', path: '/v1/org/{org_id}/management_key', ...theirs, ...homeView },
  {
    method: 'POST',
    path: '/v1/org/{org_id}/management_key',
    body: () => ({ label: 'Second', role: 'org_admin' }),
    ...theirs,
    ...homeView,
  },
  { method: 'PATCH', path: MANAGED_KEY, body: () => ({ label: 'Renamed' }), ...theirs },
  { method: 'DELETE', path: MANAGED_KEY, ...theirs, ...fresh },
]
