import { join } from 'node:path'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { FIRST_MINUTE, type HeartRateSample, makeHeartRate } from './heart-rate.ts'
import { printMachine } from './measure.ts'
import { startInfluxDb } from './peers/influxdb.ts'
import { measureCalls, measureUpload } from './peers/measure-peer.ts'
import { type DailyValues, findProgram, type Peer, type PeerOptions } from './peers/peer.ts'
import { startPostgresRows } from './peers/postgres-rows.ts'
import { startSalus } from './peers/salus.ts'
import { printSeen, type ReadCase, type Seen } from './peers/table.ts'
import { startVictoriaMetrics } from './peers/victoria-metrics.ts'
import { newDirectory, readMemory, removeDirectory } from './server-process.ts'

const CLIENTS = 16
const SAMPLES_OF_A_REQUEST = 1000
const MINUTES_OF_A_DAY = DAY_MS / MINUTE_MS

export interface PeersOptions {
  /** Names of peers: salus, influxdb, victoria-metrics, postgres; all of them by default. */
  only?: readonly string[]
  /** Of each measurement, a warm-up of reads not counted. */
  rounds: number
  people: number
  /** Of samples that each person has. */
  days: number
}

const PEERS: Record<string, (options: PeerOptions) => Promise<Peer> | undefined> = {
  salus: startSalus,
  influxdb: (options) => startInstalled('influxd', startInfluxDb, options),
  'victoria-metrics': (options) =>
    startInstalled('victoria-metrics', startVictoriaMetrics, options),
  postgres: startPostgresRows,
}

function startInstalled(
  program: string,
  start: (path: string, options: PeerOptions) => Promise<Peer>,
  options: PeerOptions,
): Promise<Peer> | undefined {
  const path = findProgram(program)
  return path === undefined ? undefined : start(path, options)
}

/**
 * The same work by Salus, InfluxDB, VictoriaMetrics and PostgreSQL, in turns: sixteen clients
 * upload the samples of a year, then read a day of them, and the daily values of the year. One
 * answer of each kind is compared with what was uploaded. A program that is not installed is left
 * out. Prints a table with medians of the rounds, and ratios to the first peer.
 * @throws Error for a name of no peer, and for an answer that is wrong
 */
export async function benchPeers(options: PeersOptions): Promise<void> {
  const folder = newDirectory()
  const peers: Peer[] = []
  try {
    for (const name of options.only ?? Object.keys(PEERS)) {
      const directory = join(folder, name)
      const start = PEERS[name]
      if (start === undefined) throw new Error(`No peer is called ${name}.`)
      const peer = await start({ ...options, directory })
      if (peer === undefined) console.log(`${name} is not installed, and is left out.`)
      else peers.push(peer)
    }
    const samples = options.people * options.days * MINUTES_OF_A_DAY
    const title = `${options.people} people, ${options.days} days of minutes`
    const seen = await measureAll(peers, options)
    printMachine()
    printSeen(title, samples, seen)
  } finally {
    for (const peer of peers) await peer.stop()
    removeDirectory(folder)
  }
}

async function measureAll(peers: Peer[], options: PeersOptions): Promise<Seen[]> {
  const { people, rounds, days } = options
  const values = Array.from({ length: people }, (_, person) => {
    const samples = makeHeartRate(person, 0, days * MINUTES_OF_A_DAY)
    return Uint8Array.from(samples, ({ value }) => value)
  })
  const seen = peers.map(({ name }): Seen => {
    return { name, uploads: [], reads: [], folderBytes: 0, mergedBytes: 0, megabytes: 0 }
  })
  const both = peers.map((peer, index) => [peer, seen[index] as Seen] as const)
  for (let round = 0; round < rounds; round++) {
    for (const [peer, { uploads }] of both) {
      const calls = prepareRound(peer, values, round, rounds)
      const upload = await measureUpload(peer, CLIENTS, calls)
      uploads.push(upload)
      console.log(`upload ${round + 1}, ${peer.name}: ${upload.seconds.toFixed(1)} s`)
    }
  }
  for (const [peer, one] of both) {
    one.folderBytes = peer.folderBytes()
    await peer.tidy()
    await checkAnswers(peer, values, days)
  }
  await measureReads(both, readCases(people, days), rounds)
  for (const [peer, one] of both) {
    const { rss, children } = readMemory(peer.processIds())
    one.megabytes = rss + children
  }
  for (const [peer, one] of both) one.mergedBytes = await peer.mergedBytes()
  return seen
}

