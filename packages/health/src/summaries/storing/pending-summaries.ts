import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { Stores } from '@salus/kernel/scope'
import type { NewPublication, PendingPublication, Publication } from '../../ingest/index.ts'
import type { PublishedResource } from '../summaries.events.ts'
import type { PresenterContext } from '../summary-presenters.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { listStoredSummaries } from './stored-summaries.repository.ts'
import type { StoredSummary } from './stored-summary.ts'
import { findWorkouts } from './stream-changes.ts'
import { SummaryEvents, withContexts } from './summary-events.ts'
import type { SummaryChange, SummaryOperation } from './summary-merge.ts'
import { listWorkoutStreamsSince } from './workout-streams.repository.ts'

/** An operation with events. */
export type PublishedOperation = SummaryOperation & { publication: Publication }

/** Whether the summary has events. */
export const isPublished = (operation: SummaryOperation): operation is PublishedOperation =>
  operation.publication !== undefined

/** Returns the ids that an operation stores, by resource. */
export function idsByResource({ summaries, streams }: SummaryOperation) {
  const ids = new Map<PublishedResource, string[]>()
  for (const { summary, id } of summaries) {
    const ofResource = ids.get(summary.resource)
    if (ofResource === undefined) ids.set(summary.resource, [id])
    else ofResource.push(id)
  }
  if (streams.size > 0) ids.set('workout_stream', [...streams.keys()])
  return ids
}

/**
 * Returns what is pending while summaries and streams are stored: one for each resource of each
 * user and provider.
 */
export function pendingOfSummaries(operations: readonly PublishedOperation[]): NewPublication[] {
  const pending = new Map<string, NewPublication & { summary_ids: string[] }>()
  for (const operation of operations) {
    const { environmentId, userId, provider } = operation.owner
    for (const [resource, ids] of idsByResource(operation)) {
      const key = [environmentId, userId, provider, resource].join(' ')
      const before = pending.get(key)?.summary_ids ?? []
      pending.set(key, {
        environment_id: environmentId,
        user_id: userId,
        resource,
        provider,
        range_start: null,
        range_end: null,
        least_version: null,
        summary_ids: [...new Set([...before, ...ids])],
        base_url: operation.publication.baseUrl,
      })
    }
  }
  return [...pending.values()]
}

/**
 * Returns the events of the stored summaries, or streams, of a pending publication, in their latest
 * state. An event may repeat, but none is missed.
 */
export async function findPendingEvents(
  { db, clickhouse, clock }: Stores,
  pending: PendingPublication,
  publication: Publication,
): Promise<SummaryEvents> {
  const events = new SummaryEvents(clock.now(), pending.created_at)
  const { environment_id: environmentId, user_id: userId, provider, resource } = pending
  const caller = { owner: { environmentId, userId, provider }, publication }
  const [[, context]] = (await withContexts(db, [caller])) as [[object, PresenterContext]]
  for (const ids of partsOf(pending.summary_ids ?? [])) {
    if (resource === 'workout_stream') {
      const since = pending.created_at
      const stored = await listWorkoutStreamsSince(clickhouse, environmentId, userId, ids, since)
      const streams = stored.map((workoutId) => ({ workoutId, kind: 'created' as const }))
      const { fallbackZone } = context
      const changes = await findWorkouts(clickhouse, caller.owner, streams, fallbackZone)
      events.addStreams({ ...caller, changes }, context)
    } else {
      const changes = await findChanges(clickhouse, pending, ids)
      events.addSummaries({ ...caller, changes }, context)
    }
  }
  return events
}

/** Ids in one query. */
const MOST_IDS = 1_000

function* partsOf(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += MOST_IDS) yield ids.slice(from, from + MOST_IDS)
}

/** Finds the summaries that were stored since the publication was pending. */
async function findChanges(
  clickhouse: ClickHouse,
  { environment_id, user_id, resource: name, created_at }: PendingPublication,
  ids: readonly string[],
): Promise<SummaryChange[]> {
  const resource = name as SummaryResource
  const since = created_at.getTime()
  const rows: StoredSummary[] = await listStoredSummaries(
    clickhouse,
    environment_id,
    user_id,
    resource,
    ids,
  )
  return rows
    .filter((row) => row.updated_at >= since)
    .map((row) => {
      const kind = row.created_at >= since ? 'created' : 'updated'
      // The previous cycle is no longer known.
      return { resource, kind, cycle: resource === 'sleep' ? kind : null, row }
    })
}
