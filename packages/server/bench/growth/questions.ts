import { DAY_MS } from '@salus/contracts/time-units'
import type { Client } from '../client.ts'
import { makeHeartRate, uploadBody } from '../heart-rate.ts'
import type { ServerProcess } from '../server-process.ts'
import type { FilledPerson } from './fill-postgres.ts'
import { DAYS, MINUTE_DAYS } from './fill-samples.ts'
import { callAsManager, orderBody, teamPath } from './template.ts'

/** A request that is repeated, each time about another person where it is about one. */
export interface Question {
  name: string
  ask(index: number): Promise<unknown>
  /** Of a round; 6 by default. */
  calls?: number
  /** What the processor time is divided by, for requests that bring many things. */
  things?: number
  /** Whether jobs or merges follow a request, and count. */
  hasMore?: boolean
}

/** What questions are made of. */
export interface Subject {
  server: ServerProcess
  client: Client
  /** Whom they are about. */
  people: readonly FilledPerson[]
  /** All people of the team. */
  count: number
  /** Of the step, so that no day is read for the first time twice. */
  step: number
}

const SAMPLES = 1000
const FIRST_DAY = Date.UTC(2025, 0, 1)
const dateOf = (day: number): string =>
  new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10)

const dayPath = (userId: string, day: number): string =>
  `/v2/timeseries/${userId}/heartrate/grouped?start_date=${dateOf(day)}&end_date=${dateOf(day)}`

const DAILY = JSON.stringify({
  timeframe: {
    type: 'relative',
    anchor: dateOf(DAYS - 1),
    past: { value: DAYS, unit: 'day' },
  },
  queries: [
    {
      select: ['min', 'max', 'mean'].map((func) => ({
        func,
        arg: { timeseries: 'heartrate', field: 'value' },
      })),
      group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }],
    },
  ],
})

/** Of one person's data: none should cost more because others have data too. */
function questionsOfPeople({ client, people, step }: Subject): Question[] {
  const idOf = (index: number): string => people[index % people.length]?.id ?? ''
  const get = (path: (id: string) => string) => (index: number) =>
    client.call('GET', path(idOf(index)))
  const [from, to] = [dateOf(DAYS - 8), dateOf(DAYS - 2)]
  const post = (path: (id: string) => string, body: string) => (index: number) =>
    client.call('POST', path(idOf(index)), body)
  return [
    {
      name: 'a day of heart rate, read for the first time',
      ask: (index) => {
        const day = DAYS - 1 - ((step * 4 + Math.floor(index / people.length)) % MINUTE_DAYS)
        return client.call('GET', dayPath(idOf(index), day))
      },
    },
    {
      name: 'a day of heart rate, copied',
      ask: (index) => client.call('GET', dayPath(idOf(index % 4), 350)),
    },
    {
      name: 'newest values and extents of all series',
      ask: get((id) => `/v2/timeseries/${id}/charts`),
    },
    {
      name: 'a week of nights',
      ask: get((id) => `/v2/summary/sleep/${id}?start_date=${from}&end_date=${to}`),
    },
    {
      name: 'daily heart rate of a year',
      ask: post((id) => `/aggregate/v1/user/${id}/query`, DAILY),
    },
    { name: 'laboratory results of a person', ask: get((id) => `/v3/user/${id}/result`) },
    { name: 'orders of a person', ask: get((id) => `/v3/orders?user_id=${id}`) },
  ]
}

