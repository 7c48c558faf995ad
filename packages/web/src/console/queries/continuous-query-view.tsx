import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'
import { Allowed } from '../components/allowed.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { Dialog } from '../components/dialog.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { Instant } from '../components/instant.tsx'
import { Page, Section } from '../components/page.tsx'
import { PersonPicker } from '../components/person-picker.tsx'
import { StatusBadge, type Tone } from '../components/status-badge.tsx'
import { Waiting } from '../components/waiting.tsx'
import { useViewState } from '../shell/view-state.ts'
import { describeResult, findBucket } from './builder/builder-columns.ts'
import { CodeBlock } from './code-block.tsx'
import { formatQuery } from './query-examples.ts'
import { ResultTable } from './result-table.tsx'
import { useQueryTables } from './use-query-run.ts'

export type ContinuousQuery = components['schemas']['ContinuousQuery']
type Task = components['schemas']['ContinuousQueryTask']

const TONES: Record<Task['status'], Tone> = {
  scheduled: 'info',
  started: 'info',
  completed: 'good',
  skipped: 'neutral',
  error: 'bad',
}

const TASK_COLUMNS: Column<Task>[] = [
  {
    key: 'status',
    title: 'Outcome',
    width: '8rem',
    render: ({ status }) => <StatusBadge tone={TONES[status]}>{status}</StatusBadge>,
  },
  {
    key: 'scheduled',
    title: 'Scheduled',
    render: ({ scheduled_at }) => <Instant at={scheduled_at} />,
  },
  {
    key: 'ended',
    title: 'Ended',
    render: ({ ended_at }) => <Instant at={ended_at} otherwise="not yet" />,
  },
  {
    key: 'error',
    title: 'What went wrong',
    width: 'minmax(8rem, 1.5fr)',
    render: ({ error_details }) => error_details ?? '',
  },
]

/** Lists evaluations of a query for a person, newest first. */
function History({ queryId, userId }: { queryId: string; userId: string }): ReactNode {
  const { key, team } = useEnvironment()
  const history = useInfiniteQuery({
    queryKey: [...key, 'continuous-query-history', queryId, userId],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        team.GET('/aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/task_history', {
          params: {
            path: { user_id: userId, query_id_or_slug: queryId },
            query: pageParam === null ? {} : { next_cursor: pageParam },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
  if (history.error !== null)
    return <Failure error={history.error} onRetry={() => history.refetch()} />
  return (
    <DataTable
      label="Evaluations"
      columns={TASK_COLUMNS}
      rows={history.data?.pages.flatMap(({ data }) => data)}
      rowKey={({ scheduled_at, status }) => `${scheduled_at} ${status}`}
      more={history}
      empty={
        <EmptyState title="No evaluations yet.">
          A query is evaluated for every person a minute after its creation, and then when their
          data change.
        </EmptyState>
      }
    />
  )
}

/** Shows the stored results of a person. */
function KeptTable({ query, userId }: { query: ContinuousQuery; userId: string }): ReactNode {
  const { id: queryId } = query
  const tables = useQueryTables()
  const { key, team } = useEnvironment()
  const { data, error, refetch } = useQuery({
    queryKey: [...key, 'continuous-query-table', queryId, userId],
    queryFn: ({ signal }) =>
      unwrapResponse(
        team.GET('/aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/result_table', {
          params: { path: { user_id: userId, query_id_or_slug: queryId } },
          signal,
        }),
      ),
  })
  if (error !== null) return <Failure error={error} onRetry={() => refetch()} />
  if (data === undefined) return <Waiting label="Loading the table" lines={6} />
  return (
    <ResultTable
      tables={[{ name: '', table: (data as { table: Record<string, unknown[]> }).table }]}
      number={1}
      described={describeResult(query.query, tables)}
      bucket={findBucket(query.query)}
    />
  )
}

function ArchiveButton({ query }: { query: ContinuousQuery }): ReactNode {
  const { key, path } = useEnvironment()
  const queryClient = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const archive = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.DELETE('/v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id}', {
          params: { path: { ...path, query_id: query.id } },
        }),
      ),
    onSuccess: () => {
      setAsked(false)
      queryClient.invalidateQueries({ queryKey: [...key, 'continuous-queries'] })
    },
  })
  return (
    <>
      <Button variant="subtle" onClick={() => setAsked(true)}>
        Archive query
      </Button>
      <Dialog
        title={`Archive “${query.title}”?`}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        actions={
          <>
            <Button variant="subtle" onClick={() => setAsked(false)}>
              Keep query
            </Button>
            <Button loading={archive.isPending} onClick={() => archive.mutate()}>
              Archive query
            </Button>
          </>
        }
      >
        <p>
          It is no longer evaluated. Its results stay readable, and its slug cannot be used again.
        </p>
        {archive.error !== null && <Failure error={archive.error} />}
      </Dialog>
    </>
  )
}

/** Shows a continuous query, and the results and evaluations of a person. */
export function ContinuousQueryView({ query }: { query: ContinuousQuery }): ReactNode {
  const [view, change] = useViewState({ query: '', user: '' })
  const { teamId: team, env } = useEnvironment()
  return (
    <Page
      title={query.title}
      description={`${query.slug}, ${query.status}`}
      above={
        <Link to="/$team/$env/queries/continuous" params={{ team, env }} search={{} as never}>
          Continuous queries
        </Link>
      }
      actions={
        query.status === 'active' && (
          <Allowed to="queries:write">
            <ArchiveButton query={query} />
          </Allowed>
        )
      }
    >
      <Section title="Query">
        <CodeBlock text={formatQuery(query.query)} />
      </Section>
      <Section title="Results of a person">
        <PersonPicker label="Person" value={view.user} onChange={(user) => change({ user })} />
        {view.user === '' ? (
          <EmptyState title="No person is chosen.">
            Choose a person to see their results and evaluations.
          </EmptyState>
        ) : (
          <>
            <KeptTable query={query} userId={view.user} />
            <h3>Evaluations</h3>
            <History queryId={query.id} userId={view.user} />
          </>
        )}
      </Section>
    </Page>
  )
}
