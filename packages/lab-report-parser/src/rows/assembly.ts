import type { Line } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import { textOf } from './cell-words.ts'
import type { Cell, Cells } from './cells.ts'
import type { DraftRange, DraftRow } from './draft.ts'

/** A name whose value is not read yet. */
export interface PendingName {
  cells: Cells
  words: Word[]
  line: Line
  ranges: DraftRange[]
  /** What stands in the place of a range, with and without a label that says so. */
  labelled?: Cell
  bare?: Cell
}

/** What was gathered so far from lines in reading order. */
export interface Assembly {
  rows: DraftRow[]
  current: DraftRow | null
  pending: PendingName | null
  panel: { words: Word[]; page: number } | null
  /** Within notes and interpretations, where ranges and numbers abound that are no results. */
  isInNotes: boolean
  /** The last line of a legend that goes on. */
  legend: Line | null
}

/**
 * Returns the words of the range together with what stands unexplained beside it: labels such as
 * `Male:`, a second range.
 */
export function listRanges(cells: Cells): DraftRange[] {
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
