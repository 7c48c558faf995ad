import { type Line, uniteBoxes } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import { looksLikeUnit } from '../values/unit.ts'
import { type Assembly, listRanges, type PendingName } from './assembly.ts'
import { textOf } from './cell-words.ts'
import type { Cell, Cells } from './cells.ts'
import { isCutUnit, isNumericValue, isQualitative, scoreName } from './content.ts'
import type { DraftRow, ReadLine } from './draft.ts'

/**
 * A line that is only about intervals belongs to the result that it follows, or whose value it
 * stands before.
 */
export function addReference({ current, pending }: Assembly, line: Line): void {
  const owner = pending ?? current
  if (!owner || owner.line.page !== line.page) return
  if (line.box.y - owner.line.box.y > line.height * 3) return
  // `Negative` is held against no numbers.
  if (owner === current && !/\d/.test(textOf(current.value))) return
  owner.ranges.push({ words: line.words, context: line.words })
  if (owner === current) owner.line = line
}

/**
 * The end of a unit that was cut for want of room and stands under its beginning: `cells/cum` over
 * `m`.
 */
export function completeUnit(current: DraftRow | null, line: Line): void {
  const [start, ...more] = current?.unit ?? []
  if (!current || !start || more.length > 0 || line.page !== current.page) return
  const distance = line.box.y - current.line.box.y
  if (distance <= 0 || distance > current.line.height * 2.2 || !isCutUnit(start.text)) return
  const end = line.words.find((word) => Math.abs(word.box.x - start.box.x) < word.box.height)
  const text = `${start.text}${end?.text}`
  if (end && end.text.length <= 3 && looksLikeUnit(text))
    current.unit = [{ ...start, text, box: uniteBoxes([start.box, end.box]) }]
}

/** Takes a value for the name that stands above it. */
export function addValue(assembly: Assembly, cells: Cells, read: ReadLine): void {
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

/** Returns whether numbers are the ends of the interval, drawn on a scale. */
function isEndsOfRange(numbers: readonly Word[], pending: PendingName): boolean {
  const printed = textOf(pending.ranges.flatMap((range) => range.words))
  return numbers.every((word) => printed.split(/[^\d.,]+/).includes(word.text))
}

/** Takes the interval, the unit or the flag of the result above it. */
export function addRange(assembly: Assembly, cells: Cells, read: ReadLine): void {
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
