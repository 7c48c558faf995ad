import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../api/client.ts'
import { useEnvironment } from '../api/environment.ts'
import { Allowed } from '../components/allowed.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { IconPlus } from '../components/icons.tsx'
import { Page } from '../components/page.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { useViewState } from '../shell/view-state.ts'
import { type ContinuousQuery, ContinuousQueryView } from './continuous-query-view.tsx'
import { NewContinuousQueryDialog } from './new-continuous-query-dialog.tsx'
import './queries.css'

function useContinuousQueries() {
  const { key, path } = useEnvironment()
  return useInfiniteQuery({
    queryKey: [...key, 'continuous-queries'],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/continuous_query', {
          params: { path, query: pageParam === null ? {} : { next_cursor: pageParam } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  })
}

/** Formats seconds in minutes or longer units. */
function formatGap(seconds: number | null): string {
  const minutes = Math.round((seconds ?? 1800) / 60)
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
}

const COLUMNS: Column<ContinuousQuery>[] = [
  {
    key: 'title',
    title: 'Query',
    width: 'minmax(10rem, 2fr)',
    render: ({ id, title, slug }) => (
      <span className="query-name">
        <Link to="." search={{ query: id } as never} className="row-link">
          {title}
        </Link>
        <code className="quiet">{slug}</code>
      </span>
    ),
  },
  {
    key: 'status',
    title: 'State',
    width: '7rem',
    render: ({ status }) => (
      <StatusBadge tone={status === 'active' ? 'good' : 'neutral'}>{status}</StatusBadge>
    ),
  },
  {
    key: 'reads',
    title: 'Reads',
    width: 'minmax(8rem, 1fr)',
    render: ({ resource_dependencies: names }) => names.join(', '),
  },
  {
    key: 'gap',
    title: 'Minimum interval',
    width: '8rem',
    render: ({ scheduling_preferences: { minimum_gap_duration_second: gap } }) => formatGap(gap),
  },
]

/** Lists queries that are evaluated for every person when their data change. */
export function ContinuousQueriesPage(): ReactNode {
  const queries = useContinuousQueries()
  const [view] = useViewState({ query: '', user: '' })
  const [isAdding, setAdding] = useState(false)
  const rows = queries.data?.pages.flatMap(({ data }) => data)
  const opened = rows?.find(({ id }) => id === view.query)
  const addButton = (
    <Allowed to="queries:write">
      <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding(true)}>
        New continuous query
      </Button>
    </Allowed>
  )
  if (opened !== undefined) return <ContinuousQueryView query={opened} />
  return (
    <Page
      title="Continuous queries"
      description="Stored queries. Each is evaluated for a person when their data change, and an event reports new and changed rows."
      actions={addButton}
    >
      {queries.error === null ? (
        <DataTable
          label="Continuous queries"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          more={queries}
          empty={
            <EmptyState title="No continuous queries yet." action={addButton}>
              Try a query under Queries first. One with a time bucket, such as steps a day, can be
              stored here.
            </EmptyState>
          }
        />
      ) : (
        <Failure error={queries.error} onRetry={() => queries.refetch()} />
      )}
      <NewContinuousQueryDialog isOpen={isAdding} onClose={() => setAdding(false)} />
    </Page>
  )
}
