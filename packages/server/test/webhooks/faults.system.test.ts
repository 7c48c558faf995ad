import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type EventRow, insertEvents } from '@salus/kernel/events/outbox'
import { campaignRuns } from '../campaign-runs.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import {
  type Arrival,
  assertOrderByPerson,
  findEnvironment,
  firstArrivals,
  makeEvents,
  newUsers,
  openSink,
  seededRandom,
  verify,
  type WebhookSink,
  waitFor,
} from './webhook-sink.ts'

const MANAGEMENT_KEY = 'mg_0123456789abcdefghij'
const EVENTS = campaignRuns(2000, 20_000)
const KILLS = campaignRuns(3, 12)
/** Attempts at once to an endpoint, and outcomes that one statement stores. */
const WINDOW = 64
const RECORDS = 500

let database: TestDatabase
let directory: string
const running: ServerProcess[] = []
before(async () => {
  database = await createTestDatabase()
  directory = mkdtempSync(join(tmpdir(), 'salus-webhook-faults-'))
})
after(async () => {
  await Promise.all(running.map(({ end }) => end('SIGKILL')))
  await database.close()
  rmSync(directory, { recursive: true, force: true })
})

async function start(): Promise<ServerProcess> {
  const server = await startServer(directory, {
    DATABASE_URL: database.url,
    SALUS_MANAGEMENT_KEY: MANAGEMENT_KEY,
    SALUS_WEBHOOKS_ALLOW_PRIVATE: 'true',
    SALUS_WEBHOOKS_ALLOW_HTTP: 'true',
  })
  running.push(server)
  return server
}

async function addEndpoint({ baseUrl }: ServerProcess, url: string) {
  const keys = JSON.parse(readFileSync(join(directory, 'keys.json'), 'utf8'))
  const base = `${baseUrl}/v1/org/${keys.organization_id}/team/${keys.team_id}/sandbox/webhook`
  const headers = { 'x-management-key': MANAGEMENT_KEY, 'content-type': 'application/json' }
  const made = await fetch(base, { method: 'POST', headers, body: JSON.stringify({ url }) })
  const { id } = (await made.json()) as { id: string }
  const shown = await fetch(`${base}/${id}/secret`, { headers })
  const { key: secret } = (await shown.json()) as { key: string }
  return { secret, scope: await findEnvironment(database.pool, keys.team_id) }
}

/** One commit, so that all of them are waiting when the first is seen. */
const writeAtOnce = (rows: readonly EventRow[]): Promise<void> =>
  database.db.transaction().execute(async (transaction) => {
    for (let at = 0; at < rows.length; at += 1000) {
      await insertEvents(transaction, rows.slice(at, at + 1000))
    }
  })

async function countDeliveries(): Promise<Record<string, number>> {
  const text = 'select status, count(*) as count from webhook_deliveries group by status'
  const { rows } = await database.pool.query<{ status: string; count: number }>(text)
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

const isDone = async (): Promise<boolean> => (await countDeliveries()).delivered === EVENTS

/** Numbers of arrivals at which to kill, from the very first one on. */
function killMoments(random: () => number): number[] {
  const moments = Array.from({ length: KILLS - 1 }, () => Math.floor(random() * EVENTS * 0.9))
  return [1, ...moments].sort((a, b) => a - b)
}

/** Settles as soon as the sink has had so many messages and one more. */
function waitForArrivals(sink: WebhookSink, count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { answer } = sink
  const least = Math.max(count, sink.arrivals.length + 1)
  sink.answer = (...args) => {
    if (sink.arrivals.length >= least) resolve()
    return answer(...args)
  }
  return promise.finally(() => {
    sink.answer = answer
  })
}

interface Run {
  /** What came before the process was killed. */
  arrivals: Arrival[]
}

/** How many messages of each run had come in an earlier one; none may come twice in one run. */
function countRepeated(runs: readonly Run[]): number[] {
  const seen = new Set<string>()
  return runs.map(({ arrivals }) => {
    const ids = new Set(arrivals.map(({ id }) => id))
    assert.equal(ids.size, arrivals.length, 'a message came twice without a kill')
    const repeated = ids.intersection(seen).size
    for (const id of ids) seen.add(id)
    return repeated
  })
}

/** Every message as it was written, whole and signed, also when it came again. */
function assertGenuine(events: readonly EventRow[], arrivals: readonly Arrival[], secret: string) {
  const bodies = new Map(events.map(({ id, body }) => [id, body.toString()]))
  for (const arrival of arrivals) {
    assert.equal(arrival.body, bodies.get(arrival.id))
    verify(secret, arrival)
  }
}

test('kills in the middle of thousands of deliveries lose nothing and keep the order', async (t) => {
  const random = seededRandom(8)
  const sink = await openSink(t, (_arrival, response) => {
    setTimeout(() => response.end('ok'), random() * 40)
  })
  let server = await start()
  const { secret, scope } = await addEndpoint(server, sink.url)
  const events = makeEvents(scope, newUsers(200), EVENTS)
  const runs: Run[] = []
  let ended = 0
  const endRun = async () => {
    await sink.waitUntilDisconnected()
    runs.push({ arrivals: sink.arrivals.slice(ended) })
    ended = sink.arrivals.length
  }
  await writeAtOnce(events)
  for (const moment of killMoments(random)) {
    await waitForArrivals(sink, moment)
    assert.equal(await server.end('SIGKILL'), 'SIGKILL')
    await endRun()
    server = await start()
  }
  await waitFor('all deliveries', isDone, 120)
  assert.equal(await server.end('SIGTERM'), 0)
  await endRun()

  const repeated = countRepeated(runs)
  t.diagnostic(`arrivals by run: ${runs.map(({ arrivals }) => arrivals.length).join(', ')}`)
  t.diagnostic(`of these repeated: ${repeated.join(', ')}`)
  assert.deepEqual(await countDeliveries(), { delivered: EVENTS })
  assert.deepEqual(
    [...firstArrivals(sink.arrivals).keys()].sort(),
    events.map(({ id }) => id).sort(),
  )
  assertOrderByPerson(events, sink.arrivals)
  assertGenuine(events, sink.arrivals, secret)
  // What was on its way, what was being noted, and what was answered meanwhile.
  for (const count of repeated) assert.ok(count <= WINDOW + 2 * RECORDS, `${count} came again`)
})
