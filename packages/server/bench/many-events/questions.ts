import { DAY_MS } from '@salus/contracts/time-units'
import { listQuestions, type Question, type Subject } from '../growth/questions.ts'
import { callAsManager, teamPath } from '../growth/template.ts'
import { OLD_TRANSACTIONS } from './fill-recent.ts'

const EVENT_TYPE = 'daily.data.heartrate.created'
const RARE_TYPE = 'provider.connection.error'
/** Bytes of the feed that are read: some hundred events. */
const FEED_BYTES = 200_000

interface EventSubject extends Subject {
  endpointId: string
  /** Person with one of a hundred events. */
  busyId: string
  /** A position of the feed with some thousand events behind it. */
  recentPosition: string
}

/** Questions about events of both stores, and about the team that has them. */
export async function listEventQuestions(subject: EventSubject): Promise<Question[]> {
  const { server, people, endpointId, busyId, recentPosition } = subject
  const team = teamPath(server)
  const idOf = (index: number): string => people[index % people.length]?.id ?? ''
  const get = (path: string | ((index: number) => string)) => (index: number) =>
    callAsManager(server, 'GET', team + (typeof path === 'string' ? path : path(index)))
  const monthAgo = new Date(Date.now() - 30 * DAY_MS)
  const old = `until=${monthAgo.toISOString()}`
  const list = (name: string, query: string): Question[] => [
    { name: `events${name}`, ask: get(`/event?${query}`) },
    { name: `events${name}, a month ago`, ask: get(`/event?${query}&${old}`) },
  ]
  const attempts = `/webhook/${endpointId}/attempt`
  const oldEvent = JSON.parse(await get(`/event?${old}&status=delivered&limit=1`)(0)).data[0].id
  const newEvent = JSON.parse(await get('/event?limit=1')(0)).data[0].id
  const oldPosition = `${1000 + Math.floor((OLD_TRANSACTIONS * 2) / 3)}-0`
  const feed = (after: string) => () => readFeed(subject, `${team}/event_stream?after=${after}`)
  return [
    ...list('', ''),
    ...list(' of a type', `event_type=${EVENT_TYPE}`),
    ...list(' of a rare type', `event_type=${RARE_TYPE}`),
    ...list(' of a prefix', 'event_type=daily.*'),
    ...list(', failed', 'status=failed'),
    ...list(', pending', 'status=pending'),
    ...list(', unsent', 'status=unsent'),
    ...list(' of a webhook', `webhook_id=${endpointId}`),
    ...list(' of a busy person', `user_id=${busyId}`),
    { name: 'events of a person', ask: get((index) => `/event?user_id=${idOf(index)}`) },
    { name: 'an event', ask: get(`/event/${newEvent}`) },
    { name: 'an event, a month ago', ask: get(`/event/${oldEvent}`) },
    { name: 'attempts of an event, a month ago', ask: get(`/event/${oldEvent}/attempt`) },
    { name: 'attempts of a webhook', ask: get(attempts) },
    { name: 'attempts of a webhook, failed', ask: get(`${attempts}?status=failed`) },
    {
      name: 'why there was no event',
      ask: get((index) => `/event_explanation?user_id=${idOf(index)}&event_type=${EVENT_TYPE}`),
    },
    { name: 'feed, recent', ask: feed(recentPosition) },
    { name: 'feed, a month ago', ask: feed(oldPosition) },
    ...(await listQuestions(subject)),
    {
      name: 'an event of a month ago sent again',
      hasMore: true,
      ask: () =>
        callAsManager(server, 'POST', `${team}/webhook/${endpointId}/event/${oldEvent}/resend`),
    },
    {
      name: 'recovery of an hour, a month ago',
      hasMore: true,
      calls: 1,
      ask: () => recoverHour(subject, monthAgo.getTime()),
    },
  ]
}

async function readFeed({ server }: Subject, path: string): Promise<void> {
  const reading = new AbortController()
  const answer = await fetch(server.url + path, {
    headers: { 'x-management-key': server.keys.managementKey },
    signal: reading.signal,
  })
  if (!answer.ok) throw new Error(`GET ${path}: ${answer.status} ${await answer.text()}`)
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > FEED_BYTES) break
  }
  reading.abort()
}

/** Sends what failed in an hour; events of it are found by ids. */
function recoverHour({ server, endpointId }: EventSubject, until: number): Promise<string> {
  const since = new Date(until - DAY_MS / 24).toISOString()
  return callAsManager(server, 'POST', `${teamPath(server)}/webhook/${endpointId}/recover`, {
    ...{ since, until: new Date(until).toISOString() },
  })
}
