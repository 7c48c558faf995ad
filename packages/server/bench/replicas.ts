import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@salus/kernel/postgres/embedded-postgres'
import pg from 'pg'
import { type StreamingReplica, startReplica } from '../test/processes/streaming-replica.ts'
import { type Client, createClient } from './client.ts'
import { median, percentile, printColumns, printMachine } from './measure.ts'
import { PATIENT } from './orders.ts'
import {
  newDirectory,
  removeDirectory,
  type ServerProcess,
  startServer,
  withDescendants,
} from './server-process.ts'
import { processorSeconds } from './vendor-process.ts'

const CLIENTS = 8
const CALLS = 400
const USERS = 20_000
const ORDERS = 300
/** In the rounds with writes each call of this number creates a user. */
const WRITE_EVERY = 10
const KINDS = ['lists', 'lists, each tenth call a write'] as const

interface Measured {
  /** Milliseconds of the processor for a list. */
  primary: number
  replica: number
  server: number
  p50: number
  p99: number
}

interface Side {
  name: string
  server: ServerProcess
  client: Client
  measured: Map<string, Measured[]>
}

/**
 * Lists of a server with a replica and of one without, on the same primary, in turns: processor
 * time of the primary, without and with writes meanwhile, whose rows the replica has to replay.
 */
export async function benchReplicas(rounds: number): Promise<void> {
  const directory = newDirectory()
  const primaryDirectory = join(directory, 'primary')
  const primary = await startEmbeddedPostgres({ directory: primaryDirectory, log: () => {} })
  let replica: StreamingReplica | undefined
  const sides: Side[] = []
  try {
    const settings = {
      DATABASE_URL: primary.url,
      SALUS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    }
    sides.push(await startSide(join(directory, 'alone'), 'without a replica', settings))
    const [alone] = sides as [Side]
    await seed(alone, primary.url)
    replica = await startReplica({ url: primary.url, directory: primaryDirectory })
    const withReplica = { ...settings, DATABASE_REPLICA_URL: replica.url }
    sides.push(await startSide(join(directory, 'read'), 'with a replica', withReplica, alone))
    const ids = () => [withDescendants(primary.pid), withDescendants(replica?.pid() ?? 0)]
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const kind of KINDS) {
        for (const side of sides) {
          const measured = await measure(side, kind !== 'lists', ids)
          if (round > 0) side.measured.set(kind, [...(side.measured.get(kind) ?? []), measured])
        }
      }
    }
    printMachine()
    print(sides)
    console.log(await readOutcomes(sides[1] as Side))
  } finally {
    for (const { client, server } of sides) {
      await client.close()
      await server.stop()
    }
    await replica?.close()
    await primary.stop()
    removeDirectory(directory)
  }
}

/** @param first The server that has made the keys. */
async function startSide(
  directory: string,
  name: string,
  settings: Record<string, string>,
  first?: Side,
): Promise<Side> {
  mkdirSync(directory)
  if (first) cpSync(join(first.server.directory, 'keys.json'), join(directory, 'keys.json'))
  const server = await startServer(directory, settings)
  return { name, server, client: createClient(server, CLIENTS), measured: new Map() }
}

async function seed({ client }: Side, url: string): Promise<void> {
  const userId = await client.makeUser()
  const database = new pg.Client({ connectionString: url })
  await database.connect()
  await database.query(
    `insert into users (id, environment_id, client_user_id, created_at)
    select gen_random_uuid(), environment_id, 'seeded-' || number, now() - number * interval '1 minute'
    from users, generate_series(1, $1) as number`,
    [USERS],
  )
  const tests = JSON.parse(await client.call('GET', '/v3/lab_test?collection_method=walk_in_test'))
  const order = { user_id: userId, order_set: { lab_test_ids: [tests.data[0].id] }, ...PATIENT }
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (let count = 0; count < ORDERS / CLIENTS; count += 1) {
        await client.call('POST', '/v3/order', JSON.stringify(order))
      }
    }),
  )
  await database.query('vacuum analyze')
  await database.end()
}

const LISTS = [
  (client: Client) => client.call('GET', '/v2/user?limit=50'),
  (client: Client) => client.call('POST', '/v2/user/search', '{"query":"seeded-19"}'),
  (client: Client) => client.call('GET', '/v3/orders?size=50'),
  (client: Client) => client.call('GET', '/v3/orders?patient_name=moreau&status=ordered'),
  (client: Client) => client.call('GET', '/v3/lab_test'),
]

async function measure(
  { client, server }: Side,
  isWriting: boolean,
  ids: () => number[][],
): Promise<Measured> {
  const read = () => [...ids(), server.processIds()].map((all) => processorSeconds(all))
  const before = read()
  const times: number[] = []
  let next = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < CALLS) {
        next += 1
        if (isWriting && next % WRITE_EVERY === 0) {
          await client.call('POST', '/v2/user', `{"client_user_id":"${randomUUID()}"}`)
        }
        const startedAt = performance.now()
        await LISTS[next % LISTS.length]?.(client)
        times.push(performance.now() - startedAt)
      }
    }),
  )
  const [primary = 0, replica = 0, own = 0] = read().map(
    (after, index) => (1000 * (after - (before[index] ?? 0))) / CALLS,
  )
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  return { primary, replica, server: own, p50, p99 }
}

/** Returns where the requests of a server have read. */
async function readOutcomes({ server }: Side): Promise<string> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  return metrics
    .split('\n')
    .filter((line) => /^salus_postgres_replica_(reads|repeats)/.test(line))
    .join('\n')
}

function print(sides: readonly Side[]): void {
  const titles = ['8 clients', '', 'primary', 'replica', 'server', 'p50', 'p99']
  const lines = KINDS.flatMap((kind) =>
    sides.map(({ name, measured }) => {
      const of = (key: keyof Measured) =>
        `${median((measured.get(kind) ?? []).map((one) => one[key])).toFixed(2)} ms`
      return [kind, name, of('primary'), of('replica'), of('server'), of('p50'), of('p99')]
    }),
  )
  printColumns(titles, lines)
}
