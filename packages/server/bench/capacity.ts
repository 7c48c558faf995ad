import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { openRemoteClickHouse } from '@salus/kernel/clickhouse/remote-clickhouse'
import pg from 'pg'
import { startClickHouseServer } from '../test/clickhouse-server.ts'
import {
  costsOf,
  measureUploads,
  type Parts,
  type StageTools,
  writeFigures,
} from './capacity-figures.ts'
import {
  describeGrowth,
  readLogPosition,
  readSizes,
  waitForDeliveries,
  waitForJobs,
} from './capacity-stores.ts'
import { type Client, createClient } from './client.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { type Row, secondsOf, thousands } from './measure.ts'
import { settle } from './peers/measure-peer.ts'
import { readMemory, type ServerProcess, startServer, withDescendants } from './server-process.ts'
import { processorSeconds } from './vendor-process.ts'

/**
 * What a person with a watch costs: a day of them as an app sends and reads it, through API
 * processes and a worker on external stores, with an endpoint that takes every event. Processor
 * time of each part, room on disk, memory.
 */

const CLIENTS = 32
const HOURS = 24
const READS_A_DAY = 10
const UPLOADS_OF_A_ROUND = 40
const MANAGEMENT_KEY = 'mg_bench0123456789abcdef'

export interface CapacityOptions {
  directory: string
  /** Of the external PostgreSQL, where a database is made, and its process. */
  pool: pg.Pool
  databaseUrl: string
  postgresPid: number
  people: number
}

interface Usage {
  seconds: number
  processor: Parts
}

