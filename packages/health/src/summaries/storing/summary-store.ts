import { Batcher } from '@salus/kernel/batching/batcher'
import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { mapInSlices, WorkSlice } from '@salus/kernel/time-slices'
import { beginWrite } from '../../day-cache/index.ts'
import {
  ArrivalVersions,
  type ArrivedSummaries,
  type IngestionBounds,
  type Publication,
  type SampleOwner,
  type StoreContext,
  type StoredSummaries,
  type SummaryKind,
  type SummaryStore,
  selectWithinBounds,
  sumCounts,
  type WriteCounts,
} from '../../ingest/index.ts'
import type { NewSummary, WorkoutStream } from '../summary.ts'
import { summaryId } from '../summary-id.ts'
import { SUMMARY_RESOURCES, type SummaryValues } from '../summary-tables.registry.ts'
import { KnownSummaries, peopleOf } from './known-summaries.ts'
import {
  findPendingEvents,
  idsByResource,
  isPublished,
  type PublishedOperation,
  pendingOfSummaries,
} from './pending-summaries.ts'
import {
  findStoredVersions,
  insertRemovals,
  insertSummaries,
} from './stored-summaries.repository.ts'
import { dateOfSummary } from './stored-summary.ts'
import { type ChangedWorkoutStream, findWorkouts, storeWorkoutStreams } from './stream-changes.ts'
import { type PublishedChanges, SummaryEvents, withContexts } from './summary-events.ts'
import {
  type SummaryChange,
  SummaryMerge,
  type SummaryOperation,
  type SummaryRemoval,
} from './summary-merge.ts'
import { type PreparedSummary, prepareSummary } from './summary-row-text.ts'
import { dataChangesOf, writesOf } from './touched-times.ts'

declare module '../../ingest/arrival.ts' {
  interface ArrivedSummaries {
    summaries?: readonly NewSummary[]
    /** Streams by workout id. One whose workout is outside the bounds is dropped with it. */
    streams?: ReadonlyMap<string, WorkoutStream>
    /** Summaries to remove, after the others are stored: reads hide them. It raises no event. */
    removals?: readonly SummaryRemoval[]
  }
  interface StoredSummaries {
    /** Summaries within the bounds. */
    keptSummaries: readonly NewSummary[]
    streams: WriteCounts
  }
}

/** Summaries, and streams, of one call that are compared and published at once. */
const PART_SUMMARIES = 500
const PART_STREAMS = 50
/** A stream is some thousand points. */
const STREAM_SIZE = 50
const MAX_BATCH_SIZE = 5_000
const MAX_WAITING_SIZE = 100_000

interface Outcome {
  summaries: WriteCounts
  streams: WriteCounts
}

export const SUMMARY_KIND: SummaryKind = {
  createStore: (context) => new SummaryBatches(context),
  findEvents: findPendingEvents,
}

/**
 * Stores summaries by id, streams by workout: the newest version wins, by the source's time of
 * writing where it has one, otherwise by arrival; equal content changes nothing. A removed one that
 * is stored again is created again. Batches run one after the other, so each finds in the store
 * what the previous one stored.
 */
class SummaryBatches implements SummaryStore {
  readonly #context: StoreContext
  readonly #versions: ArrivalVersions
  readonly #batcher: Batcher<SummaryOperation, Outcome>

