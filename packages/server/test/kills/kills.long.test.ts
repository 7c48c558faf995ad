import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeUser } from '../kill-during-uploads.ts'
import { createRandom } from '../lab-connections/kills/points.ts'
import { MANAGEMENT_KEY } from '../processes/fleet.ts'
import { request } from '../server-process.ts'
import { useFixture } from '../use-fixture.ts'
import { waitFor } from '../webhooks/webhook-sink.ts'
import {
  assertEvents,
  assertOrders,
  assertReported,
  assertSamples,
  readArrivals,
} from './assert-kept.ts'
import { createInstallation, KINDS, type Kind } from './installation.ts'
import { Orderer, openReportingLaboratory } from './orders.ts'
import { type Outage, Outages } from './outages.ts'
import { Uploader } from './uploads.ts'

/** With the seed of a run, which is printed, the same kinds are killed in the same order. */
const SEED = Number(process.env.SALUS_KILLS_SEED ?? Math.floor(Math.random() * 1_000_000))
const KILLS = Number(process.env.SALUS_KILLS ?? 14 * KINDS.length)
const PEOPLE = 8
const ORDERERS = 2
const MOST_BETWEEN_MS = 1_500
const MOST_DOWN_MS = 800
/** How long what was interrupted may take at the end, when nothing is killed any more. */
const PATIENCE_SECONDS = 300

const installation = useFixture(createInstallation)

