import { findUser } from '../../../accounts/users/index.ts'
import { JsonText, newEvent, toRow } from '../../../platform/events/events.ts'
import {
  coalesce,
  type EventRow,
  insertEventPart,
  partEvents,
} from '../../../platform/events/outbox.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { listOnlyDevices } from '../../connections/index.ts'
import type { Announcement, SampleOwner } from '../../ingest/index.ts'
import { type AnnouncedResource, summaryEvents } from '../summaries.events.ts'
import type { SummaryRow } from '../summary.ts'
import { type PresenterContext, presentSummary, toSleepCycle } from '../summary-presenters.ts'
import { tellLocalDay } from './stored-summary.ts'
import { SummaryAttempts } from './summary-attempts.ts'
import type { SummaryChange } from './summary-merge.ts'
import { replaceNotesByEvents, type SummaryNote } from './unannounced-summaries.repository.ts'
import { toStreamNotice } from './workout-stream-notice.ts'

/** Events on their way into the outbox. */
export interface SummaryEventRows {
  /** Each is sent. */
  plain: EventRow[]
  /** Of one key within seconds, only the last is sent. */
  coalesced: { key: string; row: EventRow }[]
  attempts: SummaryAttempts
}

/** What one caller changed, and whom it is told to. */
export interface AnnouncedChanges<Change> {
  owner: SampleOwner
  announcement: Announcement
  changes: readonly Change[]
}

/** A stored stream of a workout that is stored itself. */
export interface StreamChange {
  kind: 'created' | 'updated'
  workout: SummaryRow<'workouts'>
}

/** Collects the events of any number of callers, in order. */
export class SummaryEventWriter {
  readonly rows: SummaryEventRows
  readonly #at: Date

  /** @param triedAt When what the events tell of came. */
  constructor(at: Date, triedAt = at) {
    this.#at = at
    this.rows = { plain: [], coalesced: [], attempts: new SummaryAttempts(triedAt) }
  }

  addSummaries(
    { owner, announcement, changes }: AnnouncedChanges<SummaryChange>,
    context: PresenterContext,
  ): void {
    const told = { owner, announcement }
    for (const { resource, kind, cycle, row: stored } of changes) {
      const row = tellLocalDay(resource, stored, context.fallbackZone)
      this.#add(told, resource, kind, row.id, presentSummary(resource, row, context))
      if (cycle === null) continue
      const object = toSleepCycle(row as SummaryRow<'sleep'>, context)
      if (object !== null) this.#add(told, 'sleep_cycle', cycle, row.id, object)
    }
  }

  addStreams(
    { owner, announcement, changes }: AnnouncedChanges<StreamChange>,
    context: PresenterContext,
  ): void {
    for (const { kind, workout } of changes) {
      const notice = toStreamNotice(workout, context)
      this.#add({ owner, announcement }, 'workout_stream', kind, workout.id, notice)
    }
  }

  #add(
    { owner, announcement: { scope, user } }: Caller,
    resource: AnnouncedResource,
    kind: 'created' | 'updated',
    id: string,
    object: object,
  ): void {
    const type = summaryEvents(resource)[kind]
    const data = new JsonText(JSON.stringify(object))
    const row = toRow(scope, newEvent({ type, user, data }), this.#at)
    // A day in progress changes all the time, and its latest state says all (contract 08, section 3).
    if (kind === 'updated') this.rows.coalesced.push({ key: `${resource} ${id}`, row })
    else this.rows.plain.push(row)
    this.rows.attempts.add(owner, resource, kind === 'created' ? 1 : 0)
  }
}

/** Writes events and attempts, drops the notes that stood for them; in a transaction all or nothing. */
export async function writeEventRows(
  transaction: Db,
  environmentIds: readonly string[],
  notes: readonly SummaryNote[],
  { plain, coalesced, attempts }: SummaryEventRows,
): Promise<void> {
  const [first = [], ...others] = partEvents(plain)
  await replaceNotesByEvents(transaction, environmentIds, notes, first, attempts.rows())
  for (const part of others) await insertEventPart(transaction, part)
  // In one order everywhere, so that processes that change the same cannot wait for each other.
  const inOrder = coalesced.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  for (const { key, row } of inOrder) await coalesce(transaction, row, key)
}

/** True when one statement writes it all, so that it needs no transaction around it. */
export function isOneStatement({ plain, coalesced }: SummaryEventRows): boolean {
  return coalesced.length === 0 && partEvents(plain).length <= 1
}

/** What the objects of each caller's person are written with. */
export async function findContexts(
  db: Db,
  callers: readonly Pick<AnnouncedChanges<unknown>, 'owner' | 'announcement'>[],
): Promise<PresenterContext[]> {
  const [zones, devices] = await Promise.all([findZones(db, callers), findDevices(db, callers)])
  return callers.map(({ owner, announcement }, index) => {
    const { environmentId, userId, provider } = owner
    const known = announcement.deviceId
    const device =
      known !== undefined
        ? known
        : devices.find(
            (one) =>
              one.environment_id === environmentId &&
              one.user_id === userId &&
              one.provider === provider,
          )?.id
    return {
      userId,
      baseUrl: announcement.baseUrl,
      devices: new Map(device ? [[provider, device]] : []),
      fallbackZone: zones[index] ?? null,
    }
  })
}

type Caller = Pick<AnnouncedChanges<unknown>, 'owner' | 'announcement'>

/** The fallback zone of each caller's person, as it is now: an upload may just have brought it. */
async function findZones(db: Db, callers: readonly Caller[]): Promise<(string | null)[]> {
  const zones = new Map<string, Promise<string | null>>()
  return Promise.all(
    callers.map(({ owner: { environmentId, userId } }) => {
      const key = `${environmentId} ${userId}`
      const zone =
        zones.get(key) ??
        findUser(db, environmentId, userId).then((user) => user?.fallback_time_zone ?? null)
      zones.set(key, zone)
      return zone
    }),
  )
}

function findDevices(db: Db, callers: readonly Caller[]) {
  const unknown = callers.filter(({ announcement }) => announcement.deviceId === undefined)
  if (unknown.length === 0) return Promise.resolve([])
  const environmentIds = [...new Set(unknown.map(({ owner }) => owner.environmentId))]
  return listOnlyDevices(db, environmentIds, [...new Set(unknown.map(({ owner }) => owner.userId))])
}
