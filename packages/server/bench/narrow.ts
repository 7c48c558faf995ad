import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { type Client, createCaller, createClient } from './client.ts'
import { makeHeartRate, uploadBody } from './heart-rate.ts'
import { median, printColumns, printMachine, secondsOf } from './measure.ts'
import { startBareReads } from './narrow-bare.ts'
import { settle } from './peers/measure-peer.ts'
import { newDirectory, removeDirectory, startServer } from './server-process.ts'
import { processorSeconds } from './vendor-process.ts'

const PEOPLE = 8
const DAYS = 10
const CLIENTS = 16
const CALLS_ALONE = 60
const CALLS_TOGETHER = 320
const MINUTES_OF_A_DAY = DAY_MS / MINUTE_MS
const PROVIDER = 'health_connect'
/** An answer without data is shorter. */
const LEAST_ANSWER = 40

/** One of the people, and a day before today. */
export interface Question {
  userId: string
  day: number
  now: number
}

type Ask = (client: Pick<Client, 'call'>, question: Question) => Promise<string>

/** Requests of each question. */
const QUESTIONS: Record<string, Ask> = {
  'a day of samples': (client, { userId, day }) =>
    client.call(
      'GET',
      `/v2/timeseries/${userId}/heartrate/grouped?start_date=${dateOf(day)}&end_date=${dateOf(day)}`,
    ),
  'the last 24 hours': (client, { userId, now }) => {
    const from = new Date(now - DAY_MS).toISOString()
    return client.call('GET', `/v2/timeseries/${userId}/heartrate/grouped?start_date=${from}`)
  },
  'the newest value': (client, { userId, now }) =>
    client.call('POST', `/aggregate/v1/user/${userId}/query`, newestOf(now)),
  async 'a night with its stream'(client, { userId, day }) {
    const path = `/v2/summary/sleep/${userId}?start_date=${dateOf(day)}&end_date=${dateOf(day)}`
    const [night] = JSON.parse(await client.call('GET', path)).sleep
    return client.call('GET', `/v2/timeseries/sleep/${night.id}/stream`)
  },
  'a week of summaries': (client, { userId, now }) => {
    const [from, to] = [dateOf(now - 7 * DAY_MS), dateOf(now - DAY_MS)]
    return client.call('GET', `/v2/summary/activity/${userId}?start_date=${from}&end_date=${to}`)
  },
}

const newestOf = (now: number): string =>
  JSON.stringify({
    timeframe: {
      type: 'relative',
      anchor: dateOf(now),
      past: { value: 1, unit: 'day' },
    },
    queries: [{ select: [{ func: 'newest', arg: { timeseries: 'heartrate', field: 'value' } }] }],
  })

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

interface Measured {
  /** Of one call at a time. */
  p50: number
  /** Questions a second of all clients. */
  rate: number
  /** Milliseconds of the processor for a question. */
  server: number
  postgres: number
}

interface Side {
  name: string
  processIds(): number[]
  ask(name: string, question: Question): Promise<string>
  users: readonly string[]
  stop(): Promise<void>
  measured: Map<string, Measured[]>
}

/**
 * Narrow questions to this checkout, to another one, and to the bare statement behind a bare HTTP
 * server on a copy of the same folder, in turns: processor time of a question, milliseconds of one
 * client, and questions a second of sixteen.
 */
export async function benchNarrow(rounds: number, against?: string): Promise<void> {
  const directory = newDirectory()
  const now = Date.now()
  const sides: Side[] = []
  try {
    sides.push(await startSide(join(directory, 'this'), 'this checkout', now))
    if (against) sides.push(await startSide(join(directory, 'other'), 'the other', now, against))
    sides.push(await startBareSide(join(directory, 'this'), sides[0]?.users ?? []))
    for (const side of sides) await settle(side.processIds())
    // The first round warms up: it copies the days.
    for (let round = 0; round <= rounds; round++) {
      for (const name of Object.keys(QUESTIONS)) {
        for (const side of sides) {
          const measured = await measure(side, name, now)
          if (round > 0) side.measured.set(name, [...(side.measured.get(name) ?? []), measured])
        }
      }
    }
    printMachine()
    print(sides)
  } finally {
    for (const side of sides) await side.stop()
    removeDirectory(directory)
  }
}

/** Fills a folder through the API of its checkout. It is copied before it is measured. */
async function startSide(
  directory: string,
  name: string,
  now: number,
  checkout?: string,
): Promise<Side> {
  const filling = await startServer(directory, {}, checkout)
  const filler = createClient(filling, 4)
  const users = await Promise.all(Array.from({ length: PEOPLE }, () => filler.makeUser()))
  for (const [person, userId] of users.entries()) await fill(filler, userId, person, now)
  await settle(filling.processIds())
  await filler.close()
  await filling.stop()
  cpSync(join(directory, 'clickhouse'), `${directory}-bare`, { recursive: true })
  const server = await startServer(directory, {}, checkout)
  const client = createClient(server, CLIENTS)
  return {
    name,
    users,
    processIds: server.processIds,
    ask: (question, of) => (QUESTIONS[question] as Ask)(client, of),
    async stop() {
      await client.close()
      await server.stop()
    },
    measured: new Map(),
  }
}

