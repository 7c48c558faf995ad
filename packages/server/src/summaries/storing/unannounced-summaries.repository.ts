import { sql } from 'kysely'
import { attemptsUpsert, type ResourceStatisticsRow } from '../../connections/index.ts'
import { type EventRow, insertEvents } from '../../platform/events/outbox.ts'
import type { Db } from '../../platform/postgres/database.ts'

/** Summaries, or streams of workouts, that are about to be stored and are not announced yet. */
export interface UnannouncedSummariesTable {
  environment_id: string
  user_id: string
  /** Of summaries, or `workout_stream`. */
  resource: string
  provider: string
  /** The same for all that one insert stores. */
  id: string
  summary_ids: string[]
  base_url: string
  created_at: Date
}

declare module '../../platform/postgres/database.ts' {
  interface Database {
    unannounced_summaries: UnannouncedSummariesTable
  }
}

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)]

/** Notes summaries; returns older notes about the same resources of the same people. */
export function insertNotes(
  db: Db,
  environmentIds: readonly string[],
  notes: readonly UnannouncedSummariesTable[],
): Promise<UnannouncedSummariesTable[]> {
  // Other notes than those of this statement, which does not see its own.
  return db
    .with('noted', (query) => query.insertInto('unannounced_summaries').values([...notes]))
    .selectFrom('unannounced_summaries')
    .selectAll()
    .where('environment_id', 'in', [...environmentIds])
    .where('user_id', 'in', distinct(notes.map((note) => note.user_id)))
    .where('resource', 'in', distinct(notes.map((note) => note.resource)))
    .orderBy('created_at')
    .execute()
}

/** Writes events, drops the notes that stood for them and takes note of attempts, all or nothing. */
export async function replaceNotesByEvents(
  db: Db,
  environmentIds: readonly string[],
  notes: readonly UnannouncedSummariesTable[],
  events: readonly EventRow[],
  attempts: readonly ResourceStatisticsRow[],
): Promise<void> {
  const deletion = (query: Pick<Db, 'deleteFrom'>) =>
    query
      .deleteFrom('unannounced_summaries')
      .where('environment_id', 'in', [...environmentIds])
      .where('user_id', 'in', distinct(notes.map((note) => note.user_id)))
      .where('resource', 'in', distinct(notes.map((note) => note.resource)))
      .where('provider', 'in', distinct(notes.map((note) => note.provider)))
      .where('id', 'in', distinct(notes.map((note) => note.id)))
      .returning('id')
  const dropping = db.with('dropped', deletion)
  // A note is locked before any count, also where one that was left behind is settled.
  const counting = (query: Pick<Db, 'insertInto'>) => attemptsUpsert(query, attempts, 'dropped')
  if (events.length === 0) await counting(dropping).execute()
  else await insertEvents(dropping.with('counted', counting), events)
}

/** Notes that were made before a time, oldest first: what made them did not come to its end. */
export function listNotesBefore(
  db: Db,
  before: Date,
  limit: number,
): Promise<UnannouncedSummariesTable[]> {
  return db
    .selectFrom('unannounced_summaries')
    .selectAll()
    .where('created_at', '<=', before)
    .orderBy('created_at')
    .orderBy(sql`environment_id, user_id, resource, provider, id`)
    .limit(limit)
    .execute()
}

/** Takes a note for the rest of the transaction; false when it is gone, or another one has it. */
export async function lockNote(
  db: Db,
  environmentId: string,
  note: UnannouncedSummariesTable,
): Promise<boolean> {
  const row = await db
    .selectFrom('unannounced_summaries')
    .select('id')
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', note.user_id)
    .where('resource', '=', note.resource)
    .where('provider', '=', note.provider)
    .where('id', '=', note.id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row !== undefined
}
