import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { formatQuantity } from '../../../components/format-quantity.ts'
import { resourceTitle } from '../resource-title.ts'
import { REASONS } from '../sources/quarantine-reasons.ts'
import type { ImportJob } from './import-queries.ts'

type RecordType = ImportJob['progress']['types'][number]
type Count =
  | 'imported'
  | 'updated'
  | 'unchanged'
  | 'merged'
  | 'out_of_bounds'
  | 'put_aside'
  | 'not_supported'

/** Each record counts in exactly one of them. */
const COUNTS: readonly { name: Count; title: string }[] = [
  { name: 'imported', title: 'New' },
  { name: 'updated', title: 'Updated' },
  { name: 'unchanged', title: 'Unchanged' },
  { name: 'merged', title: 'Part of others' },
  { name: 'out_of_bounds', title: 'Out of bounds' },
  { name: 'put_aside', title: 'Quarantined' },
  { name: 'not_supported', title: 'Not supported' },
]

/** Shows what an import stored, what it refused and why, and what it does not support. */
export function ImportReport({ job }: { job: ImportJob }): ReactNode {
  const { types, summaries, missing, records } = job.progress
  const shown = COUNTS.filter(({ name }) => types.some((type) => type[name] > 0))
  if (records === 0 && summaries.length === 0) return <p>The file has no records.</p>
  return (
    <>
      <dl className="imports-counts">
        <div>
          <dt>Records</dt>
          <dd>{records.toLocaleString('en')}</dd>
        </div>
        {shown.map(({ name, title }) => (
          <div key={name}>
            <dt>{title}</dt>
            <dd>{types.reduce((sum, type) => sum + type[name], 0).toLocaleString('en')}</dd>
          </div>
        ))}
      </dl>
      <Refused job={job} />
      {types.length > 0 && <Types types={types} shown={shown} />}
      {summaries.length > 0 && <Summaries summaries={summaries} />}
      {missing.length > 0 && <Missing job={job} />}
    </>
  )
}

/** The reasons of quarantined records. */
function Refused({ job }: { job: ImportJob }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const reasons = job.progress.types.flatMap(({ type, put_aside_reasons: all }) =>
    Object.entries(all).map(([reason, count]) => ({ type, reason, count })),
  )
  if (reasons.length === 0) return null
  const params = { team, env, user: job.user_id }
  return (
    <div>
      <h3>Refused</h3>
      <ul>
        {reasons.map(({ type, reason, count }) => (
          <li key={`${type} ${reason}`}>
            {formatQuantity(count, 'record')} of {shortType(type)}: {REASONS[reason] ?? reason}
          </li>
        ))}
      </ul>
      <p className="quiet">
        They are kept unchanged in the{' '}
        <Link
          to="/$team/$env/people/$user"
          params={params}
          search={{ tab: 'data' } as never}
          hash="quarantine"
        >
          quarantine
        </Link>
        .
      </p>
    </div>
  )
}

function Types({
  types,
  shown,
}: {
  types: readonly RecordType[]
  shown: typeof COUNTS
}): ReactNode {
  const sorted = types.toSorted((one, two) => two.records - one.records)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="imports-table" tabIndex={0} aria-label="Records by type">
      <table>
        <thead>
          <tr>
            <th scope="col">In the file</th>
            <th scope="col">Becomes</th>
            <th scope="col">Records</th>
            {shown.map(({ name, title }) => (
              <th key={name} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={`${row.type} ${row.resource}`}>
              <th scope="row">{shortType(row.type)}</th>
              <td>{row.resource === null ? '–' : resourceTitle(row.resource)}</td>
              <td>{row.records.toLocaleString('en')}</td>
              {shown.map(({ name }) => (
                <td key={name}>{row[name] === 0 ? '·' : row[name].toLocaleString('en')}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Summaries({ summaries }: Pick<ImportJob['progress'], 'summaries'>): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="imports-table" tabIndex={0} aria-label="Summaries">
      <table>
        <thead>
          <tr>
            <th scope="col">Summaries</th>
            <th scope="col">New</th>
            <th scope="col">Updated</th>
            <th scope="col">Unchanged</th>
          </tr>
        </thead>
        <tbody>
          {summaries.map(({ resource, imported, updated, unchanged }) => (
            <tr key={resource}>
              <th scope="row">{resourceTitle(resource)}</th>
              <td>{imported.toLocaleString('en')}</td>
              <td>{updated.toLocaleString('en')}</td>
              <td>{unchanged.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** What earlier files of the format had and this one lacks. */
function Missing({ job }: { job: ImportJob }): ReactNode {
  const { missing } = job.progress
  const isRemoved = missing.every(({ removed }) => removed > 0)
  return (
    <div>
      <h3>Missing since an earlier import</h3>
      <ul>
        {missing.map((one) => (
          <li key={one.resource}>
            {one.missing.toLocaleString('en')} of {resourceTitle(one.resource)}
          </li>
        ))}
      </ul>
      <p className="quiet">{isRemoved ? 'They were removed.' : 'They were kept.'}</p>
    </div>
  )
}

/** Prefixes of HealthKit add nothing to the rest of the name. */
const shortType = (type: string): string =>
  type.replace(/^HK(Quantity|Category|Correlation|Data)Type(Identifier)?/, '') || type
