const NUMBER = /^[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?$/

/**
 * Reads the number of a cell, with a point or a comma before its decimals: null for an empty cell,
 * NaN for any other text, such as a formula.
 */
export function readCell(text: string): number | null {
  if (text === '') return null
  return NUMBER.test(text) ? Number(text.replace(',', '.')) : Number.NaN
}
