import { type Line, uniteBoxes } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import { looksLikeUnit } from '../values/unit.ts'
import { textOf } from './cell-words.ts'
import type { Cell, Cells } from './cells.ts'
import { isReferenceLine, startsLegend } from './choose-range.ts'
import { isCutUnit, isNumericValue, isQualitative, scoreName, scoreRange } from './content.ts'
import type { DraftRange, DraftRow, ReadLine } from './draft.ts'
import {
  isAdministrative,
  isCategory,
  isContact,
  isDayUrineHeading,
  isKey,
  isMethodOrNote,
  isProse,
  isRunningText,
  namesPanel,
  startsNotes,
} from './line-kinds.ts'
import { weighResult } from './weigh-result.ts'
import { isUpper, isWrapped } from './wrapped-name.ts'

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
  /** The last line of a legend that goes on. */
  legend: Line | null
}

/** Gathers results from lines in reading order: what stands on the line, and under it. */
export function assembleRows(lines: readonly ReadLine[]): DraftRow[] {
  const assembly: Assembly = {
    rows: [],
    current: null,
    pending: null,
    panel: null,
    isInNotes: false,
    legend: null,
  }
  lines.forEach((original, at) => {
    if (original.isLabel || original.isApart) return
    const hasOpenName = assembly.pending !== null || assembly.current !== null
    const read =
      original.labelled && hasOpenName ? { ...original, results: original.labelled } : original
    const text = textOf(read.line.words)
    if (startsNotes(text)) assembly.isInNotes = true
    const isText = isProse(text) || (assembly.isInNotes && isRunningText(read.line))
    if (isContact(text) || isKey(text) || (isText && !read.results.some(saysItself))) return
    if (skipLegend(assembly, read)) return
    if (read.hasMethodLines && /^\(.*\)$/.test(text)) return
    completeUnit(assembly.current, read.line)
    if (read.isHeader) {
      closePending(assembly, lines, at)
      assembly.current = null
      assembly.isInNotes = false
      return
    }
    if (isDayUrineHeading(text)) {
      closePending(assembly, lines, at)
      assembly.current = null
      assembly.panel = { words: read.line.words, page: read.line.page }
      return
    }
    const isLabelled = original.isLabel || read.results.some(({ range }) => range?.isLabelled)
    if (!isLabelled && isReferenceLine(read.line)) {
      addReference(assembly, read.line)
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

/** Whether a line belongs to a table of what values mean: from its head to the next gap or the head of a table of results. */
function skipLegend(assembly: Assembly, read: ReadLine): boolean {
  const { line } = read
  const above = assembly.legend
  assembly.legend = null
  if (read.isHeader && !startsLegend(line)) return false
  const isNext =
    above?.page === line.page &&
    line.box.y - above.box.y < Math.max(above.height, line.height) * 2.2 &&
    line.words.some(({ text }) => scoreRange(text) >= 0.9)
  if (!isNext && !startsLegend(line)) return false
  assembly.legend = line
  assembly.pending = null
  assembly.current = null
  return true
}

/** A line that is only about intervals belongs to the result that it follows, or whose value it stands before. */
function addReference({ current, pending }: Assembly, line: Line): void {
  const owner = pending ?? current
  if (!owner || owner.line.page !== line.page) return
  if (line.box.y - owner.line.box.y > line.height * 3) return
  // `Negative` is held against no numbers.
  if (owner === current && !/\d/.test(textOf(current.value))) return
  owner.ranges.push({ words: line.words, context: line.words })
  if (owner === current) owner.line = line
}

/** The end of a unit that was cut for want of room and stands under its beginning: `cells/cum` over `m`. */
function completeUnit(current: DraftRow | null, line: Line): void {
  const [start, ...more] = current?.unit ?? []
  if (!current || !start || more.length > 0 || line.page !== current.page) return
  const distance = line.box.y - current.line.box.y
  if (distance <= 0 || distance > current.line.height * 2.2 || !isCutUnit(start.text)) return
  const end = line.words.find((word) => Math.abs(word.box.x - start.box.x) < word.box.height)
  const text = `${start.text}${end?.text}`
  if (end && end.text.length <= 3 && looksLikeUnit(text))
    current.unit = [{ ...start, text, box: uniteBoxes([start.box, end.box]) }]
}

/** Whether a line of many words says what it is about: by a label, or by all that a result has. */
function saysItself({ value, unit, range }: Cells): boolean {
  return Boolean(
    range?.isLabelled || value?.isLabelled || (value && value.content >= 2 && unit && range),
  )
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
  if (cells.flag && !current.flag && (read.labelled || cells.flag.isLabelled))
    current.flag = cells.flag.words
  current.line = read.line
}
