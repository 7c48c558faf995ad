import type { QueryTable, QueryValue } from '@salus/sdk'
import { type Column, formatTable } from '../terminal/table.ts'
import { drawBar, drawSparkline, shrinkSeries } from './sparkline.ts'

/** Widest column of values; longer texts are cut. */
const MOST_CHARACTERS = 40
const BAR_CELLS = 20
const LINE_CELLS = 60

const NUMBER = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

type Line = number

const isNumeric = (values: readonly QueryValue[]): values is readonly (number | null)[] =>
  values.some((value) => typeof value === 'number') &&
  values.every((value) => value === null || typeof value === 'number')

function formatValue(value: QueryValue): string {
  if (value === null) return '–'
  if (typeof value === 'number') return NUMBER.format(value)
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text
}

/** Returns the column of the bars: the last one with numbers that is not a group key. */
function drawnColumn(table: QueryTable): string | undefined {
  return Object.keys(table).findLast(
    (name) => !name.startsWith('group_key.') && isNumeric(table[name] ?? []),
  )
}

/**
 * Formats the result of a query for a terminal: a line for each row with a bar of its last number,
 * and below them each column of numbers as a sparkline.
 * @param titles Titles of the columns in order; a missing one is the name of the column.
 */
export function formatQueryTable(table: QueryTable, titles: readonly string[] = []): string {
  const names = Object.keys(table)
  const length = table[names[0] ?? '']?.length ?? 0
  if (length === 0) return 'No rows.'
  const drawn = drawnColumn(table)
  const columns: Column<Line>[] = names.map((name, index) => {
    const values = table[name] ?? []
    return {
      title: titles[index] ?? name,
      align: isNumeric(values) ? 'right' : 'left',
      text: (row) => formatValue(values[row] ?? null),
    }
  })
  if (drawn !== undefined) columns.push(barColumn(table[drawn] as (number | null)[]))
  const rows = Array.from({ length }, (_, index) => index)
  const trends = length < 3 ? '' : formatTrends(table, titles)
  return formatTable(columns, rows) + trends
}

function barColumn(values: readonly (number | null)[]): Column<Line> {
  const greatest = Math.max(...values.map((value) => value ?? 0))
  return { title: '', text: (row) => drawBar(values[row] ?? null, greatest, BAR_CELLS) }
}

function formatTrends(table: QueryTable, titles: readonly string[]): string {
  const numeric = Object.entries(table).flatMap(([name, values], index) => {
    const isDrawn = !name.startsWith('group_key.') && isNumeric(values)
    return isDrawn ? [[titles[index] ?? name, values] as const] : []
  })
  if (numeric.length === 0) return ''
  const width = Math.max(...numeric.map(([name]) => name.length))
  const lines = numeric.map(([name, values]) => {
    const known = values.filter((value) => value !== null)
    const range = `${formatValue(Math.min(...known))} to ${formatValue(Math.max(...known))}`
    return `${name.padEnd(width)}  ${drawSparkline(shrinkSeries(values, LINE_CELLS))}  ${range}`
  })
  return `\n\n${lines.join('\n')}`
}
