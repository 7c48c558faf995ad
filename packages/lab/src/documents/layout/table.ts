import { renderLines } from './block.ts'
import { renderHeading, renderPlate, renderRule } from './section.ts'
import { renderArtifact, renderElement, renderGroup, type Sheet, startPage } from './sheet.ts'
import { truncateToLine, widthOf, wrapText } from './text.ts'
import { COLORS, STYLES, type TextStyle } from './text-styles.ts'

export interface Column {
  title: string
  /** In points; 0 takes the remaining width. */
  width: number
  align?: 'left' | 'right'
}

export interface Cell {
  text: string
  style?: TextStyle
  /** Whether the cell is rendered on a dark plate. */
  isPlate?: boolean
}

export interface Row {
  cells: (Cell | string)[]
  /** Text below the row over its whole width; it may span several pages. */
  note?: string | null
}

export interface RowGroup {
  /** Line above the rows, repeated on each page. */
  title: string | null
  rows: readonly Row[]
}

interface Layout {
  sheet: Sheet
  columns: readonly (Column & { x: number })[]
}

const CELL = { ...STYLES.body, size: 9, leading: 12.5 }
const HEAD = { ...STYLES.label, typeface: 'semibold' } as const
const GROUP = { ...STYLES.strong, size: 9, leading: 12.5 } as const
const NOTE = { ...STYLES.small, color: COLORS.ink }
const PADDING = 3.5
const GUTTER = 10
const NOTE_INDENT = 10
/** A row up to this height is never split. */
const MOST_WHOLE_ROW = 300
/** A table up to this height stays on one page with its heading. */
const MOST_WHOLE_TABLE = 170

/** Renders a table from the current position, with its heading on each page. */
export function renderTable(
  sheet: Sheet,
  columns: readonly Column[],
  groups: readonly RowGroup[],
): void {
  const layout = layOutColumns(sheet, columns)
  renderGroup(sheet, 'Table', () => {
    renderHead(layout)
    for (const rows of groups) renderRowGroup(layout, rows)
  })
}

/** Renders a heading and a table, on one page when the table is short. */
export function renderTableSection(
  sheet: Sheet,
  title: string,
  columns: readonly Column[],
  rows: readonly Row[],
): void {
  const layout = layOutColumns(sheet, columns)
  const height = rows.reduce((sum, row) => sum + heightOfRow(layout, row), HEAD.leading + 3)
  renderHeading(sheet, title, height <= MOST_WHOLE_TABLE ? height : undefined)
  renderTable(sheet, columns, [{ title: null, rows }])
}

function layOutColumns(sheet: Sheet, columns: readonly Column[]): Layout {
  const used = columns.reduce((sum, { width }) => sum + width + GUTTER, -GUTTER)
  let x = sheet.left
  const sized = columns.map((column) => {
    const width = column.width === 0 ? sheet.width - used : column.width
    const at = { ...column, x, width }
    x += width + GUTTER
    return at
  })
  return { sheet, columns: sized }
}

function renderHead({ sheet, columns }: Layout): void {
  const titles = columns.map(({ title, width }) => wrapText(sheet, title, HEAD, width))
  const height = Math.max(...titles.map((lines) => lines.length)) * HEAD.leading
  renderGroup(sheet, 'TR', () =>
    columns.forEach(({ x, width, align }, index) => {
      const lines = titles[index] ?? []
      const y = sheet.y + height - lines.length * HEAD.leading
      renderElement(sheet, 'TH', () => renderLines(sheet, lines, HEAD, x, y, width, align))
    }),
  )
  sheet.y += height + 3
  renderRule(sheet, sheet.y, { color: COLORS.ink, weight: 0.7 })
}

function renderRowGroup(layout: Layout, { title, rows }: RowGroup): void {
  const { sheet } = layout
  const isFirstWhole = rows[0] === undefined ? 0 : heightOfRow(layout, rows[0])
  const titleHeight = title === null ? 0 : GROUP.leading + 2 * PADDING + 3
  if (sheet.y + titleHeight + Math.min(isFirstWhole, MOST_WHOLE_ROW) > sheet.bottom)
    turnPage(layout)
  if (title !== null) renderGroupTitle(layout, title)
  for (const row of rows) {
    const height = heightOfRow(layout, row)
    const turn = () => {
      turnPage(layout)
      if (title !== null) renderGroupTitle(layout, `${title} (continued)`)
    }
    if (height <= MOST_WHOLE_ROW && sheet.y + height > sheet.bottom) turn()
    renderRow(layout, row, turn)
  }
}

