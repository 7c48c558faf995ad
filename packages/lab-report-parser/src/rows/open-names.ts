import type { Word } from '../pages/page.ts'
import { type Assembly, listRanges, type PendingName } from './assembly.ts'
import { textOf } from './cell-words.ts'
import type { Cell, Cells } from './cells.ts'
import type { DraftRow, ReadLine } from './draft.ts'
import { isAdministrative, isCategory, isMethodOrNote, isProse, namesPanel } from './line-kinds.ts'
import { isUpper, isWrapped } from './wrapped-name.ts'

/** Takes a name that stands alone: the beginning of a result, the end of a name, or a heading. */
export function addName(
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
export function closePending(assembly: Assembly, lines: readonly ReadLine[], at: number): void {
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

/** Returns whether a text in the place of a name is none. */
export function isNoise(text: string): boolean {
  return isProse(text) || isAdministrative(text) || isCategory(text)
}
