import { Button, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { IconPlayerPlay } from '../components/icons.tsx'
import { Page, Section } from '../components/page.tsx'
import { PersonPicker } from '../components/person-picker.tsx'
import { Waiting } from '../components/waiting.tsx'
import { useViewState } from '../shell/view-state.ts'
import './queries.css'
import { QueryEditor, type QueryEditorHandle } from './query-editor.tsx'
import { isQueryExample, QUERY_EXAMPLES, textOfExample } from './query-examples.ts'
import { QueryResult } from './query-result.tsx'
import { useQueryRun, useQueryTables } from './use-query-run.ts'

const FIRST_EXAMPLE = 'steps-a-day'
const EXAMPLES = Object.entries(QUERY_EXAMPLES).map(([value, { title }]) => ({
  value,
  label: title,
}))

/** Returns today in the zone of the reader, as YYYY-MM-DD. */
const today = (): string => new Date().toLocaleDateString('sv-SE')

const textOf = (name: string): string =>
  textOfExample(isQueryExample(name) ? name : FIRST_EXAMPLE, today())

/** An editor of the query language, with the results of a query. */
export function QueriesPage(): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const [view, change] = useViewState({ user: '', example: FIRST_EXAMPLE as string })
  const [initialText] = useState(() => textOf(view.example))
  const [text, setText] = useState(initialText)
  const editor = useRef<QueryEditorHandle>(null)
  const schema = useQueryTables()
  const run = useQueryRun()
  const start = (): void => {
    if (view.user === '') return
    run.mutate(
      { userId: view.user, text },
      { onError: (error) => editor.current?.showErrors(error) },
    )
  }
  const open = (example: string): void => {
    change({ example })
    editor.current?.replace(textOf(example))
  }
  return (
    <Page
      title="Queries"
      description={
        <>
          Tables of one person’s data: steps a day, sleep scores, heart rate by hour. To evaluate a
          query for every person, store it as a{' '}
          <Link to="/$team/$env/queries/continuous" params={{ team, env }}>
            continuous query
          </Link>
          .
        </>
      }
    >
      <Section title="Query" description="Ctrl+Enter runs the query, Ctrl+Space completes.">
        <div className="query-bar">
          <PersonPicker label="Person" value={view.user} onChange={(user) => change({ user })} />
          <NativeSelect
            label="Example"
            data={EXAMPLES}
            value={view.example}
            onChange={({ currentTarget }) => open(currentTarget.value)}
          />
          <Button
            leftSection={<IconPlayerPlay size={18} aria-hidden />}
            loading={run.isPending}
            disabled={view.user === ''}
            onClick={start}
          >
            Run query
          </Button>
        </div>
        <QueryEditor
          label="Text of the query"
          initialText={initialText}
          onChange={setText}
          onRun={start}
          schema={schema}
          handle={editor}
        />
        {run.error !== null && <Failure error={run.error} />}
      </Section>
      {run.isPending && <Waiting label="Running the query" lines={6} />}
      {!run.isPending && run.data !== undefined && <QueryResult run={run.data} />}
      {run.isIdle && (
        <EmptyState title="No results yet.">
          {view.user === ''
            ? 'Choose a person, then run the query.'
            : 'Run the query to see its table and chart.'}
        </EmptyState>
      )}
    </Page>
  )
}
