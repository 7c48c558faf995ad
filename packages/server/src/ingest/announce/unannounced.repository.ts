import { sql } from 'kysely'
import { attemptsUpsert, type ResourceStatisticsRow } from '../../connections/index.ts'
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

/** Writes the events, drops the notes and takes note of the attempts, all or nothing. */
export async function replaceNotesByEvents(
  db: Db,
  environmentIds: readonly string[],
  notes: readonly UnannouncedSamplesTable[],
  events: readonly EventRow[],
  attempts: readonly ResourceStatisticsRow[],
): Promise<void> {
  const ids = [...new Set(notes.map((note) => note.id))]
  const userIds = [...new Set(notes.map((note) => note.user_id))]
  const series = [...new Set(notes.map((note) => note.series))]
  const providers = [...new Set(notes.map((note) => note.provider))]
  const deletion = (query: Pick<Db, 'deleteFrom'>) =>
    query
      .deleteFrom('unannounced_samples')
      .where('environment_id', 'in', [...environmentIds])
      .where('user_id', 'in', userIds)
      .where('series', 'in', series)
      .where('provider', 'in', providers)
      .where('id', 'in', ids)
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
): Promise<UnannouncedSamplesTable[]> {
  return db
    .selectFrom('unannounced_samples')
    .selectAll()
    .where('created_at', '<=', before)
    .orderBy('created_at')
    .orderBy(sql`environment_id, user_id, series, provider, id`)
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
    .where('provider', '=', note.provider)
    .where('id', '=', note.id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row !== undefined
}
