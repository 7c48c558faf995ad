import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import pg from 'pg'
import { startClickHouseServer } from '../test/clickhouse-server.ts'
import { API_KEY, type ServerProcess, startServer } from '../test/server-process.ts'
import { type Client, createClient } from './client.ts'
import { orderBody } from './growth/template.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, printColumns, printMachine, thousands } from './measure.ts'
import { settle } from './peers/measure-peer.ts'
import { newDirectory, removeDirectory, withDescendants } from './server-process.ts'
import { processorSeconds } from './vendor-process.ts'

const CLIENTS = 16
const ROUNDS = 3
const DAY_MINUTES = 1440
const PROCESSES = [1, 2, 4]
const ROLES = ['api', 'worker', 'postgres', 'clickhouse'] as const

type Role = (typeof ROLES)[number]

/** Work of one kind, by one client. */
interface Work {
  name: string
  calls: number
  ask(client: Client, user: User, call: number): Promise<unknown>
}

interface User {
  index: number
  id: string
}

/** Salus as so many processes for the interface, and one that works. */
interface Side {
  processes: number
  servers: ServerProcess[]
  clients: Client[]
  users: User[]
  pids: Record<Role, () => number[]>
  /** Processor milliseconds of a request by kind of work and role, a value a round. */
  spent: Map<string, Record<Role, number[]>>
}

/**
 * The same requests through one, two and four processes for the interface, in turns, on the same
 * servers of PostgreSQL and ClickHouse, with a database of its own for each. All share the
 * processors of this machine, so not the requests a second count but the processor time of each
 * role.
 */
export async function benchProcesses(): Promise<void> {
  const directory = newDirectory()
  const postgres = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    log: () => {},
  })
  const clickhouse = await startClickHouseServer()
  const postmaster = await idOfPostmaster(postgres.url)
  const sides: Side[] = []
  try {
    for (const processes of PROCESSES) {
      const settings = await makeStores(
        directory,
        `side_${processes}`,
        postgres.url,
        clickhouse.url,
      )
      const side = await startSide(join(directory, `side_${processes}`), processes, settings)
      side.pids.postgres = () => withDescendants(postmaster)
      side.pids.clickhouse = () => [clickhouse.processId()]
      sides.push(side)
    }
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const side of sides) await takeRound(side, round)
    }
    print(sides)
  } finally {
    await Promise.all(sides.flatMap(({ clients }) => clients.map((client) => client.close())))
    await Promise.all(sides.flatMap(({ servers }) => servers.map(({ end }) => end('SIGTERM'))))
    await clickhouse.stop()
    await postgres.stop()
    removeDirectory(directory)
  }
}

/** A connection is a child of the process that all connections have in common. */
async function idOfPostmaster(url: string): Promise<number> {
  const rows = await query(url, "select pg_read_file('postmaster.pid') as text")
  return Number.parseInt(rows[0].text, 10)
}

