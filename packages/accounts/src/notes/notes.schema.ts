import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'
import { TaskPerformer } from '../tasks/index.ts'

/** Notes about a user (docs/contract/02-users.md#notes). */

export const NOTE_STATUSES = ['active', 'entered_in_error'] as const
export type NoteStatus = (typeof NOTE_STATUSES)[number]

/** A person who wrote, as the request named them, with the credential of the request. */
export type NoteAuthor = TaskPerformer

const Author = Type.Object({ ...TaskPerformer.properties }, { title: 'NoteAuthor' })

const written = {
  version: Type.Integer({ description: 'Number of the version, from 1 on.' }),
  status: TextEnum(NOTE_STATUSES, {
    description: '`entered_in_error`: withdrawn; only its versions are still shown.',
  }),
  text: Type.String(),
  author: Author,
  written_at: DateTime,
}

export const NoteVersion = Type.Object(written, { title: 'NoteVersion' })
export type NoteVersion = Type.Static<typeof NoteVersion>

export const Note = Type.Object(
  { id: Uuid, user_id: Uuid, created_at: DateTime, ...written },
  { title: 'Note', description: 'The newest version of a note.' },
)
export type Note = Type.Static<typeof Note>

export const NoteList = Type.Object(
  { data: Type.Array(Note), next_cursor: Nullable(Type.String()) },
  { title: 'NoteList' },
)
export type NoteList = Type.Static<typeof NoteList>

export const NoteVersionList = Type.Object(
  { data: Type.Array(NoteVersion, { description: 'All versions, newest first.' }) },
  { title: 'NoteVersionList' },
)

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  description: 'Name of the author, or their id in a system of the team.',
})
const Text = Type.String({
  minLength: 1,
  maxLength: 10_000,
  pattern: '\\S',
  description: 'Text of the note.',
})
const Version = Type.Integer({
  minimum: 1,
  maximum: 2 ** 31 - 2,
  description: 'Version that the author has read: a change of another one is refused.',
})
const closed = { additionalProperties: false }

export const NoteCreate = Type.Object(
  { text: Text, name: Name },
  { title: 'NoteCreate', ...closed },
)
export type NoteCreate = Type.Static<typeof NoteCreate>

export const NoteUpdate = Type.Object(
  { text: Text, name: Name, version: Version },
  { title: 'NoteUpdate', ...closed },
)
export type NoteUpdate = Type.Static<typeof NoteUpdate>

export const NoteWithdrawal = Type.Object(
  { name: Name, version: Version },
  { title: 'NoteWithdrawal', ...closed },
)
export type NoteWithdrawal = Type.Static<typeof NoteWithdrawal>

export const NoteQuery = Type.Object(pageQuery(100))
export type NoteQuery = Type.Static<typeof NoteQuery>
