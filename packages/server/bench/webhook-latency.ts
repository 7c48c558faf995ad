import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { insertEvents } from '@salus/kernel/events/outbox'
import { type OpenDatabase, openDatabase } from '@salus/kernel/postgres/database'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import { type ClickHouseServer, startClickHouseServer } from '../test/clickhouse-server.ts'
import { type Client, createClient } from './client.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, printColumns, printMachine } from './measure.ts'
import { newDirectory, removeDirectory, type ServerProcess, startServer } from './server-process.ts'
import { makeEndpoint, makeEvents, measureLatency, startSink } from './webhooks.ts'

/** Roles of the processes of each side. */
const SIDES = { '1 process': ['api,worker'], '3 processes': ['api', 'api', 'worker'] } as const
const LOADS = ['idle', '200 uploads a second'] as const
const UPLOADS_A_SECOND = 200
const SAMPLES_OF_AN_UPLOAD = 10
const MEASURED_A_SECOND = 20
const SECONDS = 10
const CONNECTIONS = 32

interface Measured {
  p50: number
  p99: number
  /** Uploads a second that were done. */
  uploads: number
}

interface Side {
  name: string
  servers: ServerProcess[]
  clients: Client[]
  userIds: string[]
  database: OpenDatabase
  sink: Awaited<ReturnType<typeof startSink>>
  makeRows: (count: number) => ReturnType<typeof makeEvents>
  measured: Map<string, Measured[]>
}

/**
 * Time from the commit of an event to its arrival at an endpoint, by one process and by three:
 * while nothing else happens, and while devices upload, whose events go to the same endpoint; in
 * turns.
 */
export async function benchWebhookLatency(rounds: number): Promise<void> {
  const directory = newDirectory()
  const postgres = await startEmbeddedPostgres({
    directory: join(directory, 'postgres'),
    log: () => {},
  })
  const clickhouse = await startClickHouseServer()
  const sides: Side[] = []
  try {
    for (const name of Object.keys(SIDES) as (keyof typeof SIDES)[]) {
      sides.push(await startSide(directory, name, postgres.url, clickhouse))
    }
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const load of LOADS) {
        for (const side of sides) {
          const measured = await measure(side, load !== 'idle')
          if (round > 0) side.measured.set(load, [...(side.measured.get(load) ?? []), measured])
        }
      }
    }
    printMachine()
    print(sides)
  } finally {
    for (const side of sides) await stopSide(side)
    await clickhouse.stop()
    await postgres.stop()
    removeDirectory(directory)
  }
}

async function startSide(
  directory: string,
  name: keyof typeof SIDES,
  postgresUrl: string,
  clickhouse: ClickHouseServer,
): Promise<Side> {
  const stores = `side_${name.at(0)}`
  const maintenance = openDatabase({ url: postgresUrl, poolSize: 1 })
  await maintenance.pool.query(`create database ${stores}`)
  await maintenance.close()
  const url = new URL(postgresUrl)
  url.pathname = `/${stores}`
  const files = join(directory, stores, 'files')
  mkdirSync(files, { recursive: true })
  const settings = {
    DATABASE_URL: url.href,
    CLICKHOUSE_URL: `${clickhouse.url}/${stores}`,
    SALUS_FILES_URL: `file://${files}`,
    SALUS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SALUS_BASE_URL: 'http://127.0.0.1:8787',
    SALUS_WEBHOOKS_ALLOW_PRIVATE: 'true',
    SALUS_WEBHOOKS_ALLOW_HTTP: 'true',
  }
  const servers: ServerProcess[] = []
  for (const [index, roles] of SIDES[name].entries()) {
    const own = join(directory, stores, String(index))
    mkdirSync(own)
    const [first] = servers
    if (first) cpSync(join(first.directory, 'keys.json'), join(own, 'keys.json'))
    servers.push(await startServer(own, { ...settings, SALUS_ROLES: roles }))
  }
  const serving = servers.filter((_server, index) => SIDES[name][index]?.includes('api'))
  const clients = serving.map((server) => createClient(server, CONNECTIONS))
  const userIds = await Promise.all(
    Array.from({ length: 50 }, () => (clients[0] as Client).makeUser()),
  )
  const database = openDatabase({ url: url.href, poolSize: 4 })
  const sink = await startSink()
  const { environmentId, teamId } = await makeEndpoint(
    servers[0] as ServerProcess,
    database.pool,
    sink.url,
  )
  const people = Array.from({ length: 100 }, () => randomUUID())
  const makeRows = (count: number) => makeEvents(environmentId, teamId, people, count)
  return { name, servers, clients, userIds, database, sink, makeRows, measured: new Map() }
}

async function measure(side: Side, isBusy: boolean): Promise<Measured> {
  const { database, sink, makeRows } = side
  const load = isBusy ? startUploads(side) : undefined
  if (isBusy) await delay(1_000)
  const rows = makeRows(MEASURED_A_SECOND * SECONDS)
  const write = (row: (typeof rows)[number]) => insertEvents(database.db, [row])
  const latency = await measureLatency(sink.url, rows, write, MEASURED_A_SECOND)
  const uploads = (await load?.stop()) ?? 0
  await fetch(sink.url, { method: 'DELETE' })
  return { ...latency, uploads }
}

let nextMinute = 0

/** Uploads at a steady rate, in turns to the processes; `stop` returns the uploads a second. */
function startUploads({ clients, userIds }: Side): { stop(): Promise<number> } {
  const startedAt = performance.now()
  const running = new Set<Promise<unknown>>()
  let sent = 0
  let done = 0
  const send = (): void => {
    const due = ((performance.now() - startedAt) * UPLOADS_A_SECOND) / 1000
    for (; sent < due; sent += 1) {
      // What cannot be done in time is left out, so that no queue grows.
      if (running.size >= clients.length * CONNECTIONS) continue
      nextMinute += SAMPLES_OF_AN_UPLOAD
      const body = uploadBody(makeHeartRate(sent, nextMinute, SAMPLES_OF_AN_UPLOAD))
      const path = `/v2/timeseries/${userIds[sent % userIds.length]}/heartrate`
      const upload = (clients[sent % clients.length] as Client).call('POST', path, body)
      const ended = upload.then(() => {
        done += 1
        running.delete(ended)
      })
      running.add(ended)
    }
  }
  const timer = setInterval(send, 5)
  return {
    async stop() {
      clearInterval(timer)
      const seconds = (performance.now() - startedAt) / 1000
      await Promise.all(running)
      return done / seconds
    },
  }
}

function print(sides: readonly Side[]): void {
  const lines = LOADS.flatMap((load) =>
    sides.map(({ name, measured }) => {
      const of = (key: keyof Measured) =>
        median((measured.get(load) ?? []).map((one) => one[key])).toFixed(1)
      return [load, name, `${of('p50')} ms`, `${of('p99')} ms`, `${of('uploads')}/s`]
    }),
  )
  printColumns(['commit to arrival', '', 'p50', 'p99', 'uploads'], lines)
}

async function stopSide({ clients, servers, database, sink }: Side): Promise<void> {
  for (const client of clients) await client.close()
  await database.close()
  for (const server of servers) await server.stop()
  sink.child.kill()
}
