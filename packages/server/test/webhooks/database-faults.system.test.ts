import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EventRow, insertEvents } from '@salus/kernel/events/outbox'
import { openDatabase } from '@salus/kernel/postgres/database'
import pg from 'pg'
import { type RestartablePostgres, startRestartablePostgres } from '../restartable-postgres.ts'
import { request, type ServerProcess, startServer } from '../server-process.ts'
import {
  assertOrderByPerson,
  findEnvironment,
  firstArrivals,
  makeEvents,
  newUsers,
  openSink,
  seededRandom,
  type WebhookSink,
  waitFor,
} from './webhook-sink.ts'

const MANAGEMENT_KEY = 'mg_0123456789abcdefghij'
const UPLOADERS = 4
const SAMPLES_OF_AN_UPLOAD = 5

let postgres: RestartablePostgres
let server: ServerProcess
const dataDirectory = mkdtempSync(join(tmpdir(), 'salus-webhook-database-'))

before(async () => {
  postgres = await startRestartablePostgres()
  server = await startServer(dataDirectory, {
    DATABASE_URL: postgres.url,
    SALUS_MANAGEMENT_KEY: MANAGEMENT_KEY,
    SALUS_WEBHOOKS_ALLOW_PRIVATE: 'true',
    SALUS_WEBHOOKS_ALLOW_HTTP: 'true',
  })
})
after(async () => {
  await server?.end('SIGKILL')
  await postgres?.close()
  rmSync(dataDirectory, { recursive: true, force: true })
})

/** One query on a connection of its own, past the gate. */
async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.directUrl() })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const OTHERS = `from pg_stat_activity
  where application_name = 'salus' and backend_type = 'client backend'`

/** As when the kernel ends one for want of memory: all sessions end, and a recovery runs. */
async function crash(): Promise<void> {
  const [backend] = await query<{ pid: number }>(`select pid ${OTHERS} limit 1`)
  process.kill(backend?.pid ?? Number.NaN, 'SIGKILL')
}

async function cutOff(): Promise<void> {
  await query(`select pg_terminate_backend(pid) ${OTHERS}`)
}

async function addEndpoint(url: string) {
  const keys = JSON.parse(readFileSync(join(dataDirectory, 'keys.json'), 'utf8'))
  const base = `${server.baseUrl}/v1/org/${keys.organization_id}/team/${keys.team_id}/sandbox`
  const headers = { 'x-management-key': MANAGEMENT_KEY, 'content-type': 'application/json' }
  const body = JSON.stringify({ url })
  const { status } = await fetch(`${base}/webhook`, { method: 'POST', headers, body })
  assert.equal(status, 200)
  return keys.team_id as string
}

async function makeUser(name: string): Promise<string> {
  const made = await request(server.baseUrl, 'POST', '/v2/user', { client_user_id: name })
  const { user_id } = made.body as { user_id: string }
  await request(server.baseUrl, 'POST', '/v2/link/provider/manual/manual', { user_id })
  return user_id
}

/** Uploads one request after the other, whatever becomes of them; notes what was acknowledged. */
class Uploads {
  readonly acknowledged: number[] = []
  readonly refusals: number[] = []
  #next = 0
  #isEnding = false
  #running: Promise<unknown> | undefined

  start(userIds: readonly string[]): void {
    this.#running = Promise.all(userIds.map((userId) => this.#run(userId)))
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await this.#running
  }

  async #run(userId: string): Promise<void> {
    while (!this.#isEnding) {
      const first = this.#next
      this.#next += SAMPLES_OF_AN_UPLOAD
      const path = `/v2/timeseries/${userId}/steps`
      const body = { stage: 'daily', provider: 'manual', data: samplesFrom(first) }
      const { status } = await request(server.baseUrl, 'POST', path, body)
      if (status === 200) this.acknowledged.push(first)
      else this.refusals.push(status)
      await sleep(status === 200 ? 5 : 50)
    }
  }
}

