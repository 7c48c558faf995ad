import type { Line } from '../layout/lines.ts'
import { textOf } from '../rows/cell-words.ts'
import type { TitledColumn, TitleRole } from './column-titles.ts'
import type { GridRow } from './grid.ts'
import { leaveUnread, type Region, spanOf } from './region.ts'
import {
  findTitledTable,
  gatherRows,
  looksLikeLostRow,
  readGridRows,
  toCellRow,
} from './titled-table.ts'
import { readValueCell } from './value-cell.ts'

const CONCENTRATION = /\bk[iu]{1,2}a?\s*\/\s*l\b/i

function isAllergyPanel(columns: readonly TitledColumn[]): boolean {
  return (
    columns.some(({ role }, at) => at > 0 && role === 'class') &&
    columns.some(({ role }, at) => at > 0 && role === 'value')
  )
}

/**
 * Reads a table of specific IgE: its value is the concentration, and the class that follows from it
 * is none.
 */
export function findAllergyPanel(lines: readonly Line[], at: number): Region | undefined {
  const table = findTitledTable(lines, at, isAllergyPanel)
  if (!table) return undefined
  const all = [...table.titleLines, ...table.body]
  if (!all.some((line) => CONCENTRATION.test(textOf(line.words)))) return undefined
  const { columns } = table
  const rows = [...readGridRows(table)]
  const measured = columns.flatMap(({ role }, column) =>
    role === 'value' && countNumbers(rows, column) > 0 ? [column] : [],
  )
  const [value] = measured
  if (value === undefined || measured.length > 1 || rows.some((row) => isLost(row)))
    return leaveUnread('allergy_panel', all)
  const columnsOf = (role: TitleRole): number[] =>
    columns.flatMap((column, index) => (column.role === role ? [index] : []))
  // Words such as `moderate` only say the class again.
  const parts = { names: [0], value, unit: columnsOf('unit'), ranges: columnsOf('range') }
  const drafts = gatherRows(rows, (row) => {
    const draft = toCellRow(row, columns, parts)
    return draft ? [draft] : []
  })
  return { kind: 'allergy_panel', ...spanOf(all), rows: drafts }
}

const isLost = (row: GridRow | Line): boolean => !('cells' in row) && looksLikeLostRow(row)

function countNumbers(rows: readonly (GridRow | Line)[], column: number): number {
  return rows.filter((row) => {
    const cell = 'cells' in row ? readValueCell(row.cells[column] ?? []) : undefined
    return cell !== undefined && /\d/.test(textOf(cell.value))
  }).length
}
