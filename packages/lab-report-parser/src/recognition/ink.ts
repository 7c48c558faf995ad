import { type LineImage, lineHeight } from './crop-line.ts'

/** Columns of a line image, from `start` up to but without `end`. */
export interface Span {
  start: number
  end: number
}

/** Text of a line, by its difference from the background, which covers most of the line. */
export interface Ink {
  columns: readonly boolean[]
  /** Mean colour of the text between two columns, `#rrggbb`; null where there is none. */
  findColor(span: Span): string | null
}

export function measureInk(line: LineImage): Ink {
  const grey = new Uint8Array(line.width * lineHeight)
  for (let index = 0; index < grey.length; index++) {
    const pixel = index * 3
    grey[index] = (line.data[pixel]! * 2 + line.data[pixel + 1]! * 5 + line.data[pixel + 2]!) >> 3
  }
  const sorted = grey.toSorted()
  const background = sorted[Math.floor(sorted.length * 0.6)]!
  const darkest = sorted[Math.floor(sorted.length * 0.02)]!
  const lightest = sorted[Math.floor(sorted.length * 0.98)]!
  const contrast = Math.max(background - darkest, lightest - background)
  const sign = background - darkest >= lightest - background ? 1 : -1
  const strength = (x: number, y: number) =>
    (sign * (background - grey[y * line.width + x]!)) / Math.max(1, contrast)
  const columns = Array.from({ length: line.width }, (_, x) => {
    // The border of the picture may hold the rule of a table, or the foot of the line above.
    for (let y = 5; y < lineHeight - 5; y++) if (strength(x, y) > 0.4) return true
    return false
  })
  const findColor = (span: Span) => {
    const sum = [0, 0, 0]
    let count = 0
    for (let y = 5; y < lineHeight - 5; y++) {
      for (let x = Math.max(0, span.start); x < Math.min(line.width, span.end); x++) {
        if (strength(x, y) < 0.75) continue
        count++
        const pixel = (y * line.width + x) * 3
        for (let channel = 0; channel < 3; channel++) sum[channel]! += line.data[pixel + channel]!
      }
    }
    if (count === 0) return null
    return `#${sum
      .map((value) =>
        Math.round(value / count)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')}`
  }
  return { columns, findColor }
}

/** Returns the longest run of columns without ink between two places. */
export function findWidestGap(ink: Ink, from: number, to: number): Span | undefined {
  const first = Math.max(0, Math.round(Math.min(from, to)))
  const last = Math.min(ink.columns.length, Math.round(Math.max(from, to)))
  let best: Span | undefined
  for (let x = first; x < last; x++) {
    if (ink.columns[x]) continue
    const start = x
    while (x < last && !ink.columns[x]) x++
    if (!best || x - start > best.end - best.start) best = { start, end: x }
  }
  return best
}
