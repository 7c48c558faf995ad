import type { Word } from '../pages/page.ts'
import { type Line, median, uniteBoxes } from './lines.ts'

/** The words of a line in stretches between wide gaps. */
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

/**
 * Where a second column of the page begins, if what begins there on several lines is what begins at the left margin,
 * too: names. Undefined for a page of one column, and for the columns of one table.
 */
export function findSecondColumn(
  lines: readonly Line[],
  isName: (text: string) => boolean,
): number | undefined {
  const left = Math.min(...lines.map((line) => line.box.x))
  const right = Math.max(...lines.map((line) => line.box.x + line.box.width))
  const starts: number[] = []
  for (const line of lines) {
    const [first, ...cells] = splitAtGaps(line, 1.5)
    if (!first || !isName(textOf(first))) continue
    for (const cell of cells) {
      const x = (cell[0] as Word).box.x
      const share = (x - left) / (right - left)
      if (share > 0.3 && share < 0.75 && isName(textOf(cell))) starts.push(x)
    }
  }
  const height = median(lines.map((line) => line.height))
  const aligned = (x: number): number[] => starts.filter((y) => Math.abs(x - y) < height * 0.6)
  const best = starts.reduce<number[]>((most, x) => {
    const same = aligned(x)
    return same.length > most.length ? same : most
  }, [])
  return best.length >= 2 ? Math.min(...best) : undefined
}

function textOf(words: readonly Word[]): string {
  return words.map((word) => word.text).join(' ')
}

/**
 * Lines of a page of two columns in reading order: within each band of the page what stands left of x, then what
 * stands right of it. A line that runs across x ends a band.
 */
export function orderColumns(lines: readonly Line[], x: number): Line[] {
  const ordered: Line[] = []
  let left: Line[] = []
  let right: Line[] = []
  const flush = (): void => {
    ordered.push(...left, ...right)
    left = []
    right = []
  }
  const pitch = median(lines.slice(1).map((line, at) => line.box.y - (lines[at] as Line).box.y))
  let above: Line | undefined
  for (const line of lines) {
    if (above && line.box.y - above.box.y > pitch * 1.45) flush()
    above = line
    const at = line.words.findIndex((word) => word.box.x > x - line.height * 0.6)
    const before = at < 0 ? line.words : line.words.slice(0, at)
    const after = at < 0 ? [] : line.words.slice(at)
    const end = before[before.length - 1]
    const gap = end && after[0] ? after[0].box.x - (end.box.x + end.box.width) : Infinity
    const crosses = end !== undefined && end.box.x + end.box.width > x
    if (crosses || gap < line.height * 0.6) {
      flush()
      ordered.push(line)
      continue
    }
    if (before.length > 0) left.push(takeWords(line, before))
    if (after.length > 0) right.push(takeWords(line, after))
  }
  flush()
  return ordered
}

function takeWords(line: Line, words: Word[]): Line {
  return { ...line, words, box: uniteBoxes(words.map((word) => word.box)) }
}
