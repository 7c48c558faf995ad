import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import { type DataChangeListener, NO_LISTENER } from '../../../platform/data-changes.ts'
import type { Logger } from '../../../platform/log.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { mapInSlices } from '../../../platform/time-slices.ts'
import {
  type Announcement,
  type SampleOwner,
  sumCounts,
  type WriteCounts,
} from '../../ingest/index.ts'
import type { NewSummary, WorkoutStream } from '../summary.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { announceLeftBehindSummaries } from './announce-left-behind.ts'
import { JoinedQueue } from './joined-queue.ts'
import { prepareSummary } from './prepared-summary.ts'
import { flushStreams, type StreamOperation, type Versions } from './stream-flush.ts'
import { createSummaryAnnouncer } from './summary-announcer.ts'
import { flushSummaries } from './summary-flush.ts'
import type { SummaryOperation } from './summary-merge.ts'

export interface SummaryWriterOptions {
  clickhouse: ClickHouse
  /** Where the events about summaries go. */
  db: Db
  clock: Clock
  /** Where the operator is told of what cannot be published. */
  log?: Logger
  /** Told of what is about to change. */
  listener?: DataChangeListener
  /** No other process writes to the store, so a note of nobody here was left behind. */
  isAlone?: boolean
  /** How long the first of several callers waits for others to join its insert. */
  joinMilliseconds?: number
}

/** Writes summaries and streams, joining those of concurrent callers into one insert a table. */
export interface SummaryWriter {
  /**
   * Stores summaries by id: the newest wins, by the time at which the source wrote it where it says
   * so, else by arrival; the same content again changes nothing. One that was removed and is written
   * again is created again. Durable when it returns, with an announcement the events too.
   * @throws AppError 503 when too much is waiting already.
   */
  write(
    owner: SampleOwner,
    summaries: readonly NewSummary[],
    announcement?: Announcement,
  ): Promise<WriteCounts>
  /** Takes summaries back: reads hide them. No event tells of it. Durable when it returns. */
  remove(owner: SampleOwner, resource: SummaryResource, ids: readonly string[]): Promise<void>
  /**
   * Stores streams by workout id; the same again is not written. Write the workouts first: an event
   * about a stream says what its workout is. Durable when it returns.
   */
  writeStreams(
    owner: SampleOwner,
    streams: ReadonlyMap<string, WorkoutStream>,
    announcement?: Announcement,
  ): Promise<WriteCounts>
  /** Waits until nothing is waiting or being written. */
  idle(): Promise<void>
}

const JOIN_MS = 10
/** Summaries of one call that are compared and announced at once. */
const PART_ITEMS = 500
const SUMMARY_LIMITS = { maxFlushItems: 5_000, maxWaitingItems: 100_000 }
/** A stream is some thousand points. */
const STREAM_LIMITS = { maxFlushItems: 50, maxWaitingItems: 2_000 }

export function createSummaryWriter(options: SummaryWriterOptions): SummaryWriter {
  const { db, clickhouse, clock, log, isAlone = false, listener = NO_LISTENER } = options
  const { joinMilliseconds = JOIN_MS } = options
  const recover = announceLeftBehindSummaries.bind(null, { db, clickhouse, clock, log })
  const announcer = createSummaryAnnouncer({ db, clock, isAlone, recover })
  const context = { db, clickhouse, clock, announcer, listener }
  const nextVersion = createVersions(clock)
  const summaries = new JoinedQueue<SummaryOperation, WriteCounts>({
    joinMilliseconds,
    ...SUMMARY_LIMITS,
    flush: (operations) => flushSummaries(context, operations, nextVersion),
  })
  const streams = new JoinedQueue<StreamOperation, WriteCounts>({
    joinMilliseconds,
    ...STREAM_LIMITS,
    flush: (operations) => flushStreams(context, operations, nextVersion),
  })
  return {
    async write(owner, list, announcement) {
      if (list.length === 0) return sumCounts([])
      // At once where it is quick, so that what is written and removed at once stays in its order.
      const prepare = (summary: NewSummary) => prepareSummary(owner, summary)
      const isMuch = list.length > PART_ITEMS
      const prepared = isMuch ? await mapInSlices(list, prepare) : list.map(prepare)
      const parts: { operation: SummaryOperation; size: number }[] = []
      for (let from = 0; from < prepared.length; from += PART_ITEMS) {
        const part = prepared.slice(from, from + PART_ITEMS)
        const operation = { kind: 'write' as const, owner, summaries: part, announcement }
        parts.push({ operation, size: part.length })
      }
      return sumCounts(await summaries.addAll(parts))
    },
    async remove(owner, resource, ids) {
      if (ids.length === 0) return
      await summaries.add({ kind: 'remove', owner, resource, ids }, ids.length)
    },
    async writeStreams(owner, byWorkout, announcement) {
      if (byWorkout.size === 0) return { inserted: 0, updated: 0, unchanged: 0 }
      return streams.add({ owner, streams: byWorkout, announcement }, byWorkout.size)
    },
    async idle() {
      await Promise.all([summaries.idle(), streams.idle()])
    },
  }
}

function createVersions(clock: Clock): Versions {
  let last = 0
  return () => {
    last = Math.max(last + 1, clock.now().getTime() * 1000)
    return last
  }
}