async function startBareSide(directory: string, users: readonly string[]): Promise<Side> {
  const bare = await startBareReads(`${directory}-bare`)
  const { call, close } = createCaller(bare.url, CLIENTS)
  return {
    name: 'bare statement',
    users,
    processIds: () => [bare.pid],
    ask: (name, question) => call('POST', `/${encodeURIComponent(name)}`, JSON.stringify(question)),
    async stop() {
      await close()
      await bare.stop()
    },
    measured: new Map(),
  }
}

/** Heart rate by the minute until now, a night and a day of activity of each day. */
async function fill(client: Client, userId: string, person: number, now: number): Promise<void> {
  const today = now - (now % DAY_MS)
  for (let day = DAYS - 1; day >= 0; day--) {
    const start = today - day * DAY_MS
    const samples = makeHeartRate(person * DAYS + day, 0, MINUTES_OF_A_DAY)
      .map(({ value }, minute) => ({ value, startedAt: start + minute * MINUTE_MS }))
      .filter(({ startedAt }) => startedAt <= now)
    await client.call('POST', `/v2/timeseries/${userId}/heartrate`, uploadBody(samples))
    if (day === 0) continue
    const summary = (resource: string, data: object) =>
      client.call(
        'POST',
        `/v2/summary/${resource}/${userId}`,
        JSON.stringify({ stage: 'daily', provider: PROVIDER, time_zone: 'UTC', data: [data] }),
      )
    await summary('activity', {
      day_summary: {
        calendar_date: dateOf(start),
        steps_sum: 9_000 + day,
        active_energy_burned_sum: 420,
      },
    })
    await summary('sleep', nightOf(start))
  }
}

function nightOf(start: number): object {
  const at = (hours: number): string => new Date(start + hours * HOUR_MS).toISOString()
  const stage = (from: number, to: number): object => ({
    ...{ value: 1, unit: 'stage', start_date: at(from), end_date: at(to) },
    ...{ type: 'watch', source_bundle: 'com.example.watch' },
  })
  return {
    id: `night-${start}`,
    ...{ start_date: at(0), end_date: at(7), source_bundle: 'com.example.watch' },
    sleep_stages: {
      awake_sleep_samples: [stage(0, 0.5)],
      light_sleep_samples: [stage(0.5, 4)],
      deep_sleep_samples: [stage(4, 5)],
      rem_sleep_samples: [stage(5, 7)],
    },
  }
}

async function measure(side: Side, name: string, now: number): Promise<Measured> {
  const ask = async (call: number): Promise<void> => {
    const day = now - (1 + (call % (DAYS - 1))) * DAY_MS
    const userId = side.users[call % PEOPLE] ?? ''
    const answer = await side.ask(name, { userId, day: day - (day % DAY_MS), now })
    if (answer.length < LEAST_ANSWER) throw new Error(`${side.name}, ${name}: ${answer}`)
  }
  const alone: number[] = []
  for (let call = 0; call < CALLS_ALONE; call++) {
    alone.push(1000 * (await secondsOf(() => ask(call))))
  }
  const read = () => {
    const [own = 0, ...children] = side.processIds()
    return [processorSeconds([own]), processorSeconds(children)] as const
  }
  const before = read()
  let next = 0
  const seconds = await secondsOf(() =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (next < CALLS_TOGETHER) await ask(next++)
      }),
    ),
  )
  const after = read()
  const each = (difference: number): number => (1000 * difference) / CALLS_TOGETHER
  return {
    p50: median(alone),
    rate: CALLS_TOGETHER / seconds,
    server: each(after[0] - before[0]),
    postgres: each(after[1] - before[1]),
  }
}

function print(sides: readonly Side[]): void {
  const lines = Object.keys(QUESTIONS).flatMap((name) =>
    sides.map((side) => {
      const all = side.measured.get(name) ?? []
      const middle = (pick: (one: Measured) => number): number => median(all.map(pick))
      const time = (pick: (one: Measured) => number): string => `${middle(pick).toFixed(2)} ms`
      return [
        ...[name, side.name, time(({ p50 }) => p50), `${Math.round(middle(({ rate }) => rate))}/s`],
        ...[time(({ server }) => server), time(({ postgres }) => postgres)],
        time(({ server, postgres }) => server + postgres),
      ]
    }),
  )
  const titles = ['question', 'of', 'p50 alone', '16 clients', 'server', 'PostgreSQL', 'both']
  printColumns(titles, lines)
}