const manage = async (method: string, path: string, body?: object) => {
  const [{ organization_id: organizationId, id }] = (
    await installation.pool.query('select organization_id, id from teams limit 1')
  ).rows as [{ organization_id: string; id: string }]
  const url = `${installation.api[0]?.baseUrl}/v1/org/${organizationId}/team/${id}/sandbox${path}`
  const answer = await fetch(url, {
    method,
    headers: { 'x-management-key': MANAGEMENT_KEY, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return answer.json()
}

async function connectLaboratory(port: number): Promise<void> {
  const results = { bind: '127.0.0.1', port: installation.resultsPort, peers: ['127.0.0.1'] }
  const config = {
    ...{ connection: 'quest-kills', lab: 'quest', profile: 'hl7-2.3-legacy' },
    time_zone: 'America/New_York',
    orders: { kind: 'mllp', host: '127.0.0.1', port, ack_timeout_seconds: 5 },
    results: { kind: 'mllp-listen', ...results },
  }
  await manage('PUT', '/lab_connection/quest-kills', { config })
}

async function startLoad(random: () => number) {
  const { api, sinkUrl, resultsPort } = installation
  const baseUrl = api[0]?.baseUrl ?? ''
  const outages = new Outages(() => installation.api)
  await manage('POST', '/webhook', { url: sinkUrl })
  const laboratory = await openReportingLaboratory(resultsPort, outages)
  await connectLaboratory(laboratory.port)
  const tests = await request(baseUrl, 'GET', '/v3/lab_test?collection_method=walk_in_test')
  const { data } = tests.body as { data: { id: string; name: string }[] }
  const labTestId = data.find(({ name }) => name.startsWith('Starter '))?.id ?? ''
  const make = (count: number, name: string): Promise<string[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => makeUser(baseUrl, `${name}-${at}`)))
  const uploaders = (await make(PEOPLE, 'person')).map(
    (userId) => new Uploader(userId, outages, random),
  )
  const orderers = (await make(ORDERERS, 'patient')).map(
    (userId) => new Orderer(userId, labTestId, outages),
  )
  let [isEnding, isOver] = [false, false]
  const clients = [...uploaders, ...orderers]
  const running = Promise.all(
    clients.map((client) =>
      client.run(
        () => isEnding,
        () => isOver,
      ),
    ),
  )
  return {
    ...{ outages, uploaders, orderers, laboratory },
    clients: clients.map(({ client }) => client),
    /** Settles when all clients have ended or one has failed. */
    running,
    end() {
      isEnding = true
      return running
    },
    /** Ends what a failed test left. */
    async close() {
      isEnding = true
      isOver = true
      await laboratory.close()
      await running.catch(() => {})
    },
  }
}

type Load = Awaited<ReturnType<typeof startLoad>>

/** Each kind as often as the others, in a random order. */
function planKills(random: () => number): Kind[] {
  const kinds = Array.from({ length: KILLS }, (_, index) => KINDS[index % KINDS.length] as Kind)
  return kinds
    .map((kind) => ({ kind, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ kind }) => kind)
}

async function killAll(
  t: TestContext,
  { outages, clients }: Load,
  random: () => number,
): Promise<void> {
  await outages.untilServed(clients, 0)
  for (const [index, kind] of planKills(random).entries()) {
    await sleep(random() * MOST_BETWEEN_MS)
    const at = performance.now()
    const restart = await installation.kill(kind)
    await sleep(random() * MOST_DOWN_MS)
    await restart()
    const backAt = performance.now()
    outages.kills.push({ kind, at, backAt })
    await outages.untilServed(clients, backAt)
    t.diagnostic(
      `${index + 1}. ${kind}: back after ${Math.round(backAt - at)} ms, all served after ${Math.round(performance.now() - at)} ms`,
    )
  }
}

/** Lets what waits for a later attempt run now. */
const HURRY = `
  update webhook_deliveries set next_attempt_at = now()
  where status = 'pending' and next_attempt_at > now();
  update graphile_worker._private_jobs set run_at = now()
  where locked_at is null and run_at > now() and attempts > 0`

const LEFT = `select
  (select count(*) from waiting_events)::int as waiting,
  (select count(*) from webhook_deliveries where status = 'pending')::int as pending,
  (select count(*) from pending_publications)::int as unpublished,
  (select count(*) from orders where last_status <> 'completed')::int as orders,
  (select count(*) from webhook_deliveries where status not in ('pending', 'delivered'))::int as failed`

async function settle(): Promise<void> {
  let left: Record<string, number> = {}
  const isDone = async (): Promise<boolean> => {
    await installation.pool.query(HURRY)
    left = (await installation.pool.query(LEFT)).rows[0]
    await sleep(300)
    return Object.values(left).every((count) => count === 0)
  }
  await waitFor('what was interrupted', isDone, PATIENCE_SECONDS).catch((error: Error) => {
    error.message += ` ${JSON.stringify(left)}`
    throw error
  })
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1)

/** One line a kind: kills, what was refused, and for how long. */
function describe(outages: readonly Outage[], shardOf: ReadonlyMap<string, number>): string[] {
  const lines = KINDS.map((kind) => {
    const own = outages.filter((outage) => outage.kind === kind)
    const lasted = own.map((outage) => outage.lasted).toSorted((one, other) => one - other)
    const down = own.map(({ at, backAt }) => backAt - at).toSorted((one, other) => one - other)
    const refused = own.flatMap((outage) => outage.refused)
    const count = (what: string): number => refused.filter((each) => each.what === what).length
    const cut = refused.filter(({ status }) => status === 0).length
    const dead = ['first shard', 'second shard'].indexOf(kind)
    const healthy = refused.filter(({ client }) => shardOf.get(client) === 1 - dead)
    const middle = (values: readonly number[]): number => values[Math.floor(values.length / 2)] ?? 0
    return [
      ...[kind, own.length, seconds(middle(down))],
      ...['upload', 'list', 'order', 'message'].map(count),
      ...[cut, seconds(middle(lasted)), seconds(lasted.at(-1) ?? 0)],
      dead < 0 ? '' : healthy.length,
    ].join(' | ')
  })
  return [
    'killed | kills | down, p50 s | refused: uploads | lists | orders | messages | of them without an answer | until success, p50 s | max s | of people of the other shard',
    ...lines,
  ].map((line) => `| ${line} |`)
}

test('kills of every kind of process and store lose nothing, repeat nothing, and keep the order of a person', async (t) => {
  t.diagnostic(`seed ${SEED}, ${KILLS} kills`)
  const random = createRandom(SEED)
  const load = await startLoad(random)
  t.after(() => load.close())
  const { outages, uploaders, orderers, laboratory } = load
  await Promise.race([killAll(t, load, random), load.running])
  await load.end()
  await settle()
  const shardOf = await assertSamples(installation, uploaders)
  const samples = uploaders.reduce((sum, each) => sum + each.samples.size, 0)
  const arrivals = readArrivals(installation.sinkJournal)
  const orders = orderers.reduce((sum, { placed }) => sum + placed.size, 0)
  t.diagnostic(
    `${outages.outcomes.length} requests, ${samples} samples, ${orders} orders, ${laboratory.accepted.size} results, ${arrivals.length} arrivals`,
  )
  for (const line of describe(outages.read(), shardOf)) t.diagnostic(line)
  const statuses = Map.groupBy(outages.outcomes, ({ status, what }) => `${what} ${status}`)
  t.diagnostic(JSON.stringify([...statuses].map(([status, all]) => [status, all.length])))
  const odd = outages.outcomes.filter(({ status }) => ![0, 200, 409, 503].includes(status))
  assert.deepEqual(odd, [], failuresOf(installation.logged()))
  await assertEvents(installation, arrivals)
  assertReported(uploaders, arrivals)
  await assertOrders(installation, orderers, laboratory)
})

/** The last failed requests in the log of all processes. */
const failuresOf = (lines: readonly string[]): string =>
  lines
    .filter((line) => line.includes('request failed'))
    .slice(-5)
    .join('\n')
