import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import {
  Note,
  NoteCreate,
  NoteList,
  NoteQuery,
  NoteUpdate,
  NoteVersionList,
  NoteWithdrawal,
} from './notes.schema.ts'
import { rewriteNote, showNotes, showVersions, withdrawNote, writeNote } from './notes.service.ts'

const tags = ['Users']
const LIST = '/v2/user/:user_id/note'
const ONE = `${LIST}/:note_id`
const ByUser = Type.Object({ user_id: Uuid })
const ByNote = Type.Object({
  user_id: Uuid,
  note_id: Type.String({ format: 'uuid', description: 'Id of the note.' }),
})
/** A person whose own key reads data does not read what the team wrote about them. */
const OF_TEAM = { personIn: 'team' } as const
const TEXT = 'Prefers to be called in the morning.'
const NAME = 'Dr. Ines Park'

/** Registers notes about users (docs/contract/02-users.md#notes). */
export function registerNoteRoutes(app: App): void {
  app.get(
    LIST,
    {
      config: OF_TEAM,
      schema: {
        operationId: 'listNotes',
        tags,
        summary: 'List notes about a user',
        description: 'Returns the newest versions of the notes, the newest note first.',
        params: ByUser,
        querystring: NoteQuery,
        response: { 200: NoteList },
      },
    },
    ({ scope, params, query }) => showNotes(scope, params.user_id, query),
  )
  app.get(
    `${ONE}/version`,
    {
      config: OF_TEAM,
      schema: {
        operationId: 'listNoteVersions',
        tags,
        summary: 'List the versions of a note',
        description: 'Returns every version with its author, also of a note entered in error.',
        params: ByNote,
        response: { 200: NoteVersionList },
      },
    },
    ({ scope, params }) => showVersions(scope, params.user_id, params.note_id),
  )
  registerWriting(app)
  registerWithdrawing(app)
}

function registerWriting(app: App): void {
  app.post(
    LIST,
    {
      config: OF_TEAM,
      schema: {
        operationId: 'createNote',
        tags,
        summary: 'Write a note about a user',
        description: 'Stores a note with its author and time.',
        params: ByUser,
        body: NoteCreate,
        'x-body-example': { text: TEXT, name: NAME },
        response: { 200: Note },
      },
    },
    ({ scope, params, body, actor }) => writeNote(scope, params.user_id, body, actor),
  )
  app.patch(
    ONE,
    {
      config: OF_TEAM,
      schema: {
        operationId: 'updateNote',
        tags,
        summary: 'Change a note',
        description: 'Stores a new version of the note. The versions before stay readable.',
        params: ByNote,
        body: NoteUpdate,
        'x-body-example': { text: TEXT, name: NAME, version: 1 },
        response: { 200: Note },
      },
    },
    ({ scope, params: { user_id: userId, note_id: noteId }, body, actor }) =>
      rewriteNote(scope, { userId, noteId }, body, actor),
  )
}

function registerWithdrawing(app: App): void {
  app.post(
    `${ONE}/entered_in_error`,
    {
      config: OF_TEAM,
      schema: {
        operationId: 'withdrawNote',
        tags,
        summary: 'Withdraw a note',
        description:
          'Marks a note as entered in error. Lists no longer show it, and its versions stay readable.',
        params: ByNote,
        body: NoteWithdrawal,
        'x-body-example': { name: NAME, version: 1 },
        response: { 200: Note },
      },
    },
    ({ scope, params: { user_id: userId, note_id: noteId }, body, actor }) =>
      withdrawNote(scope, { userId, noteId }, body, actor),
  )
}