/** Of a whole team: pages of lists, and what the console opens with. */
function questionsOfTeam({ server, client, people, count }: Subject): Question[] {
  const get = (path: string) => () => client.call('GET', path)
  const nameOf = (index: number): string => people[index % people.length]?.last_name ?? ''
  const search = (query: (index: number) => string) => (index: number) =>
    client.call('POST', '/v2/user/search', JSON.stringify({ query: query(index) }))
  const team = teamPath(server)
  const manage = (path: string) => () => callAsManager(server, 'GET', path)
  const deep = Math.max(0, Math.floor((count - 50) / 50) * 50)
  return [
    { name: 'users, first page', ask: get('/v2/user?limit=50') },
    { name: 'users, last page', ask: get(`/v2/user?limit=50&offset=${deep}`) },
    { name: 'users by name, rare', ask: search((index) => nameOf(index)) },
    { name: 'users by name, usual', ask: search(() => 'garcia') },
    { name: 'figures of the team', ask: get('/v2/user/metrics') },
    { name: 'orders, first page and exact total', ask: get('/v3/orders'), calls: 2 },
    { name: 'orders with status completed', ask: get('/v3/orders?status=completed'), calls: 2 },
    {
      name: 'orders by name, rare',
      ask: (index) =>
        client.call('GET', `/v3/orders?patient_name=${encodeURIComponent(nameOf(index))}`),
    },
    { name: 'events, first page', ask: manage(`${team}/event`) },
    { name: 'events, failed', ask: manage(`${team}/event?status=failed`) },
    {
      name: 'events of a person',
      ask: (index) =>
        callAsManager(server, 'GET', `${team}/event?user_id=${people[index % people.length]?.id}`),
    },
    { name: 'state of webhooks of a day', ask: manage(`${team}/webhook_status?hours=24`) },
    { name: 'audit log of the team', ask: manage(`${team}/audit_log`) },
    { name: 'stuck orders', ask: manage(`${team}/stuck_order`) },
    { name: 'resources of people', ask: get('/v2/introspect/resources') },
    { name: 'state of the installation', ask: manage('/v1/operation/status') },
    { name: 'deliveries of the installation', ask: manage('/v1/operation/delivery') },
    { name: 'metrics', ask: get('/metrics') },
    { name: 'health, ready', ask: get('/health/ready') },
  ]
}

/** What is written. */
async function questionsOfWriters({ client, people, step }: Subject): Promise<Question[]> {
  const order = await orderBody(client)
  const idOf = (index: number): string => people[index % people.length]?.id ?? ''
  return [
    {
      name: 'upload of 1,000 samples, each',
      things: SAMPLES,
      hasMore: true,
      ask: (index) => {
        const first = (400 + step * 30) * 1440 + Math.floor(index / people.length) * SAMPLES
        const body = uploadBody(makeHeartRate(index, first, SAMPLES))
        return client.call('POST', `/v2/timeseries/${idOf(index)}/heartrate`, body)
      },
    },
    {
      name: 'order placed, with what follows',
      hasMore: true,
      ask: (index) => client.call('POST', '/v3/order', order(idOf(index))),
    },
  ]
}

export async function listQuestions(subject: Subject): Promise<Question[]> {
  return [
    ...questionsOfPeople(subject),
    ...questionsOfTeam(subject),
    ...(await questionsOfWriters(subject)),
  ]
}

/** Work that a job does after the answer, of one person each. */
export interface Job {
  name: string
  /** How many are started at once. */
  count: number
  start(index: number): Promise<string>
  isDone(id: string): Promise<boolean>
}

export function listJobs({ client, people }: Subject): Job[] {
  const idOf = (index: number): string => people.at(-1 - index)?.id ?? ''
  const jobOf = (
    path: (id: string) => string,
    body?: string,
    first = 0,
  ): Pick<Job, 'start' | 'isDone'> => {
    const paths = new Map<string, string>()
    return {
      async start(index) {
        const id: string = JSON.parse(await client.call('POST', path(idOf(first + index)), body)).id
        paths.set(id, path(idOf(first + index)))
        return id
      },
      async isDone(id) {
        const from = paths.get(id)?.replace(/^\/v2\/user\/[^/]*\/erasure$/, '/v2/erasure')
        const { status } = JSON.parse(await client.call('GET', `${from}/${id}`))
        if (status === 'failed') throw new Error(`${from} failed`)
        return status === 'completed'
      },
    }
  }
  const format = '{"format":"json"}'
  return [
    { name: 'export of a person', count: 3, ...jobOf((id) => `/v2/user/${id}/export`, format) },
    { name: 'erasure of a person', count: 1, ...jobOf((id) => `/v2/user/${id}/erasure`) },
    {
      name: 'erasure of one of 20 people',
      count: 20,
      ...jobOf((id) => `/v2/user/${id}/erasure`, undefined, 1),
    },
  ]
}
