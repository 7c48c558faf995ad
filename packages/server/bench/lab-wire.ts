import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openDatabase } from '@salus/kernel/postgres/database'
import type pg from 'pg'
import { type Laboratory, type Order, startLaboratory } from '../test/lab-connections/laboratory.ts'
import { writeResult } from '../test/lab-connections/result-messages.ts'
import { type Client, createClient } from './client.ts'
import { benchListeners, findPostmaster } from './lab-wire-listeners.ts'
import { median, type Row, secondsOf, thousands } from './measure.ts'
import { sendMessages } from './mllp-client.ts'
import { PATIENT } from './orders.ts'
import { freePort, type ServerProcess, startServer, withDescendants } from './server-process.ts'
import { processorSeconds } from './vendor-process.ts'

const BARE = fileURLToPath(new URL('./lab-wire-bare.ts', import.meta.url))
/** Rounds that count; the first one before them warms everything up. */
const ROUNDS = 5
/** Orders of a round, placed by as many clients, whose results come over as many connections. */
const ORDERS = 60
const CLIENTS = 16
const CONNECTIONS = 8

interface Bench {
  server: ServerProcess
  client: Client
  pool: pg.Pool
  laboratory: Laboratory
  /** Body of an order. */
  order: string
  /** Port on which Salus listens for results. */
  port: number
  /** Process id of PostgreSQL. */
  postmaster: number
}

/**
 * Messages of a laboratory over MLLP: what the listener takes beside an echo and beside one INSERT
 * a message, orders that go out, and results that are applied. The server is a whole one.
 */
export async function benchLabWire(
  directory: string,
  admin: pg.Pool,
  databaseUrl: string,
): Promise<Row[]> {
  await admin.query('create database lab_wire')
  const url = new URL(databaseUrl)
  url.pathname = '/lab_wire'
  const server = await startServer(join(directory, 'lab-wire'), { DATABASE_URL: url.href })
  const client = createClient(server, CLIENTS)
  const { pool, close } = openDatabase({ url: url.href, poolSize: 4 })
  const laboratory = await startLaboratory()
  await pool.query(
    'create table bench_messages (id uuid primary key, content bytea not null, received_at timestamptz not null)',
  )
  const path = join(directory, 'lab-wire.appended')
  const bare = fork(BARE, [url.href, path], { execArgv: [] })
  try {
    const [barePorts] = await once(bare, 'message')
    const port = await connectLaboratory(server, laboratory.port)
    const order = await prepareOrder(client)
    const postmaster = await findPostmaster(pool)
    const bench = { server, client, pool, laboratory, order, port, postmaster }
    const exchange = await benchExchange(bench)
    const listeners = await benchListeners({
      pool,
      postmaster,
      path,
      ports: { ...barePorts, salus: port },
      processesOf: (name) => (name === 'salus' ? server.processIds() : [bare.pid ?? 0]),
      makeMessages: (count, name) => {
        const [first] = laboratory.received as [Order]
        return Array.from({ length: count }, (_, at) => resultOf(first, `L${name}N${at}`))
      },
    })
    return [...exchange, ...listeners]
  } finally {
    bare.disconnect()
    await Promise.all([once(bare, 'exit'), client.close(), laboratory.close()])
    await close()
    await server.stop()
  }
}

/** Connects the sandbox with the laboratory. @returns the port on which Salus listens */
async function connectLaboratory({ url, keys }: ServerProcess, port: number): Promise<number> {
  const resultsPort = await freePort()
  const config = {
    connection: 'quest-bench',
    lab: 'quest',
    profile: 'hl7-2.3-legacy',
    time_zone: 'America/New_York',
    orders: { kind: 'mllp', host: '127.0.0.1', port },
    results: { kind: 'mllp-listen', bind: '127.0.0.1', port: resultsPort, peers: ['127.0.0.1'] },
  }
  const path = `${url}/v1/org/${keys.organizationId}/team/${keys.teamId}/sandbox/lab_connection/quest-bench`
  const headers = { 'x-management-key': keys.managementKey }
  const stored = await fetch(path, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ config }),
  })
  if (!stored.ok) throw new Error(`the connection: ${await stored.text()}`)
  for (;;) {
    const answer = await fetch(`${path}/check`, { method: 'POST', headers })
    const { checks } = (await answer.json()) as { checks: { problem: string | null }[] }
    if (checks.every(({ problem }) => problem === null)) return resultsPort
    await delay(50)
  }
}

