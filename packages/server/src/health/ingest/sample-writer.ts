import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import { type DataChangeListener, NO_LISTENER } from '../../platform/data-changes.ts'
import { AppError } from '../../platform/errors.ts'
import { isStoreTrouble } from '../../platform/http/error-handler.ts'
import type { Logger } from '../../platform/log.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { mapInSlices } from '../../platform/time-slices.ts'
import { announceLeftBehind } from './announce/announce-left-behind.ts'
import {
  createSampleAnnouncer,
  type OpenAnnouncement,
  type SampleAnnouncer,
} from './announce/sample-announcer.ts'
import type { SampleNote } from './announce/unannounced.repository.ts'
import { type PutAsideItem, putAsideRow } from './put-aside.repository.ts'
import { PutAsideJoiner } from './put-aside-joiner.ts'
import {
  type Announcement,
  type Sample,
  type SampleOwner,
  sumCounts,
  type WriteCounts,
} from './sample.ts'
import { SampleExtents } from './sample-extents.ts'
import { type MergedSamples, mergeSamples } from './sample-merge.ts'
import { changesOf, rangesOf, type SampleTimes, timesOf } from './sample-ranges.ts'
import type { Streams } from './sample-streams.ts'
import {
  findStoredSamples,
  insertSamples,
  removeSamples,
  type SampleStream,
} from './samples.repository.ts'
import { type Group, isAnnounced, rejectAll, resolveAll, type Waiting } from './waiting-batches.ts'

/** Rows that are being stored, and what is known once they are. */
interface Flight {
  streams: Streams
  /** Resolves when the rows are durable, and so are their events. */
  stored: Promise<void>
}

export interface SampleWriterOptions {
  clickhouse: ClickHouse
  clock: Clock
  /** Where the events about samples go. */
  db: Db
  /** Where the operator is told of what cannot be published. */
  log?: Logger
  /** Told what may change, before it is stored. */
  listener?: DataChangeListener
  /** No other process writes to the store, so what is known of it stays true. */
  isAlone?: boolean
  /** How long the first of several callers waits for others to join its insert. */
  joinMilliseconds?: number
  /** Rows at which an insert takes no further caller. */
  maxInsertRows?: number
  /** Most rows waiting before callers are told to come back later. */
  maxWaitingRows?: number
}

/** Writes what uploads bring, joining the rows of concurrent callers into one insert. */
export interface SampleWriter {
  /**
   * Stores samples by natural key: newest wins, the same again changes nothing. Durable when it
   * returns. The ones of one call are taken in their order. With an announcement, the events that
   * tell of them are durable too.
   * @throws AppError 503 when too much is waiting already.
   */
  write(
    owner: SampleOwner,
    samples: readonly Sample[],
    announcement?: Announcement,
  ): Promise<WriteCounts>
  /** Keeps items that cannot be stored as samples; durable when it returns. */
  putAside(owner: SampleOwner, items: readonly PutAsideItem[]): Promise<void>
  /** Removes samples of one stream for good, by their starts. No event tells of it. */
  remove(owner: SampleOwner, stream: SampleStream, starts: readonly number[]): Promise<void>
  /** Waits until no sample is waiting or being written. */
  idle(): Promise<void>
}

const OVERLOADED = new AppError(
  503,
  'overloaded',
  'More samples are waiting to be stored than the server takes. Try again.',
)

const DEFAULTS = {
  listener: NO_LISTENER,
  joinMilliseconds: 10,
  maxInsertRows: 16_000,
  maxWaitingRows: 1_000_000,
}

/** Rows of one call that are compared and announced at once. */
const PART_ROWS = 2_000

/** Halving a group so often leaves single callers, however many there were. */
const MOST_RETRIES = 14

/** One insert runs while the next is compared and written out; more would only wait. */
const MOST_FLIGHTS = 2

export function createSampleWriter(options: SampleWriterOptions): SampleWriter {
  const { db, clickhouse, clock, log, isAlone = false } = options
  const recover = (notes: SampleNote[]) => announceLeftBehind({ db, clickhouse, clock, log }, notes)
  return new JoiningWriter(options, createSampleAnnouncer({ db, clock, isAlone, recover }))
}

/**
 * Many small inserts make many small parts on disk, each of which costs a merge, so the rows of all
 * callers within a few milliseconds go into one insert. Comparing is done by one flush at a time, and
 * each one knows what the ones before it are still storing, so no two take the same key for new.
 */
class JoiningWriter implements SampleWriter {
  readonly #options: Required<Omit<SampleWriterOptions, 'isAlone' | 'log'>>
  readonly #announcer: SampleAnnouncer
  readonly #extents: SampleExtents | undefined
  readonly #putAside: PutAsideJoiner
  readonly #queue: Waiting[] = []
  /** Parts of groups that failed, to be tried on their own. */
  readonly #failed: Group[] = []
  readonly #flights = new Set<Flight>()
  #waitingRows = 0
  #running: Promise<void> | undefined
  #lastVersion = 0

  constructor({ isAlone = false, ...options }: SampleWriterOptions, announcer: SampleAnnouncer) {
    this.#announcer = announcer
    this.#options = { ...DEFAULTS, ...options }
    this.#putAside = new PutAsideJoiner(options.clickhouse)
    this.#extents = isAlone ? new SampleExtents(options.clickhouse) : undefined
  }

