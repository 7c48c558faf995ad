import { sql } from 'kysely'
import { type EventRow, insertEventPart, partEvents } from '../../../platform/events/outbox.ts'
import type { PublicationFailures } from '../../../platform/events/publication-quarantine.repository.ts'
import { anyOf, inTransaction, recordsOf } from '../../../platform/postgres/bulk.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { attemptsUpsert, type ResourceStatisticsRow } from '../../connections/index.ts'

/** Samples that are about to be stored and are not announced yet. */
export interface UnannouncedSamplesTable extends PublicationFailures {
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

export type SampleNote = Omit<UnannouncedSamplesTable, keyof PublicationFailures>

declare module '../../../platform/postgres/database.ts' {
  interface Database {
    unannounced_samples: UnannouncedSamplesTable
  }
}

/** Notes samples; returns older notes about the same series of the same people. */
export async function insertNotes(
  db: Db,
  environmentIds: readonly string[],
  notes: readonly SampleNote[],
): Promise<SampleNote[]> {
  // Other notes than those of this statement, which does not see its own.
  const { columns, records } = recordsOf('unannounced_samples', notes)
  return db
    .with('noted', (query) =>
      query.insertInto('unannounced_samples').columns(columns).expression(records),
    )
    .selectFrom('unannounced_samples')
    .selectAll()
    .where('environment_id', '=', anyOf(environmentIds))
    .where('user_id', '=', anyOf(new Set(notes.map((note) => note.user_id))))
    .where('series', '=', anyOf(new Set(notes.map((note) => note.series))))
    .where('quarantined_at', 'is', null)
    .execute()
}

/** Writes the events, drops the notes and takes note of the attempts, all or nothing. */
export async function replaceNotesByEvents(
  db: Db,
  environmentIds: readonly string[],
  notes: readonly SampleNote[],
  events: readonly EventRow[],
  attempts: readonly ResourceStatisticsRow[],
): Promise<void> {
  const ids = new Set(notes.map((note) => note.id))
  const userIds = new Set(notes.map((note) => note.user_id))
  const series = new Set(notes.map((note) => note.series))
  const providers = new Set(notes.map((note) => note.provider))
  const deletion = (query: Pick<Db, 'deleteFrom'>) =>
    query
      .deleteFrom('unannounced_samples')
      .where('environment_id', '=', anyOf(environmentIds))
      .where('user_id', '=', anyOf(userIds))
      .where('series', '=', anyOf(series))
      .where('provider', '=', anyOf(providers))
      .where('id', '=', anyOf(ids))
      .returning('id')
  // A note is locked before any count, also where one that was left behind is settled.
  const counting = (query: Pick<Db, 'insertInto'>) => attemptsUpsert(query, attempts, 'dropped')
  const [first, ...others] = partEvents(events)
  if (first === undefined) return void (await counting(db.with('dropped', deletion)).execute())
  const writeFirst = (on: Db) =>
    insertEventPart(on.with('dropped', deletion).with('counted', counting), first)
  // Nearly always one statement, which needs no transaction around it.
  if (others.length === 0) return writeFirst(db)
  await inTransaction(db, async (transaction) => {
    await writeFirst(transaction)
    for (const part of others) await insertEventPart(transaction, part)
  })
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
): Promise<SampleNote[]> {
  return db
    .selectFrom('unannounced_samples')
    .selectAll()
    .where('created_at', '<=', before)
    .where((where) =>
      where.or([
        where('quarantined_at', 'is', null),
        where('quarantined_at', '<', quarantinedBefore),
      ]),
    )
    .orderBy('created_at')
    .orderBy(sql`environment_id, user_id, series, provider, id`)
    .limit(limit)
    .execute()
}

/** Takes a note for the rest of the transaction; false when it is gone, or another one has it. */
export async function lockNote(db: Db, environmentId: string, note: SampleNote): Promise<boolean> {
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
