import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { formatQuantity } from '../../../components/format-quantity.ts'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { formatsQuery, type ImportJob, importsQuery } from './import-queries.ts'
import { formatSize, JOB_STATES } from './import-words.ts'
import './imports.css'

/** Lists the imports of a person. @param shown Id of the one that the page shows. */
export function EarlierImports({ userId, shown }: { userId: string; shown: string }): ReactNode {
  const { data: jobs } = useSuspenseQuery(importsQuery(useEnvironment(), userId))
  return (
    <Section title="Imported files">
      {jobs.length === 0 ? (
        <p className="quiet">Nothing was imported yet.</p>
      ) : (
        <ImportList userId={userId} jobs={jobs} shown={shown} />
      )}
    </Section>
  )
}

interface ImportListProps {
  userId: string
  jobs: readonly ImportJob[]
  shown?: string
}

/** A list of imports, each with a link to its result. */
export function ImportList({ userId, jobs, shown = '' }: ImportListProps): ReactNode {
  const environment = useEnvironment()
  const { teamId: team, env } = environment
  const { data: formats } = useQuery(formatsQuery(environment))
  return (
    <ul className="imports">
      {jobs.map((job) => {
        const { tone, title } = JOB_STATES[job.status]
        const { bytes_read: read, bytes_total: total, records } = job.progress
        const format = formats?.find(({ slug }) => slug === job.source)?.title ?? job.source
        return (
          <li key={job.id}>
            <StatusBadge tone={tone}>{title}</StatusBadge>
            <Link
              to="/$team/$env/people/$user/import"
              params={{ team, env, user: userId }}
              search={{ job: job.id } as never}
              aria-current={job.id === shown ? 'true' : undefined}
            >
              {format ?? 'File'}
            </Link>
            <span>
              {formatSize(job.file_bytes)}
              {records > 0 && `, ${formatQuantity(records, 'record')}`}
            </span>
            {job.status === 'running' && total > 0 && (
              <progress max={total} value={read} aria-label="Import progress" />
            )}
            <span className="quiet">
              <Instant at={job.finished_at ?? job.created_at} isRelative />
            </span>
            {job.error !== null && <span>{job.error.error_message}</span>}
          </li>
        )
      })}
    </ul>
  )
}
