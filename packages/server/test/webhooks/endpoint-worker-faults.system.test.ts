import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { useFixture } from '../use-fixture.ts'
import { createWebhookHarness } from './webhook-environment.ts'
import { makeEnvironment, newUsers, openSink, waitFor } from './webhook-sink.ts'

const salus = useFixture(createWebhookHarness)

/** Each test has the only dispatcher, so that the worker is its own. */
function startWebhooks(t: TestContext, options: { timeoutMs?: number } = {}): void {
  const dispatcher = salus.startWebhooks(options)
  t.after(() => dispatcher.stop())
}

/** Ends every connection and refuses new ones until `bringBack`; `client` alone stays. */
async function takeDatabaseAway() {
  const { url, pool } = salus.database
  // Entries about the requests so far linger before they are written.
  await salus.dependencies.audit.flush()
  const name = new URL(url).pathname.slice(1)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const maintenance = new pg.Client({ connectionString: url.replace(name, 'postgres') })
  await maintenance.connect()
  await maintenance.query(`alter database ${name} allow_connections false`)
  await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  // A later request would fail on a connection whose end the pool has not noticed.
  await waitFor('the pool to drop its connections', () => pool.idleCount === 0)
  const bringBack = async () => {
    await maintenance.query(`alter database ${name} allow_connections true`)
    await Promise.all([maintenance.end(), client.end()])
  }
  return { client, bringBack }
}

test('an endpoint can be disabled while its outcomes are being stored', async (t) => {
  startWebhooks(t)
  const { pool } = salus.database
  const sink = await openSink(t, (_arrival, response) => response.writeHead(500).end())
  const environment = await makeEnvironment(t, salus)
  const endpoint = await environment.addEndpoint(sink.url)
  await pool.query(`create function doze() returns trigger language plpgsql
    as $$ begin perform pg_sleep(0.3); return new; end $$`)
  await pool.query(
    'create trigger doze before insert on webhook_attempts for each row execute function doze()',
  )
  t.after(() => pool.query('drop function doze cascade'))
  await environment.write()
  const dozing = `select 1 from pg_stat_activity
    where wait_event = 'PgSleep' and datname = current_database()`
  await waitFor('the write', async () => (await pool.query(dozing)).rows.length > 0)
  const startedAt = performance.now()
  await environment.manage('PATCH', `/webhook/${endpoint.id}`, { disabled: true })
  const took = performance.now() - startedAt
  assert.ok(took < 900, `it took ${took} ms, until a deadlock was found`)
})

test('outcomes that cannot be stored hold up further attempts', async (t) => {
  startWebhooks(t)
  const sink = await openSink(t)
  const environment = await makeEnvironment(t, salus)
  const endpoint = await environment.addEndpoint(sink.url)
  const client = new pg.Client({ connectionString: salus.database.url })
  await client.connect()
  await client.query('begin; lock table webhook_attempts in exclusive mode')
  for (let round = 0; round < 5; round++) await environment.write(1000, newUsers(200))
  for (let seen = -1; seen < sink.arrivals.length; await sleep(1000)) seen = sink.arrivals.length
  const sent = sink.arrivals.length
  await client.query('rollback')
  await client.end()
  await waitFor('all', async () =>
    (await environment.deliveries(endpoint)).every(({ status }) => status === 'delivered'),
  )
  assert.ok(sent <= 64 + 2 * 512, `${sent} were sent and would come again after a kill`)
})

test('a resend asked for during an attempt is not lost', async (t) => {
  startWebhooks(t)
  const held: ((status: number) => void)[] = []
  const sink = await openSink(t, (_arrival, response) =>
    held.push((status) => response.writeHead(status).end()),
  )
  const environment = await makeEnvironment(t, salus)
  const endpoint = await environment.addEndpoint(sink.url)
  const [event] = await environment.write()
  await waitFor('the first attempt', () => held.length === 1)
  await environment.manage('POST', `/webhook/${endpoint.id}/event/${event?.id}/resend`)
  held[0]?.(500)
  // The clock stands, so the schedule does not bring it.
  await waitFor('the second attempt', () => held.length === 2, 4)
  held[1]?.(200)
})

test('a change made while the session was gone is seen after it', async (t) => {
  // Short, because further messages about the person wait behind the one that is not answered.
  startWebhooks(t, { timeoutMs: 1_000 })
  const sink = await openSink(t, (arrival, response) =>
    arrival.body.includes('"number":0') ? undefined : response.end(),
  )
  const environment = await makeEnvironment(t, salus)
  const endpoint = await environment.addEndpoint(`${sink.url}/old`)
  await environment.write()
  await waitFor('the first attempt', () => sink.arrivals.length === 1)
  const { client, bringBack } = await takeDatabaseAway()
  // As another process does, whose notification that the endpoint changed gets lost.
  await client.query('update webhook_endpoints set url = $1 where id = $2', [
    `${sink.url}/new`,
    endpoint.id,
  ])
  await bringBack()
  await waitFor('the database', () => environment.write(2).catch(() => undefined))
  const isLater = ({ body }: { body: string }) => body.includes('"number":1')
  await waitFor('a further message', () => sink.arrivals.find(isLater))
  assert.deepEqual(
    sink.arrivals.filter(isLater).map(({ path }) => path),
    ['/new'],
  )
})

test('without a database it stops all the same', async (t) => {
  const dispatcher = salus.startWebhooks()
  const held: (() => void)[] = []
  const sink = await openSink(t, (_arrival, response) => held.push(() => response.end()))
  const environment = await makeEnvironment({ after: () => {} }, salus)
  await environment.addEndpoint(sink.url)
  await environment.write()
  await waitFor('the attempt', () => held.length === 1)
  const { bringBack } = await takeDatabaseAway()
  held[0]?.()
  await sleep(100)
  const stopping = dispatcher.stop().then(() => true)
  const hasStopped = await Promise.race([stopping, sleep(8000, false, { ref: false })])
  await bringBack()
  await stopping
  assert.ok(hasStopped)
})
