import { SERIES } from '@salus/contracts/series'
import {
  SUMMARY_RESOURCES,
  type SummaryResource,
} from '../../health/src/summaries/summary-tables.registry.ts'
import { hasChart } from '../../health/src/timeseries/chart/chart-lines.ts'
import type { RouteCase } from './route-cases.ts'
import { IOS_ITEMS } from './summaries/upload-items.registry.ts'
import { dataOf } from './summaries/upload-summary.ts'

/**
 * What is known of the summaries that a subject has: `IOS_ITEMS`, uploaded by the provider manual.
 */
export const SUMMARY_DAYS = { start_date: '2026-02-01', end_date: '2026-02-20' }

const theirs = { stranger: 'not found' } as const
const own = { stranger: 'own view' } as const
const fresh = { subject: 'fresh' } as const
const RAW = ['activity', 'body', 'sleep', 'workouts']

/** An upload of one summary, as a watch of iOS sends it. */
export const summaryUpload = (resource: SummaryResource): object => ({
  stage: 'daily',
  provider: 'manual',
  data: dataOf(resource, IOS_ITEMS[resource]),
})

const UPLOAD_CASES: RouteCase[] = SUMMARY_RESOURCES.map((resource) => ({
  method: 'POST',
  path: `/v2/summary/${resource}/{user_id}`,
  body: () => summaryUpload(resource),
  ...theirs,
}))

/** A line of a user whom strangers do not have. */
const BULK_CASE: RouteCase = {
  method: 'POST',
  path: '/v2/timeseries/bulk',
  query: () => ({ stage: 'daily' }),
  headers: { 'content-type': 'application/x-ndjson' },
  body: ({ userId }) =>
    Buffer.from(
      `{"user_id":"${userId}","resource":"steps","value":9,"unit":"count","start_date":"2026-02-20T09:00:00Z"}\n`,
    ),
  ...own,
}

const READ_CASES: RouteCase[] = [
  ...[...SUMMARY_RESOURCES, 'sleep_cycle'].map((resource) => `${resource}/{user_id}`),
  ...RAW.map((resource) => `${resource}/{user_id}/raw`),
].map((path) => ({
  method: 'GET',
  path: `/v2/summary/${path}`,
  query: () => SUMMARY_DAYS,
  ...theirs,
}))

const MERGED_CASES: RouteCase[] = SERIES.filter(({ merge }) => merge.kind !== 'none').map(
  ({ name }) => ({
    method: 'GET',
    path: `/v2/timeseries/{user_id}/${name}/merged`,
    query: () => SUMMARY_DAYS,
    ...theirs,
  }),
)

const CHART_CASES: RouteCase[] = SERIES.filter(hasChart).map(({ name }) => ({
  method: 'GET',
  path: `/v2/timeseries/{user_id}/${name}/chart`,
  query: () => SUMMARY_DAYS,
  ...theirs,
}))

const PRIORITIES = { source_priorities: [] }

const PRIORITY_CASES: RouteCase[] = [
  { method: 'GET', path: '/v2/team/source/priorities', ...own },
  {
    method: 'PATCH',
    path: '/v2/team/source/priorities',
    body: () => [{ data_type: 'sleep', slug: 'oura', priority: 2 }],
    ...own,
  },
  { method: 'GET', path: '/v2/user/{user_id}/source_priorities', ...theirs },
  {
    method: 'PUT',
    path: '/v2/user/{user_id}/source_priorities',
    body: () => PRIORITIES,
    ...theirs,
  },
  {
    method: 'POST',
    path: '/v2/user/{user_id}/source_priorities/preview',
    body: () => ({ ...PRIORITIES, resource: 'steps', date: '2026-02-20' }),
    ...theirs,
  },
]

/** Daily steps, as a continuous query takes them. */
export const STEPS_QUERY = {
  select: [{ group_key: '*' }, { func: 'sum', arg: { timeseries: 'steps', field: 'value' } }],
  group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }],
}

const CONTINUOUS = '/v1/org/{org_id}/team/{team_id}/{env}/continuous_query'
const RESULTS = '/aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}'
const continuousBody = (slug: string) => () => ({ slug, title: 'Steps', query: STEPS_QUERY })

