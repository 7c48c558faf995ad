import { DAY_MS } from '@salus/contracts/time-units'
import { newId } from '@salus/kernel/ids'
import { SUMMARY_RESOURCES } from '../../health/src/summaries/summary-tables.registry.ts'
import { STEPS_GOAL, STEPS_QUERY, SUMMARY_DAYS, summaryUpload } from './data-route-cases.ts'
import type { Harness } from './harness.ts'

/** Summaries of a person, of which some are named in paths. */
export interface DataSubject {
  workoutId: string
  sleepId: string
  /** Continuous queries of the first team, and of the further one. */
  queryId: string
  managedQueryId: string
  /** A rule, and an episode of the person. */
  ruleId: string
  episodeId: string
}

interface Owner {
  userId: string
  managedTeamId: string
  /** Whose summaries it has, instead of its own. */
  shared: DataSubject | undefined
}

/** Uploads one summary of each resource, and makes a continuous query in each of two teams. */
export async function makeDataSubject(
  harness: Harness,
  { userId, managedTeamId, shared }: Owner,
): Promise<DataSubject> {
  const { workoutId, sleepId } = shared ?? (await uploadSummaries(harness, userId))
  await connectToCloud(harness, userId)
  return {
    workoutId,
    sleepId,
    queryId: await makeQuery(harness, harness.teamId),
    managedQueryId: await makeQuery(harness, managedTeamId),
    ...(await makeRule(harness, userId)),
  }
}

async function uploadSummaries(
  harness: Harness,
  userId: string,
): Promise<Pick<DataSubject, 'workoutId' | 'sleepId'>> {
  for (const resource of SUMMARY_RESOURCES) {
    await succeed(harness, 'POST', `/v2/summary/${resource}/${userId}`, summaryUpload(resource))
  }
  const days = new URLSearchParams(SUMMARY_DAYS)
  const read = (resource: string) =>
    succeed(harness, 'GET', `/v2/summary/${resource}/${userId}?${days}`)
  const [{ workouts }, { sleep }] = [await read('workouts'), await read('sleep')]
  return { workoutId: workouts[0].id, sleepId: sleep[0].id }
}

/** A paused rule, past the limit of rules of an environment, and an episode that has ended. */
async function makeRule(
  { database, clock }: Harness,
  userId: string,
): Promise<Pick<DataSubject, 'ruleId' | 'episodeId'>> {
  const [ruleId, episodeId] = [newId(), newId()]
  const now = clock.now()
  await database.pool.query(
    `with rule as (
      insert into rules (environment_id, id, name, status, condition, resources, applies_to_all,
        emits_events, cool_down_minutes, maximum_data_age_hours, created_at, updated_at, activated_at)
      select environment_id, $2, 'Steps', 'paused', $4, '{steps}', false, true, 0, 24, $5, $5, $5
      from users where id = $1 returning environment_id, id
    ), person as (
      insert into rule_people (environment_id, rule_id, user_id)
      select environment_id, id, $1 from rule
    )
    insert into rule_episodes (environment_id, id, rule_id, user_id, starts_at, ends_at, value, steps,
      triggered_at, resolved_at, resolved_reason)
    select environment_id, $3, id, $1, 0, 1, 8200, '[]', $5, $5, 'data' from rule`,
    [userId, ruleId, episodeId, JSON.stringify(STEPS_GOAL), now],
  )
  return { ruleId, episodeId }
}

/** A connection without pulls here, which any refresh finds to be fresh. */
async function connectToCloud({ database, clock }: Harness, userId: string): Promise<void> {
  const now = clock.now()
  const later = new Date(now.getTime() + 366 * DAY_MS)
  await database.pool.query(
    `with connected as (
      insert into connections (environment_id, user_id, provider, id, status, created_at, updated_at)
      select environment_id, id, 'oura', gen_random_uuid(), 'connected', $2, $2
      from users where id = $1 returning environment_id, user_id, provider
    )
    insert into pull_tasks (environment_id, user_id, provider, collection, coverage, polls_from,
      planned_at, kind, due_at, poll_at, failures, attempted_at, succeeded_at)
    select environment_id, user_id, provider, 'sleep', '[]', $2, $2, 'poll', $3, $3, 0, $3, $3
    from connected`,
    [userId, now, later],
  )
}

async function makeQuery(harness: Harness, teamId: string): Promise<string> {
  const path = `/v1/org/${harness.organizationId}/team/${teamId}/sandbox/continuous_query`
  const body = { slug: `steps-${newId()}`, title: 'Steps', query: STEPS_QUERY }
  const { id } = await succeed(harness, 'POST', path, body)
  return id
}

async function succeed(harness: Harness, method: string, path: string, body?: object) {
  const headers = path.startsWith('/v1/') ? { 'x-management-key': harness.managementKey } : {}
  const answer = await harness.call(method, path, body, headers)
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer.body
}
