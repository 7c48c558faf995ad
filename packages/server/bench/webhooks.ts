import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { INGEST_EVENTS } from '@salus/health/ingest'
import { unpackBody } from '@salus/kernel/events/event-body'
import { newEvent, toRow } from '@salus/kernel/events/events'
import { type EventRow, insertEvents } from '@salus/kernel/events/outbox'
import { openDatabase } from '@salus/kernel/postgres/database'
import type pg from 'pg'
import { Pool } from 'undici'
import { keyOf, signatureHeaders } from '../src/webhooks/delivery/signature.ts'
import { median, percentile, secondsOf } from './measure.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { benchJobs } from './webhook-jobs.ts'

const SINK = fileURLToPath(new URL('./webhook-sink.ts', import.meta.url))
const MESSAGES = 20_000
const USERS = 500
const ROUNDS = 3
const CONNECTIONS = 64
const EVENTS_A_SECOND = 200
const LATENCY_SECONDS = 20

export interface WebhookResult {
  /** Messages a second, by rounds. */
  salus: number
  bare: number
  /** One job of the queue for each message. */
  jobs: number
  rounds: { salus: number[]; bare: number[]; jobs: number[] }
  /** Milliseconds from the commit of an event to its arrival, at 200 events a second. */
  latency: { p50: number; p99: number }
}

interface SinkReport {
  count: number
  first: number
  last: number
  times: Record<string, number>
}

/** Starts a receiver in a process of its own. */
export async function startSink(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [SINK], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')
  return { child, url: `http://127.0.0.1:${String(line).trim()}/` }
}

const askSink = async (url: string, query = ''): Promise<SinkReport> =>
  (await (await fetch(`${url}${query}`)).json()) as SinkReport

/** Waits until that many messages came; undefined milliseconds of patience would hide a loss. */
async function waitFor(url: string, count: number, seconds: number): Promise<SinkReport> {
  const deadline = performance.now() + seconds * 1000
  for (;;) {
    const report = await askSink(url)
    if (report.count >= count) return report
    if (performance.now() > deadline) throw new Error(`${report.count} of ${count} messages came`)
    await delay(100)
  }
}

/** Bodies of about 1 kB: five heart rates of one of many people. */
export function makeEvents(environmentId: string, teamId: string, users: string[], count: number) {
  const type = INGEST_EVENTS.find(({ name }) => name === 'daily.data.heartrate.created')
  if (type === undefined) throw new Error('no such event type')
  const example = type.example as { data: object[] }
  const sample = example.data[0] ?? {}
  const scope = { id: environmentId, teamId, settings: { event_type_prefixes: null } }
  return Array.from({ length: count }, (_, index): EventRow => {
    const id = users[index % users.length] ?? ''
    const data = { ...example, data: [sample, sample, sample, sample, sample], user_id: id }
    return toRow(
      scope,
      newEvent({ type, user: { id, client_user_id: `c-${id}` }, data }),
      new Date(),
    )
  })
}

/** The same bodies, signed, by a loop over a pool of connections that does nothing else. */
async function benchBare(url: string, rows: readonly EventRow[], secret: string): Promise<number> {
  const pool = new Pool(new URL(url).origin, { connections: CONNECTIONS, pipelining: 1 })
  const bodies = rows.map((row) => unpackBody(row.body))
  const keys = [keyOf(secret)]
  let next = 0
  const work = async (): Promise<void> => {
    while (next < rows.length) {
      const index = next++
      const body = bodies[index] as Buffer
      const id = rows[index]?.id ?? ''
      const headers = {
        'content-type': 'application/json',
        ...signatureHeaders(id, new Date(), body, keys),
      }
      const response = await pool.request({ method: 'POST', path: '/', headers, body })
      await response.body.dump()
    }
  }
  const seconds = await secondsOf(() =>
    Promise.all(Array.from({ length: CONNECTIONS }, () => work())),
  )
  await pool.close()
  return rows.length / seconds
}