const QUERY_CASES: RouteCase[] = [
  {
    method: 'POST',
    path: '/aggregate/v1/user/{user_id}/query',
    body: () => ({
      timeframe: { type: 'relative', anchor: '2026-02-20', past: { unit: 'week' } },
      queries: [STEPS_QUERY],
    }),
    ...theirs,
  },
  { method: 'GET', path: '/aggregate/v1/table', ...own },
  { method: 'GET', path: `${RESULTS}/result_table`, ...theirs },
  { method: 'GET', path: `${RESULTS}/task_history`, ...theirs },
]

/** A condition of a rule. */
export const STEPS_GOAL = {
  type: 'goal',
  value: { func: 'sum', arg: { merged: 'steps', field: 'value' } },
  window: { value: 1, unit: 'day' },
  threshold: 8000,
}

const RULE_CASES: RouteCase[] = [
  { method: 'GET', path: '/v3/rule', ...own },
  {
    method: 'POST',
    path: '/v3/rule',
    body: () => ({ name: 'Steps', condition: STEPS_GOAL }),
    ...own,
  },
  { method: 'GET', path: '/v3/rule/{rule_id}', ...theirs },
  { method: 'PATCH', path: '/v3/rule/{rule_id}', body: () => ({ name: 'Walking' }), ...theirs },
  { method: 'DELETE', path: '/v3/rule/{rule_id}', ...theirs, ...fresh },
  { method: 'GET', path: '/v3/rule/template', ...own },
  {
    method: 'POST',
    path: '/v3/rule/preview',
    body: ({ userId }) => ({ condition: STEPS_GOAL, days: 3, user_id: userId }),
    ...theirs,
  },
  { method: 'GET', path: '/v3/rule_episode', ...own },
  { method: 'GET', path: '/v3/rule_episode/{episode_id}', ...theirs },
]

/** Of the management API: continuous queries of a further team's sandbox. */
export const CONTINUOUS_QUERY_CASES: readonly RouteCase[] = [
  { method: 'GET', path: CONTINUOUS, ...theirs },
  { method: 'POST', path: CONTINUOUS, body: continuousBody('made-by-case'), ...theirs, ...fresh },
  {
    method: 'POST',
    path: CONTINUOUS.replace(/continuous_query$/, 'validate_continuous_query'),
    body: continuousBody('only-checked'),
    ...theirs,
  },
  {
    method: 'PATCH',
    path: `${CONTINUOUS}/{query_id}`,
    body: () => ({ title: 'Daily steps' }),
    ...theirs,
  },
  { method: 'DELETE', path: `${CONTINUOUS}/{query_id}`, ...theirs, ...fresh },
]

/** Summaries, what is made of samples, and questions about both. */
export const DATA_CASES: readonly RouteCase[] = [
  ...UPLOAD_CASES,
  BULK_CASE,
  ...READ_CASES,
  { method: 'GET', path: '/v2/summary/profile/{user_id}/raw', ...theirs },
  { method: 'GET', path: '/v2/summary/devices/{user_id}/raw', ...theirs },
  { method: 'GET', path: '/v2/timeseries/workouts/{workout_id}/stream', ...theirs },
  { method: 'GET', path: '/v2/timeseries/sleep/{sleep_id}/stream', ...theirs },
  ...['activity', 'sleep', 'workouts'].map((resource) => ({
    method: 'GET' as const,
    path: `/v2/summary/${resource}/{user_id}/merged`,
    query: () => SUMMARY_DAYS,
    ...theirs,
  })),
  { method: 'GET', path: '/v2/introspect/resources', ...own },
  ...MERGED_CASES,
  ...CHART_CASES,
  { method: 'GET', path: '/v2/timeseries/{user_id}/charts', ...theirs },
  {
    method: 'POST',
    path: '/v2/timeseries/{user_id}/charts',
    body: () => ({ charts: [{ resource: 'steps', ...SUMMARY_DAYS }] }),
    ...theirs,
  },
  ...PRIORITY_CASES,
  ...QUERY_CASES,
  ...RULE_CASES,
]
