import type { Line } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import { textOf } from './cell-words.ts'
import { scoreName } from './content.ts'
import type { ReadLine } from './draft.ts'
import { isMethodOrNote, namesPanel } from './line-kinds.ts'

/**
 * Returns whether a name goes on in the line under it: it is open, or the next word did not fit
 * beside it.
 */
export function isWrapped(
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

/** Letters of a heading. */
export function isUpper(text: string): boolean {
  return text === text.toUpperCase() && /\p{L}{3}/u.test(text)
}
