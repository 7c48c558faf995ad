import type { ReactNode } from 'react'
import { Figure, Figures } from '../../components/figures.tsx'
import type { ErasureDryRun, ErasureStatement } from './erasure-queries.ts'

/** A receipt also tells of what the search before it found. */
type Told = ErasureDryRun & Pick<ErasureStatement, 'remaining'>

type Counts = Readonly<Record<string, number>>

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, one) => sum + one, 0)
const format = (count: number): string => count.toLocaleString('en')

/** What goes, in figures and by table, what stays and why, and what no erasure reaches. */
export function RemovedAndKept({ told }: { told: Told }): ReactNode {
  const { removed, kept, not_covered: notCovered, remaining = [] } = told
  return (
    <div className="rights-told">
      <Figures>
        <Figure title="Health data" quiet="samples, summaries, recordings">
          {format(sumOf(removed.clickhouse))}
        </Figure>
        <Figure title="Records" quiet="orders, results, events, settings">
          {format(sumOf(removed.postgresql))}
        </Figure>
        <Figure title="Files" quiet="documents, exports">
          {format(sumOf(removed.files))}
        </Figure>
      </Figures>
      {remaining.length > 0 && (
        <div className="failure" role="alert">
          <p>
            Found besides and not removed: look at it, it may be about somebody of the same name.
          </p>
          <ul>
            {remaining.map(({ store, table, rows }) => (
              <li key={`${store} ${table}`}>
                {table.replaceAll('_', ' ')} ({store}): {format(rows)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <details className="rights-details">
        <summary>By table</summary>
        <Tables title="Health data" counts={removed.clickhouse} />
        <Tables title="Records" counts={removed.postgresql} />
        <Tables title="Files" counts={removed.files} />
      </details>
      <details className="rights-details">
        <summary>What stays, and what no erasure reaches</summary>
        <dl className="rights-kept">
          {kept.map(({ table, reason }) => (
            <div key={table}>
              <dt>{table.replaceAll('_', ' ')}</dt>
              <dd>{reason}</dd>
            </div>
          ))}
        </dl>
        <p>Not reached from here:</p>
        <ul>
          {notCovered.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </details>
    </div>
  )
}

function Tables({ title, counts }: { title: string; counts: Counts }): ReactNode {
  const tables = Object.entries(counts)
  return (
    <table className="rights-counts">
      <caption>{title}</caption>
      <tbody>
        {tables.map(([table, count]) => (
          <tr key={table}>
            <th scope="row">{table.replaceAll('_', ' ')}</th>
            <td>{format(count)}</td>
          </tr>
        ))}
        {tables.length === 0 && (
          <tr>
            <td className="quiet">None</td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
