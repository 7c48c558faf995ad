import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from './client.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, type Row, secondsOf, thousands, times } from './measure.ts'
import { readMemory, type ServerProcess, startServer } from './server-process.ts'

const ROUNDS = 5
const CLIENTS = 16
const IDLE_MS = 10_000

interface Side {
  server: ServerProcess
  client: Client
  users: string[]
}

/** A receiver that reads what comes and keeps nothing. */
async function startReceiver() {
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => response.setHeader('content-type', 'application/x-protobuf').end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, bytes: () => bytes, close: () => server.close() }
}

/** What sending traces and metrics costs: the same server with and without it, in turns. */
export async function benchTracing(directory: string): Promise<Row[]> {
  const receiver = await startReceiver()
  const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }
  const folders = { plain: join(directory, 'plain'), traced: join(directory, 'traced') }
  const starts = { plain: [] as number[], traced: [] as number[] }
  const memory = { plain: [] as number[], traced: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const side of ['plain', 'traced'] as const) {
      const server = await startServer(folders[side], side === 'traced' ? settings : {})
      // The first start makes the schema.
      if (round > 0) {
        starts[side].push(server.readySeconds)
        await sleep(IDLE_MS)
        memory[side].push(readMemory(server.processIds()).rss)
      }
      await server.stop()
    }
  }
  const plain = await openSide(await startServer(folders.plain))
  const traced = await openSide(await startServer(folders.traced, settings))
  try {
    const requests = await compare(
      plain,
      traced,
      200,
      (side) => () => side.client.call('GET', '/v2/user'),
    )
    const uploads = await compare(plain, traced, 15, (side, person, round) => {
      let next = round * 15
      return () => {
        const body = uploadBody(makeHeartRate(person, next++ * 1000, 1000))
        return side.client.call('POST', `/v2/timeseries/${side.users[person]}/heartrate`, body)
      }
    })
    const reads = await compare(plain, traced, 20, (side, person) => () => {
      const day = 'start_date=2025-01-01&end_date=2025-01-01'
      return side.client.call(
        'GET',
        `/v2/timeseries/${side.users[person]}/heartrate/grouped?${day}`,
      )
    })
    return [
      toRow(
        'later start until ready',
        seconds(median(starts.traced)),
        seconds(median(starts.plain)),
        median(starts.traced) / median(starts.plain),
      ),
      toRow(
        'idle memory',
        megabytes(median(memory.traced)),
        megabytes(median(memory.plain)),
        median(memory.traced) / median(memory.plain),
      ),
      toRow(
        'requests a second, list of users',
        thousands(requests.traced),
        thousands(requests.plain),
        requests.ratio,
      ),
      toRow(
        'uploads of 1,000 samples a second',
        thousands(uploads.traced),
        thousands(uploads.plain),
        uploads.ratio,
      ),
      toRow(
        'reads of a day a second',
        thousands(reads.traced),
        thousands(reads.plain),
        reads.ratio,
      ),
      toRow('sent to the receiver', megabytes(receiver.bytes() / 1e6), '', Number.NaN),
    ]
  } finally {
    await plain.server.stop()
    await traced.server.stop()
    receiver.close()
  }
}

async function openSide(server: ServerProcess): Promise<Side> {
  const client = createClient(server, CLIENTS)
  const users = await Promise.all(Array.from({ length: CLIENTS }, () => client.makeUser()))
  return { server, client, users }
}

/** Calls a second of each side, and the median of the ratios of rounds that follow each other. */
async function compare(
  plain: Side,
  traced: Side,
  calls: number,
  prepare: (side: Side, person: number, round: number) => () => Promise<unknown>,
) {
  const rates = { plain: [] as number[], traced: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, side] of [
      ['plain', plain],
      ['traced', traced],
    ] as const) {
      const taken = await secondsOf(() =>
        Promise.all(
          side.users.map(async (_, person) => {
            const call = prepare(side, person, round)
            for (let count = 0; count < calls; count++) await call()
          }),
        ),
      )
      // The first round warms up.
      if (round > 0) rates[name].push((CLIENTS * calls) / taken)
    }
  }
  const ratios = rates.traced.map((rate, round) => rate / (rates.plain[round] ?? Number.NaN))
  return { plain: median(rates.plain), traced: median(rates.traced), ratio: median(ratios) }
}

const seconds = (value: number): string => `${value.toFixed(2)} s`
const megabytes = (value: number): string => `${value.toFixed(0)} MB`

const toRow = (job: string, salus: string, other: string, ratio: number): Row => ({
  job: `${job}, traced`,
  salus,
  comparedWith: other === '' ? '' : 'without',
  other,
  ratio: other === '' ? '' : times(ratio),
  goal: '',
  isMet: null,
})