  async write(
    owner: SampleOwner,
    samples: readonly Sample[],
    announcement?: Announcement,
  ): Promise<WriteCounts> {
    const { maxWaitingRows } = this.#options
    if (this.#waitingRows > 0 && this.#waitingRows + samples.length > maxWaitingRows) {
      throw OVERLOADED
    }
    // In parts, between which a flush lets others have their turn.
    const written: Promise<WriteCounts>[] = []
    for (let from = 0; from < samples.length; from += PART_ROWS) {
      const { promise, resolve, reject } = Promise.withResolvers<WriteCounts>()
      const part = samples.slice(from, from + PART_ROWS)
      this.#queue.push({ owner, samples: part, announcement, settle: { resolve, reject } })
      this.#waitingRows += part.length
      this.#running ??= this.#run()
      written.push(promise)
    }
    return sumCounts(await Promise.all(written))
  }

  async putAside(owner: SampleOwner, items: readonly PutAsideItem[]): Promise<void> {
    const at = this.#options.clock.now()
    await this.#putAside.insert(await mapInSlices(items, (item) => putAsideRow(owner, item, at)))
  }

  async remove(owner: SampleOwner, stream: SampleStream, starts: readonly number[]): Promise<void> {
    const { clickhouse, listener } = this.#options
    const { environmentId, userId } = owner
    const sorted = starts.toSorted((a, b) => a - b)
    const [from, to] = [sorted[0], sorted.at(-1)]
    if (from === undefined || to === undefined) return
    await listener.willStore([{ environmentId, userId, resource: stream.series, from, to }])
    await removeSamples(clickhouse, owner, stream, sorted)
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined || this.#flights.size > 0) {
      await this.#running
      await Promise.allSettled([...this.#flights].map((flight) => flight.stored))
      await Promise.resolve()
    }
  }

  async #run(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#options.joinMilliseconds))
    while (this.#queue.length > 0 || this.#failed.length > 0) {
      if (this.#flights.size >= MOST_FLIGHTS) await this.#aFlightToLand()
      const group = this.#failed.shift() ?? { batches: this.#takeBatches(), retries: MOST_RETRIES }
      await this.#flush(group).catch((error: unknown) => this.#fail(group, error))
    }
    this.#running = undefined
  }

  #takeBatches(): Waiting[] {
    const taken: Waiting[] = []
    let rows = 0
    while (this.#queue.length > 0 && rows < this.#options.maxInsertRows) {
      const next = this.#queue.shift() as Waiting
      taken.push(next)
      rows += next.samples.length
    }
    this.#waitingRows -= rows
    return taken
  }

  /** Tries the halves of a group that failed, until only what fails by itself fails. */
  #fail({ batches, retries }: Group, error: unknown): void {
    const isFinal = batches.length === 1 || retries === 0 || isStoreTrouble(error)
    if (isFinal) {
      rejectAll(batches, error)
      return
    }
    const middle = Math.ceil(batches.length / 2)
    for (const half of [batches.slice(0, middle), batches.slice(middle)]) {
      this.#failed.push({ batches: half, retries: retries - 1 })
    }
    this.#running ??= this.#run()
  }

  /** Compares and writes out; returns when the rows are on their way, not when they are stored. */
  async #flush(group: Group): Promise<void> {
    const { batches } = group
    // Before the look-up: what is stored during it may or may not be seen by it.
    const earlier = [...this.#flights]
    const nextVersion = this.#versions()
    const opening = this.#openAnnouncement(batches)
    const times = timesOf(batches)
    // Noted during the look-up, it costs no time of its own.
    const noting = this.#options.listener.willStore(changesOf(times))
    const [stored, announcement] = await Promise.all([
      this.#findStored(times),
      opening,
      noting,
    ]).catch((error: unknown) => {
      void opening.then((open) => open?.abandon()).catch(() => undefined)
      throw error
    })
    const pending = earlier.map((flight) => flight.streams)
    const merged = await mergeSamples(batches, stored, pending, nextVersion)
    this.#startFlight(group, merged, earlier, announcement)
  }

  async #findStored(times: Map<string, SampleTimes>): Promise<string> {
    const known = (await this.#extents?.take(times)) ?? times.values()
    return findStoredSamples(this.#options.clickhouse, rangesOf(known))
  }

  /** Notes what will have to be announced; it costs no time, being done during the look-up. */
  async #openAnnouncement(batches: readonly Waiting[]): Promise<OpenAnnouncement | undefined> {
    const announced = batches.filter(isAnnounced)
    if (announced.length === 0) return undefined
    return this.#announcer.open(announced, this.#lastVersion)
  }

  /** Versions of arrivals: microseconds since 1970, always rising, also when the clock stands. */
  #versions(): () => number {
    this.#lastVersion = Math.max(this.#lastVersion, this.#options.clock.now().getTime() * 1000)
    return () => ++this.#lastVersion
  }

  #startFlight(
    group: Group,
    merged: MergedSamples,
    earlier: Flight[],
    announcement: OpenAnnouncement | undefined,
  ): void {
    const { batches } = group
    const { rows, counts, streams, reliedOn } = merged
    const insert = rows === '' ? Promise.resolve() : insertSamples(this.#options.clickhouse, rows)
    // An outcome that rests on the rows of an earlier flush stands only if those are stored too.
    const bases = earlier.filter((_flight, index) => reliedOn.has(index))
    const changes = merged.changes.filter((_, index) => isAnnounced(batches[index] as Waiting))
    // In this order also for events: that a sample was updated comes after that it was created.
    const stored = Promise.all([insert, ...bases.map((flight) => flight.stored)]).then(() =>
      announcement?.close(changes),
    )
    const flight: Flight = { streams, stored }
    this.#flights.add(flight)
    stored
      .then(
        () => resolveAll(batches, counts),
        (error: unknown) => {
          announcement?.abandon()
          this.#fail(group, error)
        },
      )
      .finally(() => this.#flights.delete(flight))
  }

  #aFlightToLand(): Promise<unknown> {
    return Promise.race([...this.#flights].map(({ stored }) => stored.catch(() => undefined)))
  }
}
