import { sql } from 'kysely'
import { type EventRow, insertEvents } from '../../platform/events/outbox.ts'
import type { Db } from '../../platform/postgres/database.ts'

/** Samples that are about to be stored and are not announced yet. */
export interface UnannouncedSamplesTable {
  environment_id: string
  user_id: string
  series: string
  /** The same for all that one insert stores. */
  id: string
  provider: string
  range_start: Date
  range_end: Date
  least_version: number | null
  base_url: string
  created_at: Date
}

declare module '../../platform/postgres/database.ts' {
  interface Database {
    unannounced_samples: UnannouncedSamplesTable
  }
}

/** Notes samples; returns older notes about the same series of the same people. */
export async function insertNotes(
  db: Db,
  environmentIds: readonly string[],
  notes: readonly UnannouncedSamplesTable[],
): Promise<UnannouncedSamplesTable[]> {
  // Other notes than those of this statement, which does not see its own.
  return db
    .with('noted', (query) => query.insertInto('unannounced_samples').values([...notes]))
    .selectFrom('unannounced_samples')
    .selectAll()
    .where('environment_id', 'in', [...environmentIds])
    .where('user_id', 'in', [...new Set(notes.map((note) => note.user_id))])
    .where('series', 'in', [...new Set(notes.map((note) => note.series))])
    .execute()
}

/** Writes the events and drops the notes, both or neither. */
export async function replaceNotesByEvents(
  db: Db,
  environmentIds: readonly string[],
  notes: readonly UnannouncedSamplesTable[],
  events: readonly EventRow[],
): Promise<void> {
  const ids = [...new Set(notes.map((note) => note.id))]
  const userIds = [...new Set(notes.map((note) => note.user_id))]
  const series = [...new Set(notes.map((note) => note.series))]
  const deletion = (query: Pick<Db, 'deleteFrom'>) =>
    query
      .deleteFrom('unannounced_samples')
      .where('environment_id', 'in', [...environmentIds])
      .where('user_id', 'in', userIds)
      .where('series', 'in', series)
      .where('id', 'in', ids)
  if (events.length === 0) await deletion(db).execute()
  else await insertEvents(db.with('dropped', deletion), events)
}

/** Notes that were made before a time, oldest first: what made them did not come to its end. */
export function listNotesBefore(
  db: Db,
  before: Date,
  limit: number,
): Promise<UnannouncedSamplesTable[]> {
  return db
    .selectFrom('unannounced_samples')
    .selectAll()
    .where('created_at', '<=', before)
    .orderBy('created_at')
    .orderBy(sql`environment_id, user_id, series, id`)
    .limit(limit)
    .execute()
}

/** Takes a note for the rest of the transaction; false when it is gone, or another one has it. */
export async function lockNote(
  db: Db,
  environmentId: string,
  note: UnannouncedSamplesTable,
): Promise<boolean> {
  const row = await db
    .selectFrom('unannounced_samples')
    .select('id')
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', note.user_id)
    .where('series', '=', note.series)
    .where('id', '=', note.id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row !== undefined
}
