import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Allowed } from '../../../components/allowed.tsx'
import { DocumentButton } from '../../../components/document-button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { formatQuantity } from '../../../components/format-quantity.ts'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { StatusBadge, type Tone } from '../../../components/status-badge.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { ExportLink } from './export-link.tsx'
import {
  exportsQuery,
  isUnderWay,
  type PersonExport,
  readArchive,
  useExports,
} from './export-queries.ts'
import '../../../rights/rights.css'

type Format = PersonExport['format']

const FORMATS: Readonly<Record<Format, string>> = {
  json: 'JSON',
  csv: 'CSV',
  parquet: 'Parquet',
  fhir: 'FHIR R4',
}

const STATES: Readonly<Record<PersonExport['status'], { tone: Tone; label: string }>> = {
  queued: { tone: 'neutral', label: 'Waiting' },
  running: { tone: 'info', label: 'Running' },
  completed: { tone: 'good', label: 'Ready' },
  failed: { tone: 'bad', label: 'Failed' },
}

/** Lists exports of the data of a person, with actions to start, save and share one. */
export function Exports({ userId }: { userId: string }): ReactNode {
  const { data, error, refetch } = useQuery(exportsQuery(useEnvironment(), userId))
  const { create } = useExports(userId)
  const [format, setFormat] = useState<Format>('json')
  const isBusy = data?.some(isUnderWay) ?? false
  return (
    <Section
      id="exports"
      title="Exports"
      description="One archive of all data of the person: tables, documents, and the access log. An export is deleted after seven days."
      actions={
        <form
          className="rights-export"
          onSubmit={(event) => {
            event.preventDefault()
            create.mutate(format)
          }}
        >
          <NativeSelect
            aria-label="Format"
            value={format}
            onChange={({ currentTarget }) => setFormat(currentTarget.value as Format)}
            data={Object.entries(FORMATS).map(([value, label]) => ({ value, label }))}
          />
          <Allowed to="rights:write">
            <Button type="submit" loading={create.isPending} disabled={isBusy}>
              Start export
            </Button>
          </Allowed>
        </form>
      }
    >
      {create.error !== null && <Failure error={create.error} />}
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && data === undefined && <Waiting label="Loading exports" lines={2} />}
      {data?.length === 0 && <p className="quiet">No exports yet.</p>}
      {data !== undefined && data.length > 0 && (
        <ul className="rights-list">
          {data.map((one) => (
            <Export key={one.id} of={one} />
          ))}
        </ul>
      )}
    </Section>
  )
}

function Export({ of: one }: { of: PersonExport }): ReactNode {
  const environment = useEnvironment()
  const { remove } = useExports(one.user_id)
  const [isLinking, setLinking] = useState(false)
  const { tone, label } = STATES[one.status]
  const name = `${FORMATS[one.format]} export`
  return (
    <li className="rights-item">
      <div>
        <p className="rights-item-head" role="status">
          <StatusBadge tone={tone}>{label}</StatusBadge>
          <span>{FORMATS[one.format]}</span>
          <span className="quiet">{describeSize(one)}</span>
        </p>
        {one.status === 'running' && one.rows_total > 0 && (
          <progress max={one.rows_total} value={one.rows_written} aria-label="Export progress" />
        )}
        <p className="quiet">
          Started <Instant at={one.created_at} isRelative />, expires{' '}
          <Instant at={one.expires_at} />
          {one.link_expires_at !== null && (
            <>
              , link valid until <Instant at={one.link_expires_at} />
            </>
          )}
        </p>
        {remove.error !== null && <Failure error={remove.error} />}
      </div>
      <div className="rights-item-actions">
        {one.status === 'completed' && (
          <>
            <Allowed to="rights:write">
              <DocumentButton
                title="Save"
                fileName={`export-${one.id}.zip`}
                load={() => readArchive(environment, one)}
              />
            </Allowed>
            <Allowed to="rights:write">
              <Button variant="outline" onClick={() => setLinking(true)}>
                Create link
              </Button>
            </Allowed>
          </>
        )}
        <Button
          variant="subtle"
          aria-label={`Remove the ${name}`}
          loading={remove.isPending}
          onClick={() => remove.mutate(one.id)}
        >
          Remove
        </Button>
      </div>
      <ExportLink of={one} isOpen={isLinking} onClose={() => setLinking(false)} />
    </li>
  )
}

function describeSize({ status, rows_total, rows_written, file_bytes }: PersonExport): string {
  const total = formatQuantity(rows_total, 'row')
  if (status === 'running') return `${rows_written.toLocaleString('en')} of ${total}`
  if (file_bytes === null) return ''
  const size =
    file_bytes < 1e5 ? `${Math.ceil(file_bytes / 1e3)} kB` : `${(file_bytes / 1e6).toFixed(1)} MB`
  return `${total}, ${size}`
}
