import type { Line } from '../layout/lines.ts'
import { splitAtGaps } from '../layout/side-by-side.ts'
import type { Word } from '../pages/page.ts'
import { findDate, findNewest } from '../values/dates.ts'
import { type ColumnRole, findColumnRole, isNumericValue, looksLikeDate } from './content.ts'

/** A column as its title announces it. */
export interface Column {
  role: ColumnRole
  left: number
  right: number
  words: Word[]
}

/** Titles of the columns of a table, from left to right. */
export interface TableHeader {
  columns: Column[]
  /** How many lines of the page its titles take. */
  lines: number
}

const longestTitle = 5

interface Title extends Column {
  text: string
}

interface FoundHeader extends TableHeader {
  weight: number
}

/**
 * Returns the header of a table that begins at lines[index], with titles of one, two or three
 * lines.
 */
export function findTableHeader(lines: readonly Line[], index: number): TableHeader | undefined {
  const found = readHeader(lines, index)
  if (!found || found.lines === 1) return found
  // Where the lines under the first are as good a header without it, it is a heading over the
  // table.
  const below = readHeader(lines, index + 1)
  return below && below.weight >= found.weight ? undefined : found
}

function readHeader(lines: readonly Line[], index: number): FoundHeader | undefined {
  let best: FoundHeader | undefined
  for (let count = 1; count <= 3; count++) {
    const stacked = lines.slice(index, index + count)
    if (stacked.length < count || !stacked.every((line, at) => continuesHeader(stacked, line, at)))
      break
    const cells = stackCells(stacked).map((cell) => readCell(cell))
    if (cells.filter((cell) => cell.some((title) => /\p{L}/u.test(title.text))).length < 2) continue
    const titles = nameDates(cells.flat())
    const words = stacked.reduce((sum, line) => sum + line.words.length, 0)
    if (!isHeader(titles, words)) continue
    const weight = weighTitles(titles)
    if (weight > (best?.weight ?? 0)) best = { columns: nameFirst(titles), lines: count, weight }
  }
  return best
}

/** Where no column is titled as that of names, the first is. */
function nameFirst(titles: readonly Title[]): Column[] {
  const [first, ...rest] = titles
  if (!first || titles.some((title) => title.role === 'name') || first.role !== 'other')
    return [...titles]
  return [{ ...first, role: 'name' }, ...rest]
}

function continuesHeader(stacked: readonly Line[], line: Line, at: number): boolean {
  const titles = splitAtGaps(line, 0.9).flatMap((cell) => readCell(cell))
  const titled = titles.reduce((sum, title) => sum + title.words.length, 0)
  if (at === 0) return titles.length > 0 && titled >= line.words.length * 0.4
  const above = stacked[at - 1] as Line
  if (line.page !== above.page || line.box.y - above.box.y > above.height * 2.4) return false
  // Numbers of samples and times under the dates of a cumulative report.
  if (titles[0]?.role === 'other' && titles[0].left === line.words[0]?.box.x)
    return line.words.every((word) => !/^\d{1,5}(?:[.,]\d+)?$/.test(word.text))
  if (line.words.some((word) => isNumericValue(word.text))) return false
  return titled >= line.words.length * 0.4 || line.words.length <= 2
}

/**
 * Words of lines under each other as the cells of one header: what overlaps sideways belongs
 * together.
 */
export function stackCells(lines: readonly Line[]): Word[][] {
  const cells: { left: number; right: number; words: Word[] }[] = []
  for (const line of lines) {
    for (const cell of splitAtGaps(line, 0.9)) {
      const left = (cell[0] as Word).box.x
      const last = cell[cell.length - 1] as Word
      const right = last.box.x + last.box.width
      const above = cells.find((other) => left < other.right && right > other.left)
      if (above) {
        above.words.push(...cell)
        above.left = Math.min(above.left, left)
        above.right = Math.max(above.right, right)
      } else cells.push({ left, right, words: [...cell] })
    }
  }
  return cells.sort((a, b) => a.left - b.left).map((cell) => cell.words)
}

/** Returns the titles of one cell: one, unless cells were printed close together. */
function readCell(words: readonly Word[]): Title[] {
  const titles: Title[] = []
  for (let at = 0; at < words.length; ) {
    const title = readTitle(words, at)
    if (title) titles.push(title)
    at += title ? title.words.length : 1
  }
  const earlier = titles.find((title) => title.role === 'previous' && !looksLikeDate(title.text))
  if (earlier) return [earlier]
  const isStacked = words.some((word, at) => at > 0 && word.box.x < (words[at - 1] as Word).box.x)
  const main = titles.find((title) => title.role !== 'other') ?? titles[0]
  return isStacked && main ? [main] : titles
}

function readTitle(words: readonly Word[], at: number): Title | undefined {
  const start = words[at] as Word
  for (let count = Math.min(longestTitle, words.length - at); count > 0; count--) {
    const taken = words.slice(at, at + count)
    const text = taken.map((word) => word.text).join(' ')
    const role = looksLikeDate(text) ? 'previous' : findColumnRole(text)
    if (!role || /:$/.test(text)) continue
    const left = Math.min(...taken.map((word) => word.box.x))
    const right = Math.max(...taken.map((word) => word.box.x + word.box.width))
    if (taken.some((word, i) => i > 0 && isFarRight(taken[i - 1] as Word, word, start.box.height)))
      continue
    return { role, left, right, text, words: taken }
  }
  return undefined
}

function isFarRight(left: Word, right: Word, height: number): boolean {
  return right.box.x - (left.box.x + left.box.width) > height * 1.6
}

/**
 * Where columns of results are titled by dates, the latest is the result; all may be, where that is
 * open.
 */
function nameDates(titles: Title[]): Title[] {
  const dated = titles.filter((title) => looksLikeDate(title.text))
  if (dated.length === 0 || titles.some((title) => title.role === 'value')) return titles
  const dates = dated.flatMap((title) => findDate(title.text) ?? [])
  const newest = dates.length === dated.length ? findNewest(dates, []) : undefined
  const results = newest === undefined ? dated : [dated[newest]]
  return titles.map((title) =>
    results.includes(title) ? { ...title, role: 'value' as const } : title,
  )
}

function isHeader(titles: readonly Title[], words: number): boolean {
  const roles = new Set(titles.map((title) => title.role))
  const titled = titles.reduce((sum, title) => sum + title.words.length, 0)
  const main = [...roles].filter((role) => role !== 'other' && role !== 'previous').length
  if (main < 2 || !(roles.has('value') || roles.has('range'))) return false
  return titled >= words * 0.6
}

function weighTitles(titles: readonly Title[]): number {
  const roles = new Set(titles.map((title) => title.role))
  return roles.size * 2 + titles.reduce((sum, title) => sum + title.words.length, 0) * 0.1
}
