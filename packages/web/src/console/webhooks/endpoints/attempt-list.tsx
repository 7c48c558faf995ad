import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { formatMilliseconds } from '../../components/duration.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useViewState } from '../../shell/view-state.ts'
import type { Attempt } from '../webhook-queries.ts'
import { describeAttempt } from '../webhook-words.ts'

const OUTCOMES = [
  { key: '', title: 'All' },
  { key: 'failed', title: 'Failed' },
  { key: 'succeeded', title: 'Succeeded' },
]

function EventLink({ attempt }: { attempt: Attempt }): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <Link
      to="/$team/$env/events/$event"
      params={{ team: teamId, env, event: attempt.event_id }}
      className="row-link webhooks-type"
    >
      {attempt.event_type}
    </Link>
  )
}

function OutcomeCell({ attempt }: { attempt: Attempt }): ReactNode {
  const { tone, text } = describeAttempt(attempt)
  return (
    <span className="webhooks-name">
      <StatusBadge tone={tone}>{text}</StatusBadge>
      {attempt.response_body !== '' && (
        <code className="webhooks-answer">{attempt.response_body.slice(0, 80)}</code>
      )}
    </span>
  )
}

const COLUMNS: Column<Attempt>[] = [
  {
    key: 'type',
    title: 'Event',
    width: 'minmax(14rem, 1.5fr)',
    render: (attempt) => <EventLink attempt={attempt} />,
  },
  {
    key: 'outcome',
    title: 'Response',
    width: 'minmax(12rem, 1.5fr)',
    render: (attempt) => <OutcomeCell attempt={attempt} />,
  },
  {
    key: 'number',
    title: 'Attempt',
    width: '5rem',
    isNumeric: true,
    render: ({ number }) => number,
  },
  {
    key: 'duration',
    title: 'Duration',
    width: '5rem',
    isNumeric: true,
    render: ({ duration_ms: duration }) => formatMilliseconds(duration),
  },
  {
    key: 'at',
    title: 'When',
    width: '12rem',
    render: ({ timestamp }) => <Instant at={timestamp} />,
  },
]

/** Lists the attempts at one endpoint, newest first. */
export function AttemptList({ webhookId }: { webhookId: string }): ReactNode {
  const { key, path } = useEnvironment()
  const [{ outcome }] = useViewState({ outcome: '' })
  const attempts = useInfiniteQuery({
    queryKey: [...key, 'attempts', webhookId, outcome],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/attempt', {
          params: {
            path: { ...path, webhook_id: webhookId },
            query: {
              ...(outcome !== '' && { status: outcome as 'failed' }),
              ...(pageParam !== '' && { next_cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = attempts
  return (
    <>
      <Tabs label="Outcome" parameter="outcome" tabs={OUTCOMES} chosen={outcome} />
      {error !== null && data === undefined ? (
        <Failure error={error} onRetry={() => attempts.refetch()} />
      ) : (
        <DataTable
          label="Attempts"
          columns={COLUMNS}
          rows={data?.pages.flatMap((page) => page.data)}
          rowKey={({ event_id, number }) => `${event_id} ${number}`}
          empty={<EmptyState title="No attempts.">Send an example to create one.</EmptyState>}
          more={{ hasNextPage, isFetchingNextPage, fetchNextPage }}
        />
      )}
    </>
  )
}
