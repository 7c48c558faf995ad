import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type ColumnType, type Selectable, sql } from 'kysely'
import type { NoteAuthor, NoteStatus } from './notes.schema.ts'

/** A version of a note; the newest is current. */
interface PersonNotesTable {
  environment_id: string
  user_id: string
  id: string
  version: number
  status: NoteStatus
  text: string
  author: ColumnType<NoteAuthor, string, never>
  /** Time of the first version. */
  created_at: Date
  written_at: Date
  is_current: boolean
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    person_notes: PersonNotesTable
  }
}

export type NoteRow = Selectable<PersonNotesTable>
type NewNoteRow = Omit<NoteRow, 'environment_id' | 'is_current'>

/** Inserts a version, which is the current one. */
export function insertVersion(
  { db, environment }: TransactionScope,
  { author, ...note }: NewNoteRow,
): Promise<NoteRow> {
  const row = { ...note, author: JSON.stringify(author), is_current: true }
  return db
    .insertInto('person_notes')
    .values({ ...row, environment_id: environment.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Lets other changes of a note wait until the transaction ends. Their first version is the lock,
 * because it is the one row that every change finds again.
 */
export async function lockNote({ db, environment }: TransactionScope, id: string): Promise<void> {
  await db
    .selectFrom('person_notes')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('version', '=', 1)
    .forUpdate()
    .execute()
}

/** Returns the current version of an active note. */
export function findNote(
  { db, environment }: TransactionScope,
  userId: string,
  id: string,
): Promise<NoteRow | undefined> {
  return db
    .selectFrom('person_notes')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('is_current', '=', true)
    .where('status', '=', 'active')
    .executeTakeFirst()
}

/** Ends that a locked version is the current one. */
export async function supersede(
  { db, environment }: TransactionScope,
  { id, version }: Pick<NoteRow, 'id' | 'version'>,
): Promise<void> {
  await db
    .updateTable('person_notes')
    .set({ is_current: false })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
}

/** Returns active notes, newest first, after a position. */
export function listNotes(
  { db, environment }: Scope,
  userId: string,
  page: { after: { createdAt: string; id: string } | null; limit: number },
): Promise<(NoteRow & { position: string })[]> {
  const query = db
    .selectFrom('person_notes')
    .selectAll()
    .select(sql<string>`created_at::text`.as('position'))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where(sql<boolean>`is_current and status = 'active'`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.after === null) return query.execute()
  const { createdAt, id } = page.after
  return query
    .where(sql<boolean>`(created_at, id) < (${createdAt}::timestamptz, ${id}::uuid)`)
    .execute()
}

/** Returns all versions of a note, newest first; none for a note of another user. */
export function listVersions(
  { db, environment }: Scope,
  userId: string,
  id: string,
): Promise<NoteRow[]> {
  return db
    .selectFrom('person_notes')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .orderBy('version', 'desc')
    .execute()
}
