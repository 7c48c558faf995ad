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
import type { Announcement, Sample } from '../sample.ts'
import { findStoredSamples } from '../samples.repository.ts'
import { eventsOf } from './sample-announcer.ts'
import { attemptsOf } from './sample-attempts.ts'
import { readSamples } from './stored-samples.ts'
import * as repository from './unannounced.repository.ts'

type Note = repository.SampleNote

export interface LeftBehindContext {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
  /** Where the operator is told of what cannot be published. */
  log?: Logger | undefined
}

/**
 * Announces what notes tell of that was stored after all. Whether a sample was new or an update is not
 * known any more, so all are announced as created; some may be announced a second time.
 * A note that fails again and again is put in quarantine, so that it holds up nothing else.
 * @param onFailure Told of one that fails and is not there yet; throws by default.
 * @returns how many notes it settled so; the others are in someone else's hands
 */
export async function announceLeftBehind(
  context: LeftBehindContext,
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
function announceNote(context: LeftBehindContext, note: Note): Promise<boolean> {
  return context.db.transaction().execute(async (transaction) => {
    const { environment_id: environmentId, user_id: userId, provider } = note
    if (!(await repository.lockNote(transaction, environmentId, note))) return false
    const announcement = await announcementOf(transaction, note)
    // The person or the team is gone, and so is the wish to hear of it.
    if (announcement === undefined) {
      await repository.replaceNotesByEvents(transaction, [environmentId], [note], [], [])
      return true
    }
    const owner = { environmentId, userId, provider }
    const created = await findNoted(context.clickhouse, note)
    const changes = { created, updated: [] }
    const events = eventsOf(owner, announcement, changes, context.clock.now())
    // Where nothing of it is stored, whether it was is not known.
    const stored = created.length === 0 ? [] : [note]
    const attempts = attemptsOf(stored, [{ owner, created }], note.created_at)
    await repository.replaceNotesByEvents(transaction, [environmentId], [note], events, attempts)
    return true
  })
}

function rethrow(error: unknown): never {
  throw error
}

/** Counts a failure of a note; true when it is set aside. */
async function isQuarantined(
  { db, clock, log }: LeftBehindContext,
  note: Note,
  error: unknown,
): Promise<boolean> {
  const failure = failureOf(error)
  const { id, environment_id: environmentId, series } = note
  const key = { ...note, subject: series }
  const at = clock.now()
  const isSetAside = await countFailure(db, environmentId, 'unannounced_samples', key, failure, at)
  const told = {
    note: id,
    environment_id: environmentId,
    series,
    failure,
    is_quarantined: isSetAside,
  }
  log?.error(told, 'samples that are stored could not be announced')
  return isSetAside
}

async function announcementOf(db: Db, note: Note): Promise<Announcement | undefined> {
  const { environment_id: environmentId, user_id: userId } = note
  const scope = await findEnvironment(db, environmentId)
  const user = await findUser(db, environmentId, userId)
  if (scope === undefined || user === undefined) return undefined
  const devices = await findOnlyDevices(db, environmentId, userId)
  const deviceId = devices?.get(note.provider) ?? null
  return { scope, user, deviceId, baseUrl: note.base_url }
}

/** The newest versions of the stored samples that a note can be about. */
async function findNoted(clickhouse: ClickHouse, note: Note): Promise<Sample[]> {
  const range = {
    environmentIds: new Set([note.environment_id]),
    userIds: new Set([note.user_id]),
    series: new Set([note.series]),
    from: note.range_start.getTime(),
    to: note.range_end.getTime(),
  }
  const stored = await readSamples(await findStoredSamples(clickhouse, [range]))
  const least = note.least_version
  return stored
    .filter(({ provider, version }) => provider === note.provider && version > (least ?? 0))
    .map(({ sample }) => sample)
}

const MOST_NOTES = 100

/** Looks for notes that were left behind longer than `olderThanMs` ago and announces their samples. */
export async function sweepLeftBehind(
  context: LeftBehindContext,
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
    const settled = await announceLeftBehind(context, notes, () => {})
    if (settled === 0) return
  }
}
