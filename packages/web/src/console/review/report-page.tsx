import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { Allowed } from '../components/allowed.tsx'
import { Failure } from '../components/failure.tsx'
import { formatQuantity } from '../components/format-quantity.ts'
import { Id } from '../components/id.tsx'
import { Instant } from '../components/instant.tsx'
import { Page } from '../components/page.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { Waiting } from '../components/waiting.tsx'
import { PatientOutcome } from './report/patient-comparison.tsx'
import { ReportActions } from './report/report-actions.tsx'
import { isRunning, type Report, reportQuery } from './report/report-query.ts'
import { ReportView } from './report/report-view.tsx'
import { FAILURE_REASON, JOB_STATUS } from './report/report-words.ts'

/** One lab report: its pages beside their results. */
export function ReportPage(): ReactNode {
  const { job, team, env } = useParams({ strict: false }) as Record<'job' | 'team' | 'env', string>
  const { data, error, refetch } = useQuery(reportQuery(useEnvironment(), job))
  return (
    <Page
      title="Lab report"
      above={
        <Link to="/$team/$env/reports" params={{ team, env }}>
          All lab reports
        </Link>
      }
      description={data && <ReportSummary report={data} />}
      actions={
        data && (
          <Allowed to="results:write">
            <ReportActions job={data.job} review={data.review} />
          </Allowed>
        )
      }
    >
      {error !== null && data === undefined && <Failure error={error} onRetry={() => refetch()} />}
      {error === null && data === undefined && <Waiting label="Loading the report" lines={8} />}
      {data !== undefined && <ReportState report={data} />}
      {data !== undefined && <PatientOutcome report={data} />}
      {data !== undefined && <ReportView key={data.job.status} report={data} />}
    </Page>
  )
}

function ReportSummary({ report: { job } }: { report: Report }): ReactNode {
  const { team, env } = useParams({ strict: false }) as Record<'team' | 'env', string>
  const { label, tone } = JOB_STATUS[job.status]
  return (
    <span className="report-summary">
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <span>
        Uploaded <Instant at={job.created_at} />
      </span>
      <Link to="/$team/$env/people/$user" params={{ team, env, user: job.user_id }}>
        The person
      </Link>
      <Id value={job.id} of="the report" isShort />
    </span>
  )
}

/** Shows the progress of the parser, or the outcome where it is not only the results. */
function ReportState({ report: { job, review } }: { report: Report }): ReactNode {
  if (isRunning(job)) {
    const { pages_read: read, pages } = job.progress ?? { pages_read: 0, pages: 0 }
    return (
      <div className="report-state" role="status">
        <progress max={Math.max(pages, 1)} value={read} aria-label="Pages read" />
        <p>
          Reading the report: {read} of {formatQuantity(pages, 'page')}. You may leave this page;
          parsing continues.
        </p>
      </div>
    )
  }
  if (job.status === 'failed' && review?.decision !== 'rejected') {
    return (
      <div className="failure">
        <p>{FAILURE_REASON[job.failure_reason ?? 'processing_error']}</p>
      </div>
    )
  }
  if (review?.decision == null) return null
  return (
    <div className="report-state">
      <p>
        {review.decision === 'approved' ? 'Approved' : 'Rejected'}{' '}
        <Instant at={review.decided_at} />
        {review.decision === 'approved' &&
          (review.corrections.length === 0 ? ' without corrections' : ' with corrections')}
        .
      </p>
      {review.note !== null && <blockquote>{review.note}</blockquote>}
    </div>
  )
}
