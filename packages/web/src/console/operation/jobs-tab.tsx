import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../api/client.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { formatAge } from '../components/duration.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { Figure, Figures } from '../components/figures.tsx'
import { formatQuantity } from '../components/format-quantity.ts'
import { IconRefresh } from '../components/icons.tsx'
import { Instant } from '../components/instant.tsx'
import { Section } from '../components/page.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { Tabs } from '../components/tabs.tsx'
import { useViewState } from '../shell/view-state.ts'
import { ForgottenJobs } from './forgotten-jobs.tsx'
import { formatCount } from './format.ts'
import { JobKindsTable } from './job-kinds.tsx'
import { JOB_STATE_LIST, JOB_STATES } from './job-states.ts'
import { type Job, type JobKind, jobKindsQuery, type TeamOfRow } from './operation-queries.ts'

/** The background jobs: waiting, running, failing and given up. */
export function JobsTab(): ReactNode {
  const { data: kinds, error, refetch } = useQuery(jobKindsQuery)
  if (error !== null && kinds === undefined) return <Failure error={error} onRetry={refetch} />
  return (
    <>
      <Totals kinds={kinds ?? []} />
      <JobList />
      <ForgottenJobs kinds={kinds ?? []} />
      <Section title="By kind">
        <JobKindsTable kinds={kinds} />
      </Section>
    </>
  )
}

function Totals({ kinds }: { kinds: readonly JobKind[] }): ReactNode {
  const sum = (state: Job['state']): number => kinds.reduce((total, kind) => total + kind[state], 0)
  const oldest = kinds
    .flatMap(({ oldest_waiting_at: at }) => at ?? [])
    .sort()
    .at(0)
  return (
    <Figures>
      {JOB_STATE_LIST.map(({ key, title, meaning }) => (
        <Figure
          key={key}
          title={title}
          quiet={
            key === 'waiting' && oldest !== undefined ? `for up to ${formatAge(oldest)}` : meaning
          }
        >
          {formatCount(sum(key))}
        </Figure>
      ))}
    </Figures>
  )
}

function useJobs(state: string) {
  return useInfiniteQuery({
    queryKey: ['operation', 'jobs', state],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        management.GET('/v1/operation/job', {
          params: {
            query: {
              state: state as Job['state'],
              ...(pageParam !== '' && { next_cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
}

function FailureCell({ job: { failure } }: { job: Job }): ReactNode {
  if (failure === null) return <span className="quiet">–</span>
  return (
    <span className="operation-stack">
      <span>{failure.message ?? [failure.name, failure.code].filter(Boolean).join(', ')}</span>
      {failure.at !== null && <code className="quiet">{failure.at}</code>}
    </span>
  )
}

/** Names the team and environment of a row. */
export function TeamName({ team }: { team: TeamOfRow | null }): ReactNode {
  if (team === null) return <span className="quiet">–</span>
  return (
    <span className="operation-stack">
      <span>{team.name}</span>
      <span className="quiet">{team.env}</span>
    </span>
  )
}

function StateCell({ job: { state, attempts, max_attempts: most } }: { job: Job }): ReactNode {
  const { tone, title } = JOB_STATES[state]
  return (
    <span className="operation-stack">
      <StatusBadge tone={tone}>{title}</StatusBadge>
      <span className="quiet">
        {attempts} of {formatQuantity(most, 'attempt')}
      </span>
    </span>
  )
}

const COLUMNS: Column<Job>[] = [
  {
    key: 'kind',
    title: 'Job',
    width: 'minmax(11rem, 1.2fr)',
    render: ({ kind, id }) => (
      <span className="operation-stack">
        <code>{kind}</code>
        <span className="quiet">{id}</span>
      </span>
    ),
  },
  { key: 'state', title: 'State', width: '9rem', render: (job) => <StateCell job={job} /> },
  {
    key: 'failure',
    title: 'Why it failed',
    width: 'minmax(13rem, 2fr)',
    render: (job) => <FailureCell job={job} />,
  },
  { key: 'team', title: 'Team', width: '8rem', render: ({ team }) => <TeamName team={team} /> },
  {
    key: 'next',
    title: 'Runs',
    width: '8rem',
    render: ({ state, run_at: at }) =>
      state === 'given_up' ? (
        <span className="quiet">no more</span>
      ) : (
        <Instant at={at} isRelative />
      ),
  },
  { key: 'retry', title: 'Again', width: '6.5rem', render: (job) => <RetryButton job={job} /> },
]

function JobList(): ReactNode {
  const [{ state }] = useViewState({ state: 'failing' })
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useJobs(state)
  return (
    <Section
      title="Jobs"
      description="Arguments of jobs are not shown, because they may be about a person."
      actions={
        <Tabs label="State of the jobs" parameter="state" tabs={JOB_STATE_LIST} chosen={state} />
      }
    >
      {error !== null && data === undefined ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <DataTable
          label="Jobs"
          columns={COLUMNS}
          rows={data?.pages.flatMap((page) => page.data)}
          rowKey={({ id }) => String(id)}
          empty={
            <EmptyState title="No jobs match.">
              {state === 'failing' || state === 'given_up'
                ? 'No job is failing.'
                : 'Choose another state above.'}
            </EmptyState>
          }
          more={{ hasNextPage, isFetchingNextPage, fetchNextPage }}
        />
      )}
    </Section>
  )
}

function RetryButton({ job }: { job: Job }): ReactNode {
  const queries = useQueryClient()
  const retrying = useMutation({
    mutationFn: () =>
      unwrapResponse(management.POST('/v1/operation/job/retry', { body: { ids: [job.id] } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['operation'] }),
  })
  if (!JOB_STATES[job.state].canRetry) return <span className="quiet">–</span>
  return (
    <>
      <Button
        variant="outline"
        size="compact-sm"
        leftSection={<IconRefresh size={15} aria-hidden />}
        loading={retrying.isPending}
        onClick={() => retrying.mutate()}
      >
        Run job
      </Button>
      {retrying.error !== null && <Failure error={retrying.error} />}
    </>
  )
}
