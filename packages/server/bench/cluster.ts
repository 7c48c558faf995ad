import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DAY_MS } from '@salus/contracts/time-units'
import { startTestCluster } from '../test/clickhouse-cluster.ts'
import { createClient } from './client.ts'
import {
  addProcesses,
  describeRoles,
  type Processes,
  QUERY_LOG,
  type Roles,
  readProcesses,
  readRoles,
  type Span,
} from './cluster-roles.ts'
import { FIRST_MINUTE, makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, percentile, type Row, secondsOf, thousands, times } from './measure.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const CLIENTS = 16
const REQUESTS_OF_A_CLIENT = 6
const SAMPLES_OF_A_REQUEST = 1000
const ROUNDS = 3
const READS = 96
const SHARDS = [1, 2, 4]

/** Work of one kind: when it ran, and what processes took for it. */
interface Phase {
  spans: Span[]
  processes: Processes
}

/** Salus on so many shards, and what it took. */
interface Side {
  shards: number
  server: ServerProcess
  client: ReturnType<typeof createClient>
  users: string[]
  engines: number[]
  /** Samples a second, round by round. */
  rates: number[]
  reads: number[]
  uploading: Phase
  reading: Phase
}

const NOTHING: Processes = { salus: 0, postgres: 0, engines: 0 }
const newPhase = (): Phase => ({ spans: [], processes: NOTHING })

/**
 * Uploads and reads on one shard, on two and on four, in turns. All processes are on this machine,
 * so the processor time of each role shows what spreading costs, and the clock does not show what
 * more machines bring.
 */
export async function benchCluster(directory: string): Promise<Row[]> {
  const cluster = await startTestCluster(Math.max(...SHARDS), { settings: QUERY_LOG })
  const sides: Side[] = []
  try {
    for (const shards of SHARDS) {
      const urls = cluster.urls.slice(0, shards).map((url) => `${url}/shards_${shards}`)
      const server = await startServer(join(directory, `shards_${shards}`), {
        CLICKHOUSE_URL: urls.join(','),
        CLICKHOUSE_CLUSTER: `shards_${shards}`,
      })
      const client = createClient(server, CLIENTS)
      const users = await Promise.all(Array.from({ length: CLIENTS }, () => client.makeUser()))
      const engines = cluster.servers.slice(0, shards).map((engine) => engine.processId())
      const spent = { rates: [], reads: [], uploading: newPhase(), reading: newPhase() }
      sides.push({ shards, server, client, users, engines, ...spent })
    }
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const side of sides) await uploadRound(side, round)
    }
    for (let read = 0; read < READS; read += CLIENTS) {
      for (const side of sides) await readDays(side, read)
    }
    return await rowsOf(sides, cluster.urls)
  } finally {
    for (const { client, server } of sides) {
      await client.close()
      await server.stop()
    }
    await cluster.stop()
  }
}

/** Runs work of a phase, and adds what it took above what idle processes take in the same time. */
async function run({ server, engines }: Side, phase: Phase, work: () => Promise<void>) {
  const [before, from] = [readProcesses(server, engines), Date.now()]
  await work()
  const [after, to] = [readProcesses(server, engines), Date.now()]
  await delay(to - from)
  const idle = addProcesses(NOTHING, readProcesses(server, engines), after)
  phase.spans.push([from, to])
  phase.processes = addProcesses(phase.processes, addProcesses(after, NOTHING, idle), before)
}

async function uploadRound(side: Side, round: number): Promise<void> {
  const bodies = side.users.map((_, client) =>
    Array.from({ length: REQUESTS_OF_A_CLIENT }, (_, request) => {
      const first = (round * REQUESTS_OF_A_CLIENT + request) * SAMPLES_OF_A_REQUEST
      return uploadBody(makeHeartRate(client * 1000 + request, first, SAMPLES_OF_A_REQUEST))
    }),
  )
  const upload = async (): Promise<void> => {
    const uploads = bodies.map(async (requests, client) => {
      const path = `/v2/timeseries/${side.users[client]}/heartrate`
      for (const body of requests) await side.client.call('POST', path, body)
    })
    await Promise.all(uploads)
  }
  if (round === 0) return upload()
  await run(side, side.uploading, async () => {
    const seconds = await secondsOf(upload)
    side.rates.push((CLIENTS * REQUESTS_OF_A_CLIENT * SAMPLES_OF_A_REQUEST) / seconds)
  })
}

/** A day of each user: no day twice, because PostgreSQL answers it then. */
async function readDays(side: Side, first: number): Promise<void> {
  const day = FIRST_MINUTE + (first / CLIENTS) * DAY_MS
  const date = new Date(day).toISOString().slice(0, 10)
  const query = `start_date=${date}&end_date=${date}`
  await run(side, side.reading, async () => {
    for (const userId of side.users) {
      const path = `/v2/timeseries/${userId}/heartrate/grouped?${query}`
      side.reads.push(1000 * (await secondsOf(() => side.client.call('GET', path))))
    }
  })
}

async function rowsOf(sides: readonly Side[], urls: readonly string[]): Promise<Row[]> {
  const [one] = sides
  if (one === undefined) return []
  const samples = ROUNDS * CLIENTS * REQUESTS_OF_A_CLIENT * SAMPLES_OF_A_REQUEST
  const rows: Row[] = []
  const rolesOf = ({ shards }: Side, { spans, processes }: Phase): Promise<Roles> =>
    readRoles(urls.slice(0, shards), spans, processes)
  const [uploading, reading] = [await rolesOf(one, one.uploading), await rolesOf(one, one.reading)]
  const day = ({ reads }: Side): string =>
    `${median(reads).toFixed(1)} ms (p95 ${percentile(reads, 0.95).toFixed(1)})`
  for (const side of sides.slice(1)) {
    const job = `${side.shards} shards`
    const compare = (what: string, salus: string, other: string, ratio = ''): Row => ({
      ...{ job: `${job}: ${what}`, salus, comparedWith: 'one shard', other, ratio },
      ...{ goal: '', isMet: null },
    })
    const rates = [side, one].map((of) => median(of.rates)) as [number, number]
    const [ofUploads, ofReads] = [
      describeRoles(await rolesOf(side, side.uploading), samples),
      describeRoles(await rolesOf(side, side.reading), READS),
    ]
    rows.push(
      compare(
        'upload, 16 clients × 1,000 samples',
        ...(rates.map((rate) => `${thousands(rate)}/s`) as [string, string]),
        times(rates[0] / rates[1]),
      ),
      compare('processor time of a sample', ofUploads, describeRoles(uploading, samples)),
      compare('a day of 1-minute samples, p50', day(side), day(one)),
      compare('processor time of such a read', ofReads, describeRoles(reading, READS)),
    )
  }
  return rows
}