function turnPage(layout: Layout): void {
  startPage(layout.sheet)
  renderHead(layout)
}

function renderGroupTitle({ sheet }: Layout, title: string): void {
  const height = GROUP.leading + 2 * PADDING
  const lines = [truncateToLine(sheet, title, GROUP, sheet.width - 8)]
  renderArtifact(sheet, () => {
    sheet.doc.rect(sheet.left, sheet.y + 0.3, sheet.width, height).fill(COLORS.tint)
  })
  renderGroup(sheet, 'TR', () =>
    renderElement(sheet, 'TH', () =>
      renderLines(sheet, lines, GROUP, sheet.left + 4, sheet.y + PADDING, sheet.width),
    ),
  )
  sheet.y += height
}

const toCell = (cell: Cell | string): Cell => (typeof cell === 'string' ? { text: cell } : cell)

function linesOfCell({ sheet, columns }: Layout, cell: Cell, index: number): string[] {
  const width = columns[index]?.width ?? 0
  const inset = cell.isPlate === true ? (cell.style ?? CELL).size * 1.1 : 0
  return wrapText(sheet, cell.text, cell.style ?? CELL, width - inset)
}

function linesOfNote({ sheet }: Layout, note: string): string[] {
  return wrapText(sheet, note, NOTE, sheet.width - NOTE_INDENT)
}

function heightOfRow(layout: Layout, row: Row): number {
  const most = Math.max(
    ...row.cells.map((cell, index) => linesOfCell(layout, toCell(cell), index).length),
  )
  const note = row.note == null ? 0 : linesOfNote(layout, row.note).length * NOTE.leading + 1
  return most * CELL.leading + note + 2 * PADDING
}

function renderRow(layout: Layout, row: Row, turn: () => void): void {
  const { sheet } = layout
  const cells = row.cells.map(toCell)
  const lines = cells.map((cell, index) => linesOfCell(layout, cell, index))
  const most = Math.max(...lines.map(({ length }) => length))
  sheet.y += PADDING
  inSlices(sheet, most, CELL.leading, turn, (from, to) =>
    renderGroup(sheet, 'TR', () =>
      cells.forEach((cell, index) => {
        renderCell(layout, cell, index, lines[index]?.slice(from, to) ?? [])
      }),
    ),
  )
  if (row.note != null) {
    const note = linesOfNote(layout, row.note)
    sheet.y += 1
    inSlices(sheet, note.length, NOTE.leading, turn, (from, to) =>
      renderGroup(sheet, 'TR', () =>
        renderElement(sheet, 'TD', () =>
          renderLines(
            sheet,
            note.slice(from, to),
            NOTE,
            sheet.left + NOTE_INDENT,
            sheet.y,
            sheet.width,
          ),
        ),
      ),
    )
  }
  sheet.y += PADDING
  renderRule(sheet, sheet.y)
}

/** Renders as many lines at a time as fit on the page, with page breaks between. */
function inSlices(
  sheet: Sheet,
  count: number,
  leading: number,
  turn: () => void,
  render: (from: number, to: number) => void,
): void {
  let at = 0
  while (at < count) {
    const fitting = Math.floor((sheet.bottom - sheet.y) / leading)
    if (fitting < 1) {
      turn()
      sheet.y += PADDING
      continue
    }
    const to = Math.min(count, at + fitting)
    render(at, to)
    sheet.y += (to - at) * leading
    at = to
  }
}

function renderCell({ sheet, columns }: Layout, cell: Cell, index: number, lines: string[]): void {
  const column = columns[index]
  if (column === undefined) return
  const style = { ...(cell.style ?? CELL), leading: CELL.leading }
  if (cell.isPlate === true && lines[0] !== undefined) {
    const widest = Math.max(...lines.map((line) => widthOf(sheet, line, style)))
    lines.forEach((line, at) => {
      renderPlate(sheet, line, column.x, sheet.y + at * style.leading, style, widest)
    })
    return
  }
  renderElement(sheet, 'TD', () =>
    renderLines(sheet, lines, style, column.x, sheet.y, column.width, column.align),
  )
}