const samplesFrom = (first: number) =>
  Array.from({ length: SAMPLES_OF_AN_UPLOAD }, (_, index) => ({
    value: first + index,
    unit: 'count',
    start_date: new Date(Date.UTC(2026, 0, 1) + (first + index) * 1000).toISOString(),
  }))

/** The values of the samples in messages. */
function valuesOfMessages(sink: WebhookSink): Set<number> {
  const bodies = sink.arrivals.map(({ body }) => JSON.parse(body))
  const steps = bodies.filter(({ event_type: type }) => type === 'daily.data.steps.created')
  return new Set(
    steps.flatMap(({ data }) => data.data.map(({ value }: { value: number }) => value)),
  )
}

const FAULTS: [name: string, fault: () => Promise<void>][] = [
  ['a crash of a backend', crash],
  ['a restart', () => postgres.restart({ isOrderly: false })],
  ['the end of all connections', cutOff],
]

async function writeBacklog(rows: readonly EventRow[]): Promise<void> {
  const { db, close } = openDatabase({ url: postgres.directUrl(), poolSize: 1 })
  for (let at = 0; at < rows.length; at += 1000) await insertEvents(db, rows.slice(at, at + 1000))
  await close()
}

test('a database that goes and comes back costs no event of an acknowledged upload', async (t) => {
  const random = seededRandom(3)
  const sink = await openSink(t, (_arrival, response) => {
    setTimeout(() => response.end('ok'), random() * 20)
  })
  const teamId = await addEndpoint(sink.url)
  const pool = new pg.Pool({ connectionString: postgres.directUrl() })
  const scope = await findEnvironment(pool, teamId)
  await pool.end()
  const userIds = await Promise.all(Array.from({ length: UPLOADERS }, (_, n) => makeUser(`u${n}`)))
  const uploads = new Uploads()
  const backlog: EventRow[] = []
  uploads.start(userIds)
  for (const [name, fault] of FAULTS) {
    const rows = makeEvents(scope, newUsers(40), 2000)
    backlog.push(...rows)
    await writeBacklog(rows)
    const earlier = sink.arrivals.length
    await waitFor('deliveries', () => sink.arrivals.length > earlier + 200)
    const acknowledged = uploads.acknowledged.length
    const startedAt = performance.now()
    await fault()
    await waitFor('uploads', () => uploads.acknowledged.length > acknowledged + 30)
    t.diagnostic(`${name}: 30 uploads more after ${Math.round(performance.now() - startedAt)} ms`)
  }
  await uploads.end()
  const pending = "select 1 from webhook_deliveries where status = 'pending' limit 1"
  const waiting = 'select 1 from waiting_events limit 1'
  await waitFor('no event to wait', async () => (await query(waiting)).length === 0)
  await waitFor('all deliveries', async () => (await query(pending)).length === 0)

  assert.ok(uploads.refusals.every((status) => status === 503))
  const sent = valuesOfMessages(sink)
  for (const first of uploads.acknowledged) {
    for (const { value } of samplesFrom(first)) assert.ok(sent.has(value), `${value} is lost`)
  }
  const arrived = firstArrivals(sink.arrivals)
  const deliveries = await query<{ event_id: string; status: string }>(
    'select event_id, status from webhook_deliveries',
  )
  for (const { event_id: id, status } of deliveries) {
    assert.deepEqual([status, arrived.has(id)], ['delivered', true])
  }
  assert.equal(arrived.size, deliveries.length)
  for (const { id } of backlog) assert.ok(arrived.has(id))
  assertOrderByPerson(backlog, sink.arrivals)
  t.diagnostic(
    `${uploads.acknowledged.length} uploads acknowledged, ${uploads.refusals.length} refused`,
  )
  t.diagnostic(`${sink.arrivals.length - arrived.size} of ${sink.arrivals.length} came again`)
  assert.equal(server.child.exitCode, null)
  assert.equal(await server.end('SIGTERM'), 0)
})
