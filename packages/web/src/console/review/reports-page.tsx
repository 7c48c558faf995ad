import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { unwrapResponse } from '../api/client.ts'
import { type Environment, useEnvironment } from '../api/environment.ts'
import type { components } from '../api/openapi.generated.d.ts'
import { Allowed } from '../components/allowed.tsx'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { formatQuantity } from '../components/format-quantity.ts'
import { IconUpload } from '../components/icons.tsx'
import { Instant } from '../components/instant.tsx'
import { PersonLink } from '../components/list/person-link.tsx'
import { Page } from '../components/page.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { useViewState } from '../shell/view-state.ts'
import { isRunning, type ReportJob } from './report/report-query.ts'
import { FAILURE_REASON, JOB_STATUS, REVIEW_REASON } from './report/report-words.ts'
import { UploadReport } from './reports/upload-report.tsx'
import './reports/reports.css'

type Job = components['schemas']['ParsingJobSummary']

/** Lists the lab reports of the environment, and those that wait for a review. */
export function ReportsPage(): ReactNode {
  const [{ status, user }, change] = useViewState({ status: '', user: undefined })
  const [isUploading, setUploading] = useState(false)
  return (
    <Page
      title="Lab reports"
      description="Reports of any laboratory, uploaded as PDF or photos and parsed into structured results. Files never leave this installation."
      actions={
        <Allowed to="results:write">
          <Button
            leftSection={<IconUpload size={16} aria-hidden />}
            onClick={() => setUploading(true)}
          >
            Upload report
          </Button>
        </Allowed>
      }
    >
      <div className="reports-filters">
        <NativeSelect
          label="Status"
          value={status}
          data={[
            { value: '', label: 'All' },
            ...Object.entries(JOB_STATUS).map(([value, { label }]) => ({ value, label })),
          ]}
          onChange={({ currentTarget }) => change({ status: currentTarget.value })}
        />
        {user !== undefined && (
          <Button variant="subtle" onClick={() => change({ user: undefined })}>
            Show reports of all people
          </Button>
        )}
      </div>
      <ReportList
        status={status}
        userId={user}
        onUpload={() => setUploading(true)}
        onShowAll={() => change({ status: '' })}
      />
      <UploadReport isOpen={isUploading} userId={user} onClose={() => setUploading(false)} />
    </Page>
  )
}

interface ReportListProps {
  status: string | undefined
  userId: string | undefined
  onUpload: () => void
  onShowAll: () => void
}

function ReportList({ status, userId, onUpload, onShowAll }: ReportListProps): ReactNode {
  const environment = useEnvironment()
  const list = useReports(environment, status as ReportJob['status'] | '', userId)
  const rows = useMemo(() => list.data?.pages.flatMap(({ jobs }) => jobs), [list.data])
  const columns = useMemo(() => columnsOf(environment), [environment])
  if (list.error !== null && rows === undefined) {
    return <Failure error={list.error} onRetry={() => list.refetch()} />
  }
  return (
    <DataTable
      label="Lab reports"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      more={list}
      empty={
        status ? (
          <EmptyState
            title={
              status === 'pending_review' ? 'No reports to review.' : 'No reports with this status.'
            }
            action={
              <Button variant="subtle" onClick={onShowAll}>
                Show all reports
              </Button>
            }
          />
        ) : (
          <EmptyState
            title="No lab reports yet."
            action={<Button onClick={onUpload}>Upload report</Button>}
          >
            Upload a PDF, or photos of the pages, to parse its results.
          </EmptyState>
        )
      }
    />
  )
}

const FOLLOW_MS = 2000

function useReports(
  { team, key }: Environment,
  status: ReportJob['status'] | '',
  userId: string | undefined,
) {
  return useInfiniteQuery({
    queryKey: [...key, 'reports', status, userId],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        team.GET('/lab_report/v1/parser/job', {
          params: {
            query: {
              limit: 50,
              ...(status && { status }),
              ...(userId && { user_id: userId }),
              ...(pageParam && { next_cursor: pageParam }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ jobs }) => jobs.some(isRunning)) ? FOLLOW_MS : false,
  })
}

const columnsOf = ({ teamId: team, env }: Environment): Column<Job>[] => [
  {
    key: 'created',
    title: 'Uploaded',
    width: '11.5rem',
    render: ({ id, created_at: at }) => (
      <Link to="/$team/$env/reports/$job" params={{ team, env, job: id }} className="row-link">
        <Instant at={at} />
      </Link>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 'minmax(0, 1.6fr)',
    render: (job) => <JobState job={job} />,
  },
  {
    key: 'person',
    title: 'Person',
    render: ({ user_id: user }) => <PersonLink userId={user} />,
  },
  {
    key: 'review',
    title: 'Review',
    render: ({ review_reasons: reasons, is_reviewed: isDone }) => {
      if (reasons.length === 0) return <span className="quiet">Not requested</span>
      const why = reasons.map((reason) => REVIEW_REASON[reason]).join(', ')
      return isDone ? `Reviewed (${why.toLowerCase()})` : why
    },
  },
  {
    key: 'pages',
    title: 'Pages',
    width: '5rem',
    isNumeric: true,
    render: ({ progress }) => progress?.pages ?? '',
  },
]

function JobState({ job }: { job: Job }): ReactNode {
  const { label, tone } = JOB_STATUS[job.status]
  return (
    <span className="reports-state">
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {job.status === 'started' && job.progress !== null && (
        <span className="quiet">
          {job.progress.pages_read} of {formatQuantity(job.progress.pages, 'page')}
        </span>
      )}
      {job.failure_reason !== null && (
        <span className="quiet">
          {job.is_reviewed ? 'A reviewer rejected the report.' : FAILURE_REASON[job.failure_reason]}
        </span>
      )}
    </span>
  )
}