  constructor(context: StoreContext) {
    this.#context = context
    this.#versions = new ArrivalVersions(context.clock)
    this.#batcher = new Batcher({
      name: 'summaries',
      waitMs: context.batchWaitMs,
      maxBatchSize: MAX_BATCH_SIZE,
      maxWaitingSize: MAX_WAITING_SIZE,
      flush: (operations) => this.#flush(operations),
    })
  }

  async store(
    owner: SampleOwner,
    { summaries = [], streams = new Map(), removals = [] }: ArrivedSummaries,
    bounds: IngestionBounds,
    publication: Publication | undefined,
  ): Promise<StoredSummaries> {
    const kept = await selectWithinBounds(bounds, summaries, dateOfSummary)
    const keptStreams = kept === summaries ? streams : dropStreams(owner, streams, summaries, kept)
    // Immediate for small calls, which keeps the order of storing and removing.
    const prepare = (summary: NewSummary) => prepareSummary(owner, summary)
    const isMuch = kept.length > PART_SUMMARIES
    const prepared = isMuch ? await mapInSlices(kept, prepare) : kept.map(prepare)
    const parts = partsOf(prepared, keptStreams, removals).map((part) => ({
      work: { owner, publication, ...part },
      size: sizeOf(part),
    }))
    const outcomes = await this.#batcher.add(parts)
    return {
      ...sumCounts(outcomes.map((outcome) => outcome.summaries)),
      streams: sumCounts(outcomes.map((outcome) => outcome.streams)),
      outOfBounds: summaries.length - kept.length,
      keptSummaries: kept,
      // A profile has no time.
      times: kept.filter(({ resource }) => resource !== 'profile'),
    }
  }

  idle(): Promise<void> {
    return this.#batcher.idle()
  }

  #flush(operations: readonly SummaryOperation[]): Promise<Outcome[]> {
    const { clickhouse, clock, publisher, listener } = this.#context
    const at = clock.now()
    this.#versions.beginFlush()
    const published = operations.filter(isPublished)
    return publisher.run(pendingOfSummaries(published), at, async (opened, publish) => {
      await opened
      const known = await findKnown(clickhouse, operations)
      const merge = new SummaryMerge(known, this.#versions.next, at)
      const merged = await mapInSlices(operations, (operation) => merge.applyOperation(operation))
      // Before anything is stored, so that nothing is stored whose events cannot be written.
      const events = new SummaryEvents(at)
      countAttempts(events, published)
      const changes = merged.map((outcome) => outcome.changes)
      await this.#addSummaries(events, changesOf(operations, changes))
      const [write] = await Promise.all([
        beginWrite(this.#context, writesOf(merge.people, operations)),
        merge.touched.length > 0 && listener.willStore(dataChangesOf(merge.touched)),
      ])
      await insertMerged(clickhouse, merge)
      const streams = await storeWorkoutStreams(clickhouse, operations, this.#versions.next)
      await this.#addStreams(events, changesOf(operations, streams.changes))
      await Promise.all([write.end([]), publish(events)])
      return merged.map(({ counts }, index) => ({
        summaries: counts,
        streams: streams.counts[index] as WriteCounts,
      }))
    })
  }

  async #addSummaries(
    events: SummaryEvents,
    callers: readonly PublishedChanges<SummaryChange>[],
  ): Promise<void> {
    const slice = new WorkSlice()
    for (const [caller, context] of await withContexts(this.#context.db, callers)) {
      events.addSummaries(caller, context)
      if (slice.isOver()) await slice.rest()
    }
  }

  async #addStreams(
    events: SummaryEvents,
    callers: readonly PublishedChanges<ChangedWorkoutStream>[],
  ): Promise<void> {
    const { db, clickhouse } = this.#context
    for (const [caller, context] of await withContexts(db, callers)) {
      const { owner, changes } = caller
      const workouts = await findWorkouts(clickhouse, owner, changes, context.fallbackZone)
      events.addStreams({ ...caller, changes: workouts }, context)
    }
  }
}

/** Returns the changes of callers that have events. */
function changesOf<Change>(
  operations: readonly SummaryOperation[],
  changes: readonly (readonly Change[])[],
): PublishedChanges<Change>[] {
  return operations.flatMap((operation, index) => {
    const changed = changes[index] ?? []
    return isPublished(operation) && changed.length > 0 ? [{ ...operation, changes: changed }] : []
  })
}

