import { join } from 'node:path'
import { type Client, createClient } from './client.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, printColumns, printMachine, secondsOf, thousands } from './measure.ts'
import { settle } from './peers/measure-peer.ts'
import { newDirectory, removeDirectory, type ServerProcess, startServer } from './server-process.ts'
import { CLIENTS, SAMPLES_OF_A_REQUEST } from './upload.ts'
import { processorSeconds } from './vendor-process.ts'

/** A job: so many requests of each client with so many samples. */
interface Job {
  name: string
  clients: number
  requests: number
  samples: number
}

const JOBS: readonly Job[] = [
  { name: '16 clients × 1,000', clients: CLIENTS, requests: 20, samples: SAMPLES_OF_A_REQUEST },
  { name: '2 clients × 100,000', clients: 2, requests: 1, samples: 100_000 },
]

interface Measured {
  /** Samples a second. */
  rate: number
  /** Processor time of a sample in microseconds, until the last answer. */
  server: number
  postgres: number
  /** Of all processes, until nothing is left to merge. */
  settled: number
}

interface Side {
  name: string
  server: ServerProcess
  client: Client
  users: string[]
  /** By job, round by round. */
  measured: Map<string, Measured[]>
}

/**
 * Processor time of uploads with their events, by process, of this checkout and of another one in
 * turns. Both databases are embedded: the column store is a part of the server.
 */
export async function benchUploadProcessor(rounds: number, against?: string): Promise<void> {
  const directory = newDirectory()
  const sides: Side[] = []
  try {
    for (const [index, checkout] of [undefined, against].entries()) {
      if (index > 0 && checkout === undefined) continue
      const server = await startServer(join(directory, `side_${index}`), {}, checkout)
      const client = createClient(server, CLIENTS)
      const users = await Promise.all(Array.from({ length: CLIENTS }, () => client.makeUser()))
      const name = index === 0 ? 'this checkout' : 'the other'
      sides.push({ name, server, client, users, measured: new Map() })
      await settle(server.processIds())
    }
    let first = 0
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const job of JOBS) {
        const bodies = bodiesOf(job, first)
        first += job.requests * job.samples
        for (const side of sides) {
          const measured = await measure(side, job, bodies)
          if (round > 0)
            side.measured.set(job.name, [...(side.measured.get(job.name) ?? []), measured])
        }
      }
    }
    printMachine()
    print(sides)
  } finally {
    for (const { client, server } of sides) {
      await client.close()
      await server.stop()
    }
    removeDirectory(directory)
  }
}

/** Minutes go on from job to job, so that all samples are new. */
function bodiesOf({ clients, requests, samples }: Job, first: number): Buffer[][] {
  return Array.from({ length: clients }, (_, client) =>
    Array.from({ length: requests }, (_, request) =>
      Buffer.from(uploadBody(makeHeartRate(client, first + request * samples, samples))),
    ),
  )
}

async function measure(side: Side, job: Job, bodies: Buffer[][]): Promise<Measured> {
  const { server, client, users } = side
  const read = () => {
    // Connections of PostgreSQL are processes that come and go.
    const [own = 0, ...children] = server.processIds()
    return [processorSeconds([own]), processorSeconds(children)] as const
  }
  const before = read()
  const seconds = await secondsOf(() =>
    Promise.all(
      bodies.map(async (requests, index) => {
        for (const body of requests) {
          await client.call('POST', `/v2/timeseries/${users[index]}/heartrate`, body)
        }
      }),
    ),
  )
  const after = read()
  await settle(server.processIds())
  const settled = read()
  const samples = job.clients * job.requests * job.samples
  const each = (difference: number): number => (difference / samples) * 1e6
  return {
    rate: samples / seconds,
    server: each(after[0] - before[0]),
    postgres: each(after[1] - before[1]),
    settled: each(settled[0] - before[0] + settled[1] - before[1]),
  }
}

function print(sides: readonly Side[]): void {
  const lines = JOBS.flatMap(({ name }) =>
    sides.map((side) => {
      const all = side.measured.get(name) ?? []
      const middle = (pick: (one: Measured) => number): number => median(all.map(pick))
      const time = (pick: (one: Measured) => number): string => `${middle(pick).toFixed(1)} µs`
      return [
        ...[name, side.name, `${thousands(middle(({ rate }) => rate))}/s`],
        ...[time((one) => one.server), time((one) => one.postgres)],
        ...[time((one) => one.server + one.postgres), time((one) => one.settled)],
      ]
    }),
  )
  const titles = ['job', 'of', 'samples', 'server', 'PostgreSQL', 'both', 'until merged']
  printColumns(titles, lines)
}
