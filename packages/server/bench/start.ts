import { join } from 'node:path'
import type pg from 'pg'
import { startClickHouseServer } from '../test/clickhouse-server.ts'
import { createClient } from './client.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, type Row } from './measure.ts'
import { PATIENT } from './orders.ts'
import { type Memory, readMemory, type ServerProcess, startServer } from './server-process.ts'

const ROUNDS = 5
const IDLE_MS = 10_000

export interface StartOptions {
  directory: string
  /** Of the external PostgreSQL, where databases can be made. */
  pool: pg.Pool
  databaseUrl: string
  /** Folder of another checkout, measured in turns with this one. */
  against?: string
}

/** What one round saw of one checkout on one kind of stores. */
interface Round {
  firstSeconds: number
  laterSeconds: number
  /** Ten seconds after the later start. */
  idle: Memory
  /** Ten seconds after a tour of the interface. */
  toured: Memory
}

/**
 * Seconds until a start is ready, on an empty folder and again on the same one, and what the
 * process holds when nothing happens: with both databases embedded, and with both outside. Medians
 * of five rounds.
 */
export async function benchStart(options: StartOptions): Promise<Row[]> {
  const clickhouse = await startClickHouseServer()
  const checkouts = options.against === undefined ? [undefined] : [undefined, options.against]
  const rounds = new Map<string, Round[]>()
  try {
    for (let round = 0; round < ROUNDS; round++) {
      for (const checkout of checkouts) {
        for (const stores of ['embedded', 'external'] as const) {
          const name = `start_${round}_${checkouts.indexOf(checkout)}_${stores}`
          const urls = stores === 'external' ? await makeStores(options, clickhouse.url, name) : {}
          const seen = await measure(join(options.directory, name), urls, checkout)
          const key = `${stores}${checkout === undefined ? '' : ', other checkout'}`
          rounds.set(key, [...(rounds.get(key) ?? []), seen])
        }
      }
    }
  } finally {
    await clickhouse.stop()
  }
  return [...rounds].flatMap(([key, seen]) => toRows(key, seen))
}

async function makeStores({ pool, databaseUrl }: StartOptions, clickhouse: string, name: string) {
  await pool.query(`create database ${name}`)
  const url = new URL(databaseUrl)
  url.pathname = `/${name}`
  return { DATABASE_URL: url.href, CLICKHOUSE_URL: `${clickhouse}/${name}` }
}

async function measure(directory: string, urls: object, checkout?: string): Promise<Round> {
  const first = await startServer(directory, urls, checkout)
  await first.stop()
  const later = await startServer(directory, urls, checkout)
  try {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const idle = readMemory(later.processIds())
    await tour(later)
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
    const toured = readMemory(later.processIds())
    return { firstSeconds: first.readySeconds, laterSeconds: later.readySeconds, idle, toured }
  } finally {
    await later.stop()
  }
}

/** Some hundreds of requests, one after the other, through the rooms that most clients visit. */
async function tour(server: ServerProcess): Promise<void> {
  const client = createClient(server, 1)
  const tests = await client.call('GET', '/v3/lab_test?collection_method=walk_in_test')
  const order_set = { lab_test_ids: [JSON.parse(tests).data[0].id] }
  for (let person = 0; person < 40; person++) {
    const user_id = await client.makeUser()
    const heartRate = `/v2/timeseries/${user_id}/heartrate`
    await client.call('POST', heartRate, uploadBody(makeHeartRate(person, 0, 1440)))
    const day = 'start_date=2025-01-01&end_date=2025-01-01'
    await client.call('GET', `${heartRate}/grouped?${day}`)
    await client.call('GET', `${heartRate}/merged?${day}&slot=hour`)
    await client.call('GET', `/v2/summary/sleep/${user_id}?${day}`)
    await client.call('POST', '/v3/order', JSON.stringify({ user_id, order_set, ...PATIENT }))
    await client.call('GET', '/v3/orders?size=20')
  }
  await client.close()
}

function toRows(stores: string, rounds: readonly Round[]): Row[] {
  const middle = (pick: (round: Round) => number): number => median(rounds.map(pick))
  const isEmbedded = stores.startsWith('embedded')
  const laterSeconds = middle((round) => round.laterSeconds)
  const mostMegabytes = isEmbedded ? 300 : 150
  const idleRss = middle(({ idle }) => idle.rss)
  const memory = (when: 'idle' | 'toured'): string => {
    const part = (name: keyof Memory) => middle((round) => round[when][name]).toFixed(0)
    const children = isEmbedded ? `; PostgreSQL ${part('children')} MB` : ''
    return `${part('rss')} MB (own ${part('own')}, PSS ${part('pss')})${children}`
  }
  return [
    {
      ...single(`first start until ready, ${stores}`),
      salus: `${middle((round) => round.firstSeconds).toFixed(2)} s`,
    },
    {
      ...single(`later start until ready, ${stores}`),
      salus: `${laterSeconds.toFixed(2)} s`,
      goal: '< 1.5 s',
      isMet: laterSeconds < 1.5,
    },
    {
      ...single(`idle memory of the server, ${stores}`),
      salus: memory('idle'),
      goal: `< ${mostMegabytes} MB`,
      isMet: idleRss < mostMegabytes,
    },
    { ...single(`the same after 360 requests, ${stores}`), salus: memory('toured') },
  ]
}

const single = (job: string): Row => ({
  job,
  salus: '',
  comparedWith: '',
  other: '',
  ratio: '',
  goal: '',
  isMet: null,
})
