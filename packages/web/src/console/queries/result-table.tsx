import { type ReactNode, useMemo } from 'react'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import type { TableColumns } from './query-code.ts'
import { ResultChart } from './result-chart.tsx'
import {
  type BucketLength,
  type NamedTable,
  type ResultColumn,
  toResultCharts,
} from './result-series.ts'

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

/** Joins tables of several people, with a column that names them. */
export function joinTables(tables: readonly NamedTable[], nameColumn: string): TableColumns {
  const [first] = tables
  if (first === undefined) return {}
  if (tables.length === 1) return first.table
  const columns = [...new Set(tables.flatMap(({ table }) => Object.keys(table)))]
  const lengthOf = (table: TableColumns): number => Object.values(table)[0]?.length ?? 0
  return Object.fromEntries([
    [nameColumn, tables.flatMap(({ name, table }) => Array(lengthOf(table)).fill(name))],
    ...columns.map((column) => [
      column,
      tables.flatMap(({ table }) => table[column] ?? Array(lengthOf(table)).fill(null)),
    ]),
  ])
}

interface ResultTableProps {
  /** One for each person. */
  tables: readonly NamedTable[]
  number: number
  /** Units of columns by their names. */
  described: ReadonlyMap<string, ResultColumn>
  bucket?: BucketLength | undefined
}

/** Shows the tables of one query as charts and as rows. */
export function ResultTable({ tables, number, described, bucket }: ResultTableProps): ReactNode {
  const table = useMemo(() => joinTables(tables, 'person'), [tables])
  const rows = useMemo(() => toTableRows(table), [table])
  const charts = useMemo(
    () => toResultCharts(tables, described, bucket),
    [tables, described, bucket],
  )
  const columns = Object.entries(table).map(([name, values]): Column<Row> => {
    const unit = described.get(name)?.unit ?? ''
    return {
      key: name,
      title: unit === '' ? name : `${name} (${unit})`,
      width: 'minmax(7rem, 1fr)',
      isNumeric: values.some((value) => typeof value === 'number'),
      render: (row) => showValue(row[name]),
    }
  })
  const empty = (
    <EmptyState title="No rows.">
      There is no such data in these days. Choose a longer timeframe.
    </EmptyState>
  )
  return (
    <>
      {charts !== undefined && <ResultChart charts={charts} />}
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
