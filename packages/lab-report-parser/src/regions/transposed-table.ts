import type { Line } from '../layout/lines.ts'
import { splitAtGaps } from '../layout/side-by-side.ts'
import type { Word } from '../pages/page.ts'
import { textOf } from '../rows/cell-words.ts'
import {
  type ColumnRole,
  findColumnRole,
  isQualitative,
  scoreFlag,
  scoreName,
  scoreRange,
  scoreUnit,
} from '../rows/content.ts'
import type { DraftRow } from '../rows/draft.ts'
import { isAdministrative } from '../rows/line-kinds.ts'
import { findTableHeader } from '../rows/table-header.ts'
import { findDate, findNewest, type PrintedDate } from '../values/dates.ts'
import { assignCells, type GridColumn, readColumns } from './grid.ts'
import { leaveUnread, type Region, spanOf, toRow } from './region.ts'
import { readValueCell } from './value-cell.ts'

/** A line of a table by its label, for all analytes at once. */
interface LabelledRow {
  line: Line
  cells: Word[][]
  kind: 'value' | 'unit' | 'range' | 'flag'
  date: PrintedDate | undefined
}

/**
 * Reads a table whose columns are analytes and whose lines are dates, or the result, the unit and
 * the interval. The value of the newest date is the result of an analyte.
 */
export function findTransposedTable(
  lines: readonly Line[],
  at: number,
  dates: readonly PrintedDate[],
): Region | undefined {
  // A heading over the labels may be the first of the lines.
  const counts = [1, ...(isTitlePart(lines[at], lines[at + 1]) ? [2] : [])]
  if (counts.length > 1 && isTitlePart(lines[at + 1], lines[at + 2])) counts.push(3)
  for (const count of counts.reverse()) {
    const titleLines = lines.slice(at, at + count)
    const columns = titleLines.length === count ? readColumns(titleLines) : undefined
    if (!columns || !areAnalytes(columns) || hasValues(titleLines)) continue
    const rows = readLabelledRows(lines, at + count, columns)
    const values = rows.filter(({ kind }) => kind === 'value')
    // Two names beside each other are two cards, unless there are dates.
    if (values.length === 0 || (columns.length < 4 && !values.some(({ date }) => date))) continue
    const all = lines.slice(at, lines.indexOf((rows.at(-1) as LabelledRow).line) + 1)
    const current = findCurrent(values, dates)
    if (!current) return leaveUnread('transposed_table', all)
    const found = columns.slice(1).map((column, index) => toDraft(column, index + 1, current, rows))
    if (found.includes('unclear')) return leaveUnread('transposed_table', all)
    const drafts = found.filter((draft): draft is DraftRow => typeof draft === 'object')
    return { kind: 'transposed_table', ...spanOf(all), rows: drafts }
  }
  return undefined
}

/**
 * Returns whether the titles after the first are names of analytes: most of them known, and none
 * another kind of title.
 */
function areAnalytes(columns: readonly GridColumn[]): boolean {
  const [label, ...titles] = columns
  if (KIND[findColumnRole(label?.title ?? '') ?? 'other']) return false
  const names = titles.map(({ title }) => withoutUnit(title))
  const isName = (name: string): boolean =>
    scoreName(name) >= 0.7 && !/\/(?:[dmµu]?L|cumm)$/.test(name)
  const known = names.filter(isName)
  const isOther = (name: string): boolean =>
    !isName(name) && (isQualitative(name) || scoreFlag(name) >= 0.8 || scoreUnit(name) >= 0.7)
  return known.length >= 2 && known.length >= titles.length * 0.5 && !names.some(isOther)
}

const withoutUnit = (title: string): string => title.replace(/\s*(?:\(.*?\)|\[.*?\])/g, '').trim()

/**
 * Returns whether cells hold values already, and are no titles; names such as `CA 125` have
 * numbers, too.
 */
function hasValues(titleLines: readonly Line[]): boolean {
  return titleLines.some((line) =>
    splitAtGaps(line, 0.9).some((cell) => readValueCell(cell) !== undefined),
  )
}

/** Returns whether titles go on in the line below: it is text, and neither units nor intervals. */
function isTitlePart(line: Line | undefined, below: Line | undefined): boolean {
  if (!line || !below || below.page !== line.page) return false
  if (below.box.y - line.box.y > line.height * 2) return false
  return splitAtGaps(below, 0.9)
    .map(textOf)
    .every(
      (text) => /^\p{L}/u.test(text) && scoreUnit(text) < 0.7 && findColumnRole(text) === undefined,
    )
}

