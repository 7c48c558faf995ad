import { type Line, uniteBoxes } from '../layout/lines.ts'
import { splitAtGaps } from '../layout/side-by-side.ts'
import type { Word } from '../pages/page.ts'
import { textOf } from '../rows/cell-words.ts'
import { type ColumnRole, isNumericValue, scoreName, scoreUnit } from '../rows/content.ts'
import type { DraftRow } from '../rows/draft.ts'
import { isProse, namesPanel } from '../rows/line-kinds.ts'
import type { Section } from '../rows/read-rows.ts'
import { findTableHeader } from '../rows/table-header.ts'
import { findDate } from '../values/dates.ts'
import {
  findTitleRole,
  findTitleUnit,
  nameColumns,
  type TitledColumn,
  type TitleRole,
} from './column-titles.ts'
import { assignCells, type GridColumn, type GridRow, readColumns } from './grid.ts'
import { toRow } from './region.ts'
import { readValueCell } from './value-cell.ts'

/** A table with titled columns. */
export interface TitledTable {
  columns: TitledColumn[]
  titleLines: Line[]
  body: Line[]
}

/** Titles take no more lines than that. */
const MOST_TITLE_LINES = 3
/** Names without a title begin at most so many lines under the titles of the others. */
const MOST_LINES_TO_NAMES = 6

/** Returns the table whose titles begin at `lines[at]`, if they are of the wanted kind. */
export function findTitledTable(
  lines: readonly Line[],
  at: number,
  isKind: (columns: readonly TitledColumn[]) => boolean,
): TitledTable | undefined {
  let best: TitledTable | undefined
  let most = 0
  for (let count = 1; count <= MOST_TITLE_LINES; count++) {
    const titleLines = lines.slice(at, at + count)
    const last = titleLines.at(-1)
    if (titleLines.length < count || !last || !isTitleLine(last, count > 1)) break
    const cells = readColumns(titleLines)
    if (!cells) continue
    const columns = addNames(nameColumns(cells), lines.slice(at + count))
    const known = columns.filter(({ role }) => role !== undefined).length
    if (known < columns.length / 2 || known < most || !isKind(columns)) continue
    most = known
    best = { columns, titleLines, body: takeBody(lines, at + count, columns) }
  }
  return best && best.body.length > 0 ? best : undefined
}

/**
 * Columns that begin with a date have those of the names before them, where these have no title.
 */
function addNames(columns: TitledColumn[], below: readonly Line[]): TitledColumn[] {
  const [first] = columns
  if (first?.role !== 'dated') return columns
  const names = below.slice(0, MOST_LINES_TO_NAMES).flatMap((line) => {
    const [words = []] = splitAtGaps(line, 0.9)
    const [start, end] = [words[0], words.at(-1)]
    if (!start || !end || line.page !== below[0]?.page) return []
    const [left, right] = [start.box.x, end.box.x + end.box.width]
    const isName = right < first.left && scoreName(textOf(words)) >= 0.7
    return isName ? [{ left, right }] : []
  })
  if (names.length < 2) return columns
  const left = Math.min(...names.map((name) => name.left))
  const right = Math.max(...names.map((name) => name.right))
  return [{ title: '', words: [], left, right, role: 'name' }, ...columns]
}

/**
 * Returns whether the cells of a line are titles: at least half of them, and all in a further line,
 * such as units.
 */
function isTitleLine(line: Line, isBelow: boolean): boolean {
  const texts = splitAtGaps(line, 0.9).map(textOf)
  const isNumbers = findTitleRole(texts[0] ?? '') === 'other'
  const known = texts.filter(
    (text) =>
      findTitleRole(text) !== undefined ||
      scoreUnit(text.replace(/^\(|\)$/g, '')) >= 0.7 ||
      /^\(.*\)$/.test(text),
  ).length
  // Times and numbers of samples under dates.
  if (isBelow && isNumbers) return texts.every((text) => !/^\d{1,5}(?:[.,]\d+)?$/.test(text))
  const isNumber = (text: string): boolean =>
    !findDate(text) && text.split(' ').some(isNumericValue)
  if (texts.some(isNumber)) return false
  return known > 0 && known >= texts.length * (isBelow ? 1 : 0.5)
}

/**
 * Returns the lines below titles, up to the next header, or to the end of the page where the table
 * ends there.
 */
function takeBody(lines: readonly Line[], from: number, columns: readonly GridColumn[]): Line[] {
  let to = from
  for (; to < lines.length; to++) {
    const isNewPage = lines[to]?.page !== lines[to - 1]?.page
    if (isNewPage && !goesOn(lines, to, columns)) break
    if (to > from && isNextHeader(lines, to)) break
  }
  return lines.slice(from, to)
}

function isNextHeader(lines: readonly Line[], at: number): boolean {
  const line = lines[at] as Line
  const isOther = splitAtGaps(line, 0.9).length > 2 && isTitleLine(line, true)
  return isOther || findTableHeader(lines, at) !== undefined
}

