import { Button, NativeSelect } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { Allowed } from '../components/allowed.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { IconPlayerPlay } from '../components/icons.tsx'
import { Page, Section } from '../components/page.tsx'
import { Waiting } from '../components/waiting.tsx'
import { useViewState } from '../shell/view-state.ts'
import { QueryBuilder } from './builder/query-builder.tsx'
import { type QueryDraft, readErrors, useQueryDraft } from './builder/use-query-draft.ts'
import { NewContinuousQueryDialog } from './new-continuous-query-dialog.tsx'
import { PeoplePicker } from './people-picker.tsx'
import './queries.css'
import { QueryEditor } from './query-editor.tsx'
import { formatQuery, isQueryExample, QUERY_EXAMPLES, textOfExample } from './query-examples.ts'
import { QueryResult } from './query-result.tsx'
import { parseJson, useQueryRun, useQueryTables } from './use-query-run.ts'

const FIRST_EXAMPLE = 'steps-a-day'
const EXAMPLES = Object.entries(QUERY_EXAMPLES).map(([value, { title }]) => ({
  value,
  label: title,
}))

/** Returns today in the zone of the reader, as YYYY-MM-DD. */
const today = (): string => new Date().toLocaleDateString('sv-SE')

const textOf = (name: string): string =>
  textOfExample(isQueryExample(name) ? name : FIRST_EXAMPLE, today())

/** Puts a query together by fields or as JSON, and shows its results. */
export function QueriesPage(): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const [view, change] = useViewState({ user: '', example: FIRST_EXAMPLE as string })
  const ids = view.user.split(',').filter((id) => id !== '')
  const draft = useQueryDraft(() => textOf(view.example))
  const run = useQueryRun()
  const start = (): void => {
    if (ids.length === 0) return
    run.mutate(
      { ids, text: draft.text },
      { onError: (error) => draft.editor.current?.showErrors(error) },
    )
  }
  return (
    <Page
      title="Queries"
      description={
        <>
          Tables of people’s data: steps a day, sleep scores, heart rate by hour. To evaluate a
          query for every person, store it as a{' '}
          <Link to="/$team/$env/queries/continuous" params={{ team, env }}>
            continuous query
          </Link>
          .
        </>
      }
    >
      <Section title="Query" description="Ctrl+Enter in the text runs it, Ctrl+Space completes.">
        <PeoplePicker ids={ids} onChange={(next) => change({ user: next.join(',') })} />
        <div className="query-bar">
          <NativeSelect
            label="Example"
            data={EXAMPLES}
            value={view.example}
            onChange={({ currentTarget: { value } }) => {
              change({ example: value })
              draft.replace(textOf(value))
            }}
          />
          <Button
            leftSection={<IconPlayerPlay size={18} aria-hidden />}
            loading={run.isPending}
            disabled={ids.length === 0}
            onClick={start}
          >
            Run query
          </Button>
          <CopyButton variant="subtle" value={draft.link}>
            Copy link
          </CopyButton>
          <Allowed to="queries:write">
            <SaveButton draft={draft} />
          </Allowed>
        </div>
        <TwoForms draft={draft} error={run.error} onRun={start} />
        {run.error !== null && <Failure error={run.error} />}
      </Section>
      {run.isPending && <Waiting label="Running the query" lines={6} />}
      {!run.isPending && run.data !== undefined && <QueryResult run={run.data} />}
      {run.isIdle && (
        <EmptyState title="No results yet.">
          {ids.length === 0
            ? 'Choose a person, then run the query.'
            : 'Run the query to see its table and chart.'}
        </EmptyState>
      )}
    </Page>
  )
}

interface TwoFormsProps {
  draft: QueryDraft
  error: unknown
  onRun: () => void
}

/** The fields and the text of one query, side by side. */
function TwoForms({ draft, error, onRun }: TwoFormsProps): ReactNode {
  const tables = useQueryTables()
  const { read, text } = draft
  return (
    <div className="query-forms">
      <div>
        {tables === undefined && <Waiting label="Loading the tables" lines={6} />}
        {tables !== undefined && 'query' in read && (
          <QueryBuilder
            query={read.query}
            tables={tables}
            onChange={draft.change}
            errors={readErrors(error, read.query)}
          />
        )}
        {'reason' in read && (
          <EmptyState title="This query is shown as text only.">
            {read.reason} It runs all the same.
          </EmptyState>
        )}
      </div>
      <QueryEditor
        label="Text of the query"
        initialText={text}
        onChange={draft.write}
        onRun={onRun}
        schema={tables}
        handle={draft.editor}
      />
    </div>
  )
}

/** Returns the text of the only query of a request; undefined where there are several. */
function textOfOnlyQuery(text: string): string | undefined {
  try {
    const { queries } = parseJson<{ queries?: unknown[] }>(text)
    return queries?.length === 1 ? formatQuery(queries[0]) : undefined
  } catch {
    return undefined
  }
}

function SaveButton({ draft }: { draft: QueryDraft }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const navigate = useNavigate()
  const [text, setText] = useState<string>()
  const query = textOfOnlyQuery(draft.text)
  return (
    <>
      <Button variant="subtle" disabled={query === undefined} onClick={() => setText(query)}>
        Save as continuous query
      </Button>
      <NewContinuousQueryDialog
        isOpen={text !== undefined}
        text={text}
        onClose={() => setText(undefined)}
        onCreated={(id) =>
          navigate({
            to: '/$team/$env/queries/continuous',
            params: { team, env },
            search: { query: id } as never,
          })
        }
      />
    </>
  )
}
