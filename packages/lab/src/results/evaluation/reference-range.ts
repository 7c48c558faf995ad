import type { Range } from '@salus/lab-report-parser/values'

const NUMBER = String.raw`-?(?:\d+(?:\.\d*)?|\.\d+)`
const ONE_BOUND = new RegExp(String.raw`^([<>])\s*(or\s*=|=)?\s*(${NUMBER})$`, 'i')
const TWO_BOUNDS = new RegExp(String.raw`^(${NUMBER})\s*-\s*(${NUMBER})$`)
const ONE_NUMBER = new RegExp(`^${NUMBER}$`)

/** Typographic signs and their ASCII forms. */
const PLAIN_SIGNS: readonly [RegExp, string][] = [
  [/\u2264/g, '<='],
  [/\u2265/g, '>='],
  // Hyphens, dashes and the minus sign
  [/[\u2010-\u2015\u2212]/g, '-'],
]

function toPlainText(text: string): string {
  return PLAIN_SIGNS.reduce((plain, [sign, word]) => plain.replace(sign, word), text).trim()
}

/**
 * Parses a range as laboratories send it: `<5`, `<=10.5`, `< OR = 9.9`, `>3`, `>=7.25`, `1-10`
 * (docs/contract/13-results.md#reference-ranges). Returns null for anything else, also for bounds
 * in the wrong order. Printed reports have many more forms, which values/reference-range.ts of the
 * report parser reads.
 */
export function parseRange(text: string | null): Range | null {
  if (text === null) return null
  const plain = toPlainText(text)
  const [, sign, equal, bound] = ONE_BOUND.exec(plain) ?? []
  if (sign !== undefined) {
    const isInclusive = equal !== undefined
    const open = { low: null, high: null, isLowInclusive: false, isHighInclusive: false }
    return sign === '<'
      ? { ...open, high: Number(bound), isHighInclusive: isInclusive }
      : { ...open, low: Number(bound), isLowInclusive: isInclusive }
  }
  const [, low, high] = TWO_BOUNDS.exec(plain) ?? []
  if (low === undefined || Number(low) > Number(high)) return null
  return { low: Number(low), high: Number(high), isLowInclusive: true, isHighInclusive: true }
}

/** Returns the value of a result as a range; a number is a range of one point. */
export function rangeOfValue(type: string, text: string): Range | null {
  if (type === 'range') return parseRange(text)
  const plain = toPlainText(text)
  if (type !== 'numeric' || !ONE_NUMBER.test(plain)) return null
  const value = Number(plain)
  return { low: value, high: value, isLowInclusive: true, isHighInclusive: true }
}
