import type { Line } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import { isNumericValue, isQualitative, scoreName } from './content.ts'
import {
  isAdministrative,
  isCategory,
  isContact,
  isMethodOrNote,
  isProse,
  isSpecimen,
  isVitalSign,
  namesPanel,
  startsNotes,
} from './line-kinds.ts'
import type { Cell, Cells, ColumnPrior } from './parse-line.ts'

/** A line with what it says. */
export interface ReadLine {
  line: Line
  results: Cells[]
  prior: ColumnPrior
  isHeader: boolean
  isRepeated: boolean
  hasHeader: boolean
  /** How far right a name may reach before the next column begins; infinite where nothing says it. */
  nameLimit: number
  /** A title standing alone, such as `Your value`; what is under it is its cell. */
  isLabel: boolean
  /** As it reads if the label above it speaks of it. */
  labelled: Cells[] | null
  /** The title of its column as the unit, where that is one, such as `%`. */
  findTitleUnit(value: Cell): Word[] | null
}

/** What stands in the place of a range. */
export interface DraftRange {
  words: Word[]
  /** The same with the words beside it: `Male:` and others. */
  context: Word[]
}

/** A result whose cells were gathered from one or more lines. */
export interface DraftRow {
  page: number
  line: Line
  name: Word[]
  value: Word[]
  unit: Word[] | null
  /** Every stretch of text in the place of the range, the row's own first. */
  ranges: DraftRange[]
  flag: Word[] | null
  panel: { words: Word[]; page: number } | null
  score: number
}

interface PendingName {
  cells: Cells
  words: Word[]
  line: Line
  ranges: DraftRange[]
  /** What stands in the place of a range, with and without a label that says so. */
  labelled?: Cell
  bare?: Cell
}

interface Assembly {
  rows: DraftRow[]
  current: DraftRow | null
  pending: PendingName | null
  panel: { words: Word[]; page: number } | null
  /** Within notes and interpretations, where ranges and numbers abound that are no results. */
  isInNotes: boolean
}

/** Gathers results from lines in reading order: what stands on the line, and under it. */
export function assembleRows(lines: readonly ReadLine[]): DraftRow[] {
  const assembly: Assembly = {
    rows: [],
    current: null,
    pending: null,
    panel: null,
    isInNotes: false,
  }
  lines.forEach((original, at) => {
    if (original.isLabel) return
    const hasOpenName = assembly.pending !== null || assembly.current !== null
    const read =
      original.labelled && hasOpenName ? { ...original, results: original.labelled } : original
    const text = textOf(read.line.words)
    if (startsNotes(text)) assembly.isInNotes = true
    if (isContact(text) || (isProse(text) && !read.results.some(isTold))) return
    if (read.isHeader) {
      closePending(assembly, lines, at)
      assembly.current = null
      assembly.isInNotes = false
      return
    }
    const needed = assembly.isInNotes ? 3.5 : 2
    const accepted = read.results.filter((cells) => weighResult(cells, read, lines, at) >= needed)
    if (accepted.length > 0) {
      assembly.isInNotes = false
      for (const cells of accepted) addRow(assembly, cells, read, lines, at)
    } else if (!original.isRepeated)
      for (const cells of read.results) addPart(assembly, cells, read, lines, at)
  })
  return assembly.rows
}

function textOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ')
}

/** Whether a line of many words says what it is about: by a label, or by all that a result has. */
function isTold({ value, unit, range }: Cells): boolean {
  return Boolean(range?.isLabelled || value?.isLabelled || (value && unit && range))
}

/** Evidence that a name and a value on one line are a result: from the table, the unit, the range and the name. */
function weighResult(cells: Cells, read: ReadLine, lines: readonly ReadLine[], at: number): number {
  const { name, value } = cells
  if (!name || !value) return 0
  const text = textOf(name.words).replace(/\s*:$/, '')
  const analyte = scoreName(text)
  if (isVitalSign(text) || isAdministrative(text)) return 0
  if (isCategory(text) && analyte < 0.6) return 0
  let score = read.prior('value', value.left, value.right)
  score += Math.max(-1, Math.min(0.5, read.prior('name', name.left, name.right) / 2))
  if (cells.unit) score += 1
  if (cells.range) {
    const isRange = cells.range.content >= 1.5 || isQualitative(textOf(cells.range.words))
    score += isRange ? 1.2 : 0.5
  }
  if (cells.flag) score += 0.5
  score += analyte >= 0.6 ? 1.3 : 0
  const next = lines[at + 1]?.results[0]
  if (next?.range && !next.value && !next.name) score += 1
  // An age, not a result.
  if (
    cells.unit &&
    /^(?:years?|yrs?|a[nñ]os|ans|jahren?|anni|jaar),?$/i.test(textOf(cells.unit.words))
  )
    return 0
  // A dose, not a concentration.
  if (
    cells.unit &&
    !read.hasHeader &&
    !cells.range &&
    /^(?:mg|g|mcg|ml|iu)$/i.test(textOf(cells.unit.words))
  )
    score -= 1
  if (isSpecimen(text) && value.content < 2) return 0
  if (value.content < 1.2) {
    // Words that are no known result are one only in the column of results, or after the name of an analyte.
    if (analyte < 0.6 && read.prior('value', value.left, value.right) < 1.2) return 0
    if (analyte < 0.6 && !cells.range && !cells.unit && !cells.flag) score -= 1.5
  }
  return score
}

