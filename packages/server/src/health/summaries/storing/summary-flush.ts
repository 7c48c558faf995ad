import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import type { DataChangeListener } from '../../../platform/data-changes.ts'
import { WorkSlice } from '../../../platform/time-slices.ts'
import type { WriteCounts } from '../../ingest/index.ts'
import {
  SUMMARY_RESOURCES,
  type SummaryResource,
  type SummaryValues,
} from '../summary-tables.registry.ts'
import { KnownSummaries } from './known-summaries.ts'
import { peopleOf } from './people-ids.ts'
import type { PreparedSummary } from './prepared-summary.ts'
import {
  findStoredVersions,
  insertRemovals,
  insertSummaries,
} from './stored-summaries.repository.ts'
import type { FlushContext, Versions } from './stream-flush.ts'
import type { Noted } from './summary-announcer.ts'
import { findContexts, SummaryEventWriter } from './summary-events.ts'
import {
  type SummaryChange,
  SummaryMerge,
  type SummaryOperation,
  type WriteOperation,
} from './summary-merge.ts'
import { dataChangesOf } from './touched-times.ts'

const NOTHING_WRITTEN: WriteCounts = { inserted: 0, updated: 0, unchanged: 0 }

/**
 * Stores and removes what callers brought that came together, in their order: notes, look-up,
 * comparison, insert, events. One outcome a caller.
 */
export async function flushSummaries(
  context: FlushContext & { listener: DataChangeListener },
  operations: readonly SummaryOperation[],
  nextVersion: Versions,
): Promise<WriteCounts[]> {
  const { announcer, clickhouse, listener } = context
  const at = context.clock.now()
  const targets = operations.flatMap(targetsOf)
  const announcement = await announcer.open(notedOf(operations), at)
  try {
    const known = await findKnown(clickhouse, targets)
    const merge = new SummaryMerge(known, nextVersion, at)
    const slice = new WorkSlice()
    const outcomes: { counts: WriteCounts; changes: SummaryChange[] }[] = []
    for (const operation of operations) {
      outcomes.push(apply(merge, operation))
      if (slice.isOver()) await slice.rest()
    }
    const changes = outcomes.map((outcome) => outcome.changes)
    // Before anything is stored, so that nothing is stored that cannot be told.
    const events = await eventsOf(context, operations, changes, at)
    if (merge.touched.length > 0) await listener.willStore(dataChangesOf(merge.touched))
    await store(clickhouse, merge)
    await announcement.close(events)
    return outcomes.map(({ counts }) => counts)
  } catch (error) {
    announcement.abandon()
    throw error
  }
}

function apply(
  merge: SummaryMerge,
  operation: SummaryOperation,
): { counts: WriteCounts; changes: SummaryChange[] } {
  if (operation.kind === 'write') return merge.write(operation)
  merge.remove(operation)
  return { counts: NOTHING_WRITTEN, changes: [] }
}

/** Summaries of one resource that an operation is about. */
type Target = Pick<Noted, 'owner' | 'ids'> & { resource: SummaryResource }

function targetsOf(operation: SummaryOperation): Target[] {
  if (operation.kind === 'remove') return [operation]
  const { owner, summaries } = operation
  return [...Map.groupBy(summaries, triedResource)].map(([resource, ofResource]) => ({
    owner,
    resource,
    ids: ofResource.map(({ id }) => id),
  }))
}

function notedOf(operations: readonly SummaryOperation[]): Noted[] {
  return operations.filter(isAnnounced).flatMap((operation) => {
    const { announcement } = operation
    return targetsOf(operation).map((target) => ({ ...target, announcement }))
  })
}

type AnnouncedOperation = WriteOperation & { announcement: object }

const isAnnounced = (operation: SummaryOperation): operation is AnnouncedOperation =>
  operation.kind === 'write' && operation.announcement !== undefined

async function findKnown(
  clickhouse: ClickHouse,
  targets: readonly Target[],
): Promise<KnownSummaries> {
  const known = new KnownSummaries()
  const groups = Map.groupBy(targets, ({ resource }) => resource)
  const found = [...groups].map(async ([resource, group]) => {
    const ids = new Set(group.flatMap((target) => target.ids))
    if (ids.size === 0) return
    known.add(resource, await findStoredVersions(clickhouse, peopleOf(group), resource, ids))
  })
  await Promise.all(found)
  return known
}

async function store(clickhouse: ClickHouse, merge: SummaryMerge): Promise<void> {
  for (const resource of SUMMARY_RESOURCES) {
    const rows = [...(merge.rows.get(resource)?.values() ?? [])]
    const removals = [...(merge.removals.get(resource)?.values() ?? [])]
    if (rows.length > 0) await insertSummaries(clickhouse, rows, resource)
    if (removals.length > 0) await insertRemovals(clickhouse, removals, resource)
  }
}

const triedResource = ({ summary }: PreparedSummary): SummaryResource => summary.resource

const hasCycle = ({ summary: { resource, values } }: PreparedSummary): boolean =>
  resource === 'sleep' && ((values as SummaryValues<'sleep'>).stage_type?.length ?? 0) > 0

async function eventsOf(
  { db }: FlushContext,
  operations: readonly SummaryOperation[],
  changes: readonly SummaryChange[][],
  at: Date,
) {
  const writer = new SummaryEventWriter(at)
  for (const { owner, summaries } of operations.filter(isAnnounced)) {
    const { attempts } = writer.rows
    for (const resource of new Set(summaries.map(triedResource))) attempts.add(owner, resource)
    if (summaries.some(hasCycle)) attempts.add(owner, 'sleep_cycle')
  }
  const callers = operations
    .map((operation, index) => ({ operation, changes: changes[index] ?? [] }))
    .flatMap(({ operation, changes: changed }) =>
      isAnnounced(operation) && changed.length > 0 ? [{ ...operation, changes: changed }] : [],
    )
  const contexts = await findContexts(db, callers)
  const slice = new WorkSlice()
  for (const [index, context] of contexts.entries()) {
    const caller = callers[index]
    if (caller !== undefined) writer.addSummaries(caller, context)
    if (slice.isOver()) await slice.rest()
  }
  return writer.rows
}
