import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { INGEST_EVENTS } from '@salus/health/ingest'
import { type EventEnvironment, newEvent, toRow } from '@salus/kernel/events/events'
import { type EventRow, insertEvents } from '@salus/kernel/events/outbox'
import { newId } from '@salus/kernel/ids'
import type pg from 'pg'
import { Webhook } from 'standardwebhooks'
import type { Answer, Harness } from '../harness.ts'
import { openHttpSink, type SinkOwner } from '../local-sink.ts'

// What receives

/** A message as it came, once all of it was there. */
export interface Arrival {
  id: string
  path: string
  headers: Record<string, string>
  body: string
  /** Milliseconds of a clock that never goes back. */
  at: number
}

export type Answering = (
  arrival: Arrival,
  response: ServerResponse,
  request: IncomingMessage,
) => unknown

export interface WebhookSink {
  url: string
  arrivals: Arrival[]
  /** Replaces how it answers from now on. */
  answer: Answering
  /** Those that came under a path, in order. */
  at(path: string): Arrival[]
  /** Settles when every connection is closed, so that nothing more comes of a sender that ended. */
  waitUntilDisconnected(): Promise<void>
}

const answerOk: Answering = (_arrival, response) => response.end('ok')

/** A receiver in this process; it answers 200 by default. */
export async function openSink(owner: SinkOwner, answer = answerOk): Promise<WebhookSink> {
  const arrivals: Arrival[] = []
  const server = await openHttpSink(owner, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const headers = request.headers as Record<string, string>
      const arrival = {
        id: headers['webhook-id'] ?? '',
        path: request.url ?? '',
        headers,
        body: Buffer.concat(chunks).toString(),
        at: performance.now(),
      }
      arrivals.push(arrival)
      sink.answer(arrival, response, request)
    })
  })
  const at = (path: string) => arrivals.filter((arrival) => arrival.path === path)
  const waitUntilDisconnected = () => server.waitUntilDisconnected()
  const sink: WebhookSink = { url: server.url, arrivals, answer, at, waitUntilDisconnected }
  return sink
}

/** The first arrival of each message, in order. */
export function firstArrivals(arrivals: readonly Arrival[]): Map<string, Arrival> {
  const first = new Map<string, Arrival>()
  for (const arrival of arrivals) if (!first.has(arrival.id)) first.set(arrival.id, arrival)
  return first
}

/** Fails unless, for each person, messages first came in the order of their events. */
export function assertOrderByPerson(
  events: readonly Pick<EventRow, 'id' | 'user_id'>[],
  arrivals: readonly Arrival[],
): void {
  const position = new Map([...firstArrivals(arrivals).keys()].map((id, index) => [id, index]))
  for (const [userId, ofPerson] of Map.groupBy(events, (event) => event.user_id)) {
    const positions = ofPerson.map(({ id }) => position.get(id) ?? Number.NaN)
    const sorted = positions.toSorted((a, b) => a - b)
    assert.deepEqual(positions, sorted, `events of ${userId} came out of order`)
  }
}

/** Verifies as a receiver would whose clock shows `now`. @throws WebhookVerificationError */
export function verify(
  secret: string,
  { headers, body }: Pick<Arrival, 'headers' | 'body'>,
  now = new Date(),
): unknown {
  const clock = mock.method(Date, 'now', () => now.getTime())
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    clock.mock.restore()
  }
}

// What is sent

const HEART_RATE = INGEST_EVENTS.find(({ name }) => name === 'daily.data.heartrate.created')

export const newUsers = (count: number): string[] => Array.from({ length: count }, newId)

/** Events of some people in turn, as rows in the order in which they happened. */
export function makeEvents(
  scope: EventEnvironment,
  userIds: readonly string[],
  count: number,
  at = new Date(),
): EventRow[] {
  assert.ok(HEART_RATE)
  const type = HEART_RATE
  return Array.from({ length: count }, (_, number) => {
    const id = userIds[number % userIds.length] ?? ''
    const data = { ...(type.example as object), user_id: id, number }
    return toRow(scope, newEvent({ type, user: { id, client_user_id: `c-${id}` }, data }), at)
  })
}

