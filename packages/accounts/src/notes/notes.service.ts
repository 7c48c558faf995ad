import type { Actor } from '@salus/kernel/audit/audited-requests'
import { conflict, notFound } from '@salus/kernel/errors'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import { newId } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { getUserRow, holdUserReference } from '../users/index.ts'
import type { NoteRow } from './notes.repository.ts'
import * as repository from './notes.repository.ts'
import type {
  Note,
  NoteAuthor,
  NoteCreate,
  NoteList,
  NoteQuery,
  NoteStatus,
  NoteUpdate,
  NoteVersion,
  NoteWithdrawal,
} from './notes.schema.ts'

/** Who sends a request, for the record. */
type By = Actor | null

/** Returns active notes about a user, newest first. @throws AppError 404, 400 `invalid_cursor` */
export async function showNotes(
  scope: Scope,
  userId: string,
  { limit, next_cursor: cursor }: NoteQuery,
): Promise<NoteList> {
  const { id } = await getUserRow(scope, userId)
  const list = ['note', scope.environment.id, id]
  const after = CREATION_PAGES.read(list, cursor)
  const found = await repository.listNotes(scope, id, { after, limit: limit + 1 })
  const { page, nextCursor } = CREATION_PAGES.cut(list, found, limit)
  return { data: page.map(toNote), next_cursor: nextCursor }
}

/** Returns all versions of a note, newest first. @throws AppError 404 */
export async function showVersions(
  scope: Scope,
  userId: string,
  noteId: string,
): Promise<{ data: NoteVersion[] }> {
  const { id } = await getUserRow(scope, userId)
  const rows = await repository.listVersions(scope, id, noteId.toLowerCase())
  if (rows.length === 0) throw notFound('Note')
  return { data: rows.map(toVersion) }
}

/** Writes a note about a user. @throws AppError 404 for the user */
export function writeNote(
  scope: Scope,
  userId: string,
  { text, name }: NoteCreate,
  by: By,
): Promise<Note> {
  return scope.transaction(async (tx) => {
    const user = await holdUserReference(tx, userId)
    if (user === undefined) throw notFound('User')
    const at = tx.clock.now()
    const row = await repository.insertVersion(tx, {
      user_id: user.id,
      id: newId(),
      version: 1,
      status: 'active',
      text: text.trim(),
      author: authorOf(name, by),
      created_at: at,
      written_at: at,
    })
    return toNote(row)
  })
}

/**
 * Writes a new version of a note; the versions before stay.
 * @throws AppError 404; 409 `note_changed` when the author has not read the newest version
 */
export function rewriteNote(
  scope: Scope,
  path: NotePath,
  { text, name, version }: NoteUpdate,
  by: By,
): Promise<Note> {
  return addVersion(scope, path, version, {
    author: authorOf(name, by),
    text: text.trim(),
    status: 'active',
  })
}

/**
 * Withdraws a note that was entered in error: lists no longer show it, its versions stay.
 * @throws AppError as rewriteNote does
 */
export function withdrawNote(
  scope: Scope,
  path: NotePath,
  { name, version }: NoteWithdrawal,
  by: By,
): Promise<Note> {
  return addVersion(scope, path, version, {
    author: authorOf(name, by),
    status: 'entered_in_error',
  })
}

interface NotePath {
  userId: string
  noteId: string
}

function addVersion(
  scope: Scope,
  { userId, noteId }: NotePath,
  version: number,
  change: { author: NoteAuthor; status: NoteStatus; text?: string },
): Promise<Note> {
  return scope.transaction(async (tx) => {
    const user = await holdUserReference(tx, userId)
    if (user === undefined) throw notFound('User')
    const id = noteId.toLowerCase()
    await repository.lockNote(tx, id)
    const row = await repository.findNote(tx, user.id, id)
    if (row === undefined) throw notFound('Note')
    if (row.version !== version) {
      throw conflict('note_changed', 'The note was changed meanwhile. Read it again.', {
        version: row.version,
      })
    }
    await repository.supersede(tx, row)
    const { environment_id: _, is_current: __, ...known } = row
    const next = { ...known, ...change, version: row.version + 1, written_at: tx.clock.now() }
    return toNote(await repository.insertVersion(tx, next))
  })
}

const authorOf = (name: string, by: By): NoteAuthor => ({
  name: name.trim(),
  actor_kind: by?.kind ?? null,
  actor_id: by?.id ?? null,
})

const toVersion = ({ version, status, text, author, written_at }: NoteRow): NoteVersion => ({
  version,
  status,
  text,
  author,
  written_at: formatInstant(written_at),
})

const toNote = (row: NoteRow): Note => ({
  id: row.id,
  user_id: row.user_id,
  created_at: formatInstant(row.created_at),
  ...toVersion(row),
})
