import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '@salus/contracts/time-units'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import pg from 'pg'
import { type PgBouncer, startPgBouncer } from '../test/processes/pgbouncer.ts'
import { type Client, createClient } from './client.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, printColumns, printMachine, secondsOf } from './measure.ts'
import { PATIENT } from './orders.ts'
import { newDirectory, removeDirectory, startServer, withDescendants } from './server-process.ts'
import { processorSeconds } from './vendor-process.ts'

const CLIENTS = 16
const CALLS = 320
const MINUTES_OF_A_DAY = 1440

/** Ways to PostgreSQL, each with a PostgreSQL of its own. */
const WAYS = {
  'direct, 20 connections': { connections: 20 },
  'direct, 6 connections': { connections: 6 },
  'pooled sessions': { connections: 6, pool_mode: 'session' },
  'pooled transactions': { connections: 6, pool_mode: 'transaction' },
} as const

interface Measured {
  /** Milliseconds of the processor for a call. */
  server: number
  postgres: number
  pooler: number
  /** Calls a second of all clients. */
  rate: number
}

interface Side {
  name: string
  client: Client
  work: Record<string, () => Promise<unknown>>
  /** Process ids of the server, of PostgreSQL, and of the pooler. */
  processes(): [number[], number[], number[]]
  countConnections(): Promise<number>
  stop(): Promise<void>
  measured: Map<string, Measured[]>
}

/** Requests by each way to PostgreSQL, in turns: processor time, and the number of connections. */
export async function benchPooling(rounds: number): Promise<void> {
  const directory = newDirectory()
  const sides: Side[] = []
  const connections: string[][] = []
  try {
    for (const name of Object.keys(WAYS) as (keyof typeof WAYS)[]) {
      sides.push(await startSide(join(directory, String(sides.length)), name))
    }
    const idle = await Promise.all(sides.map((side) => side.countConnections()))
    const busy = sides.map(() => 0)
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const name of Object.keys(sides[0]?.work ?? {})) {
        for (const [index, side] of sides.entries()) {
          const measured = await measure(side, name)
          if (round > 0) side.measured.set(name, [...(side.measured.get(name) ?? []), measured])
          busy[index] = Math.max(busy[index] ?? 0, await side.countConnections())
        }
      }
    }
    for (const [index, { name }] of sides.entries()) {
      connections.push([name, String(idle[index]), String(busy[index])])
    }
    printMachine()
    print(sides)
    printColumns(['connections of PostgreSQL', 'idle', 'at most'], connections)
  } finally {
    for (const side of sides) await side.stop()
    removeDirectory(directory)
  }
}

async function startSide(directory: string, name: keyof typeof WAYS): Promise<Side> {
  mkdirSync(directory)
  const way = WAYS[name]
  const postgres = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    log: () => {},
  })
  let pooler: PgBouncer | undefined
  if ('pool_mode' in way) {
    const size = way.pool_mode === 'session' ? 20 : 6
    pooler = await startPgBouncer(postgres.url, {
      pool_mode: way.pool_mode,
      default_pool_size: size,
    })
  }
  const server = await startServer(join(directory, 'data'), {
    DATABASE_URL: pooler?.url ?? postgres.url,
    ...(name === 'pooled transactions' && { DATABASE_DIRECT_URL: postgres.url }),
    SALUS_DATABASE_CONNECTIONS: String(way.connections),
  })
  const client = createClient(server, CLIENTS)
  const watch = new pg.Client({ connectionString: postgres.url })
  await watch.connect()
  return {
    name,
    client,
    work: await prepareWork(client),
    processes: () => [
      server.processIds(),
      withDescendants(postgres.pid),
      pooler === undefined ? [] : [pooler.pid],
    ],
    async countConnections() {
      const { rows } = await watch.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      return rows[0]?.count ?? 0
    },
    async stop() {
      await client.close()
      await server.stop()
      await watch.end()
      await pooler?.stop()
      await postgres.stop()
    },
    measured: new Map(),
  }
}

/** A read of a day, an order, and an upload of a day of one-minute samples. */
async function prepareWork(client: Client): Promise<Side['work']> {
  const userId = await client.makeUser()
  const path = `/v2/timeseries/${userId}/heartrate`
  const upload = (day: number) =>
    client.call('POST', path, uploadBody(makeHeartRate(day, day * MINUTES_OF_A_DAY, 100)))
  let day = 0
  await upload(0)
  const tests = JSON.parse(await client.call('GET', '/v3/lab_test?collection_method=walk_in_test'))
  const order = JSON.stringify({
    user_id: userId,
    order_set: { lab_test_ids: [tests.data[0].id] },
    ...PATIENT,
  })
  const date = new Date(Date.UTC(2025, 0, 1) + DAY_MS / 2).toISOString().slice(0, 10)
  return {
    'a read of a day': () =>
      client.call('GET', `${path}/grouped?start_date=${date}&end_date=${date}`),
    'a user': () => client.call('GET', `/v2/user/${userId}`),
    'an order': () => client.call('POST', '/v3/order', order),
    'an upload of 100 samples': () => {
      day += 1
      return upload(day)
    },
  }
}

async function measure(side: Side, name: string): Promise<Measured> {
  const read = () => side.processes().map((ids) => processorSeconds(ids))
  const before = read()
  let next = 0
  const seconds = await secondsOf(() =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (next < CALLS) {
          next += 1
          await side.work[name]?.()
        }
      }),
    ),
  )
  const [server = 0, postgres = 0, pooler = 0] = read().map(
    (after, index) => (1000 * (after - (before[index] ?? 0))) / CALLS,
  )
  return { server, postgres, pooler, rate: CALLS / seconds }
}

function print(sides: readonly Side[]): void {
  const titles = [
    '16 clients, milliseconds of the processor',
    '',
    'server',
    'PostgreSQL',
    'pooler',
    'rate',
  ]
  const lines = Object.keys(sides[0]?.work ?? {}).flatMap((work) =>
    sides.map(({ name, measured }) => {
      const of = (key: keyof Measured) =>
        median((measured.get(work) ?? []).map((one) => one[key])).toFixed(key === 'rate' ? 0 : 2)
      return [work, name, of('server'), of('postgres'), of('pooler'), `${of('rate')}/s`]
    }),
  )
  printColumns(titles, lines)
}
