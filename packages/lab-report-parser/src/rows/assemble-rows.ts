import { type Assembly, listRanges } from './assembly.ts'
import { textOf } from './cell-words.ts'
import type { Cell, Cells } from './cells.ts'
import { isReferenceLine, startsLegend } from './choose-range.ts'
import { addRange, addReference, addValue, completeUnit } from './complete-rows.ts'
import { scoreRange } from './content.ts'
import type { DraftRow, ReadLine } from './draft.ts'
import {
  isContact,
  isDayUrineHeading,
  isKey,
  isProse,
  isRunningText,
  startsNotes,
} from './line-kinds.ts'
import { addName, closePending, isNoise } from './open-names.ts'
import { weighResult } from './weigh-result.ts'
import { isWrapped } from './wrapped-name.ts'

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

/**
 * Returns whether a line belongs to a table of what values mean: from its head to the next gap or
 * the head of a table of results.
 */
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

/**
 * Returns whether a line of many words says what it is about: by a label, or by all that a result
 * has.
 */
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

function addPart(
  assembly: Assembly,
  cells: Cells,
  read: ReadLine,
  lines: readonly ReadLine[],
  at: number,
): void {
  const { name, value, range, unit } = cells
  if (name && value) {
    // A name and a value that are no result: a comment such as `Prediabetes: 5.7 - 6.4`, a fact of
    // the head.
    if (!read.hasHeader) closePending(assembly, lines, at)
    return
  }
  if (name && !isNoise(textOf(name.words))) addName(assembly, cells, read, lines, at)
  else if (value) addValue(assembly, cells, read)
  else if (range || unit || cells.flag) addRange(assembly, cells, read)
}
