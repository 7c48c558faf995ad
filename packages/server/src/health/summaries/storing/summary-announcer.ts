import { newId } from '../../../platform/ids.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import type { Announcement, SampleOwner } from '../../ingest/index.ts'
import type { AnnouncedResource } from '../summaries.events.ts'
import { isOneStatement, type SummaryEventRows, writeEventRows } from './summary-events.ts'
import * as repository from './unannounced-summaries.repository.ts'

type Note = repository.SummaryNote

/** Summaries, or workouts with streams, that are about to be stored. */
export interface Noted {
  owner: SampleOwner
  resource: AnnouncedResource
  ids: readonly string[]
  announcement: Announcement
}

/** What was noted of summaries on their way into the store. */
export interface OpenAnnouncement {
  /** After the summaries are durable: writes their events and drops the notes. */
  close(events: SummaryEventRows): Promise<void>
  /** The summaries may or may not have been stored: the notes stay, to be looked into. */
  abandon(): void
}

export interface SummaryAnnouncer {
  /**
   * Before anything is stored; durable when it returns. What earlier notes of the same resources of
   * the same people tell of is announced first, so that what was created is told before its update.
   * @param at Not after the time that stored rows bear.
   */
  open(noted: readonly Noted[], at: Date): Promise<OpenAnnouncement>
}

export interface SummaryAnnouncerOptions {
  db: Db
  clock: Clock
  /** No other process stores summaries, so a note that is not open here was left behind. */
  isAlone: boolean
  /** Announces what notes that were left behind may be about, and drops them. */
  recover: (notes: Note[]) => Promise<unknown>
}

/** How old a note of another process must be to count as left behind. */
export const LEFT_BEHIND_MS = 30_000

const NOTHING_NOTED: OpenAnnouncement = { close: async () => {}, abandon: () => {} }

/** Writes the events of stored summaries, with notes that outlive a crash between the two stores. */
export function createSummaryAnnouncer(options: SummaryAnnouncerOptions): SummaryAnnouncer {
  const { db, clock, isAlone, recover } = options
  const openIds = new Set<string>()

  const isLeftBehind = (note: Note): boolean =>
    isAlone || clock.now().getTime() - note.created_at.getTime() > LEFT_BEHIND_MS

  return {
    async open(noted, at) {
      const id = newId()
      const notes = notesOf(noted, id, at)
      if (notes.length === 0) return NOTHING_NOTED
      const environmentIds = [...new Set(notes.map((note) => note.environment_id))]
      const abandon = (): void => {
        openIds.delete(id)
      }
      openIds.add(id)
      // Of before the query: what closes during it is no less open in what the query finds.
      const openHere = new Set(openIds)
      try {
        const older = await repository.insertNotes(db, environmentIds, notes)
        const leftBehind = older.filter((note) => !openHere.has(note.id) && isLeftBehind(note))
        if (leftBehind.length > 0) await recover(leftBehind)
      } catch (error) {
        abandon()
        throw error
      }
      const close = (events: SummaryEventRows): Promise<void> => {
        const write = (connection: Db) => writeEventRows(connection, environmentIds, notes, events)
        return isOneStatement(events) ? write(db) : db.transaction().execute(write)
      }
      return { close: (events) => close(events).finally(abandon), abandon }
    },
  }
}

/** One note for each resource of each person and provider. */
function notesOf(noted: readonly Noted[], id: string, at: Date): Note[] {
  const groups = Map.groupBy(
    noted.filter(({ ids }) => ids.length > 0),
    ({ owner, resource }) =>
      [owner.environmentId, owner.userId, owner.provider, resource].join(' '),
  )
  return [...groups.values()].map((group) => {
    const { owner, resource, announcement } = group[0] as Noted
    return {
      environment_id: owner.environmentId,
      user_id: owner.userId,
      resource,
      provider: owner.provider,
      id,
      summary_ids: [...new Set(group.flatMap(({ ids }) => ids))],
      base_url: announcement.baseUrl,
      created_at: at,
    }
  })
}
