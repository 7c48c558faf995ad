import { setTimeout as sleep } from 'node:timers/promises'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { type Client, createCaller, createClient } from './client.ts'
import { type HeartRateSample, makeHeartRate } from './heart-rate.ts'
import { median, type Row, secondsOf, thousands, times } from './measure.ts'
import { rssMegabytes, type ServerProcess, startServer } from './server-process.ts'
import { CLIENTS } from './upload.ts'
import { processorSeconds } from './vendor-process.ts'

const PEOPLE = 20
const SAMPLES_OF_A_PERSON = 10_000
const ROUNDS = 4
/** Merges of what was stored go on for a moment, and belong to it. */
const SETTLE_MS = 2_000

/** Samples of the people of one turn. */
type History = { userId: string; samples: HeartRateSample[] }[]

interface Way {
  name: string
  /** Makes the bodies, which costs more than sending them, and returns what sends them. */
  prepare(client: Client, bulk: Senders, history: History): () => Promise<unknown>
}

type Senders = Record<'lines' | 'parquet', (body: Buffer) => Promise<unknown>>

interface Figures {
  /** Processor time of a sample, in microseconds, databases included. */
  cpu: number
  rate: number
}

const item = ({ startedAt, value }: HeartRateSample) => {
  const at = new Date(startedAt).toISOString()
  return { value, unit: 'bpm', start_date: at, end_date: at, source_bundle: 'com.example.watch' }
}

/** Requests of the history of a person, as an app sends it. */
function requestsOf({ userId, samples }: History[number], size: number): [string, string][] {
  const path = `/v2/timeseries/${userId}/heartrate`
  const chunks = Array.from({ length: Math.ceil(samples.length / size) }, (_, index) =>
    samples.slice(index * size, (index + 1) * size),
  )
  return chunks.map((chunk, index) => {
    const is_final_chunk = index === chunks.length - 1
    const envelope = { stage: 'historical', provider: 'health_connect', is_final_chunk }
    return [path, JSON.stringify({ ...envelope, data: chunk.map(item) })]
  })
}

const json = (size: number): Way => ({
  name: `JSON, ${thousands(size)} samples a request, ${CLIENTS} clients`,
  prepare(client, _bulk, history) {
    const people = history.map((person) => requestsOf(person, size))
    const sendSome = async () => {
      for (let next = people.shift(); next !== undefined; next = people.shift()) {
        for (const [path, body] of next) await client.call('POST', path, body)
      }
    }
    return () => Promise.all(Array.from({ length: CLIENTS }, sendSome))
  },
})

const rowsOf = (history: History) =>
  history.flatMap(({ userId, samples }) =>
    samples.map((sample) => ({ user_id: userId, resource: 'heartrate', ...item(sample) })),
  )

const LINES: Way = {
  name: 'newline-delimited JSON, one body',
  prepare(_client, bulk, history) {
    const lines = rowsOf(history).map((row) => `${JSON.stringify(row)}\n`)
    const body = Buffer.from(lines.join(''))
    return () => bulk.lines(body)
  },
}

const PARQUET: Way = {
  name: 'Parquet, one body',
  prepare(_client, bulk, history) {
    const rows = rowsOf(history)
    const text = (name: keyof (typeof rows)[number]) => ({
      ...{ name, type: 'STRING' as const },
      data: rows.map((row) => row[name]),
    })
    const time = (name: 'start_date' | 'end_date') => ({
      ...{ name, type: 'TIMESTAMP' as const },
      data: rows.map((row) => new Date(row[name])),
    })
    const value = { name: 'value', type: 'DOUBLE' as const, data: rows.map((row) => row.value) }
    const columnData = [
      ...[text('user_id'), text('resource'), value, text('unit')],
      ...[time('start_date'), time('end_date'), text('source_bundle')],
    ]
    const body = Buffer.from(parquetWriteBuffer({ columnData }))
    return () => bulk.parquet(body)
  },
}