/** The sandbox of a team, as events name it. */
export async function findEnvironment(pool: pg.Pool, teamId: string): Promise<EventEnvironment> {
  const text = "select id from team_environments where team_id = $1 and environment = 'sandbox'"
  const { rows } = await pool.query<{ id: string }>(text, [teamId])
  const environmentId = rows[0]?.id ?? ''
  return { id: environmentId, teamId, settings: { event_type_prefixes: null } }
}

export interface Endpoint {
  id: string
  secret: string
}

/** A team of its own on a harness, with its webhooks. */
export interface WebhookEnvironment {
  scope: EventEnvironment
  manage(method: string, path: string, body?: object): Promise<Answer>
  /** Makes an endpoint; it is removed when the test ends. */
  addEndpoint(url: string, settings?: object): Promise<Endpoint>
  /** Writes events, of one new person by default. */
  write(count?: number, userIds?: string[]): Promise<EventRow[]>
  /** The deliveries to an endpoint by event. */
  deliveries(endpoint: Endpoint): Promise<DeliveryRow[]>
  attempts(event: Pick<EventRow, 'id'>, endpoint: Endpoint): Promise<AttemptAnswer[]>
}

export interface DeliveryRow {
  event_id: string
  status: string
  attempts: number
  failures: number
  next_attempt_at: Date | null
}

export interface AttemptAnswer {
  number: number
  timestamp: string
  status: string
  response_status_code: number | null
  error: string | null
  duration_ms: number
  response_body: string
  webhook_id: string
}

export async function makeEnvironment(
  owner: SinkOwner,
  salus: Harness,
): Promise<WebhookEnvironment> {
  const { organizationId, managementKey, clock, database } = salus
  const { id: teamId } = await salus.makeTeam()
  const scope = await findEnvironment(database.pool, teamId)
  const base = `/v1/org/${organizationId}/team/${teamId}/sandbox`
  const manage: WebhookEnvironment['manage'] = async (method, path, body) => {
    const answer = await salus.call(method, base + path, body, {
      'x-management-key': managementKey,
    })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`)
    return answer
  }
  const remove = async (id: string): Promise<void> => {
    const headers = { 'x-management-key': managementKey }
    await waitFor('an endpoint to be removed', async () => {
      const { status } = await salus.call('DELETE', `${base}/webhook/${id}`, undefined, headers)
      return status === 204 || status === 404
    })
  }
  return {
    scope,
    manage,
    async addEndpoint(url, settings = {}) {
      const { id } = (await manage('POST', '/webhook', { url, ...settings })).body
      owner.after(() => remove(id))
      const { key } = (await manage('GET', `/webhook/${id}/secret`)).body
      return { id, secret: key }
    },
    async write(count = 1, userIds = newUsers(1)) {
      const rows = makeEvents(scope, userIds, count, clock.now())
      await insertEvents(database.db, rows)
      return rows
    },
    async deliveries({ id }) {
      const text = `select event_id, status, attempts, failures, next_attempt_at
        from webhook_deliveries where endpoint_id = $1 order by sequence`
      return (await database.pool.query<DeliveryRow>(text, [id])).rows
    },
    async attempts(event, { id }) {
      const { body } = await manage('GET', `/event/${event.id}/attempt`)
      return body.data.filter((attempt: AttemptAnswer) => attempt.webhook_id === id)
    },
  }
}

// Waiting and chance

/** Waits for a condition; what it found, or a failure after some seconds. */
export async function waitFor<T>(
  what: string,
  find: () => T | undefined | false | Promise<T | undefined | false>,
  seconds = 15,
): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    const waited = performance.now() - startedAt
    if (waited > seconds * 1000) assert.fail(`after ${seconds} s still waiting for ${what}`)
    // What takes long is not slowed down by looking.
    await sleep(Math.min(100, 10 + waited / 10))
  }
}

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
