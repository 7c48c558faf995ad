import type { Line } from '../layout/lines.ts'
import { splitAtGaps } from '../layout/side-by-side.ts'
import type { Word } from '../pages/page.ts'
import { textOf } from '../rows/cell-words.ts'
import { stackCells } from '../rows/table-header.ts'

/** A column of a table: its title, and how far it and the cells under it reach. */
export interface GridColumn {
  title: string
  words: Word[]
  left: number
  right: number
}

/** A row of a table, with the words of each of its columns; none where the cell is empty. */
export interface GridRow {
  line: Line
  cells: Word[][]
}

/** Cells of one line stand at least so many heights of its letters apart. */
const CELL_GAP = 0.9
/** Titles of lines that stand farther apart are no titles of one header. */
const TITLE_PITCH = 2.4

const right = ({ box }: Word): number => box.x + box.width

/**
 * Returns the columns that the titles in some lines announce; undefined where the lines do not
 * belong together.
 */
export function readColumns(titleLines: readonly Line[]): GridColumn[] | undefined {
  for (const [at, line] of titleLines.entries()) {
    const above = titleLines[at - 1]
    if (!above) continue
    const distance = line.box.y - above.box.y
    if (line.page !== above.page || distance > above.height * TITLE_PITCH) return undefined
  }
  const cells = stackCells(titleLines)
  if (cells.length < 2) return undefined
  return cells.map((words) => ({
    title: textOf(words),
    words,
    left: Math.min(...words.map((word) => word.box.x)),
    right: Math.max(...words.map(right)),
  }))
}

/**
 * Returns the cells of a line under these columns; undefined for any other line, such as a
 * sentence.
 */
export function assignCells(line: Line, columns: readonly GridColumn[]): Word[][] | undefined {
  const cells: Word[][] = columns.map(() => [])
  let last = 0
  for (const words of splitAtGaps(line, CELL_GAP)) {
    for (const part of partAtColumns(words, columns, line.height)) {
      const at = findColumn(part, columns, line.height)
      if (at === undefined || at < last) return undefined
      cells[at]?.push(...part)
      last = at
    }
  }
  return cells
}

/** Words that were printed close together, but under several titles, as the cells they are. */
function partAtColumns(
  words: Word[],
  columns: readonly GridColumn[],
  height: number,
): readonly Word[][] {
  const parts: Word[][] = []
  for (const word of words) {
    const before = parts.at(-1)?.at(-1)
    const isApart =
      before === undefined ||
      (word.box.x - right(before) > height * (/^[<>≤≥]?\d/.test(word.text) ? 0.15 : 0.4) &&
        columns.some((column, at) => {
          if (at === 0 || Math.abs(word.box.x - column.left) > height * 0.5) return false
          return right(before) < column.left
        }))
    if (isApart) parts.push([word])
    else parts.at(-1)?.push(word)
  }
  return parts
}

function findColumn(
  words: readonly Word[],
  columns: readonly GridColumn[],
  height: number,
): number | undefined {
  const first = words[0] as Word
  const [from, to] = [first.box.x, right(words.at(-1) as Word)]
  const overlaps = columns.map((column) => Math.min(to, column.right) - Math.max(from, column.left))
  const under = overlaps.filter((overlap) => overlap > height * 0.2).length
  const starting = columns.findIndex((column) => Math.abs(from - column.left) < height * 0.7)
  if (starting >= 0) return under > 2 && words.length > 3 ? undefined : starting
  // A sentence runs on under several titles.
  if (under > 1 && words.length > 3) return undefined
  let best: number | undefined
  let least = height * 12
  for (const [at, column] of columns.entries()) {
    const gap = Math.max(0, -(overlaps[at] as number))
    const aligned = Math.min(
      Math.abs(from - column.left),
      Math.abs(to - column.right),
      Math.abs((from + to - column.left - column.right) / 2),
    )
    const distance = (gap > 0 ? gap + height : 0) + Math.min(aligned, height * 3) * 0.5
    if (distance < least) [best, least] = [at, distance]
  }
  return best
}
