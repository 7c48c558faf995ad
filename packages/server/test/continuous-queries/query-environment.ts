import { continuousQueryJobs, createInvalidator } from '@salus/health/continuous-queries'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { App } from '@salus/kernel/http/app-types'
import { buildApp } from '../../src/app.ts'
import { type Answer, callerOf, type Harness } from '../harness.ts'
import { createTestIngest } from '../ingest-fixture.ts'
import { storedEvents } from '../stored-events.ts'

/**
 * The sandbox of the first team with continuous queries: uploads invalidate them, and
 * evaluations run on request.
 */
export interface QueryEnvironment {
  app: App
  call: Harness['call']
  /** Calls a path of the environment in the management API. */
  manage(method: string, path: string, body?: unknown, headers?: object): Promise<Answer>
  /** Creates a query; what is not given is of daily steps. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  create(fields?: object): Promise<any>
  upload(userId: string, series: string, items: object[]): Promise<void>
  /** Does what a run of the job does. */
  evaluate(changes?: { clickhouse?: ClickHouse }): Promise<void>
  /** Lets so much time pass, then evaluates. */
  evaluateAfter(seconds: number): Promise<void>
  tableOf(userId: string, idOrSlug: string): Promise<Record<string, unknown[]>>
  /** Statuses of the tasks, newest first. */
  tasksOf(userId: string, idOrSlug: string): Promise<string[]>
  /** The data of the change events of a person, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  changesOf(userId: string): Promise<any[]>
}

const EVALUATE = 'evaluate_continuous_queries'
let nextSlug = 0

export const DAY_KEY = { date_trunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }
export const sumOf = (series: string) => ({
  func: 'sum',
  arg: { timeseries: series, field: 'value' },
})
export const DAILY_STEPS = { select: [{ group_key: 0 }, sumOf('steps')], group_by: [DAY_KEY] }

export const stepsAt = (instant: string, value: number, fields: object = {}) => ({
  value,
  unit: 'count',
  start_date: instant,
  end_date: instant,
  ...fields,
})

export async function openQueryEnvironment(salus: Harness): Promise<QueryEnvironment> {
  const { db } = salus.dependencies
  const { clock } = salus
  const listener = createInvalidator({ db, clock })
  const ingest = createTestIngest({ ...salus.dependencies, listener })
  const app = await buildApp({ ...salus.dependencies, ingest })
  await app.ready()
  const base = `/v1/org/${salus.organizationId}/team/${salus.teamId}/sandbox`
  const call = callerOf(app, salus.apiKey)

  const succeed = async (method: string, url: string): Promise<Answer['body']> => {
    const answer = await call(method, url)
    if (answer.status !== 200) throw new Error(`${method} ${url}: ${answer.text}`)
    return answer.body
  }
  const environment: QueryEnvironment = {
    app,
    call,
    manage(method, path, body, headers = {}) {
      const key = { 'x-management-key': salus.managementKey, ...headers }
      return call(method, `${base}${path}`, body, key)
    },
    async create(fields = {}) {
      const slug = `query-${nextSlug++}`
      const body = { slug, title: 'A query', query: DAILY_STEPS, ...fields }
      const answer = await environment.manage('POST', '/continuous_query', body)
      if (answer.status !== 200) throw new Error(answer.text)
      // Until then uploads may not know of it.
      clock.advance(6)
      return answer.body
    },
    async upload(userId, series, data) {
      const body = { stage: 'daily', provider: 'manual', data }
      const answer = await call('POST', `/v2/timeseries/${userId}/${series}`, body)
      if (answer.status !== 200) throw new Error(answer.text)
    },
    async evaluate(changes = {}) {
      const context = {
        ...salus.dependencies,
        ...changes,
        ...salus.config,
        continuousQueryDays: 365,
      }
      const job = continuousQueryJobs(context).handlers[EVALUATE]
      await job?.({} as never, new AbortController().signal, { isLast: false })
    },
    async evaluateAfter(seconds) {
      clock.advance(seconds)
      await environment.evaluate()
    },
    async tableOf(userId, name) {
      const path = `/aggregate/v1/user/${userId}/continuous_query/${name}`
      return (await succeed('GET', `${path}/result_table`)).table
    },
    async tasksOf(userId, name) {
      const path = `/aggregate/v1/user/${userId}/continuous_query/${name}`
      const { data } = await succeed('GET', `${path}/task_history`)
      return data.map(({ status }: { status: string }) => status)
    },
    async changesOf(userId) {
      const events = await storedEvents(salus, userId, /^continuous_query\./)
      return events.map(({ payload }) => payload.data)
    },
  }
  return environment
}
