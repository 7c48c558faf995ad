import type { ReactNode } from 'react'
import { Figure, Figures } from '../../components/figures.tsx'
import type { ErasureDryRun, ErasureStatement } from './erasure-queries.ts'

/** A receipt also has the findings of the search before it. */
type Findings = ErasureDryRun & Pick<ErasureStatement, 'remaining'>

type Counts = Readonly<Record<string, number>>

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, one) => sum + one, 0)
const format = (count: number): string => count.toLocaleString('en')

/**
 * Shows what is removed, in figures and by table, what is kept and why, and what an erasure cannot
 * reach.
 */
export function RemovedAndKept({ findings }: { findings: Findings }): ReactNode {
  const { removed, kept, not_covered: notCovered, remaining = [] } = findings
  return (
    <div className="rights-findings">
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
            Other findings that were not removed. Check whether they are about another person of the
            same name.
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
        <summary>Data that are kept, and data that an erasure cannot reach</summary>
        <dl className="rights-kept">
          {kept.map(({ table, reason }) => (
            <div key={table}>
              <dt>{table.replaceAll('_', ' ')}</dt>
              <dd>{reason}</dd>
            </div>
          ))}
        </dl>
        <p>Out of reach:</p>
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