export async function benchCapacity(options: CapacityOptions): Promise<Row[]> {
  await options.pool.query('create database capacity')
  const databaseUrl = Object.assign(new URL(options.databaseUrl), { pathname: '/capacity' }).href
  const others = new Set(withDescendants(process.pid))
  const store = await startClickHouseServer()
  const clickhousePids = withDescendants(process.pid).filter((pid) => !others.has(pid))
  const sink = createServer((request, response) => {
    request.resume().once('end', () => response.end('ok'))
  }).listen(0, '127.0.0.1')
  const settings = {
    DATABASE_URL: databaseUrl,
    CLICKHOUSE_URL: `${store.url}/capacity`,
    SALUS_MANAGEMENT_KEY: MANAGEMENT_KEY,
    SALUS_BASE_URL: 'http://127.0.0.1:8787',
    SALUS_WEBHOOKS_ALLOW_PRIVATE: 'true',
    SALUS_WEBHOOKS_ALLOW_HTTP: 'true',
  }
  const start = (roles: string) =>
    startServer(join(options.directory, 'capacity'), { ...settings, SALUS_ROLES: roles })
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const clickhouse = await openRemoteClickHouse({ url: settings.CLICKHOUSE_URL })
  const servers = [await start('api'), await start('worker')]
  try {
    const [api, worker] = servers as [ServerProcess, ServerProcess]
    const people = await makePeople(api, options.people)
    const measure = async (apis: ServerProcess[], work: () => Promise<void>): Promise<Usage> => {
      const read = (): Parts => ({
        api: processorSeconds(apis.flatMap((server) => server.processIds())),
        worker: processorSeconds(worker.processIds()),
        postgres: processorSeconds(withDescendants(options.postgresPid)),
        clickhouse: processorSeconds(clickhousePids),
      })
      const from = read()
      const seconds = await secondsOf(work)
      await waitForDeliveries(pool)
      await settle(clickhousePids)
      return { seconds, processor: minus(read(), from) }
    }
    await waitForJobs(pool)
    const sinkUrl = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`
    const measured = await measureUploads({
      upload: (samples, round) => uploadRound(api, people, samples, round),
      measure: async (work) => (await measure([api], work)).processor,
      readLogPosition: () => readLogPosition(pool),
      readSizes: () => readSizes(pool, clickhouse),
      addEndpoint: () => addEndpoint(api, sinkUrl),
      uploads: options.people * UPLOADS_OF_A_ROUND,
    } satisfies StageTools)
    const before = await readSizes(pool, clickhouse)
    const one = await measure([api], () => uploadDay([api], people, 0))
    const second = await start('api')
    servers.push(second)
    const two = await measure([api, second], () => uploadDay([api, second], people, 1))
    const after = await readSizes(pool, clickhouse)
    const days = options.people * 2
    const rooms = [0, 1].map((of) => describeGrowth(after[of] ?? {}, before[of] ?? {}, days))
    const reads = await measure([api, second], () => readDay([api, second], people))
    const memory = servers.map((server) => readMemory(server.processIds()).own)
    const [apiMemory = 0, workerMemory = 0, secondMemory = 0] = memory
    writeFigures(
      {
        ...measured,
        read: costsOf(reads.processor, options.people * READS_A_DAY),
        processMemory: {
          values: {
            api: Math.round(Math.max(apiMemory, secondMemory) * 2 ** 20),
            worker: Math.round(workerMemory * 2 ** 20),
          },
          unit: 'bytes',
        },
      },
      options.people,
    )
    return describe({ one, two, reads, rooms, memory, people: options.people })
  } finally {
    for (const server of servers) await server.stop()
    sink.close()
    await clickhouse.close()
    await pool.end()
    await store.stop()
  }
}

async function addEndpoint({ url, keys }: ServerProcess, sink: string): Promise<void> {
  const path = `/v1/org/${keys.organizationId}/team/${keys.teamId}/sandbox/webhook`
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'x-management-key': MANAGEMENT_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ url: sink }),
  })
  if (!answer.ok) throw new Error(`endpoint: ${answer.status}`)
}

async function makePeople(server: ServerProcess, count: number): Promise<string[]> {
  const client = createClient(server, CLIENTS)
  const people = await Promise.all(Array.from({ length: count }, () => client.makeUser()))
  await client.close()
  return people
}

/** Runs what each of them asks for, by clients of all servers in turns. */
async function withClients(
  servers: readonly ServerProcess[],
  work: readonly ((client: Client) => Promise<unknown>)[],
): Promise<void> {
  const clients = servers.map((server) => createClient(server, CLIENTS / servers.length))
  const waiting = work.values()
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, index) => {
      const client = clients[index % clients.length] as Client
      for (const task of waiting) await task(client)
    }),
  )
  for (const client of clients) await client.close()
}

/** An hour of heart rate and steps each hour, and a night at the end of it. */
function uploadDay(servers: ServerProcess[], people: string[], day: number): Promise<void> {
  const hours = Array.from({ length: HOURS }, (_, hour) =>
    people.flatMap((id, person) => {
      const minute = (day * HOURS + hour) * 60
      const beats = makeHeartRate(person * 100 + day * HOURS + hour, minute, 60)
      return [
        send(id, 'timeseries', 'heartrate', uploadBody(beats)),
        send(id, 'timeseries', 'steps', stepsBody(beats[0]?.startedAt ?? 0)),
      ]
    }),
  )
  const nights = people.map((id) => send(id, 'summary', 'sleep', nightBody(day)))
  return withClients(servers, [...hours.flat(), ...nights])
}

/** Uploads of heart rate of so many samples; days of rounds lie behind those of uploadDay. */
function uploadRound(server: ServerProcess, people: string[], samples: number, round: number) {
  const uploads = Array.from({ length: UPLOADS_OF_A_ROUND }, (_, index) => {
    const minute = (100 + round * 30) * 24 * 60 + index * samples
    return people.map((id, person) =>
      send(
        id,
        'timeseries',
        'heartrate',
        uploadBody(makeHeartRate(person + index, minute, samples)),
      ),
    )
  })
  return withClients([server], uploads.flat())
}

const send = (userId: string, kind: string, resource: string, body: string) => (client: Client) =>
  client.call(
    'POST',
    kind === 'summary'
      ? `/v2/summary/${resource}/${userId}`
      : `/v2/timeseries/${userId}/${resource}`,
    body,
  )

function stepsBody(from: number): string {
  const data = [0, 15, 30, 45].map((minute) => ({
    value: 100 + minute,
    unit: 'count',
    start_date: new Date(from + minute * MINUTE_MS).toISOString(),
    end_date: new Date(from + (minute + 15) * MINUTE_MS).toISOString(),
    source_bundle: 'com.example.watch',
  }))
  return JSON.stringify({ stage: 'daily', provider: 'health_connect', data })
}

function nightBody(day: number): string {
  const at = (hour: number): string =>
    new Date(Date.UTC(2025, 0, 1 + day, hour)).toISOString().replace('.000Z', 'Z')
  const source = { source_bundle: 'com.example.watch', product_type: 'Watch7,5' }
  const night = {
    id: `night-${day}`,
    ...{ start_date: at(0), end_date: at(7), ...source },
    sleep_stages: {
      light_sleep_samples: [{ start_date: at(0), end_date: at(4), value: 1, unit: '', ...source }],
    },
  }
  return JSON.stringify({ stage: 'daily', provider: 'health_connect', data: [night] })
}

function readDay(servers: ServerProcess[], people: string[]): Promise<void> {
  const range = 'start_date=2025-01-01&end_date=2025-01-01'
  const tasks = people.flatMap((id) =>
    Array.from({ length: READS_A_DAY }, (_, index) => {
      const path =
        index % 2 === 0
          ? `/v2/timeseries/${id}/heartrate/grouped?${range}`
          : `/v2/summary/sleep/${id}?start_date=2025-01-01&end_date=2025-01-30`
      return (client: Client) => client.call('GET', path)
    }),
  )
  return withClients(servers, tasks)
}

function minus<Numbers extends object>(after: Numbers, before: Numbers): Numbers {
  const entries = Object.entries(after).map(([key, value]) => [
    key,
    value - (before[key as keyof Numbers] as number),
  ])
  return Object.fromEntries(entries)
}

const REQUESTS_A_DAY = HOURS * 2 + 1

function describe(seen: {
  one: Usage
  two: Usage
  reads: Usage
  rooms: string[]
  memory: number[]
  people: number
}): Row[] {
  const { one, two, reads, rooms, memory, people } = seen
  const uploads = people * REQUESTS_A_DAY
  const rate = ({ seconds }: Usage): string => `${thousands(uploads / seconds)}/s`
  const line = (job: string, salus: string): Row => ({
    ...{ job, salus, comparedWith: '', other: '', ratio: '', goal: '', isMet: null },
  })
  return [
    {
      ...line('uploads of an hour, by two API processes', rate(two)),
      ...{ comparedWith: 'by one', other: rate(one) },
      ratio: `${(one.seconds / two.seconds).toFixed(2)}×`,
    },
    line('processor time of an upload, one API process', costs(one, uploads)),
    line('the same, two', costs(two, uploads)),
    line('processor time of a read', costs(reads, people * READS_A_DAY)),
    line('room of a day of a person in PostgreSQL', rooms[0] ?? ''),
    line('the same in ClickHouse', rooms[1] ?? ''),
    line('memory of API, worker, API', memory.map((own) => `${Math.round(own)} MB`).join(', ')),
  ]
}

const costs = ({ processor }: Usage, count: number): string =>
  Object.entries(processor)
    .map(([part, seconds]) => `${part} ${((seconds / count) * 1000).toFixed(2)} ms`)
    .join(', ')
