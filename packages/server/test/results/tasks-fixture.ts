import { taskJobs } from '@salus/accounts/tasks'
import { failConnection } from '@salus/health/connections'
import { RESULT_TASK_EVENTS } from '@salus/lab/results'
import { TASK_REASONS } from '../../src/background-jobs.ts'
import { allResults, importOrder, reported, reportOf } from './lipid-reports.ts'
import { createResultsFixture } from './results-fixture.ts'

export const TASKS = '/v3/task'

const CRITICAL = [...allResults({ glucose: null }), reported('glucose', '900', { flag: 'HH' })]
const PROVIDER = 'omron_ble'

/** Tasks of the sandbox of a harness's team, and what opens them. */
export async function createTasksFixture() {
  const fixture = await createResultsFixture()
  const { call } = fixture
  const ofUser = async (userId: string, query = '') =>
    (await call('GET', `${TASKS}?user_id=${userId}${query}`)).body.data
  async function breakConnection(userId: string): Promise<void> {
    const user = { id: userId, client_user_id: 'known' }
    const error = { error_type: 'token_refresh_failed', error_message: 'Connect again.' }
    await failConnection(await fixture.context(), user, PROVIDER, error)
  }
  return {
    ...fixture,
    ofUser,
    breakConnection,
    ofFocus: async (id: string, query = '') =>
      (await call('GET', `${TASKS}?focus_id=${id}${query}`)).body.data,
    read: async (id: string) => (await call('GET', `${TASKS}/${id}`)).body,
    act: (id: string, action: string, body: object) =>
      call('POST', `${TASKS}/${id}/${action}`, body),
    /** Returns the changes and the statuses of the events of a task. */
    eventsOf: async (id: string) =>
      (await fixture.events(/^task\./))
        .filter(({ data }) => data.id === id)
        .map(({ type, data }) => `${type.slice(5)} ${data.status}`),
    /** Opens the task of a critical result of a new person. */
    async openCritical() {
      const userId = await fixture.makeUser()
      const order = await importOrder(fixture, { userId })
      await fixture.take({ message: reportOf(order, { results: CRITICAL }), labSlug: 'quest' })
      const [task] = await ofUser(userId)
      return { userId, order, task }
    },
    /** Connects a new person, and has the connection fail. */
    async openBroken() {
      const userId = await fixture.makeUser()
      await call('POST', `/v2/link/provider/manual/${PROVIDER}`, { user_id: userId })
      await breakConnection(userId)
      const [task] = await ofUser(userId)
      return { userId, task }
    },
    async run(job: 'escalate_tasks' | 'match_tasks_with_reasons'): Promise<void> {
      const { handlers } = taskJobs(fixture.dependencies, TASK_REASONS, RESULT_TASK_EVENTS)
      await handlers[job]?.({}, new AbortController().signal, { isLast: false })
    },
  }
}
