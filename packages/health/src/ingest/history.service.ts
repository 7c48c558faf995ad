import type { UserRow } from '@salus/accounts/users'
import type { Series } from '@salus/contracts/series'
import { type NewEvent, newEvent, writeEvents } from '@salus/kernel/events/events'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  type ChunkUpload,
  type HistoricalPullRow,
  type HistoricalStage,
  recordHistoricalChunk,
  recordHistoricalStart,
} from './historical-pulls.repository.ts'
import { findSeriesEvents, type HistoryEventType } from './ingest.events.ts'
import type { Sample } from './sample.ts'

/** A kind of data with a history of its own. */
export interface HistorySubject {
  /** Name of the resource in events and in the list of pulls. */
  resource: string
  /** Event for a complete history; undefined for a resource without events. */
  historical: HistoryEventType | undefined
}

/** A stored part of the history of one resource. */
export interface HistoryChunk {
  subject: Series | HistorySubject
  /** null where neither the sender nor the data have it. */
  from: Date | null
  to: Date | null
  /** Whether it is the last chunk. */
  isFinal: boolean
  /** Set for a client, which repeats unanswered requests; null where nothing is repeated. */
  upload: Omit<ChunkUpload, 'bringsNew'> | null
}

/** Returns the start of the first and the end of the last sample or summary; undefined for none. */
export function rangeOf(
  samples: readonly Pick<Sample, 'startedAt' | 'endedAt'>[],
): { from: Date; to: Date } | undefined {
  if (samples.length === 0) return undefined
  let from = Number.POSITIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  for (const { startedAt, endedAt } of samples) {
    if (startedAt < from) from = startedAt
    if (endedAt > to) to = endedAt
  }
  return { from: new Date(from), to: new Date(to) }
}

/**
 * Records the progress of the history. The last chunk raises the event for a complete history, once
 * for a run however often the client sends it.
 * @param bringsNew Whether it contained new data.
 */
export async function recordHistory(
  scope: Scope,
  user: Pick<UserRow, 'id' | 'client_user_id'>,
  provider: string,
  { subject, upload, ...chunk }: HistoryChunk,
  bringsNew: boolean,
): Promise<void> {
  const at = scope.clock.now()
  const { resource } = subject
  const type =
    'historical' in subject ? subject.historical : findSeriesEvents(subject.name)?.historical
  await scope.transaction(async (tx) => {
    const run = await recordHistoricalChunk(tx, {
      ...chunk,
      userId: user.id,
      provider,
      resource,
      at,
      upload: upload && { ...upload, bringsNew },
    })
    if (run === undefined || !chunk.isFinal || type === undefined) return
    await writeEvents(tx, [historyEvent(type, user, run, at)])
  })
}

/**
 * Records that a client begins to send the history of a resource; a repeated call continues the
 * same run.
 */
export async function startHistory(
  scope: Scope,
  stage: Omit<HistoricalStage, 'at'>,
): Promise<void> {
  await recordHistoricalStart(scope, { ...stage, at: scope.clock.now() })
}

/** Creates the event for the complete history of a resource. */
export function historyEvent(
  type: HistoryEventType,
  user: Pick<UserRow, 'id' | 'client_user_id'>,
  run: Pick<HistoricalPullRow, 'provider' | 'range_start' | 'range_end' | 'scheduled_at'>,
  at: Date,
): NewEvent {
  const data = {
    user_id: user.id,
    start_date: formatInstant(run.range_start ?? run.scheduled_at),
    end_date: formatInstant(run.range_end ?? at),
    provider: run.provider,
    is_final: true,
  }
  return newEvent({ type, user, data })
}