function addRow(
  assembly: Assembly,
  cells: Cells,
  read: ReadLine,
  lines: readonly ReadLine[],
  at: number,
): void {
  const name = (cells.name as Cell).words
  let words = name
  const { pending } = assembly
  if (pending && isWrapped(pending.words, name, read, pending.line)) {
    words = [...pending.words, ...name]
    assembly.pending = null
  } else closePending(assembly, lines, at)
  const row: DraftRow = {
    page: read.line.page,
    line: read.line,
    name: words,
    value: (cells.value as Cell).words,
    unit: cells.unit?.words ?? read.findTitleUnit(cells.value as Cell),
    ranges: listRanges(cells),
    flag: cells.flag?.words ?? null,
    panel: assembly.panel,
    score: weighResult(cells, read, lines, at),
  }
  assembly.rows.push(row)
  assembly.current = row
}

/** The words of the range together with what stands unexplained beside it: labels such as `Male:`, a second range. */
function listRanges(cells: Cells): DraftRange[] {
  const { range } = cells
  if (!range) return []
  const all = [...cells.others, range].sort((a, b) => a.left - b.left)
  const at = all.indexOf(range)
  const height = range.words[0]?.box.height ?? 0
  let from = at
  let to = at
  while (from > 0 && isBeside(all[from - 1] as Cell, all[from] as Cell, height)) from--
  while (to < all.length - 1 && isBeside(all[to] as Cell, all[to + 1] as Cell, height)) to++
  return [{ words: range.words, context: all.slice(from, to + 1).flatMap((cell) => cell.words) }]
}

function isBeside(left: Cell, right: Cell, height: number): boolean {
  return right.left - left.right < height * (/:$/.test(textOf(left.words)) ? 3 : 1.2)
}

function addPart(
  assembly: Assembly,
  cells: Cells,
  read: ReadLine,
  lines: readonly ReadLine[],
  at: number,
): void {
  const { name, value, range, unit } = cells
  if (name && value) {
    // A name and a value that are no result: a comment such as `Prediabetes: 5.7 - 6.4`, a fact of the head.
    if (!read.hasHeader) closePending(assembly, lines, at)
    return
  }
  if (name && !isNoise(textOf(name.words))) addName(assembly, cells, read, lines, at)
  else if (value) addValue(assembly, cells, read)
  else if (range || unit || cells.flag) addRange(assembly, cells, read)
}

function isNoise(text: string): boolean {
  return isProse(text) || isAdministrative(text) || isCategory(text)
}

function addName(
  assembly: Assembly,
  cells: Cells,
  read: ReadLine,
  lines: readonly ReadLine[],
  at: number,
): void {
  const { words } = cells.name as Cell
  const { current, pending } = assembly
  if (pending && isWrapped(pending.words, words, read, pending.line)) {
    pending.words.push(...words)
    pending.line = read.line
    return
  }
  if (current && !pending && isWrapped(current.name, words, read, current.line)) {
    current.name.push(...words)
    current.line = read.line
    if (cells.range) current.ranges.push(...listRanges(cells))
    return
  }
  if (isMethodOrNote(textOf(words))) return
  closePending(assembly, lines, at)
  if (cells.range && current && read.prior('name', (cells.name as Cell).left, 0) <= 0) return
  assembly.pending = { cells, words: [...words], line: read.line, ranges: listRanges(cells) }
}

/** Whether a name goes on in the line under it: it is open, or the next word did not fit beside it. */
function isWrapped(
  above: readonly Word[],
  below: readonly Word[],
  read: ReadLine,
  lineAbove: Line,
): boolean {
  const last = above[above.length - 1] as Word
  const first = below[0] as Word
  const distance = read.line.box.y - lineAbove.box.y
  if (read.line.page !== lineAbove.page || distance > lineAbove.height * 2.2 || distance <= 0)
    return false
  const start = above[0] as Word
  if (Math.abs(first.box.x - start.box.x) > read.line.height * 1.6) return false
  if (Math.abs(first.fontSize - start.fontSize) > start.fontSize * 0.08) return false
  const text = textOf(above)
  const isOpen =
    (text.match(/[([]/g)?.length ?? 0) > (text.match(/[)\]]/g)?.length ?? 0) || /[,/&-]$/.test(text)
  if (isOpen) return true
  const added = textOf(below)
  if (isMethodOrNote(added) && !/^\([A-Z0-9-]{2,8}\)$/.test(added)) return false
  if (start.isBold !== first.isBold || (isUpper(text) && !isUpper(added))) return false
  const separate = Math.max(scoreName(text), scoreName(added))
  const joined = scoreName(`${text} ${added}`)
  const isTail = scoreName(added) < 0.6 && below.length <= 2
  if (joined >= 0.95 && (separate < 0.95 || isTail)) return true
  if (joined < 0.95 && (separate >= 0.95 || namesPanel(added) || namesPanel(text))) return false
  const right = last.box.x + last.box.width
  const fits = right + first.box.width + first.box.height * 0.8 < read.nameLimit
  return !fits && read.nameLimit !== Number.POSITIVE_INFINITY
}

