import type { Line } from '../layout/lines.ts'
import type { UnreadRegion } from '../report.ts'
import { textOf } from '../rows/cell-words.ts'
import { findDate, findNewest, type PrintedDate } from '../values/dates.ts'
import type { TitledColumn } from './column-titles.ts'
import type { GridRow } from './grid.ts'
import { leaveUnread, type Region, spanOf } from './region.ts'
import {
  findTitledTable,
  keepCells,
  looksLikeLostRow,
  readGridRows,
  toSection,
} from './titled-table.ts'
import { readValueCell } from './value-cell.ts'

/** Facts of the head of a report have dates beside each other, too. */
const FACT = /\b(?:born|birth|dob|collected|received|reported|printed|page|ordered|registered)\b/i

function isCumulative(columns: readonly TitledColumn[]): boolean {
  const dated = columns.filter(({ role }) => role === 'dated')
  const current = columns.filter(({ role }) => role === 'value')
  const isFact = ({ title }: TitledColumn): boolean => /:(?!\d)/.test(title) || FACT.test(title)
  if (columns.length < 3 || columns.some((column, at) => at > 0 && isFact(column))) return false
  if (/:(?!\d)/.test(columns[0]?.title ?? '')) return false
  if (columns[0]?.role === 'dated' || current.length > 1) return false
  return dated.length > 1 || (dated.length === 1 && current.length === 1)
}

/**
 * Reads a table with several dates beside each other. The value of the newest date is the result of
 * a row; a row without one has no result.
 */
export function findCumulativeTable(
  lines: readonly Line[],
  at: number,
  dates: readonly PrintedDate[],
): Region | undefined {
  const table = findTitledTable(lines, at, isCumulative)
  if (!table) return undefined
  const { columns } = table
  const rows = [...readGridRows(table)]
  const measured = columns.flatMap(({ role }, column) => (role === 'dated' ? [column] : []))
  const results = rows.filter(
    (row): row is GridRow => 'cells' in row && measured.some((column) => isValue(row, column)),
  )
  if (results.length < 2) return undefined
  const all = [...table.titleLines, ...table.body]
  const current = findCurrent(columns, dates)
  if (current === undefined || hasUntitledValues(columns, results))
    return leaveUnread('cumulative_table', all)
  const kept = columns.flatMap((column, index) =>
    index === current || isKept(column, index, columns, current) ? [index] : [],
  )
  const { lines: taken, unread } = takeLines(rows, kept, current, measured)
  const section = toSection(table, kept, taken)
  return { kind: 'cumulative_table', ...spanOf(all), section, unread }
}

function isValue({ cells }: GridRow, column: number): boolean {
  return readValueCell(cells[column] ?? []) !== undefined
}

/** Returns the column of the result: the one with such a title, or the one of the newest date. */
function findCurrent(
  columns: readonly TitledColumn[],
  dates: readonly PrintedDate[],
): number | undefined {
  const said = columns.findIndex(({ role }) => role === 'value')
  if (said >= 0) return said
  const titled = columns.flatMap((column, at) => (column.role === 'dated' ? [at] : []))
  const dated = titled.flatMap((at) => {
    const date = findDate(columns[at]?.title ?? '')
    return date ? [{ at, date }] : []
  })
  // A text that is almost a date may be the newest date.
  if (dated.length < titled.length) return undefined
  const newest = findNewest(
    dated.map(({ date }) => date),
    dates,
  )
  return newest === undefined ? undefined : dated[newest]?.at
}

/** Titles such as `Baseline` have no date. */
function hasUntitledValues(columns: readonly TitledColumn[], rows: readonly GridRow[]): boolean {
  return columns.some(
    ({ role }, at) =>
      at > 0 && role === undefined && rows.filter((row) => isValue(row, at)).length > 1,
  )
}

function isKept(
  { role }: TitledColumn,
  at: number,
  columns: readonly TitledColumn[],
  current: number,
): boolean {
  if (at === 0 || role === 'unit' || role === 'range' || role === 'name') return true
  // A flag beside another date belongs to that date.
  const before = columns[at - 1]?.role
  return role === 'flag' && (at === current + 1 || (before !== 'dated' && before !== 'previous'))
}

function takeLines(
  rows: readonly (GridRow | Line)[],
  kept: readonly number[],
  current: number,
  measured: readonly number[],
): { lines: Line[]; unread: UnreadRegion[] } {
  const lines: Line[] = []
  const unread: UnreadRegion[] = []
  for (const row of rows) {
    if (!('cells' in row)) {
      if (looksLikeLostRow(row)) unread.push({ kind: 'cumulative_table', page: row.page })
      else lines.push(row)
      continue
    }
    const isOlder = measured.some((at) => at !== current && textOf(row.cells[at] ?? []) !== '')
    if (isOlder && row.cells[current]?.length === 0) continue
    const line = keepCells(row, isOlder || isValue(row, current) ? kept : [...row.cells.keys()])
    if (line) lines.push(line)
  }
  return { lines, unread }
}
