import { sql } from 'kysely'
import { type EventRow, insertEventPart } from '../../../platform/events/outbox.ts'
import type { PublicationFailures } from '../../../platform/events/publication-quarantine.repository.ts'
import { anyOf, recordsOf } from '../../../platform/postgres/bulk.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { attemptsUpsert, type ResourceStatisticsRow } from '../../connections/index.ts'

/** Summaries, or streams of workouts, that are about to be stored and are not announced yet. */
export interface UnannouncedSummariesTable extends PublicationFailures {
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

export type SummaryNote = Omit<UnannouncedSummariesTable, keyof PublicationFailures>

declare module '../../../platform/postgres/database.ts' {
  interface Database {
    unannounced_summaries: UnannouncedSummariesTable
  }
}

const anyOfDistinct = <Value>(values: readonly Value[]) => anyOf(new Set(values))

/** Notes summaries; returns older notes about the same resources of the same people. */
export function insertNotes(
  db: Db,
  environmentIds: readonly string[],
  notes: readonly SummaryNote[],
): Promise<SummaryNote[]> {
  // Other notes than those of this statement, which does not see its own.
  const { columns, records } = recordsOf('unannounced_summaries', notes)
  return db
    .with('noted', (query) =>
      query.insertInto('unannounced_summaries').columns(columns).expression(records),
    )
    .selectFrom('unannounced_summaries')
    .selectAll()
    .where('environment_id', '=', anyOf(environmentIds))
    .where('user_id', '=', anyOfDistinct(notes.map((note) => note.user_id)))
    .where('resource', '=', anyOfDistinct(notes.map((note) => note.resource)))
    .where('quarantined_at', 'is', null)
    .orderBy('created_at')
    .execute()
}

/**
 * Writes a part of partEvents, drops the notes that stood for them and takes note of attempts, all or
 * nothing.
 */
export async function replaceNotesByEvents(
  db: Db,
  environmentIds: readonly string[],
  notes: readonly SummaryNote[],
  events: readonly EventRow[],
  attempts: readonly ResourceStatisticsRow[],
): Promise<void> {
  const deletion = (query: Pick<Db, 'deleteFrom'>) =>
    query
      .deleteFrom('unannounced_summaries')
      .where('environment_id', '=', anyOf(environmentIds))
      .where('user_id', '=', anyOfDistinct(notes.map((note) => note.user_id)))
      .where('resource', '=', anyOfDistinct(notes.map((note) => note.resource)))
      .where('provider', '=', anyOfDistinct(notes.map((note) => note.provider)))
      .where('id', '=', anyOfDistinct(notes.map((note) => note.id)))
      .returning('id')
  const dropping = db.with('dropped', deletion)
  // A note is locked before any count, also where one that was left behind is settled.
  const counting = (query: Pick<Db, 'insertInto'>) => attemptsUpsert(query, attempts, 'dropped')
  if (events.length === 0) await counting(dropping).execute()
  else await insertEventPart(dropping.with('counted', counting), events)
}

/**
 * Notes that were made before a time, oldest first: what made them did not come to its end.
 * @param quarantinedBefore Those in quarantine are among them when they failed before this time.
 */
export function listNotesBefore(
  db: Db,
  before: Date,
  quarantinedBefore: Date,
  limit: number,
): Promise<SummaryNote[]> {
  return db
    .selectFrom('unannounced_summaries')
    .selectAll()
    .where('created_at', '<=', before)
    .where((where) =>
      where.or([
        where('quarantined_at', 'is', null),
        where('quarantined_at', '<', quarantinedBefore),
      ]),
    )
    .orderBy('created_at')
    .orderBy(sql`environment_id, user_id, resource, provider, id`)
    .limit(limit)
    .execute()
}

/** Takes a note for the rest of the transaction; false when it is gone, or another one has it. */
export async function lockNote(db: Db, environmentId: string, note: SummaryNote): Promise<boolean> {
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
