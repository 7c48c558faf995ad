import type { PrintedRow, Section } from '../report.ts'
import type { Column } from '../style.ts'
import {
  drawComment,
  drawHeading,
  type Layout,
  sayFlag,
  sayValue,
  valueOptions,
  wordsOf,
} from './layout.ts'

interface Placed {
  column: Column
  title: string
  x: number
  width: number
}

/** Place of a table on its page. */
export interface Area {
  x: number
  width: number
}

/** Draws rows below column titles, in one table for all panels. */
export function drawTable(layout: Layout, columns: readonly Column[], area?: Area): void {
  const { painter, random, report } = layout
  const { x, width } = area ?? { x: painter.left, width: painter.right - painter.left }
  const placed = placeColumns(layout, columns, { x, width })
  const { style } = painter
  if (style.hasColumnTitles === 'once') drawTitles(layout, placed)
  let count = 0
  const hasHeadings = random.chance(0.92)
  for (const section of report.sections) {
    if (hasHeadings) drawHeading(layout, section, x, width)
    if (style.hasColumnTitles === 'sections') drawTitles(layout, placed)
    const top = painter.y
    const page = painter.pages
    for (const row of section.rows) {
      drawRow(layout, placed, row, section, ++count, area === undefined)
    }
    if (style.border === 'box' && page === painter.pages) {
      painter.frame(x - 3, top - 3, width + 6, painter.y - top + 3)
    }
    painter.y += style.size * 0.4
  }
}

function drawTitles({ painter }: Layout, placed: readonly Placed[]): void {
  const { style } = painter
  const titles = placed.map(({ title, width }) => painter.wrap(title, width - 4, { cut: 'bold' }))
  const height = Math.max(...titles.map((lines) => lines.length)) * style.size * 1.2
  painter.need(height + painter.step * 3)
  const [first, last] = [placed[0], placed.at(-1)] as [Placed, Placed]
  const right = last.x + last.width
  if (style.border === 'zebra')
    painter.fill(first.x - 2, painter.y - 2, right - first.x, height + 3, '#dfe6ee')
  for (const [at, { x, width, column }] of placed.entries()) {
    for (const [line, text] of (titles[at] ?? []).entries()) {
      const align = column === 'value' ? style.valueAlign : 'left'
      painter.text(text, x, painter.y + line * style.size * 1.2, {
        cut: 'bold',
        align,
        width: width - 6,
      })
    }
  }
  painter.y += height + 2
  if (style.border !== 'none') painter.line(first.x - 2, painter.y, right, painter.y)
  painter.y += 4
}

/** Returns the text of a cell. */
function sayCell(
  layout: Layout,
  column: Column,
  row: PrintedRow,
  section: Section,
  number: number,
): string {
  const { unitPlace } = layout.painter.style
  const isOut = row.isAbnormal
  switch (column) {
    case 'number':
      return String(number)
    case 'name':
      return row.name
    case 'value':
      return sayValue(layout, row, false)
    case 'in-range':
      return isOut ? '' : sayValue(layout, row, false)
    case 'out-of-range':
      return isOut ? sayValue(layout, row, false) : ''
    case 'flag':
      return sayFlag(layout, row)
    case 'unit':
      return unitPlace === 'column' ? (row.unit ?? '') : ''
    case 'range':
      return `${row.range ?? ''}${unitPlace === 'range' && row.range !== null && row.unit ? ` ${row.unit}` : ''}`
    case 'minimum':
      return row.range === null ? '' : (row.bounds.low ?? '')
    case 'maximum':
      return row.range === null ? '' : (row.bounds.high ?? '')
    case 'previous':
      return row.previous ?? ''
    case 'method':
      return row.method ?? section.sample
  }
}

function titleOf(layout: Layout, column: Column): string {
  const words = wordsOf(layout)
  const { random } = layout
  switch (column) {
    case 'number':
      return random.pick(['#', 'No.', 'S.No.'])
    case 'minimum':
      return words.minimum
    case 'maximum':
      return words.maximum
    case 'in-range':
      return words.inRange
    case 'out-of-range':
      return words.outOfRange
    default:
      return random.pick(words.columns[column])
  }
}

/** Largest share of the table's width for a column; longer texts are wrapped. */
const MOST_SHARE: Partial<Record<Column, number>> = { name: 0.34, range: 0.27, method: 0.16 }

