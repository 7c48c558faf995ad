/** Numbers between two bounds; a bound that is null is open. */
export interface Range {
  low: number | null
  high: number | null
  isLowInclusive: boolean
  isHighInclusive: boolean
}

/** Where a value lies; null where it cannot be told. */
export interface Position {
  isAboveMax: boolean | null
  isBelowMin: boolean | null
}

const NUMBER = String.raw`-?(?:\d+(?:\.\d*)?|\.\d+)`
const ONE_BOUND = new RegExp(String.raw`^([<>])\s*(or\s*=|=)?\s*(${NUMBER})$`, 'i')
const TWO_BOUNDS = new RegExp(String.raw`^(${NUMBER})\s*-\s*(${NUMBER})$`)
const ONE_NUMBER = new RegExp(`^${NUMBER}$`)

/** Signs that people write where a machine would write ASCII. */
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
 * Reads a range as laboratories print it: `<5`, `<=10.5`, `< OR = 9.9`, `>3`, `>=7.25`, `1-10`
 * (docs/contract/13-results.md#reference-ranges). Null for anything else, also for bounds that are
 * the wrong way round.
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

/** What a result says of its value, as a range: a number is a range of one point. */
export function rangeOfValue(type: string, text: string): Range | null {
  if (type === 'range') return parseRange(text)
  const plain = toPlainText(text)
  if (type !== 'numeric' || !ONE_NUMBER.test(plain)) return null
  const value = Number(plain)
  return { low: value, high: value, isLowInclusive: true, isHighInclusive: true }
}

/**
 * Where a value lies against a reference range. Of `<5` only a part may be known: it is not above a
 * maximum of 10, but whether it is below a minimum of 1 cannot be told.
 */
export function positionOf(value: Range, reference: Range): Position {
  return {
    isAboveMax: isAbove(value, reference),
    isBelowMin: isAbove(turn(value), turn(reference)),
  }
}

/** The range seen in a mirror, in which below is above. */
function turn(range: Range): Range {
  return {
    low: range.high === null ? null : -range.high,
    high: range.low === null ? null : -range.low,
    isLowInclusive: range.isHighInclusive,
    isHighInclusive: range.isLowInclusive,
  }
}

function isAbove(value: Range, { high, isHighInclusive }: Range): boolean | null {
  if (high === null) return null
  const isBoundOfBoth = value.isLowInclusive && isHighInclusive
  if (value.low !== null && (value.low > high || (value.low === high && !isBoundOfBoth)))
    return true
  const mayTouch = isHighInclusive || !value.isHighInclusive
  const isWithin = value.high !== null && (value.high < high || (value.high === high && mayTouch))
  return isWithin ? false : null
}
