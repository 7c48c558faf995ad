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
import { median, percentile, type Row, secondsOf, thousands, times } from './measure.ts'
import { sendMessages } from './mllp-client.ts'
import { PATIENT } from './orders.ts'
import { freePort, type ServerProcess, startServer } from './server-process.ts'

const BARE = fileURLToPath(new URL('./lab-wire-bare.ts', import.meta.url))
/** Rounds that count; the first one before them warms everything up. */
const ROUNDS = 5
/** Orders of a round, placed by as many clients, whose results come over as many connections. */
const ORDERS = 60
const CLIENTS = 16
const CONNECTIONS = 8
/** Messages of a round, by the number of connections. */
const MESSAGES = { 1: 250, 8: 1200 } as const
const LISTENERS = ['echo', 'store', 'salus'] as const

interface Bench {
  server: ServerProcess
  client: Client
  pool: pg.Pool
  laboratory: Laboratory
  /** Body of an order. */
  order: string
  /** Ports of the listeners. */
  ports: Record<(typeof LISTENERS)[number], number>
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
  const bare = fork(BARE, [url.href], { execArgv: [] })
  try {
    const [ports] = await once(bare, 'message')
    const salus = await connectLaboratory(server, laboratory.port)
    const order = await prepareOrder(client)
    const bench = { server, client, pool, laboratory, order, ports: { ...ports, salus } }
    return [...(await benchExchange(bench)), ...(await benchListeners(bench))]
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

/** Orders that go out, and their results that come back, until all are applied. */
async function benchExchange(bench: Bench): Promise<Row[]> {
  const [out, back]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const before = bench.laboratory.received.length
    const seconds = await secondsOf(async () => {
      await placeOrders(bench)
      await waitFor(bench, 'requisition_created', ORDERS)
    })
    const orders = bench.laboratory.received.slice(before)
    if (orders.length !== ORDERS) throw new Error(`${orders.length} orders were received`)
    const results = orders.map((order, index) => resultOf(order, `E${round}N${index}`))
    const secondsBack = await secondsOf(async () => {
      await sendMessages(bench.ports.salus, results, CONNECTIONS)
      await waitFor(bench, 'completed', (round + 1) * ORDERS)
    })
    if (round === 0) continue
    out.push(ORDERS / seconds)
    back.push(ORDERS / secondsBack)
  }
  await requireEvents(bench, (ROUNDS + 1) * ORDERS)
  return [
    single(`orders placed by ${CLIENTS} clients, sent and accepted over MLLP`, median(out)),
    single(`results over ${CONNECTIONS} connections, stored and applied with events`, median(back)),
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

/** Messages a second of the listener and of its bare counterparts, in turns. */
async function benchListeners(bench: Bench): Promise<Row[]> {
  await holdJobs(bench.pool)
  const rows: Row[] = []
  for (const connections of [1, 8] as const) {
    const rates = new Map(LISTENERS.map((name) => [name, [] as number[]]))
    const latencies = new Map(LISTENERS.map((name) => [name, [] as number[]]))
    for (let round = 0; round <= ROUNDS; round++) {
      for (const name of LISTENERS) {
        const messages = makeMessages(bench, MESSAGES[connections], `${connections}R${round}`)
        const sent = await sendMessages(bench.ports[name], messages, connections)
        if (round === 0) continue
        rates.get(name)?.push(messages.length / sent.seconds)
        latencies.get(name)?.push(...sent.latencies)
      }
    }
    rows.push(...rowsOf(connections, rates, latencies))
  }
  return rows
}

/**
 * Messages are applied in another figure: here their jobs wait. A message is a result of an order,
 * each with another id and value.
 */
async function holdJobs(pool: pg.Pool): Promise<void> {
  await pool.query(`
    create function bench_hold() returns trigger language plpgsql as
    $$ begin new.run_at := now() + interval '1 day'; return new; end $$;
    create trigger bench_hold before insert on graphile_worker._private_jobs
    for each row execute function bench_hold()`)
}

function makeMessages({ laboratory }: Bench, count: number, name: string): Buffer[] {
  const order = laboratory.received[0] as Order
  return Array.from({ length: count }, (_, index) => resultOf(order, `L${name}N${index}`))
}

type Figures = ReadonlyMap<(typeof LISTENERS)[number], number[]>

function rowsOf(connections: number, rates: Figures, latencies: Figures): Row[] {
  const of = (figures: Figures, name: (typeof LISTENERS)[number]) => figures.get(name) ?? []
  const [echo, store, salus] = LISTENERS.map((name) => median(of(rates, name))) as [
    number,
    number,
    number,
  ]
  const milliseconds = (name: (typeof LISTENERS)[number]) =>
    [0.5, 0.99].map((share) => percentile(of(latencies, name), share).toFixed(2)).join(' and ')
  const many = connections === 1 ? '1 connection' : `${connections} connections`
  const job = `messages received over MLLP, ${many}`
  return [
    {
      job,
      salus: `${thousands(salus)}/s`,
      comparedWith: 'echo that reads a frame and answers, storing nothing',
      other: `${thousands(echo)}/s`,
      ratio: times(salus / echo),
      goal: '≥ 0.3',
      isMet: salus / echo >= 0.3,
    },
    {
      job: 'the same',
      salus: `${thousands(salus)}/s`,
      comparedWith: 'echo with one INSERT and commit a message',
      other: `${thousands(store)}/s`,
      ratio: times(salus / store),
      goal: '',
      isMet: null,
    },
    {
      job: `message to its answer, p50 and p99, ${many}`,
      salus: `${milliseconds('salus')} ms`,
      comparedWith: 'echo with one INSERT and commit a message',
      other: `${milliseconds('store')} ms`,
      ratio: '',
      goal: '',
      isMet: null,
    },
  ]
}

const single = (job: string, rate: number): Row => ({
  job,
  salus: `${thousands(rate)}/s`,
  comparedWith: '',
  other: '',
  ratio: '',
  goal: '',
  isMet: null,
})
