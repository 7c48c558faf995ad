import { newId } from '../src/platform/ids.ts'
import { SUMMARY_RESOURCES } from '../src/summaries/summary-tables.registry.ts'
import { STEPS_QUERY, SUMMARY_DAYS, summaryUpload } from './data-route-cases.ts'
import type { Harness } from './harness.ts'

/** Summaries of a person, of which some are named in paths. */
export interface DataSubject {
  workoutId: string
  sleepId: string
  /** Continuous queries of the first team, and of the further one. */
  queryId: string
  managedQueryId: string
}

/** Uploads one summary of each resource, and makes a continuous query in each of two teams. */
export async function makeDataSubject(
  harness: Harness,
  userId: string,
  managedTeamId: string,
): Promise<DataSubject> {
  const succeed = async (method: string, path: string, body?: object) => {
    const answer = await harness.call(method, path, body)
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.body
  }
  for (const resource of SUMMARY_RESOURCES) {
    await succeed('POST', `/v2/summary/${resource}/${userId}`, summaryUpload(resource))
  }
  const days = new URLSearchParams(SUMMARY_DAYS)
  const { workouts } = await succeed('GET', `/v2/summary/workouts/${userId}?${days}`)
  const { sleep } = await succeed('GET', `/v2/summary/sleep/${userId}?${days}`)
  const makeQuery = async (teamId: string): Promise<string> => {
    const url = `/v1/org/${harness.organizationId}/team/${teamId}/sandbox/continuous_query`
    const body = { slug: `steps-${newId()}`, title: 'Steps', query: STEPS_QUERY }
    const answer = await harness.call('POST', url, body, {
      'x-management-key': harness.managementKey,
    })
    if (answer.status !== 200) throw new Error(`POST ${url}: ${answer.text}`)
    return answer.body.id
  }
  const queryId = await makeQuery(harness.teamId)
  const managedQueryId = await makeQuery(managedTeamId)
  return { queryId, managedQueryId, workoutId: workouts[0].id, sleepId: sleep[0].id }
}