function isUpper(text: string): boolean {
  return text === text.toUpperCase() && /\p{L}{3}/u.test(text)
}

/** A name without a value is a heading of what follows, if it looks like one. */
function closePending(assembly: Assembly, lines: readonly ReadLine[], at: number): void {
  const { pending } = assembly
  assembly.pending = null
  if (!pending || lines[at] === undefined) return
  const text = textOf(pending.words)
  if (isMethodOrNote(text) || isNoise(text)) return
  if (!looksLikeHeading(pending, assembly.current)) return
  assembly.panel = { words: pending.words, page: pending.line.page }
}

function looksLikeHeading(pending: PendingName, above: DraftRow | null): boolean {
  const text = textOf(pending.words)
  const first = pending.words[0] as Word
  if (namesPanel(text)) return true
  if (!above) return pending.words.length <= 8
  const name = above.name[0] as Word
  if (first.fontSize < name.fontSize * 0.93) return false
  return (
    (first.isBold && !name.isBold) ||
    first.fontSize > name.fontSize * 1.05 ||
    (isUpper(text) && !isUpper(textOf(above.name))) ||
    first.box.x < name.box.x - name.box.height * 0.4 ||
    pending.line.box.y - above.line.box.y > above.line.height * 2.6
  )
}

function addValue(assembly: Assembly, cells: Cells, read: ReadLine): void {
  const { pending, current } = assembly
  const value = cells.value as Cell
  if (!pending) {
    if (current && cells.range && current.ranges.length === 0)
      current.ranges.push(...listRanges(cells))
    return
  }
  const distance = read.line.box.y - pending.line.box.y
  if (read.line.page !== pending.line.page || distance > read.line.height * 14) return
  const numbers = pending.bare ? [] : read.line.words.filter((word) => isNumericValue(word.text))
  if (numbers.length > 1 && isEndsOfRange(numbers, pending)) return
  const name = textOf(pending.words)
  const supports = pending.ranges.length > 0 || cells.unit || cells.range || pending.cells.unit
  if (scoreName(name) < 0.6 && !supports) return
  if (isQualitative(name)) return
  assembly.pending = null
  const row: DraftRow = {
    page: read.line.page,
    line: read.line,
    name: pending.words,
    value: value.words,
    unit: cells.unit?.words ?? pending.cells.unit?.words ?? null,
    ranges: [...pending.ranges, ...listRanges(cells)],
    flag: cells.flag?.words ?? pending.cells.flag?.words ?? null,
    panel: assembly.panel,
    score: 3,
  }
  assembly.rows.push(row)
  assembly.current = row
}

/** The ends of the interval, drawn on a scale. */
function isEndsOfRange(numbers: readonly Word[], pending: PendingName): boolean {
  const printed = textOf(pending.ranges.flatMap((range) => range.words))
  return numbers.every((word) => printed.split(/[^\d.,]+/).includes(word.text))
}

function addRange(assembly: Assembly, cells: Cells, read: ReadLine): void {
  const { pending, current } = assembly
  if (pending) {
    if (read.line.page !== pending.line.page) return
    const { range } = cells
    const isLabelled = range?.isLabelled || read.labelled !== null
    // A result such as `0-5` beside the interval that a label names.
    if (range && !isLabelled && pending.labelled) {
      addValue(assembly, { ...cells, range: undefined, value: range }, read)
      return
    }
    if (range && isLabelled && pending.bare) {
      const { bare } = pending
      pending.ranges = listRanges(cells)
      addValue(assembly, { others: [], value: bare, unit: cells.unit }, read)
      return
    }
    if (range) pending[isLabelled ? 'labelled' : 'bare'] = range
    pending.ranges.push(...listRanges(cells))
    if (cells.unit) pending.cells.unit = cells.unit
    if (cells.flag && !pending.cells.flag) pending.cells.flag = cells.flag
    return
  }
  if (!current || read.line.page !== current.page) return
  if (read.line.box.y - current.line.box.y > current.line.height * 4) return
  if (cells.range) current.ranges.push(...listRanges(cells))
  if (cells.unit && !current.unit) current.unit = cells.unit.words
  if (cells.flag && !current.flag && read.labelled) current.flag = cells.flag.words
  current.line = read.line
}
