const LEVELS = '▁▂▃▄▅▆▇█'
const GAP = ' '

/**
 * Draws one character for each value, from the lowest block for the smallest to the highest for the
 * largest; a gap for a missing one. Equal values are in the middle.
 */
export function drawSparkline(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null)
  const least = Math.min(...known)
  const range = Math.max(...known) - least
  return values
    .map((value) => {
      if (value === null) return GAP
      const share = range === 0 ? 0.5 : (value - least) / range
      return LEVELS[Math.min(LEVELS.length - 1, Math.floor(share * LEVELS.length))]
    })
    .join('')
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/**
 * Draws a bar of at most `width` cells, in steps of an eighth of a cell; empty for a missing value.
 */
export function drawBar(value: number | null, greatest: number, width: number): string {
  if (value === null || !(greatest > 0) || !(value > 0)) return ''
  const eighths = Math.max(1, Math.round((value / greatest) * width * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]
}

/**
 * Joins neighbors, so that a long series fits into a line: each character is the mean of its part.
 */
export function shrinkSeries(values: readonly (number | null)[], most: number): (number | null)[] {
  if (values.length <= most) return [...values]
  return Array.from({ length: most }, (_, index) => {
    const from = Math.floor((index * values.length) / most)
    const to = Math.floor(((index + 1) * values.length) / most)
    const known = values.slice(from, to).filter((value) => value !== null)
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
  })
}
