import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '@salus/contracts/time-units'
import { startTestCluster } from '../test/clickhouse-cluster.ts'
import { createClient } from './client.ts'
import { FIRST_MINUTE, makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, percentile, type Row, secondsOf, thousands, times } from './measure.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const CLIENTS = 16
const REQUESTS_OF_A_CLIENT = 6
const SAMPLES_OF_A_REQUEST = 1000
const ROUNDS = 3
const READS = 150
const TICKS_A_SECOND = 100

/** Salus on so many shards, and what it took. */
interface Side {
  name: string
  server: ServerProcess
  client: ReturnType<typeof createClient>
  users: string[]
  /** Samples a second, round by round. */
  rates: number[]
  reads: number[]
  /** Seconds of the processor during uploads. */
  salusSeconds: number
  clickhouseSeconds: number
}

/**
 * Uploads and reads on one shard and on two, in turns. All processes are on this machine, so two
 * shards show what spreading costs, not what more machines bring.
 */
export async function benchCluster(directory: string): Promise<Row[]> {
  const cluster = await startTestCluster(2)
  const sides: Side[] = []
  try {
    for (const count of [1, 2]) {
      const urls = cluster.urls.slice(0, count).map((url) => `${url}/shards_${count}`)
      const server = await startServer(join(directory, `shards_${count}`), {
        CLICKHOUSE_URL: urls.join(','),
        CLICKHOUSE_CLUSTER: `shards_${count}`,
      })
      const client = createClient(server, CLIENTS)
      const users = await Promise.all(Array.from({ length: CLIENTS }, () => client.makeUser()))
      const name = count === 1 ? 'one shard' : 'two shards'
      const spent = { rates: [], reads: [], salusSeconds: 0, clickhouseSeconds: 0 }
      sides.push({ name, server, client, users, ...spent })
    }
    const engines = cluster.servers.map((server) => server.processId())
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const side of sides) await uploadRound(side, round, engines)
    }
    for (let read = 0; read < READS; read += 1) {
      for (const side of sides) await readDay(side, read)
    }
    return rowsOf(sides)
  } finally {
    for (const { client, server } of sides) {
      await client.close()
      await server.stop()
    }
    await cluster.stop()
  }
}

async function uploadRound(side: Side, round: number, engines: number[]): Promise<void> {
  const bodies = side.users.map((_, client) =>
    Array.from({ length: REQUESTS_OF_A_CLIENT }, (_, request) => {
      const first = (round * REQUESTS_OF_A_CLIENT + request) * SAMPLES_OF_A_REQUEST
      return uploadBody(makeHeartRate(client * 1000 + request, first, SAMPLES_OF_A_REQUEST))
    }),
  )
  const [salus = 0] = side.server.processIds()
  const before = [processorSeconds([salus]), processorSeconds(engines)] as const
  const seconds = await secondsOf(() =>
    Promise.all(
      bodies.map(async (requests, client) => {
        const path = `/v2/timeseries/${side.users[client]}/heartrate`
        for (const body of requests) await side.client.call('POST', path, body)
      }),
    ),
  )
  if (round === 0) return
  side.rates.push((CLIENTS * REQUESTS_OF_A_CLIENT * SAMPLES_OF_A_REQUEST) / seconds)
  side.salusSeconds += processorSeconds([salus]) - before[0]
  side.clickhouseSeconds += processorSeconds(engines) - before[1]
}

async function readDay(side: Side, read: number): Promise<void> {
  const date = new Date(FIRST_MINUTE + (read % 10) * DAY_MS).toISOString().slice(0, 10)
  const userId = side.users[read % CLIENTS]
  const query = `start_date=${date}&end_date=${date}`
  const seconds = await secondsOf(() =>
    side.client.call('GET', `/v2/timeseries/${userId}/heartrate/grouped?${query}`),
  )
  side.reads.push(seconds * 1000)
}

/** What processes have taken of the processor. */
function processorSeconds(processIds: readonly number[]): number {
  const ticks = processIds.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, own) => sum + own, 0) / TICKS_A_SECOND
}

function rowsOf(sides: readonly Side[]): Row[] {
  const [one, two] = sides
  if (one === undefined || two === undefined) return []
  const samples = ROUNDS * CLIENTS * REQUESTS_OF_A_CLIENT * SAMPLES_OF_A_REQUEST
  const processor = ({ salusSeconds, clickhouseSeconds }: Side): string => {
    const [salus, clickhouse] = [salusSeconds, clickhouseSeconds].map((seconds) =>
      ((seconds / samples) * 1e6).toFixed(1),
    )
    return `Salus ${salus} µs, ClickHouse ${clickhouse} µs`
  }
  const day = ({ reads }: Side): string =>
    `${median(reads).toFixed(1)} ms (p95 ${percentile(reads, 0.95).toFixed(1)})`
  const compare = (job: string, of: (side: Side) => string, ratio: string): Row => ({
    ...{ job, salus: of(two), comparedWith: one.name, other: of(one), ratio },
    ...{ goal: '', isMet: null },
  })
  return [
    compare(
      'two shards: upload, 16 clients × 1,000 samples',
      ({ rates }) => `${thousands(median(rates))}/s`,
      times(median(two.rates) / median(one.rates)),
    ),
    compare('two shards: processor time a sample', processor, ''),
    compare(
      'two shards: read a day of 1-minute samples, p50',
      day,
      times(median(two.reads) / median(one.reads)),
    ),
  ]
}
