import type { ClickHouse } from '../platform/clickhouse/clickhouse.ts'
import { AppError } from '../platform/errors.ts'
import type { Clock } from '../platform/time/clock.ts'
import type { Sample, SampleOwner, WriteCounts } from './sample.ts'
import { mergeSamples } from './sample-merge.ts'
import { rangesOf } from './sample-ranges.ts'
import { findStoredSamples, insertSamples } from './samples.repository.ts'

/** One caller's samples on their way into the store. */
export interface SampleBatch {
  owner: SampleOwner
  samples: readonly Sample[]
}

interface Waiting extends SampleBatch {
  settle: { resolve: (counts: WriteCounts) => void; reject: (error: unknown) => void }
}

export interface SampleWriterOptions {
  clickhouse: ClickHouse
  clock: Clock
  /** How long the first of several callers waits for others to join its insert. */
  joinMilliseconds?: number
  /** Most rows of one insert. */
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

/**
 * Many small inserts make many small parts on disk, each of which costs a merge, so the rows of all
 * callers within a few milliseconds go into one insert. One flush runs at a time: what a flush
 * compares with is all that earlier ones wrote.
 */
export function createSampleWriter(options: SampleWriterOptions): SampleWriter {
  const { clickhouse, clock, joinMilliseconds = 10 } = options
  const { maxInsertRows = 50_000, maxWaitingRows = 1_000_000 } = options
  const queue: Waiting[] = []
  let waitingRows = 0
  let running: Promise<void> | undefined
  let lastVersion = 0

  /** Versions of arrivals: microseconds since 1970, always rising, also when the clock stands. */
  const nextVersion = (): number => {
    lastVersion = Math.max(lastVersion + 1, clock.now().getTime() * 1000)
    return lastVersion
  }

  function takeBatches(): Waiting[] {
    const taken: Waiting[] = []
    let rows = 0
    while (
      queue.length > 0 &&
      (rows === 0 || rows + (queue[0]?.samples.length ?? 0) <= maxInsertRows)
    ) {
      const batch = queue.shift() as Waiting
      taken.push(batch)
      rows += batch.samples.length
    }
    waitingRows -= rows
    return taken
  }

  async function flush(batches: Waiting[]): Promise<void> {
    try {
      const ranges = rangesOf(batches)
      const stored = ranges.length === 0 ? '' : await findStoredSamples(clickhouse, ranges)
      const { rows, counts } = mergeSamples(batches, stored, nextVersion)
      if (rows !== '') await insertSamples(clickhouse, rows)
      for (const [index, batch] of batches.entries()) {
        batch.settle.resolve(counts[index] as WriteCounts)
      }
    } catch (error) {
      for (const batch of batches) batch.settle.reject(error)
    }
  }

  async function run(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, joinMilliseconds))
    while (queue.length > 0) await flush(takeBatches())
    running = undefined
  }

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
      while (running !== undefined) await running
    },
  }
}