/** Delivery by one process against a bare loop, and the time from commit to arrival. */
export async function benchWebhooks(
  directory: string,
  databaseUrl: string,
): Promise<WebhookResult> {
  const settings = {
    DATABASE_URL: databaseUrl,
    SALUS_WEBHOOKS_ALLOW_PRIVATE: 'true',
    SALUS_WEBHOOKS_ALLOW_HTTP: 'true',
  }
  const dataDirectory = join(directory, 'webhooks')
  const server = await startServer(dataDirectory, settings)
  const { db, pool, close } = openDatabase({ url: databaseUrl, poolSize: 4 })
  await pool.query('create database jobs')
  const jobsUrl = new URL(databaseUrl)
  jobsUrl.pathname = '/jobs'
  const jobsDatabase = openDatabase({ url: jobsUrl.href, poolSize: 20 })
  const sink = await startSink()
  const users = Array.from({ length: USERS }, () => randomUUID())
  try {
    const { environmentId, teamId, secret } = await makeEndpoint(server, pool, sink.url)
    const make = (count: number) => makeEvents(environmentId, teamId, users, count)
    const rounds = { salus: [] as number[], bare: [] as number[], jobs: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      const rows = make(MESSAGES)
      rounds.bare.push(await benchBare(sink.url, rows, secret))
      const bodies = rows.map((row) => unpackBody(row.body).toString())
      rounds.jobs.push(await benchJobs(jobsDatabase.pool, sink.url, bodies, CONNECTIONS))
      await fetch(sink.url, { method: 'DELETE' })
      // One commit, so that all of them are waiting when the first is seen.
      await db.transaction().execute(async (transaction) => {
        for (let at = 0; at < rows.length; at += 1000) {
          await insertEvents(transaction, rows.slice(at, at + 1000))
        }
      })
      const committedAt = performance.timeOrigin + performance.now()
      const { last } = await waitFor(sink.url, MESSAGES, 120)
      rounds.salus.push(MESSAGES / ((last - committedAt) / 1000))
      await fetch(sink.url, { method: 'DELETE' })
      await waitUntilRecorded(pool)
    }
    const latency = await measureLatency(sink.url, make(EVENTS_A_SECOND * LATENCY_SECONDS), (row) =>
      insertEvents(db, [row]),
    )
    return {
      salus: median(rounds.salus),
      bare: median(rounds.bare),
      jobs: median(rounds.jobs),
      rounds,
      latency,
    }
  } finally {
    await jobsDatabase.close()
    await close()
    sink.child.kill()
    await server.stop()
  }
}

async function waitUntilRecorded(pool: pg.Pool): Promise<void> {
  const text = "select 1 from webhook_deliveries where status = 'pending' limit 1"
  while ((await pool.query(text)).rows.length > 0) await delay(50)
}

/** Writes events at a steady rate; milliseconds from the commit of each to its arrival. */
export async function measureLatency(
  sinkUrl: string,
  rows: readonly EventRow[],
  write: (row: EventRow) => Promise<void>,
  eventsASecond = EVENTS_A_SECOND,
): Promise<{ p50: number; p99: number }> {
  const committed = new Map<string, number>()
  const startedAt = performance.now()
  const writes: Promise<void>[] = []
  for (const [index, row] of rows.entries()) {
    const wait = startedAt + (index * 1000) / eventsASecond - performance.now()
    if (wait > 1) await delay(wait)
    writes.push(
      write(row).then(() => {
        committed.set(row.id, performance.timeOrigin + performance.now())
      }),
    )
  }
  await Promise.all(writes)
  const { times } = await waitForAll(sinkUrl, rows)
  const latencies = rows.map(({ id }) =>
    Math.max(0, (times[id] ?? Number.NaN) - (committed.get(id) ?? Number.NaN)),
  )
  return { p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) }
}

/** Others may have come meanwhile. */
async function waitForAll(sinkUrl: string, rows: readonly EventRow[]): Promise<SinkReport> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const report = await askSink(sinkUrl, '?times')
    if (rows.every(({ id }) => report.times[id] !== undefined)) return report
    if (performance.now() > deadline) throw new Error('Not all messages came.')
    await delay(100)
  }
}

/** Subscribes a receiver to all events of the sandbox. */
export async function makeEndpoint(
  server: Pick<ServerProcess, 'url' | 'keys'>,
  pool: pg.Pool,
  url: string,
) {
  const { organizationId, teamId, managementKey } = server.keys
  const base = `${server.url}/v1/org/${organizationId}/team/${teamId}/sandbox/webhook`
  const headers = { 'x-management-key': managementKey, 'content-type': 'application/json' }
  const made = await fetch(base, { method: 'POST', headers, body: JSON.stringify({ url }) })
  const { id } = (await made.json()) as { id: string }
  const { key } = (await (await fetch(`${base}/${id}/secret`, { headers })).json()) as {
    key: string
  }
  const { rows } = await pool.query<{ id: string }>(
    "select id from team_environments where team_id = $1 and environment = 'sandbox'",
    [teamId],
  )
  return { environmentId: rows[0]?.id ?? '', teamId, secret: key }
}