function readLabelledRows(
  lines: readonly Line[],
  from: number,
  columns: readonly GridColumn[],
): LabelledRow[] {
  const rows: LabelledRow[] = []
  let above = lines[from - 1]
  for (const line of lines.slice(from)) {
    if (!above || line.page !== above.page || line.box.y - above.box.y > above.height * 5) break
    if (findTableHeader(lines, lines.indexOf(line))) break
    const cells = assignCells(line, columns)
    const row = cells && nameRow(line, cells)
    if (!row) {
      if (rows.some(({ kind }) => kind === 'value')) break
      continue
    }
    rows.push(row)
    above = line
  }
  return rows
}

const KIND: Partial<Record<ColumnRole, LabelledRow['kind']>> = {
  value: 'value',
  unit: 'unit',
  range: 'range',
  flag: 'flag',
}

/** Classifies a line by its label or by the content of its cells. */
function nameRow(line: Line, cells: Word[][]): LabelledRow | undefined {
  const [label = [], ...rest] = cells
  const texts = rest.map(textOf).filter((text) => text !== '')
  if (texts.length === 0) return undefined
  const share = (is: (text: string) => boolean) => texts.filter(is).length / texts.length
  const title = textOf(label)
  const date = findDate(title)
  const row = (kind: LabelledRow['kind']): LabelledRow => ({ line, cells, kind, date })
  const areUnits = share((text) => scoreUnit(text.replace(/^\(|\)$/g, '')) >= 0.7)
  const areValues = rest.filter((cell) => readValueCell(cell) !== undefined).length / texts.length
  const said = KIND[findColumnRole(title) ?? 'other']
  if (date) return areValues >= 0.5 ? row('value') : undefined
  if (said === 'unit' || (title === '' && areUnits >= 0.6)) return row('unit')
  if (said === 'range' || (title === '' && share((text) => scoreRange(text) >= 0.9) >= 0.6))
    return row('range')
  if (said === 'flag') return row('flag')
  return (said === 'value' || title === '') && areValues >= 0.6 ? row('value') : undefined
}

function findCurrent(
  values: readonly LabelledRow[],
  dates: readonly PrintedDate[],
): LabelledRow | undefined {
  if (values.length === 1) return values[0]
  const dated = values.flatMap(({ date }) => date ?? [])
  if (dated.length < values.length) return undefined
  return values[findNewest(dated, dates) ?? -1]
}

/**
 * Returns the result of one analyte; undefined where it was not measured at that date, `unclear`
 * where the cell is no value.
 */
function toDraft(
  column: GridColumn,
  at: number,
  current: LabelledRow,
  rows: readonly LabelledRow[],
): DraftRow | 'unclear' | undefined {
  const cell = current.cells[at] ?? []
  const title = withoutUnit(column.title)
  if (/^[-–—]*$/.test(textOf(cell)) || isAdministrative(title)) return undefined
  const read = readValueCell(cell)
  const isOther = findColumnRole(title) === 'other' && scoreName(title) < 0.7
  if (!read) return isOther ? undefined : 'unclear'
  const below = (kind: LabelledRow['kind']): Word[] | null => {
    const words = rows.find((row) => row.kind === kind)?.cells[at] ?? []
    return words.length > 0 ? words : null
  }
  const range = below('range')
  const { name, unit } = divideTitle(column.words)
  return {
    ...toRow(current.line, name, read.value, read.unit ?? below('unit') ?? unit),
    ranges: range ? [{ words: range, context: range }] : [],
    flag: read.flag ?? below('flag'),
  }
}

/** Splits a title into the name of the analyte and its unit. */
function divideTitle(words: readonly Word[]): { name: Word[]; unit: Word[] | null } {
  const last = words.at(-1)
  const isUnit =
    last !== undefined &&
    words.length > 1 &&
    scoreUnit(last.text.replace(/^[[(]|[\])]$/g, '')) >= 0.8 &&
    (/[/%^]/.test(last.text) || /^[[(].*[\])]$/.test(last.text))
  return isUnit ? { name: words.slice(0, -1), unit: [last] } : { name: [...words], unit: null }
}
