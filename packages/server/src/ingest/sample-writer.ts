import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts'
import { AppError } from '../platform/errors.ts'
import type { Clock } from '../platform/time/clock.ts'
import type { Sample, SampleBatch, SampleOwner, WriteCounts } from './sample.ts'
import { SampleExtents } from './sample-extents.ts'
import { type MergedSamples, mergeSamples } from './sample-merge.ts'
import { rangesOf, timesOf } from './sample-ranges.ts'
import type { Streams } from './sample-streams.ts'
import { findStoredSamples, insertSamples } from './samples.repository.ts'

interface Waiting extends SampleBatch {
  settle: { resolve: (counts: WriteCounts) => void; reject: (error: unknown) => void }
}

/** Rows that are being stored, and what is known once they are. */
interface Flight {
  streams: Streams
  /** Resolves when the rows are durable. */
  stored: Promise<void>
}

export interface SampleWriterOptions {
  clickhouse: ClickHouse
  clock: Clock
  /** No other process writes to the store, so what is known of it stays true. */
  isAlone?: boolean
  /** How long the first of several callers waits for others to join its insert. */
  joinMilliseconds?: number
  /** Rows at which an insert takes no further caller. */
  maxInsertRows?: number
  /** Most rows waiting before callers are told to come back later. */
  maxWaitingRows?: number
}

/** Writes samples, joining the rows of concurrent callers into one insert. */
export interface SampleWriter {
  /**
   * Stores samples by natural key: newest wins, the same again changes nothing. Durable when it
   * returns. The ones of one call are taken in their order.
   * @throws AppError 503 when too much is waiting already.
   */
  write(owner: SampleOwner, samples: readonly Sample[]): Promise<WriteCounts>
  /** Waits until nothing is waiting or being written. */
  idle(): Promise<void>
}

const OVERLOADED = new AppError(
  503,
  'overloaded',
  'More samples are waiting to be stored than the server takes. Try again.',
)

/** One insert runs while the next is compared and written out; more would only wait. */
const MOST_FLIGHTS = 2

/**
 * Many small inserts make many small parts on disk, each of which costs a merge, so the rows of all
 * callers within a few milliseconds go into one insert. Comparing is done by one flush at a time, and
 * each one knows what the ones before it are still storing, so no two take the same key for new.
 */
export function createSampleWriter(options: SampleWriterOptions): SampleWriter {
  const { clickhouse, clock, isAlone = false, joinMilliseconds = 10 } = options
  const { maxInsertRows = 16_000, maxWaitingRows = 1_000_000 } = options
  const queue: Waiting[] = []
  const flights = new Set<Flight>()
  const extents = isAlone ? new SampleExtents(clickhouse) : undefined
  let waitingRows = 0
  let running: Promise<void> | undefined
  let lastVersion = 0

  /** Versions of arrivals: microseconds since 1970, always rising, also when the clock stands. */
  function createVersions(): () => number {
    lastVersion = Math.max(lastVersion, clock.now().getTime() * 1000)
    return () => ++lastVersion
  }

  function takeBatches(): Waiting[] {
    const taken: Waiting[] = []
    let rows = 0
    for (let next = queue[0]; next !== undefined && rows < maxInsertRows; next = queue[0]) {
      taken.push(next)
      rows += next.samples.length
      queue.shift()
    }
    waitingRows -= rows
    return taken
  }

  /** Compares and writes out; returns when the rows are on their way, not when they are stored. */
  async function startFlush(batches: Waiting[]): Promise<void> {
    // Before the look-up: what is stored during it may or may not be seen by it.
    const earlier = [...flights]
    const times = timesOf(batches)
    const known = (await extents?.take(times)) ?? times.values()
    const stored = await findStoredSamples(clickhouse, rangesOf(known))
    const pending = earlier.map((flight) => flight.streams)
    const merged = mergeSamples(batches, stored, pending, createVersions())
    startFlight(batches, merged, earlier)
  }

  function startFlight(batches: Waiting[], merged: MergedSamples, earlier: Flight[]): void {
    const { rows, counts, streams, reliedOn } = merged
    const insert = rows === '' ? Promise.resolve() : insertSamples(clickhouse, rows)
    // An outcome that rests on the rows of an earlier flush stands only if those are stored too.
    const bases = earlier.filter((_flight, index) => reliedOn.has(index))
    const stored = Promise.all([insert, ...bases.map((flight) => flight.stored)]).then(() => {})
    const flight: Flight = { streams, stored }
    flights.add(flight)
    stored
      .then(
        () => resolveAll(batches, counts),
        (error: unknown) => rejectAll(batches, error),
      )
      .finally(() => flights.delete(flight))
  }

  async function run(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, joinMilliseconds))
    while (queue.length > 0) {
      if (flights.size >= MOST_FLIGHTS) await aFlightToLand()
      const batches = takeBatches()
      await startFlush(batches).catch((error: unknown) => rejectAll(batches, error))
    }
    running = undefined
  }

  const aFlightToLand = (): Promise<unknown> =>
    Promise.race([...flights].map((flight) => flight.stored.catch(() => undefined)))

  return {
    write(owner, samples) {
      if (samples.length === 0) return Promise.resolve({ inserted: 0, updated: 0, unchanged: 0 })
      if (waitingRows + samples.length > maxWaitingRows && waitingRows > 0) {
        return Promise.reject(OVERLOADED)
      }
      const { promise, resolve, reject } = Promise.withResolvers<WriteCounts>()
      queue.push({ owner, samples, settle: { resolve, reject } })
      waitingRows += samples.length
      running ??= run()
      return promise
    },
    async idle() {
      while (running !== undefined || flights.size > 0) {
        await running
        await Promise.allSettled([...flights].map((flight) => flight.stored))
        await Promise.resolve()
      }
    },
  }
}

function resolveAll(batches: readonly Waiting[], counts: readonly WriteCounts[]): void {
  for (const [index, { settle }] of batches.entries()) settle.resolve(counts[index] as WriteCounts)
}

function rejectAll(batches: readonly Waiting[], error: unknown): void {
  for (const { settle } of batches) settle.reject(error)
}
