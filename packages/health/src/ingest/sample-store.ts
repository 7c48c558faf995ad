import { Batcher } from '@salus/kernel/batching/batcher'
import type { DataChangeListener } from '@salus/kernel/data-changes'
import type { Stores } from '@salus/kernel/scope'
import { beginPatientWrite, beginWrite, type DayWrite } from '../day-cache/index.ts'
import type { StoredSamples } from './arrival.ts'
import { dateOfSample, type IngestionBounds, selectWithinBounds } from './bounds.ts'
import type { Publisher } from './publishing/publisher.ts'
import {
  eventsOfBatches,
  findDevices,
  isPublished,
  pendingOfSamples,
} from './publishing/sample-events.ts'
import {
  ArrivalVersions,
  type Publication,
  type Sample,
  type SampleBatch,
  type SampleOwner,
  sumCounts,
  type WriteCounts,
} from './sample.ts'
import { SampleExtents } from './sample-extents.ts'
import { type MergedSamples, mergeSamples } from './sample-merge.ts'
import { changesOf, rangesOf, type SampleTimes, timesOf } from './sample-ranges.ts'
import {
  findStoredSamples,
  insertSamples,
  removeSamples,
  type SourceSeriesKey,
} from './samples.repository.ts'
import type { SourceSeriesByName, Version } from './source-series.ts'

/** Context of the stores of the port. */
export interface StoreContext extends Stores {
  publisher: Publisher
  /** Called with what may change, before it is stored. */
  listener: DataChangeListener
  /** How long the first of several callers waits for others to share its insert. */
  batchWaitMs: number
}

export interface SampleStoreOptions extends StoreContext {
  /** Whether no other process writes to the store, so that cached state stays valid. */
  isAlone: boolean
  /** Number of rows at which an insert accepts no further caller. */
  maxBatchRows?: number
  /** Maximum number of waiting rows; beyond it callers must retry later. */
  maxWaitingRows?: number
}

/** Rows that are being stored, and the state once they are. */
interface Flight {
  sourceSeries: SourceSeriesByName
  /** Resolves when the rows and their events are durable. */
  stored: Promise<void>
}

/** Rows at which an insert accepts no further caller. */
const MOST_ROWS = 64_000
/** Rows at which a further insert begins beside another one. */
const LEAST_FURTHER_ROWS = 16_000

/** Rows of one call that are compared and published at once. */
const PART_ROWS = 2_000

/**
 * Stores samples. Many small inserts make many small parts on disk, each of which costs a merge, so
 * concurrent callers share an insert. One batch is compared at a time, and each one knows what
 * earlier ones are still storing, so that no two regard the same key as new.
 */
export class SampleStore {
  readonly #options: SampleStoreOptions
  readonly #batcher: Batcher<SampleBatch, WriteCounts>
  readonly #extents: SampleExtents | undefined
  readonly #versions: ArrivalVersions
  readonly #flights = new Set<Flight>()