/** Makes columns as wide as their texts; the rest is shared among them or given to the names. */
function placeColumns(layout: Layout, columns: readonly Column[], area: Area): Placed[] {
  const { painter, random, report } = layout
  const gap = 10
  const isTitleUpper = painter.style.isTitleUpper
  const titles = columns.map((column) => {
    const title = titleOf(layout, column)
    return isTitleUpper ? title.toLocaleUpperCase(report.language) : title
  })
  const widths = columns.map((column, at) => {
    const texts = report.sections.flatMap((section) =>
      section.rows.map((row) => sayCell(layout, column, row, section, 100)),
    )
    const words = (titles[at] ?? '').split(' ')
    const widest = Math.max(
      ...texts.map((text) => painter.measure(text, { cut: 'bold' })),
      ...words.map((word) => painter.measure(word, { cut: 'bold' })),
    )
    return Math.min(widest, area.width * (MOST_SHARE[column] ?? 1)) + gap
  })
  const spare = area.width - widths.reduce((sum, width) => sum + width, 0)
  const isNameWide = random.chance(0.4)
  let x = area.x
  return columns.map((column, at) => {
    const more = isNameWide
      ? column === 'name'
        ? spare * 0.6
        : (spare * 0.4) / (columns.length - 1)
      : spare / columns.length
    const width = (widths[at] ?? 0) + Math.max(more, spare < 0 ? spare / columns.length : 0)
    const placed = { column, title: titles[at] ?? '', x, width }
    x += width
    return placed
  })
}

function drawRow(
  layout: Layout,
  placed: readonly Placed[],
  row: PrintedRow,
  section: Section,
  number: number,
  mayBreak: boolean,
): void {
  const { painter } = layout
  const { style } = painter
  const indent = (column: Column) => (column === 'name' ? style.nameIndent : 0)
  const cells = placed.map(({ column, width }) => {
    const text = sayCell(layout, column, row, section, number)
    const isBroken = column === 'name' || column === 'range' || column === 'method'
    return isBroken ? painter.wrap(text, width - 8 - indent(column)) : [text]
  })
  const lines = Math.max(...cells.map((cell) => cell.length))
  const below = style.hasMethodBelow && row.method !== null ? style.size * 1.1 : 0
  const height = painter.step + (lines - 1) * style.size * 1.15 + below
  const page = painter.pages
  if (mayBreak && painter.need(height + 2) && style.hasColumnTitles === 'once' && page > 0) {
    drawTitles(layout, placed)
  }
  const [first, last] = [placed[0], placed.at(-1)] as [Placed, Placed]
  const [left, right] = [first.x - 3, last.x + last.width]
  const top = painter.y - (painter.step - style.size) / 2
  if (style.border === 'zebra' && number % 2 === 0)
    painter.fill(left, top, right - left, height, '#f0f3f7')
  for (const [at, { column, x, width }] of placed.entries()) {
    const isValue = column === 'value' || column === 'in-range' || column === 'out-of-range'
    const options = {
      ...(isValue
        ? { align: style.valueAlign, width: width - 6, ...valueOptions(layout, row) }
        : {}),
      ...(column === 'name' && style.isNameBold ? { cut: 'bold' as const } : {}),
    }
    for (const [line, text] of (cells[at] ?? []).entries()) {
      if (text !== '')
        painter.text(text, x + indent(column), painter.y + line * style.size * 1.15, options)
    }
  }
  if (below > 0) {
    const y = painter.y + lines * style.size * 1.15
    painter.text(
      `${wordsOf(layout).labels.methodLabel[0]}: ${row.method}`,
      first.x + style.nameIndent,
      y,
      { size: style.size * 0.75, color: '#555555' },
    )
  }
  if (style.border === 'rows') painter.line(left, top + height, right, top + height, '#cccccc', 0.4)
  if (style.border === 'grid') {
    painter.frame(left, top, right - left, height, '#999999')
    for (const { x } of placed.slice(1))
      painter.line(x - 3, top, x - 3, top + height, '#999999', 0.4)
  }
  painter.y += height
  drawComment(layout, row, left + 12, right - left - 20)
}

/** Draws two tables side by side, the first panels on the left. */
export function drawTwoTables(layout: Layout): void {
  const { painter, report } = layout
  const gap = 18
  const width = (painter.right - painter.left - gap) / 2
  const all = report.sections
  const total = all.reduce((sum, { rows }) => sum + rows.length, 0)
  let seen = 0
  const isLeft = all.map(({ rows }) => {
    const before = seen
    seen += rows.length
    return before < total / 2
  })
  const top = painter.y
  let lowest = top
  for (const [at, side] of [true, false].entries()) {
    painter.y = top
    const sections = all.filter((_, index) => isLeft[index] === side)
    if (sections.length === 0) continue
    const half = { ...layout, report: { ...report, sections } }
    drawTable(half, painter.style.columns, { x: painter.left + at * (width + gap), width })
    lowest = Math.max(lowest, painter.y)
  }
  painter.y = lowest
}
