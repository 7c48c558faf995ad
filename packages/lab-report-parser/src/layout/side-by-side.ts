import type { Word } from '../pages/page.ts'
import { type Line, median, uniteBoxes } from './lines.ts'

/** Splits the words of a line at wide gaps. */
export function splitAtGaps(line: Line, gap: number): Word[][] {
  const cells: Word[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const word of line.words) {
    if (word.box.x - end > line.height * gap) cells.push([])
    cells[cells.length - 1]?.push(word)
    end = Math.max(end, word.box.x + word.box.width)
  }
  return cells
}

/** Starts of the columns beside the first. */
export interface FurtherColumns {
  starts: number[]
  /** Whether they certainly are not columns of one table. */
  areSure: boolean
}

/**
 * Returns the starts of the further columns of a page, if names begin there on several lines, as at
 * the left margin. None for a page of one column, and for the columns of one table. More than two
 * are found if they are equally wide, as cards are.
 */
export function findFurtherColumns(
  lines: readonly Line[],
  isName: (text: string) => boolean,
): FurtherColumns | undefined {
  const left = Math.min(...lines.map((line) => line.box.x))
  const right = Math.max(...lines.map((line) => line.box.x + line.box.width))
  const starts: number[] = []
  for (const line of lines) {
    const [first, ...cells] = splitAtGaps(line, 1.5)
    if (!first || !isName(textOf(first))) continue
    for (const cell of cells) if (isName(textOf(cell))) starts.push((cell[0] as Word).box.x)
  }
  const height = median(lines.map((line) => line.height))
  const cards = findCards(lines, isName)
  if (cards) return cards
  const columns = groupStarts(starts, height * 0.6)
  const shareOf = (x: number): number => (x - left) / (right - left)
  const equal = listEqual(
    columns.map(({ x }) => x).filter((x) => shareOf(x) > 0.15),
    left,
    height,
  )
  if (equal.length > 1) return { starts: equal, areSure: false }
  const middle = columns
    .filter(({ x }) => shareOf(x) > 0.3 && shareOf(x) < 0.75)
    .sort((a, b) => b.count - a.count)[0]
  return middle && { starts: [middle.x], areSure: false }
}

/**
 * Returns the starts of cards beside each other, without the first: each is a name with another
 * text below it at the same start.
 */
function findCards(
  lines: readonly Line[],
  isName: (text: string) => boolean,
): FurtherColumns | undefined {
  let most: number[] = []
  let count = 0
  for (const [at, line] of lines.entries()) {
    const names = splitAtGaps(line, 1.5)
    if (names.length < 2 || !names.every((cell) => isName(textOf(cell)))) continue
    const below = lines.slice(at + 1, at + 3).find(({ box }) => box.y > line.box.y)
    if (!below || below.page !== line.page || below.box.y - line.box.y > line.height * 5) continue
    const cells = splitAtGaps(below, 0.9)
    const isUnder = cells.filter((cell) =>
      names.some((name) => Math.abs(startOf(name) - startOf(cell)) < line.height * 0.8),
    )
    if (isUnder.length < names.length || cells.some((cell) => isName(textOf(cell)))) continue
    count++
    if (names.length > most.length) most = names.map(startOf)
  }
  return count > 0 ? { starts: most.slice(1), areSure: count > 1 } : undefined
}

const startOf = (words: readonly Word[]): number => (words[0] as Word).box.x

/** Places where words begin on two lines or more, from left to right. */
function groupStarts(starts: readonly number[], tolerance: number): { x: number; count: number }[] {
  const groups: { x: number; count: number }[] = []
  for (const x of starts.toSorted((a, b) => a - b)) {
    const group = groups.at(-1)
    if (group && x - group.x < tolerance) group.count++
    else groups.push({ x, count: 1 })
  }
  return groups.filter(({ count }) => count > 1)
}

/** Columns that are equally wide, the one at the left margin included. */
function listEqual(columns: readonly number[], left: number, height: number): number[] {
  const [first] = columns
  if (first === undefined) return []
  const width = first - left
  const isEqual = columns.every((x, at) => Math.abs(x - left - width * (at + 1)) < height * 2.5)
  return isEqual ? [...columns] : []
}

function textOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ')
}

/**
 * Orders the lines of a page of several columns for reading: within each band of the page the first
 * column, then the next. A line across a column ends a band, and so does a gap over a new
 * beginning; within a card a gap ends nothing.
 */
export function orderColumns(
  lines: readonly Line[],
  columns: readonly number[],
  begins: (text: string) => boolean,
): Line[] {
  const ordered: Line[] = []
  let parts: Line[][] = [0, ...columns].map(() => [])
  const flush = (): void => {
    ordered.push(...parts.flat())
    parts = parts.map(() => [])
  }
  const pitch = median(lines.slice(1).map((line, at) => line.box.y - (lines[at] as Line).box.y))
  let above: Line | undefined
  for (const line of lines) {
    const cells = cutAtColumns(line, columns)
    const isApart = above !== undefined && line.box.y - above.box.y > pitch * 1.45
    if (isApart && (!cells || cells.every((cell) => cell.length === 0 || begins(textOf(cell)))))
      flush()
    above = line
    if (!cells) {
      flush()
      ordered.push(line)
      continue
    }
    for (const [at, words] of cells.entries())
      if (words.length > 0) parts[at]?.push(takeWords(line, words))
  }
  flush()
  return ordered
}

/** Returns the words of a line in each column; undefined where the line runs across one of them. */
function cutAtColumns(line: Line, columns: readonly number[]): Word[][] | undefined {
  const cells: Word[][] = [[]]
  let from = 0
  for (const x of columns) {
    const at = line.words.findIndex((word) => word.box.x > x - line.height * 0.6)
    const to = at < 0 ? line.words.length : at
    const before = line.words[to - 1]
    const after = line.words[to]
    const end = before ? before.box.x + before.box.width : Number.NEGATIVE_INFINITY
    if (end > x || (after && after.box.x - end < line.height * 0.6)) return undefined
    cells[cells.length - 1] = line.words.slice(from, to)
    cells.push([])
    from = to
  }
  cells[cells.length - 1] = line.words.slice(from)
  return cells
}

function takeWords(line: Line, words: Word[]): Line {
  return { ...line, words, box: uniteBoxes(words.map((word) => word.box)) }
}