  constructor(options: SampleStoreOptions) {
    const { clickhouse, clock, isAlone, batchWaitMs: waitMs, maxBatchRows = MOST_ROWS } = options
    this.#options = options
    this.#extents = isAlone ? new SampleExtents(clickhouse) : undefined
    this.#versions = new ArrivalVersions(clock)
    this.#batcher = new Batcher({
      name: 'samples',
      waitMs,
      maxBatchSize: maxBatchRows,
      // Most of what an insert costs is independent of its rows.
      leastFurtherSize: Math.min(LEAST_FURTHER_ROWS, maxBatchRows),
      maxWaitingSize: options.maxWaitingRows ?? 1_000_000,
      // One insert runs while the next is prepared; more would only wait.
      maxBatches: 2,
      flush: (batches, beginNext) => this.#flush(batches, beginNext),
    })
  }

  /**
   * Stores samples within the bounds by natural key: the newest version wins, repeated samples
   * change nothing. Those of one call are stored in their order. Everything, events included, is
   * durable when it returns.
   * @throws AppError 503 when too much is waiting already.
   */
  async store(
    owner: SampleOwner,
    arrived: readonly Sample[],
    bounds: IngestionBounds,
    publication: Publication | undefined,
  ): Promise<StoredSamples> {
    const samples = await selectWithinBounds(bounds, arrived, dateOfSample)
    // Split into parts, between which a flush yields to others.
    const parts: { work: SampleBatch; size: number }[] = []
    for (let from = 0; from < samples.length; from += PART_ROWS) {
      const part = samples.slice(from, from + PART_ROWS)
      parts.push({ work: { owner, samples: part, publication }, size: part.length })
    }
    const counts = await this.#batcher.add(parts)
    return { ...sumCounts(counts), outOfBounds: arrived.length - samples.length, kept: samples }
  }

  /** Removes samples of one source series for good, by their starts. It raises no event. */
  async remove(owner: SampleOwner, key: SourceSeriesKey, starts: readonly number[]): Promise<void> {
    const { clickhouse, listener } = this.#options
    const { environmentId, userId } = owner
    const sorted = starts.toSorted((a, b) => a - b)
    const [from, to] = [sorted[0], sorted.at(-1)]
    if (from === undefined || to === undefined) return
    const changes = [{ environmentId, userId, resource: key.series, from, to }]
    const write = await beginPatientWrite(this.#options, changes)
    await listener.willStore(changes)
    await removeSamples(clickhouse, owner, key, sorted)
    await write.end([])
  }

  idle(): Promise<void> {
    return this.#batcher.idle()
  }

  #flush(batches: readonly SampleBatch[], beginNext: () => void): Promise<WriteCounts[]> {
    const { db, clock, clickhouse, publisher, listener } = this.#options
    // Before the look-up, which may or may not see what is stored during it.
    const earlier = [...this.#flights]
    const leastVersion = this.#versions.beginFlush()
    const published = batches.filter(isPublished)
    const pending = pendingOfSamples(published, leastVersion)
    return publisher.run(pending, clock.now(), async (opened, publish) => {
      const times = timesOf(batches)
      const ranges = changesOf(times)
      // Writing during the look-up takes no extra time.
      const [stored, deviceOf, write] = await Promise.all([
        this.#findStored(times),
        findDevices(db, published),
        beginWrite(this.#options, ranges),
        listener.willStore(ranges),
        opened,
      ])
      const known = earlier.map((flight) => flight.sourceSeries)
      const merged = await mergeSamples(batches, stored, known, this.#versions.next)
      const store = async (): Promise<void> => {
        const insert = merged.rows.count === 0 ? undefined : insertSamples(clickhouse, merged.rows)
        // An outcome that depends on rows of an earlier batch stands only if those are stored too.
        // The order also applies to events: an update follows its creation.
        const bases = earlier.filter((_flight, index) => merged.reliedOn.has(index))
        await Promise.all([insert, ...bases.map((flight) => flight.stored)])
        const changes = merged.changes.filter((_, index) =>
          isPublished(batches[index] as SampleBatch),
        )
        const events = eventsOfBatches(pending, published, changes, deviceOf, clock.now())
        await Promise.all([endWrite(write, merged), events.then(publish)])
      }
      const flight: Flight = { sourceSeries: merged.sourceSeries, stored: store() }
      this.#flights.add(flight)
      beginNext()
      return flight.stored.then(() => merged.counts).finally(() => this.#flights.delete(flight))
    })
  }

  async #findStored(times: Map<string, SampleTimes>): Promise<string> {
    const known = (await this.#extents?.takeStoredTimes(times)) ?? times.values()
    return findStoredSamples(this.#options.clickhouse, rangesOf(known))
  }
}

/** Ends a write whose rows are stored, with the samples of days that have a copy. */
function endWrite(write: DayWrite, { rows }: MergedSamples): Promise<void> {
  if (rows.count === 0) return write.endUnchanged()
  if (!write.hasCopies) return write.end([])
  return write.end(rows.map(toWrittenSample).filter(write.isCopied))
}

function toWrittenSample({ provider, ...of }: SampleOwner, { sample: written, version }: Version) {
  const { series, startedAt, endedAt, value, diastolic, text, ...sample } = written as Sample
  const { sourceType, appId, sampleType, workoutId, sport, timezoneOffset, extra } = sample
  return {
    ...of,
    series,
    origin: {
      ...{ provider, sourceType, appId, sampleType, workoutId, sport, timezoneOffset, extra },
    },
    ...{ startedAt, endedAt, value, diastolic, text, version },
  }
}