async function query(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function makeStores(directory: string, name: string, postgres: string, clickhouse: string) {
  await query(postgres, `create database ${name}`)
  const files = join(directory, name, 'files')
  mkdirSync(files, { recursive: true })
  const database = new URL(postgres)
  database.pathname = `/${name}`
  return {
    DATABASE_URL: database.href,
    CLICKHOUSE_URL: `${clickhouse}/${name}`,
    SALUS_FILES_URL: `file://${files}`,
    SALUS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SALUS_BASE_URL: 'http://127.0.0.1:8787',
    SALUS_HEALTH_PORT: '0',
  }
}

async function startSide(
  directory: string,
  processes: number,
  settings: Record<string, string>,
): Promise<Side> {
  const start = (roles: string, machine: string) =>
    startServer(join(directory, machine), { ...settings, SALUS_ROLES: roles })
  const worker = await start('worker', 'worker')
  const apis: ServerProcess[] = []
  for (let number = 1; number <= processes; number += 1) {
    apis.push(await start('api', `api-${number}`))
  }
  const clients = Array.from({ length: CLIENTS }, (_, index) => {
    const { baseUrl: url = '' } = apis[index % apis.length] ?? {}
    return createClient({ url, apiKey: API_KEY }, 1)
  })
  const users = await Promise.all(
    clients.map(async (client, index) => ({ index, id: await client.makeUser() })),
  )
  const idsOf = (servers: ServerProcess[]) => () => servers.map(({ child }) => child.pid ?? 0)
  const pids = {
    api: idsOf(apis),
    worker: idsOf([worker]),
    postgres: () => [],
    clickhouse: () => [],
  }
  return { processes, servers: [...apis, worker], clients, users, pids, spent: new Map() }
}

/** A round uploads a day of each user, reads it, and orders a test. */
async function takeRound(side: Side, round: number): Promise<void> {
  const [first] = side.clients
  if (first === undefined) return
  const order = await orderBody(first)
  const day = (call: number) => 10 * round + call
  const dateOf = (number: number): string =>
    new Date(Date.UTC(2025, 0, 1 + number)).toISOString().slice(0, 10)
  const path = (user: User): string => `/v2/timeseries/${user.id}/heartrate`
  const works: Work[] = [
    {
      name: `upload of ${thousands(DAY_MINUTES)} samples`,
      calls: 6,
      ask: (client, user, call) => {
        const beats = makeHeartRate(user.index, day(call) * DAY_MINUTES, DAY_MINUTES)
        return client.call('POST', path(user), uploadBody(beats))
      },
    },
    {
      name: 'first read of a day',
      calls: 6,
      ask: (client, user, call) =>
        client.call(
          'GET',
          `${path(user)}/grouped?start_date=${dateOf(day(call))}&end_date=${dateOf(day(call))}`,
        ),
    },
    {
      name: 'read of the day again',
      calls: 12,
      ask: (client, user, call) =>
        client.call(
          'GET',
          `${path(user)}/grouped?start_date=${dateOf(day(call % 6))}&end_date=${dateOf(day(call % 6))}`,
        ),
    },
    {
      name: 'order placed, with what follows',
      calls: 4,
      ask: (client, user) => client.call('POST', '/v3/order', order(user.id)),
    },
  ]
  for (const work of works) await takeWork(side, work, round > 0)
}

async function takeWork(side: Side, work: Work, isCounted: boolean): Promise<void> {
  const all = ROLES.flatMap((role) => side.pids[role]())
  await settle(all)
  const read = () => ROLES.map((role) => 1000 * processorSeconds(side.pids[role]()))
  const [before, from] = [read(), performance.now()]
  await Promise.all(
    side.clients.map(async (client, index) => {
      const user = side.users[index]
      if (user === undefined) return
      for (let call = 0; call < work.calls; call += 1) await work.ask(client, user, call)
    }),
  )
  await settle(all)
  if (!isCounted) return
  const after = read()
  // The processes of the other sides use the stores too, so what all take when idle is left out.
  await delay(performance.now() - from)
  const idle = read().map((ms, role) => ms - (after[role] ?? 0))
  const taken = after.map(
    (ms, role) => (ms - (before[role] ?? 0) - (idle[role] ?? 0)) / (CLIENTS * work.calls),
  )
  const spent = side.spent.get(work.name) ?? { api: [], worker: [], postgres: [], clickhouse: [] }
  for (const [index, role] of ROLES.entries()) spent[role].push(taken[index] ?? 0)
  side.spent.set(work.name, spent)
}

function print(sides: readonly Side[]): void {
  printMachine()
  const titles = [
    'processor time of a request',
    'processes',
    'api',
    'worker',
    'PostgreSQL',
    'ClickHouse',
  ]
  const limit = 'one processor of PostgreSQL answers'
  const lines = [...(sides[0]?.spent.keys() ?? [])].flatMap((name) =>
    sides.map(({ processes, spent }) => {
      const figures = ROLES.map((role) => median(spent.get(name)?.[role] ?? []))
      const postgres = figures[ROLES.indexOf('postgres')] ?? Number.NaN
      const cells = figures.map((ms) => `${ms.toFixed(2)} ms`)
      return [name, String(processes), ...cells, `${thousands(1000 / postgres)}/s`]
    }),
  )
  printColumns([...titles, limit], lines)
}
