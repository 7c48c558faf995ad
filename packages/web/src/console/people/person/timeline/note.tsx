import { Button, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { usePermission, useSession } from '../../../api/session.ts'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { type NoteVersion, readVersions, useNoteChange } from './timeline-query.ts'

const MOST_LETTERS = 10_000

/** A form for a new note about the person. */
export function NewNote({ userId }: { userId: string }): ReactNode {
  const { label: name } = useSession().key
  const [text, setText] = useState('')
  const writing = useNoteChange(userId)
  return (
    <Section title="New note">
      <form
        className="note-form"
        onSubmit={(event) => {
          event.preventDefault()
          writing.mutate({ name, text }, { onSuccess: () => setText('') })
        }}
      >
        <Textarea
          aria-label="Text of the note"
          placeholder="What others should know about the person"
          autosize
          minRows={2}
          maxLength={MOST_LETTERS}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <div className="note-form-end">
          <span className="quiet">Signed as {name}. Exports and erasures contain notes.</span>
          <Button type="submit" disabled={text.trim() === ''} loading={writing.isPending}>
            Save note
          </Button>
        </div>
        {writing.error !== null && <Failure error={writing.error} />}
      </form>
    </Section>
  )
}

/** Opens the versions of a note, of which the newest can be changed or withdrawn. */
export function NoteActions({ userId, noteId }: { userId: string; noteId: string }): ReactNode {
  const environment = useEnvironment()
  const [versions, setVersions] = useState<NoteVersion[]>()
  const [isOpen, setOpen] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const open = (): void => {
    setOpen(true)
    setVersions(undefined)
    setError(null)
    readVersions(environment, userId, noteId).then(setVersions, setError)
  }
  const [newest, ...former] = versions ?? []
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={open}>
        Versions
      </Button>
      <Dialog title="Note" isOpen={isOpen} onClose={() => setOpen(false)}>
        {error !== null && <Failure error={error} onRetry={open} />}
        {versions === undefined && error === null && (
          <Waiting label="Loading the versions" lines={3} />
        )}
        {newest !== undefined && (
          <ChangeNote
            key={newest.version}
            note={{ userId, id: noteId }}
            newest={newest}
            onDone={() => setOpen(false)}
          />
        )}
        {former.length > 0 && (
          <ol className="note-versions" aria-label="Former versions">
            {former.map((version) => (
              <li key={version.version}>
                <span className="quiet">
                  <Instant at={version.written_at} /> by {version.author.name}
                </span>
                <p>{version.text}</p>
              </li>
            ))}
          </ol>
        )}
      </Dialog>
    </>
  )
}

interface ChangeNoteProps {
  note: { userId: string; id: string }
  newest: NoteVersion
  onDone: () => void
}

function ChangeNote({ note, newest, onDone }: ChangeNoteProps): ReactNode {
  const { label: name } = useSession().key
  const mayWrite = usePermission('health:write')
  const [text, setText] = useState(newest.text)
  const change = useNoteChange(note.userId)
  const { version } = newest
  const of = { id: note.id, version }
  return (
    <form
      className="note-form"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({ name, text, note: of }, { onSuccess: onDone })
      }}
    >
      <span className="quiet">
        <Instant at={newest.written_at} /> by {newest.author.name}
      </span>
      <Textarea
        aria-label="Text of the note"
        autosize
        minRows={2}
        maxLength={MOST_LETTERS}
        readOnly={!mayWrite}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {mayWrite && (
        <div className="note-form-end">
          <Button
            variant="outline"
            color="red"
            loading={change.isPending}
            onClick={() => change.mutate({ name, note: of }, { onSuccess: onDone })}
          >
            Entered in error
          </Button>
          <Button
            type="submit"
            disabled={text.trim() === '' || text.trim() === newest.text}
            loading={change.isPending}
          >
            Save new version
          </Button>
        </div>
      )}
      {change.error !== null && <Failure error={change.error} />}
    </form>
  )
}
