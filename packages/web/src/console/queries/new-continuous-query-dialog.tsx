import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { management, unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import { Dialog } from '../components/dialog.tsx'
import { Failure } from '../components/failure.tsx'
import { QueryEditor, type QueryEditorHandle } from './query-editor.tsx'
import { formatQuery, QUERY_EXAMPLES } from './query-examples.ts'
import { parseJson, useQueryTables } from './use-query-run.ts'

const FIRST_TEXT = formatQuery(QUERY_EXAMPLES['steps-a-day'].queries[0])
const LEAST_GAP_MINUTES = 30

interface NewQuery {
  title: string
  slug: string
  minutes: string
  text: string
}

const toSlug = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

const toBody = ({ title, slug, minutes, text }: NewQuery) => ({
  title,
  slug: slug || toSlug(title),
  query: parseJson<{ select: object[] }>(text),
  scheduling_preferences: { minimum_gap_duration_second: Number(minutes) * 60 },
})

/** Validates a query, and stores it. */
function useNewQuery() {
  const { key, path } = useEnvironment()
  const queryClient = useQueryClient()
  const params = { path }
  const check = useMutation({
    mutationFn: (made: NewQuery) =>
      unwrapResponse(
        management.POST('/v1/org/{org_id}/team/{team_id}/{env}/validate_continuous_query', {
          params,
          body: toBody(made) as never,
        }),
      ),
  })
  const keep = useMutation({
    mutationFn: (made: NewQuery) =>
      unwrapResponse(
        management.POST('/v1/org/{org_id}/team/{team_id}/{env}/continuous_query', {
          params,
          body: toBody(made) as never,
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [...key, 'continuous-queries'] }),
  })
  return { check, keep }
}

interface FieldsProps {
  made: NewQuery
  onChange: (changes: Partial<NewQuery>) => void
}

function Fields({ made, onChange }: FieldsProps): ReactNode {
  return (
    <div className="query-bar">
      <TextInput
        label="Title"
        required
        maxLength={200}
        value={made.title}
        onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
      />
      <TextInput
        label="Slug"
        description="Name in addresses; it cannot be changed."
        placeholder={toSlug(made.title) || 'steps-a-day'}
        value={made.slug}
        onChange={({ currentTarget }) => onChange({ slug: currentTarget.value })}
      />
      <TextInput
        label="Minimum interval (minutes)"
        type="number"
        min={LEAST_GAP_MINUTES}
        value={made.minutes}
        onChange={({ currentTarget }) => onChange({ minutes: currentTarget.value })}
      />
    </div>
  )
}

const NOTHING = { title: '', slug: '', minutes: String(LEAST_GAP_MINUTES) }
const FIRST = { ...NOTHING, title: 'Steps a day', text: FIRST_TEXT }

/** Creates a continuous query. The query cannot be changed later, so it can be validated before. */
export function NewContinuousQueryDialog(props: NewContinuousQueryProps): ReactNode {
  return props.isOpen ? <OpenDialog {...props} /> : null
}

interface NewContinuousQueryProps {
  isOpen: boolean
  onClose: () => void
  /** Text of the query with which it begins; an example unless given. */
  text?: string | undefined
  onCreated?: (queryId: string) => void
}

function OpenDialog({ isOpen, onClose, text, onCreated }: NewContinuousQueryProps): ReactNode {
  const [first] = useState<NewQuery>(text === undefined ? FIRST : { ...NOTHING, text })
  const [made, setMade] = useState(first)
  const editor = useRef<QueryEditorHandle>(null)
  const { check, keep } = useNewQuery()
  const schema = useQueryTables()
  const error = keep.error ?? check.error
  // In the body of the request the query is one field of several; in the editor it is the whole
  // text.
  const onError = (refused: unknown): void => {
    editor.current?.showErrors(refused, ['query'])
  }
  const change = (changes: Partial<NewQuery>): void => setMade((old) => ({ ...old, ...changes }))
  return (
    <Dialog
      title="New continuous query"
      isOpen={isOpen}
      onClose={onClose}
      className="query-dialog"
      actions={
        <>
          <Button
            variant="subtle"
            loading={check.isPending}
            onClick={() => check.mutate(made, { onError })}
          >
            Validate query
          </Button>
          <Button
            loading={keep.isPending}
            disabled={made.title === ''}
            onClick={() =>
              keep.mutate(made, {
                onError,
                onSuccess: ({ id }) => {
                  onClose()
                  onCreated?.(id)
                },
              })
            }
          >
            Create query
          </Button>
        </>
      }
    >
      <div className="query-form">
        <Fields made={made} onChange={change} />
        <QueryEditor
          label="Text of the query"
          initialText={first.text}
          onChange={(text) => change({ text })}
          onRun={() => check.mutate(made, { onError })}
          schema={schema}
          handle={editor}
        />
        {error !== null && <Failure error={error} />}
        {error === null && check.data !== undefined && (
          <p role="status">
            The query is valid. Its columns:{' '}
            {check.data.result_table_schema.columns
              .map(({ name, type }) => `${name} (${type})`)
              .join(', ')}
            .
          </p>
        )}
      </div>
    </Dialog>
  )
}