/** Returns whether the page that begins there continues the table before any header of its own. */
function goesOn(lines: readonly Line[], at: number, columns: readonly GridColumn[]): boolean {
  let rows = 0
  for (let next = at; lines[next]?.page === lines[at]?.page && next < lines.length; next++) {
    if (isNextHeader(lines, next)) break
    const cells = assignCells(lines[next] as Line, columns)
    const filled = cells?.slice(1).filter((cell) => cell.some(({ text }) => isNumericValue(text)))
    if (filled && filled.length > 1) rows++
  }
  return rows > 2
}

/**
 * Yields the lines below the titles as rows; a line that is no row, such as a sentence, has no
 * cells.
 */
export function* readGridRows({ columns, body }: TitledTable): Generator<GridRow | Line> {
  for (const line of body) {
    const cells = assignCells(line, columns)
    if (cells) yield { line, cells }
    else yield line
  }
}

/** Returns whether a line that fits no column still looks like a result, which would be lost. */
export function looksLikeLostRow(line: Line): boolean {
  const [name = []] = splitAtGaps(line, 0.9)
  return (
    scoreName(textOf(name)) >= 0.7 &&
    line.words.some((word) => isNumericValue(word.text)) &&
    !isProse(textOf(line.words))
  )
}

/** Returns the line with the words of some of its cells; undefined where these are empty. */
export function keepCells({ line, cells }: GridRow, kept: readonly number[]): Line | undefined {
  const words = cells.flatMap((cell, at) => (kept.includes(at) ? cell : []))
  if (words.length === 0) return undefined
  return { ...line, words, box: uniteBoxes(words.map((word) => word.box)) }
}

/** The columns that the parts of a result stand in. */
export interface ResultCells {
  names: readonly number[]
  value: number
  unit?: number[]
  ranges?: number[]
  flags?: number[]
}

/** Returns a result of the cells of a row; undefined where it has no name. */
export function toCellRow(
  { line, cells }: GridRow,
  columns: readonly TitledColumn[],
  { names, value, unit = [], ranges = [], flags = [] }: ResultCells,
): DraftRow | undefined {
  const wordsOf = (list: readonly number[]): Word[] => list.flatMap((at) => cells[at] ?? [])
  const orNull = (words: Word[]): Word[] | null => (words.length > 0 ? words : null)
  const name = wordsOf(names)
  const found = cells[value] ?? []
  const read = readValueCell(found)
  if (!/\p{L}/u.test(textOf(name)) || found.length === 0) return undefined
  const isNumber = read !== undefined && /\d/.test(textOf(read.value))
  const titled = columns[value] ? findTitleUnit(columns[value]) : null
  const units = isNumber ? (read.unit ?? orNull(wordsOf(unit)) ?? titled) : null
  const range = wordsOf(ranges)
  return {
    ...toRow(line, name, read?.value ?? found, units),
    ranges: range.length > 0 ? [{ words: range, context: range }] : [],
    flag: read?.flag ?? orNull(wordsOf(flags)),
  }
}

/**
 * Results that were read cell by cell, with the headings among them, and the ends of names that
 * stand under their beginnings.
 */
export function gatherRows(
  rows: readonly (GridRow | Line)[],
  read: (row: GridRow) => DraftRow[],
): DraftRow[] {
  const drafts: DraftRow[] = []
  let panel: DraftRow['panel'] = null
  for (const row of rows) {
    if (!('cells' in row)) continue
    const found = read(row)
    drafts.push(...found.map((draft) => ({ ...draft, panel })))
    const [first = [], ...others] = row.cells
    if (found.length > 0 || first.length === 0 || others.some((cell) => cell.length > 0)) continue
    const above = drafts.at(-1)
    const isEnd =
      above !== undefined &&
      above.page === row.line.page &&
      row.line.box.y - above.line.box.y < row.line.height * 2 &&
      /^[(\p{Ll}]/u.test(textOf(first))
    if (isEnd) above.name = [...above.name, ...first]
    else if (namesPanel(textOf(first))) panel = { words: first, page: row.line.page }
  }
  return drafts
}

const CELL_ROLE: Partial<Record<TitleRole, ColumnRole>> = {
  name: 'name',
  value: 'value',
  confirmed: 'value',
  dated: 'value',
  unit: 'unit',
  range: 'range',
  flag: 'flag',
}

/** Returns a table to be read line by line, with the columns that are left of it. */
export function toSection(table: TitledTable, kept: readonly number[], lines: Line[]): Section {
  const columns = table.columns.flatMap((column, at) => {
    if (!kept.includes(at)) return []
    const { left, right } = column
    const role = at === 0 ? 'name' : (column.role && CELL_ROLE[column.role]) || 'other'
    const unit: Word[] | null = role === 'value' ? findTitleUnit(column) : null
    return [{ role, left, right, words: unit ?? column.words }]
  })
  const { titleLines } = table
  return { header: { columns, lines: titleLines.length }, headerLines: titleLines, lines }
}
