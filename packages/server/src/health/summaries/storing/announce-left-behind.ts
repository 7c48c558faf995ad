import { findEnvironment } from '../../../accounts/teams/index.ts'
import { findUser } from '../../../accounts/users/index.ts'
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import {
  countFailure,
  failureOf,
  QUARANTINE_RETRY_MS,
} from '../../../platform/events/publication-quarantine.repository.ts'
import { isStoreTrouble } from '../../../platform/http/error-handler.ts'
import type { Logger } from '../../../platform/log.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { findOnlyDevices } from '../../connections/index.ts'
import type { ObjectContext } from '../objects/summary-objects.ts'
import type { SummaryRow } from '../summary.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { listStoredSummaries } from './stored-summaries.repository.ts'
import { type StoredSummary, tellLocalDay } from './stored-summary.ts'
import { type StreamChange, SummaryEventWriter, writeEventRows } from './summary-events.ts'
import type { SummaryChange } from './summary-merge.ts'
import * as repository from './unannounced-summaries.repository.ts'
import { listStreamsSince } from './workout-streams.repository.ts'

type Note = repository.SummaryNote

export interface LeftBehindSummariesContext {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
  /** Where the operator is told of what cannot be published. */
  log?: Logger | undefined
}

/**
 * Announces what notes tell of that was stored after all, in its latest state. Something may be
 * announced a second time, nothing is missed.
 * A note that fails again and again is put in quarantine, so that it holds up nothing else.
 * @param onFailure Told of one that fails and is not there yet; throws by default.
 * @returns how many notes it settled so; the others are in someone else's hands
 */
export async function announceLeftBehindSummaries(
  context: LeftBehindSummariesContext,
  notes: readonly Note[],
  onFailure: (error: unknown) => void = rethrow,
): Promise<number> {
  let settled = 0
  for (const note of notes) {
    const isSettled = await announceNote(context, note).catch(async (error: unknown) => {
      // That will pass by itself, and says nothing of the note.
      if (isStoreTrouble(error)) throw error
      const isSetAside = await isQuarantined(context, note, error)
      if (!isSetAside) onFailure(error)
      return isSetAside
    })
    if (isSettled) settled += 1
  }
  return settled
}

/** Announces what one note is about and drops it; false when it is in someone else's hands. */
function announceNote(context: LeftBehindSummariesContext, note: Note): Promise<boolean> {
  return context.db.transaction().execute(async (transaction) => {
    if (!(await repository.lockNote(transaction, note.environment_id, note))) return false
    const events = await eventsOf({ ...context, db: transaction }, note)
    await writeEventRows(transaction, [note.environment_id], [note], events)
    return true
  })
}

function rethrow(error: unknown): never {
  throw error
}

/** Counts a failure of a note; true when it is set aside. */
async function isQuarantined(
  { db, clock, log }: LeftBehindSummariesContext,
  note: Note,
  error: unknown,
): Promise<boolean> {
  const failure = failureOf(error)
  const { id, environment_id: environmentId, resource } = note
  const key = { ...note, subject: resource }
  const at = clock.now()
  const isSetAside = await countFailure(
    db,
    environmentId,
    'unannounced_summaries',
    key,
    failure,
    at,
  )
  const told = {
    note: id,
    environment_id: environmentId,
    resource,
    failure,
    is_quarantined: isSetAside,
  }
  log?.error(told, 'summaries that are stored could not be announced')
  return isSetAside
}

async function eventsOf(context: LeftBehindSummariesContext, note: Note) {
  const writer = new SummaryEventWriter(context.clock.now(), note.created_at)
  const { environment_id: environmentId, user_id: userId, provider } = note
  const scope = await findEnvironment(context.db, environmentId)
  const user = await findUser(context.db, environmentId, userId)
  // The person or the team is gone, and so is the wish to hear of it.
  if (scope === undefined || user === undefined) return writer.rows
  const devices = await findOnlyDevices(context.db, environmentId, userId)
  const objects: ObjectContext = {
    userId,
    baseUrl: note.base_url,
    devices: devices ?? new Map(),
    fallbackZone: user.fallback_time_zone,
  }
  const announcement = { scope, user, deviceId: undefined, baseUrl: note.base_url }
  const told = { owner: { environmentId, userId, provider }, announcement }
  if (note.resource === 'workout_stream') {
    const changes = await findStreams(context.clickhouse, note, objects.fallbackZone)
    writer.addStreams({ ...told, changes }, objects)
  } else {
    const changes = await findSummaries(context.clickhouse, note)
    writer.addSummaries({ ...told, changes }, objects)
  }
  return writer.rows
}

/** Ids in one query. */
const MOST_IDS = 1_000

function* partsOf(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += MOST_IDS) yield ids.slice(from, from + MOST_IDS)
}

async function findRows(
  clickhouse: ClickHouse,
  note: Note,
  resource: SummaryResource,
  ids: readonly string[],
): Promise<StoredSummary[]> {
  const { environment_id: environmentId, user_id: userId } = note
  const rows: StoredSummary[] = []
  for (const part of partsOf(ids)) {
    rows.push(...(await listStoredSummaries(clickhouse, environmentId, userId, resource, part)))
  }
  return rows
}

/** The summaries of a note that were stored since it was made. */
async function findSummaries(clickhouse: ClickHouse, note: Note): Promise<SummaryChange[]> {
  const resource = note.resource as SummaryResource
  const since = note.created_at.getTime()
  const rows = await findRows(clickhouse, note, resource, note.summary_ids)
  return rows
    .filter((row) => row.updated_at >= since)
    .map((row) => {
      const kind = row.created_at >= since ? 'created' : 'updated'
      // What the cycle was before is not known any more.
      return { resource, kind, cycle: resource === 'sleep' ? kind : null, row }
    })
}

/** The streams of a note that were stored since; without its workout a stream says nothing. */
async function findStreams(
  clickhouse: ClickHouse,
  note: Note,
  fallbackZone: string | null,
): Promise<StreamChange[]> {
  const { environment_id: environmentId, user_id: userId, created_at: since } = note
  const ids: string[] = []
  for (const part of partsOf(note.summary_ids)) {
    ids.push(...(await listStreamsSince(clickhouse, environmentId, userId, part, since)))
  }
  const rows = await findRows(clickhouse, note, 'workouts', ids)
  return rows.map((row) => ({
    kind: 'created',
    workout: tellLocalDay('workouts', row, fallbackZone) as SummaryRow<'workouts'>,
  }))
}

const MOST_NOTES = 100

/** Looks for notes left behind longer than `olderThanMs` ago and announces what they are about. */
export async function sweepLeftBehindSummaries(
  context: LeftBehindSummariesContext,
  olderThanMs: number,
  signal?: AbortSignal,
  retryMs = QUARANTINE_RETRY_MS,
): Promise<void> {
  // Of now, so that one that fails again is not tried for ever.
  const quarantinedBefore = new Date(context.clock.now().getTime() - retryMs)
  for (;;) {
    const before = new Date(context.clock.now().getTime() - olderThanMs)
    const notes = await repository.listNotesBefore(
      context.db,
      before,
      quarantinedBefore,
      MOST_NOTES,
    )
    if (signal?.aborted) return
    if ((await announceLeftBehindSummaries(context, notes, () => {})) === 0) return
  }
}
