import type { ReactNode } from 'react'
import { resourceTitle } from '../../resource-title.ts'
import { REASONS } from '../../sources/quarantine-reasons.ts'
import type { Preview } from './table-template.ts'

const MOST_ROWS = 8

/** The first rows of a table, and what each becomes by the template. */
export function FirstRows({ preview }: { preview: Preview }): ReactNode {
  const { columns, rows, results } = preview
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="imports-table" tabIndex={0} aria-label="First rows">
      <table>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {results !== null && <th scope="col">Becomes</th>}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((cells, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id and do not move
            <tr key={row}>
              {columns.map(({ name }, index) => (
                <td key={name}>{cells[index]}</td>
              ))}
              {results !== null && (
                <td>
                  {describeResult(results.find((result) => result.row === row)?.becomes ?? [])}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function describeResult(lines: readonly Record<string, unknown>[]): string {
  if (lines.length === 0) return 'Nothing'
  return lines.map(describeLine).join('; ')
}

/** A line of `salus providers map`: a sample, or what is refused. */
function describeLine(line: Record<string, unknown>): string {
  const { resource, refused, value, systolic, diastolic, unit, start } = line
  const title = resourceTitle(String(resource))
  if (typeof refused === 'string') return `${title}: ${REASONS[refused] ?? refused}`
  const shown = systolic === undefined ? value : `${systolic}/${diastolic}`
  return [`${title} ${shown ?? ''} ${unit ?? ''}`.trim(), start ?? ''].filter(Boolean).join(', ')
}
