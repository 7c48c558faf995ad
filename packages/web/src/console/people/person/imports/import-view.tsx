import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Failure } from '../../../components/failure.tsx'
import { formatQuantity } from '../../../components/format-quantity.ts'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { type Person, providersQuery } from '../person-queries.ts'
import { formatsQuery, type ImportJob, importQuery, isUnderWay } from './import-queries.ts'
import { ImportReport } from './import-report.tsx'
import { formatSize, JOB_STATES } from './import-words.ts'
import { Questions } from './questions.tsx'
import { TableDialog } from './table/table-dialog.tsx'

interface ImportViewProps {
  person: Person
  jobId: string
  onBegun: (jobId: string) => void
}

/** Shows one import: what the file is, its questions, its progress and its result. */
export function ImportView({ person, jobId, onBegun }: ImportViewProps): ReactNode {
  const environment = useEnvironment()
  const { user_id: userId } = person
  const { data: job, error, refetch } = useQuery(importQuery(environment, userId, jobId))
  useFreshData(userId, job)
  return (
    <Section id="import" title="This import">
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {job === undefined && error === null && <Waiting label="Loading the import" />}
      {job !== undefined && (
        <div className="imports-view">
          <Head job={job} />
          {isUnderWay(job) && <Progress job={job} />}
          {job.status === 'needs_options' && <Questions person={person} job={job} />}
          {job.error !== null && <Refusal person={person} job={job} onBegun={onBegun} />}
          {job.status === 'completed' && <ImportReport job={job} />}
        </div>
      )}
    </Section>
  )
}

/** Loads the data of the person anew when an import has ended. */
function useFreshData(userId: string, job: ImportJob | undefined): void {
  const { key } = useEnvironment()
  const queries = useQueryClient()
  const [team, env] = key
  const hasEnded = job !== undefined && !isUnderWay(job)
  useEffect(() => {
    if (!hasEnded) return
    const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[4] !== 'import'
    const queryKey = [team, env, 'person', userId]
    queries.invalidateQueries({ queryKey, predicate: isOther })
  }, [hasEnded, queries, team, env, userId])
}

function Head({ job }: { job: ImportJob }): ReactNode {
  const environment = useEnvironment()
  const { data: formats } = useQuery(formatsQuery(environment))
  const { data: providers } = useQuery(providersQuery(environment))
  const { tone, title } = JOB_STATES[job.status]
  const format = formats?.find(({ slug }) => slug === job.source)?.title ?? job.source
  const provider = job.provider && (providers?.get(job.provider)?.name ?? job.provider)
  return (
    <p className="imports-head" role="status">
      <StatusBadge tone={tone}>{title}</StatusBadge>
      <strong>{format ?? 'Not recognized yet'}</strong>
      {provider && <span>Data of {provider}</span>}
      <span className="quiet">{formatSize(job.file_bytes)}</span>
      <span className="quiet">
        <Instant at={job.finished_at ?? job.created_at} isRelative />
      </span>
    </p>
  )
}

function Progress({ job }: { job: ImportJob }): ReactNode {
  const { bytes_read: read, bytes_total: total, records } = job.progress
  const isReading = job.status === 'running' && total > 0
  return (
    <div className="imports-progress">
      <progress aria-label="Import progress" {...(isReading && { max: total, value: read })} />
      <span>
        {isReading
          ? `${formatSize(read)} of ${formatSize(total)}, ${formatQuantity(records, 'record')}`
          : 'Waiting for a worker'}
      </span>
      <small className="quiet">It continues when you leave the page.</small>
    </div>
  )
}

interface RefusalProps {
  person: Person
  job: ImportJob
  onBegun: (jobId: string) => void
}

/** Why a file was refused, and what to do about it. */
function Refusal({ person, job, onBegun }: RefusalProps): ReactNode {
  const [isMapping, setMapping] = useState(false)
  const { error } = job
  return (
    <div className="failure" role="alert">
      <p>{error?.error_message}</p>
      <p className="failure-code">
        <code>{error?.error_type}</code>
      </p>
      {error?.error_type === 'unknown_format' && (
        <>
          <Button variant="subtle" size="compact-sm" onClick={() => setMapping(true)}>
            Map the columns of a table
          </Button>
          <TableDialog
            person={person}
            isOpen={isMapping}
            onClose={() => setMapping(false)}
            onBegun={onBegun}
          />
        </>
      )}
    </div>
  )
}