/** Runs each kind of read by all peers in turns; the first round warms them up. */
async function measureReads(
  both: readonly (readonly [Peer, Seen])[],
  cases: readonly (ReadCase & { read: Read })[],
  rounds: number,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    for (const { read, ...of } of cases) {
      for (const [peer, { reads }] of both) {
        const calls = Array.from({ length: of.calls }, (_, call) => () => read(peer, call))
        const measured = await measureCalls(peer, of.concurrency, calls)
        if (round > 0) reads.push({ ...of, measured })
      }
    }
    console.log(`reads ${round}`)
  }
}

/** The requests of all people in one part of the time, each person's in order. */
function prepareRound(peer: Peer, values: readonly Uint8Array[], round: number, rounds: number) {
  const total = values[0]?.length ?? 0
  const part = Math.ceil(total / rounds)
  const until = Math.min(total, (round + 1) * part)
  const calls: (() => Promise<unknown>)[] = []
  for (let first = round * part; first < until; first += SAMPLES_OF_A_REQUEST) {
    const last = Math.min(until, first + SAMPLES_OF_A_REQUEST)
    for (const [person, own] of values.entries()) {
      const samples = Array.from(own.subarray(first, last), (value, index): HeartRateSample => {
        return { startedAt: FIRST_MINUTE + (first + index) * MINUTE_MS, value }
      })
      calls.push(peer.prepareUpload(person, samples))
    }
  }
  return calls
}

type Read = (peer: Peer, call: number) => Promise<unknown>

function readCases(people: number, days: number): (ReadCase & { read: Read })[] {
  const readDay = (peer: Peer, call: number) =>
    peer.readDay(call % people, FIRST_MINUTE + ((call * 37) % days) * DAY_MS)
  const readDaily = (peer: Peer, call: number) => peer.readDaily(call % people)
  return [
    { job: 'a day of samples, 1 client', concurrency: 1, calls: 100, read: readDay },
    { job: 'the same, 16 clients', concurrency: 16, calls: 320, read: readDay },
    { job: `daily values of ${days} days, 1 client`, concurrency: 1, calls: 8, read: readDaily },
    { job: 'the same, 8 clients', concurrency: 8, calls: 16, read: readDaily },
  ]
}

/** @throws Error when a day, or the daily values, are not those that were uploaded */
async function checkAnswers(peer: Peer, values: readonly Uint8Array[], days: number) {
  const person = values.length - 1
  const own = values[person] ?? new Uint8Array()
  const day = days - 1
  const samples = (await peer.readDay(person, FIRST_MINUTE + day * DAY_MS))()
  const expected = [...own.subarray(day * MINUTES_OF_A_DAY)]
  if (samples.join() !== expected.join()) throw new Error(`${peer.name} answers another day`)
  const daily = (await peer.readDaily(person))()
  const isSame = Array.from({ length: days }, (_, index) => {
    const of = own.subarray(index * MINUTES_OF_A_DAY, (index + 1) * MINUTES_OF_A_DAY)
    return isClose(daily[index] ?? [Number.NaN, Number.NaN, Number.NaN], valuesOfDay(of))
  })
  if (daily.length !== days || isSame.includes(false)) {
    throw new Error(`${peer.name} answers other daily values`)
  }
}

const valuesOfDay = (samples: Uint8Array): DailyValues => [
  Math.min(...samples),
  Math.max(...samples),
  samples.reduce((sum, value) => sum + value, 0) / samples.length,
]

const isClose = (one: DailyValues, other: DailyValues): boolean =>
  one.every((value, index) => Math.abs(value - (other[index] ?? Number.NaN)) < 1e-6)