const WAYS = [json(1_000), json(10_000), LINES, PARQUET]

/**
 * Back-fills of histories, in turns: as uploads of JSON and as bulk uploads of the same samples.
 * The processor time is that of the server and its databases.
 */
export async function benchBulk(directory: string): Promise<Row[]> {
  const server = await startServer(`${directory}/bulk`)
  const client = createClient(server, CLIENTS)
  const senders = createSenders(server)
  const idle = rssMegabytes(server.processIds()[0] ?? 0)
  const figures = WAYS.map((): Figures[] => [])
  let turn = 0
  // The first round warms all up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, way] of WAYS.entries()) {
      const history = await makeHistory(client, turn++)
      const figure = await measure(server, way.prepare(client, senders, history))
      if (round > 0) figures[index]?.push(figure)
      console.error(`bulk, round ${round}: ${way.name} ${JSON.stringify(figure)}`)
    }
  }
  const memory = rssMegabytes(server.processIds()[0] ?? 0)
  await client.close()
  await senders.close()
  await server.stop()
  return [
    ...rowsOfFigures(figures),
    {
      ...NO_ROW,
      job: 'memory after it',
      salus: `${Math.round(memory)} MB`,
      other: `${Math.round(idle)} MB`,
      comparedWith: 'before',
    },
  ]
}

const NO_ROW = { ratio: '', goal: '', isMet: null }

function createSenders(server: ServerProcess) {
  const open = (type: string) =>
    createCaller(server.url, 1, { 'x-service-api-key': server.apiKey, 'content-type': type })
  const [lines, parquet] = [open('application/x-ndjson'), open('application/vnd.apache.parquet')]
  const path = '/v2/timeseries/bulk?provider=health_connect'
  return {
    lines: (body: Buffer) => lines.call('POST', path, body),
    parquet: (body: Buffer) => parquet.call('POST', path, body),
    close: () => Promise.all([lines.close(), parquet.close()]),
  }
}

async function makeHistory(client: Client, turn: number): Promise<History> {
  const userIds = await Promise.all(Array.from({ length: PEOPLE }, () => client.makeUser()))
  return userIds.map((userId, index) => ({
    userId,
    samples: makeHeartRate(turn * 1000 + index, 0, SAMPLES_OF_A_PERSON),
  }))
}

/** What the server takes without requests is left out, because turns differ in length. */
async function measure(server: ServerProcess, work: () => Promise<unknown>): Promise<Figures> {
  await sleep(SETTLE_MS)
  const processor = () => processorSeconds(server.processIds())
  const idleFrom = processor()
  await sleep(SETTLE_MS)
  const before = processor()
  const idle = (before - idleFrom) / SETTLE_MS
  const seconds = await secondsOf(work)
  await sleep(SETTLE_MS)
  const count = PEOPLE * SAMPLES_OF_A_PERSON
  const taken = processor() - before - idle * (seconds * 1000 + SETTLE_MS)
  return { cpu: (taken / count) * 1e6, rate: count / seconds }
}

function rowsOfFigures(figures: Figures[][]): Row[] {
  const middle = (index: number, figure: keyof Figures) =>
    median((figures[index] ?? []).map((one) => one[figure]))
  const jsons = WAYS.slice(0, 2)
  return WAYS.slice(2).flatMap((way, offset) =>
    jsons.map((other, base) => {
      const ratio = middle(base, 'cpu') / middle(offset + 2, 'cpu')
      return {
        job: `processor time of a sample, ${way.name}`,
        salus: `${middle(offset + 2, 'cpu').toFixed(1)} µs (${thousands(middle(offset + 2, 'rate'))}/s)`,
        comparedWith: other.name,
        other: `${middle(base, 'cpu').toFixed(1)} µs (${thousands(middle(base, 'rate'))}/s)`,
        ratio: times(ratio),
        goal: '≥ 3',
        isMet: ratio >= 3,
      }
    }),
  )
}