async function prepareOrder(client: Client): Promise<string> {
  const tests = JSON.parse(await client.call('GET', '/v3/lab_test?collection_method=walk_in_test'))
  const order = { user_id: await client.makeUser(), ...PATIENT }
  return JSON.stringify({ ...order, order_set: { lab_test_ids: [tests.data[0].id] } })
}

/** Seconds of the clock, and milliseconds of the processor by Salus and by PostgreSQL. */
class Spent {
  readonly rates: number[] = []
  readonly salus: number[] = []
  readonly postgres: number[] = []

  async measure({ server, postmaster }: Bench, work: () => Promise<void>): Promise<void> {
    const read = () => [
      processorSeconds(server.processIds()),
      processorSeconds(withDescendants(postmaster)),
    ]
    const before = read()
    const seconds = await secondsOf(work)
    const [salus = 0, postgres = 0] = read().map((after, at) => after - (before[at] ?? 0))
    this.rates.push(ORDERS / seconds)
    this.salus.push((1000 * salus) / ORDERS)
    this.postgres.push((1000 * postgres) / ORDERS)
  }

  toRow(job: string): Row {
    const [salus, postgres] = [this.salus, this.postgres].map((each) => median(each).toFixed(1))
    const salusText = `${thousands(median(this.rates))}/s, ${salus} + ${postgres} ms of processor`
    const empty = { comparedWith: '', other: '', ratio: '', goal: '', isMet: null }
    return { job, salus: salusText, ...empty }
  }
}

/** Orders that go out, and their results that come back, until all are applied. */
async function benchExchange(bench: Bench): Promise<Row[]> {
  let [out, back] = [new Spent(), new Spent()]
  for (let round = 0; round <= ROUNDS; round++) {
    const before = bench.laboratory.received.length
    await out.measure(bench, async () => {
      await placeOrders(bench)
      await waitFor(bench, 'requisition_created', ORDERS)
    })
    const orders = bench.laboratory.received.slice(before)
    if (orders.length !== ORDERS) throw new Error(`${orders.length} orders were received`)
    const results = orders.map((order, index) => resultOf(order, `E${round}N${index}`))
    await back.measure(bench, async () => {
      await sendMessages(bench.port, results, CONNECTIONS)
      await waitFor(bench, 'completed', (round + 1) * ORDERS)
    })
    if (round === 0) [out, back] = [new Spent(), new Spent()]
  }
  await requireEvents(bench, (ROUNDS + 1) * ORDERS)
  return [
    out.toRow(`orders placed by ${CLIENTS} clients, sent and accepted over MLLP`),
    back.toRow(`results over ${CONNECTIONS} connections, stored and applied with events`),
  ]
}

async function placeOrders({ client, order }: Bench): Promise<void> {
  let left = ORDERS
  const place = async () => {
    while (left-- > 0) await client.call('POST', '/v3/order', order)
  }
  await Promise.all(Array.from({ length: CLIENTS }, place))
}

async function waitFor({ pool }: Bench, status: string, count: number): Promise<void> {
  for (;;) {
    const { rows } = await pool.query(
      'select count(*)::int as count from orders where last_status = $1',
      [status],
    )
    if (rows[0].count >= count) return
    await delay(10)
  }
}

/** Each order has one event for each of its statuses. */
async function requireEvents({ pool }: Bench, orders: number): Promise<void> {
  const { rows } = await pool.query(
    "select count(*)::int as count from events where event_type like 'labtest.order.%'",
  )
  if (rows[0].count !== orders * 3) throw new Error(`${rows[0].count} events of ${orders} orders`)
}

function resultOf(order: Order, controlId: string): Buffer {
  const tests = order.tests.map((code, index) => ({
    code,
    name: 'Test',
    filler: `Q${order.placer}-${index}`,
    values: [
      { code: `X${code}`, name: 'First', value: '101', unit: 'mg/dL', range: '70-99', flag: 'H' },
    ],
  }))
  return Buffer.from(writeResult(order, { controlId }, tests))
}
