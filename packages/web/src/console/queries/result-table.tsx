import { type ReactNode, useMemo } from 'react'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import type { TableColumns } from './query-code.ts'
import { findDrawable, ResultChart } from './result-chart.tsx'

type Row = Record<string, unknown> & { row: number }

function toTableRows(table: TableColumns): Row[] {
  const columns = Object.entries(table)
  const length = columns[0]?.[1].length ?? 0
  return Array.from({ length }, (_, row) => ({
    ...Object.fromEntries(columns.map(([name, values]) => [name, values[row]])),
    row,
  }))
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 4 })

function showValue(value: unknown): ReactNode {
  if (value === null || value === undefined) return <span className="quiet">null</span>
  if (typeof value === 'number') return NUMBER.format(value)
  if (typeof value === 'string') return value.replace(/T00:00:00$/, '').replace('T', ' ')
  return JSON.stringify(value)
}

/** Shows one table of the response as a chart and as rows. */
export function ResultTable({ table, number }: { table: TableColumns; number: number }): ReactNode {
  const rows = useMemo(() => toTableRows(table), [table])
  const drawable = useMemo(() => findDrawable(table), [table])
  const columns = Object.entries(table).map(
    ([name, values]): Column<Row> => ({
      key: name,
      title: name,
      width: 'minmax(7rem, 1fr)',
      isNumeric: values.some((value) => typeof value === 'number'),
      render: (row) => showValue(row[name]),
    }),
  )
  const empty = (
    <EmptyState title="No rows.">
      The person has no such data in these days. Choose a longer timeframe.
    </EmptyState>
  )
  return (
    <>
      {drawable !== undefined && (
        <ResultChart
          drawable={drawable}
          label={`Chart of ${drawable.lines.map(({ name }) => name).join(', ')}`}
        />
      )}
      <div className="query-table">
        <DataTable
          label={`Result ${number}`}
          columns={columns}
          rows={rows}
          rowKey={({ row }) => String(row)}
          empty={empty}
        />
      </div>
    </>
  )
}