/** Drops the streams of workouts that were not kept. */
function dropStreams(
  owner: SampleOwner,
  streams: ReadonlyMap<string, WorkoutStream>,
  summaries: readonly NewSummary[],
  kept: readonly NewSummary[],
): ReadonlyMap<string, WorkoutStream> {
  const dropped = new Set(summaries).difference(new Set(kept))
  const left = new Map(streams)
  for (const summary of dropped) left.delete(summaryId(owner, summary))
  return left
}

type Part = Pick<SummaryOperation, 'summaries' | 'removals'> & {
  streams: Map<string, WorkoutStream>
}

/**
 * Splits one call; a stream is stored with its workout, or after it, because its event names the
 * workout.
 */
function partsOf(
  summaries: readonly PreparedSummary[],
  streams: ReadonlyMap<string, WorkoutStream>,
  removals: readonly SummaryRemoval[],
): Part[] {
  const parts: (Part & { summaries: PreparedSummary[] })[] = []
  const partWithRoom = () => {
    const last = parts.at(-1)
    const hasRoom =
      last !== undefined &&
      last.summaries.length < PART_SUMMARIES &&
      last.streams.size < PART_STREAMS
    if (hasRoom) return last
    const next = { summaries: [], streams: new Map<string, WorkoutStream>(), removals: [] }
    parts.push(next)
    return next
  }
  const left = new Map(streams)
  for (const prepared of summaries) {
    const part = partWithRoom()
    part.summaries.push(prepared)
    const stream = left.get(prepared.id)
    if (stream !== undefined) part.streams.set(prepared.id, stream)
    left.delete(prepared.id)
  }
  for (const [workoutId, stream] of left) partWithRoom().streams.set(workoutId, stream)
  return removals.some(({ ids }) => ids.length > 0)
    ? [...parts, { summaries: [], streams: new Map(), removals }]
    : parts
}

function sizeOf({ summaries, streams, removals }: Part): number {
  const removed = removals.reduce((sum, { ids }) => sum + ids.length, 0)
  return summaries.length + streams.size * STREAM_SIZE + removed
}

async function findKnown(
  clickhouse: ClickHouse,
  operations: readonly SummaryOperation[],
): Promise<KnownSummaries> {
  const known = new KnownSummaries()
  const touched = operations.map((operation) => ({
    owner: operation.owner,
    stored: idsByResource(operation),
    removals: operation.removals,
  }))
  const found = SUMMARY_RESOURCES.map(async (resource) => {
    const targets = touched.flatMap(({ owner, stored, removals }) => [
      { owner, ids: stored.get(resource) ?? [] },
      ...removals.filter((one) => one.resource === resource).map(({ ids }) => ({ owner, ids })),
    ])
    const ids = new Set(targets.flatMap((target) => target.ids))
    if (ids.size === 0) return
    const people = peopleOf(targets.filter((target) => target.ids.length > 0))
    known.add(resource, await findStoredVersions(clickhouse, people, resource, ids))
  })
  await Promise.all(found)
  return known
}

async function insertMerged(clickhouse: ClickHouse, merge: SummaryMerge): Promise<void> {
  for (const resource of SUMMARY_RESOURCES) {
    const rows = [...(merge.rows.get(resource)?.values() ?? [])]
    const removals = [...(merge.removals.get(resource)?.values() ?? [])]
    if (rows.length > 0) await insertSummaries(clickhouse, rows, resource)
    if (removals.length > 0) await insertRemovals(clickhouse, removals, resource)
  }
}

const hasCycle = ({ summary: { resource, values } }: PreparedSummary): boolean =>
  resource === 'sleep' && ((values as SummaryValues<'sleep'>).stage_type?.length ?? 0) > 0

/** Counts the attempts to store something, even where nothing changed. */
function countAttempts(events: SummaryEvents, operations: readonly PublishedOperation[]): void {
  for (const operation of operations) {
    for (const resource of idsByResource(operation).keys()) {
      events.countAttempt(operation.owner, resource)
    }
    if (operation.summaries.some(hasCycle)) events.countAttempt(operation.owner, 'sleep_cycle')
  }
}
