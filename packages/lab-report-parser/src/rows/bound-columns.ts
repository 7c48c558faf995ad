import type { Line } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import { isNumericValue, plainText } from './content.ts'

/** Middles of the two columns that hold the bounds of a reference range. */
export interface BoundColumns {
  low: number
  high: number
}

const LOW =
  /^(?:low|lower|bajo|baixo|basso|bas|untere|unterer|niedrig|laag|von|min|minimum|minimo|minima|minimal|minimale|mini|lower limit|low limit|ref low|lower bound|untergrenze|unterer grenzwert|limite inferior|limite inferiore|limite inferieure|ondergrens|from)$/
const HIGH =
  /^(?:high|upper|alto|haut|obere|oberer|hoch|hoog|bis|max|maximum|maximo|maxima|maximal|maximale|massimo|maxi|upper limit|high limit|ref high|upper bound|obergrenze|oberer grenzwert|limite superior|limite superiore|limite superieure|bovengrens|to)$/

/** Where a header says `Min` and, to the right of it, `Max`; null where it does not. */
export function findBoundColumns(headerLines: readonly Line[]): BoundColumns | null {
  for (const { words } of headerLines) {
    const low = findTitle(words, LOW)
    const high = findTitle(words, HIGH)
    if (low !== null && high !== null && low < high) return { low, high }
  }
  return null
}

function findTitle(words: readonly Word[], pattern: RegExp): number | null {
  for (let at = 0; at < words.length; at++) {
    for (const count of [2, 1]) {
      const taken = words.slice(at, at + count)
      const title = plainText(taken.map((word) => word.text).join(' ')).replace(/\.$/, '')
      const last = taken[count - 1]
      if (last && pattern.test(title))
        return ((taken[0] as Word).box.x + last.box.x + last.box.width) / 2
    }
  }
  return null
}

/**
 * Returns the line with its two bounds as one range, `4.0 - 5.5`; as it is where they are not both
 * there.
 */
export function joinBounds(line: Line, columns: BoundColumns): Line {
  const reach = (columns.high - columns.low) / 2
  const middle = ({ box }: Word): number => box.x + box.width / 2
  const at = line.words.findIndex((low, index) => {
    const high = line.words[index + 1]
    return (
      high !== undefined &&
      isNumericValue(low.text) &&
      isNumericValue(high.text) &&
      Math.abs(middle(low) - columns.low) < reach &&
      Math.abs(middle(high) - columns.high) < reach
    )
  })
  const [low, high] = line.words.slice(at, at + 2)
  if (at < 0 || !low || !high) return line
  // The first bound is stretched to the second, so that no gap parts them; together they stand
  // where they stood.
  const gap = Math.min(line.height * 0.2, (high.box.x - low.box.x) / 4)
  const stretched = { ...low, box: { ...low.box, width: high.box.x - low.box.x - 3 * gap } }
  const dash = { ...low, text: '-', box: { ...low.box, x: high.box.x - 2 * gap, width: gap } }
  return { ...line, words: line.words.toSpliced(at, 1, stretched, dash) }
}
