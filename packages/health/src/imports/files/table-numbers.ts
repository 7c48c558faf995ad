const CELL = /^[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?$/
const PLAIN = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/
const GROUPED = {
  '.': /^[+-]?\d{1,3}(?:[,' \u00a0\u202f]\d{3})+(?:\.\d*)?$/,
  ',': /^[+-]?\d{1,3}(?:[.' \u00a0\u202f]\d{3})+(?:,\d*)?$/,
} as const

/**
 * Reads the number of a cell, with a point or a comma before its decimals: null for an empty cell,
 * NaN for any other text, such as a formula.
 */
export function readCell(text: string): number | null {
  if (text === '') return null
  return CELL.test(text) ? Number(text.replace(',', '.')) : Number.NaN
}

/**
 * Reads a number whose only separator, a point or a comma, is the decimal one; NaN for any other
 * text, such as a formula, an exponent or an empty cell.
 */
export function readDecimal(text: string): number {
  const trimmed = text.trim()
  return PLAIN.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN
}

/**
 * Reads a number with the given decimal separator, with or without separators of thousands; NaN for
 * any other text.
 */
export function readNumber(text: string, decimal: '.' | ','): number {
  const trimmed = text.trim()
  const other = decimal === '.' ? ',' : '.'
  if (GROUPED[decimal].test(trimmed)) {
    return Number(
      trimmed
        .replace(/[' \u00a0\u202f]/g, '')
        .replaceAll(other, '')
        .replace(',', '.'),
    )
  }
  if (trimmed.includes(other)) return Number.NaN
  return readDecimal(trimmed)
}
