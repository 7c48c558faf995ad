import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatAge } from '../components/duration.ts'
import { Failure } from '../components/failure.tsx'
import { Figure, Figures } from '../components/figures.tsx'
import { Instant } from '../components/instant.tsx'
import { Section } from '../components/page.tsx'
import { Waiting } from '../components/waiting.tsx'
import { formatBytes, formatCount } from './format.ts'
import { MinuteBars } from './minute-bars.tsx'
import { type OperationStatus, statusQuery } from './operation-queries.ts'

/** Shows versions, the process, sizes of the stores, and the number of requests. */
export function StatusTab(): ReactNode {
  const { data, error, refetch } = useQuery(statusQuery)
  if (data === undefined) {
    return error === null ? (
      <Waiting label="Loading the status" lines={8} />
    ) : (
      <Failure error={error} onRetry={refetch} />
    )
  }
  return (
    <>
      <Versions status={data} />
      <Requests status={data} />
      <Stores status={data} />
    </>
  )
}

interface Props {
  status: OperationStatus
}

function Versions({ status: { versions, process, workers } }: Props): ReactNode {
  const inside = (store: 'postgres' | 'clickhouse'): string =>
    process.embedded.includes(store) ? 'runs inside' : 'external'
  const running = workers.reduce((sum, worker) => sum + worker.running, 0)
  return (
    <Figures>
      <Figure title="Salus" quiet={`schema ${versions.schema}`}>
        {versions.salus}
      </Figure>
      <Figure title="PostgreSQL" quiet={inside('postgres')}>
        {versions.postgres.split(' ')[0]}
      </Figure>
      <Figure title="ClickHouse" quiet={inside('clickhouse')}>
        {versions.clickhouse.split('.').slice(0, 2).join('.')}
      </Figure>
      <Figure title="Node.js" quiet={process.roles.join(' and ')}>
        {versions.node}
      </Figure>
      <Figure
        title="Running for"
        quiet={
          <>
            since <Instant at={process.started_at} />
          </>
        }
      >
        {formatAge(process.started_at)}
      </Figure>
      <Figure title="Memory of the process" quiet={`${process.stalls} stalls of 100 ms or longer`}>
        {formatBytes(process.memory_bytes)}
      </Figure>
      <Figure title="Lab report parser" quiet={listMissing(process.lab_report_reader.missing)}>
        {process.lab_report_reader.missing.length === 0 ? 'Confined' : 'Partly confined'}
      </Figure>
      <Figure title="Workers" quiet={`${running} jobs running`}>
        {workers.length}
      </Figure>
    </Figures>
  )
}

const listMissing = (missing: readonly string[]): string =>
  missing.length === 0
    ? 'by the system'
    : `not held by the system: ${missing.join(', ').replaceAll('_', ' ')}`

function Requests({ status: { requests } }: Props): ReactNode {
  const all = requests.reduce((sum, minute) => sum + minute.requests, 0)
  const failed = requests.reduce((sum, minute) => sum + minute.failed, 0)
  const refused = requests.reduce((sum, minute) => sum + minute.refused, 0)
  const time = requests.reduce((sum, minute) => sum + minute.requests * minute.mean_ms, 0)
  return (
    <Section
      title="Requests of the last hour"
      description="Requests to the process that sent this page; other processes count their own."
    >
      <p className="operation-line">
        {formatCount(all)} answered in {all === 0 ? '–' : `${(time / all).toFixed(1)} ms`} on
        average, {formatCount(refused)} refused, {formatCount(failed)} failed.
      </p>
      <MinuteBars
        label={`Requests by minute: ${all} in the last hour, ${failed} of them failed.`}
        minutes={requests.map(({ at, requests: count, failed: bad }) => ({
          at,
          good: count - bad,
          bad,
        }))}
      />
    </Section>
  )
}

function Stores({ status: { postgres, clickhouse, files } }: Props): ReactNode {
  const usage = files?.kinds.map(({ kind, files: rows, bytes }) => ({ name: kind, rows, bytes }))
  const bytesOfFiles = usage?.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0
  return (
    <div className="operation-stores">
      <Section title="PostgreSQL" description={`${formatBytes(postgres.bytes)} in all`}>
        <Sizes label="Tables of PostgreSQL" rows={postgres.tables} unit="rows" isRough />
      </Section>
      <Section title="ClickHouse" description={`${formatBytes(clickhouse.bytes)} on disk`}>
        <Sizes label="Tables of ClickHouse" rows={clickhouse.tables} unit="rows" />
      </Section>
      <Section
        title="Files"
        description={
          files === null
            ? 'In a bucket; its provider shows the size.'
            : `${formatBytes(bytesOfFiles)}; ${formatBytes(files.free_bytes)} of ${formatBytes(files.total_bytes)} free on the disk`
        }
      >
        {usage !== undefined && <Sizes label="Files" rows={usage} unit="files" />}
      </Section>
    </div>
  )
}

interface Size {
  name: string
  bytes: number
  rows: number
}

interface SizesProps {
  label: string
  rows: readonly Size[]
  /** Unit of the number. */
  unit: string
  isRough?: boolean
}

const MOST_SHOWN = 8

function Sizes({ label, rows, unit, isRough = false }: SizesProps): ReactNode {
  const largest = Math.max(1, ...rows.map(({ bytes }) => bytes))
  const sorted = rows.toSorted((one, other) => other.bytes - one.bytes).slice(0, MOST_SHOWN)
  if (sorted.length === 0) return <p className="quiet operation-line">Nothing is stored yet.</p>
  return (
    <table className="operation-sizes" aria-label={label}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Number</th>
          <th scope="col">Size</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ name, bytes, rows: count }) => (
          <tr key={name} style={{ '--share': bytes / largest } as React.CSSProperties}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td className="quiet">
              {isRough && 'about '}
              {formatCount(count)} {unit}
            </td>
            <td>{formatBytes(bytes)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
