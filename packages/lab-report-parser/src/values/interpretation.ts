import { NEGATIVE_WORDS, POSITIVE_WORDS, toPlainWords } from '../language/words.ts'
import type { Interpretation } from '../report.ts'
import { readFlag } from './flag.ts'
import { type Position, positionOf, type Range } from './range-position.ts'
import type { Value } from './value.ts'

/** Where a value lies against its interval. Comparators count only where all that they allow is on one side. */
export function findPosition(value: Value, reference: Range | null): Position {
  const range = toRange(value)
  if (range === null || reference === null) return { isAboveMax: null, isBelowMin: null }
  return positionOf(range, reference)
}

/** What a value says, as a range: a number is a range of one point. */
function toRange({ number, comparator, bounds }: Value): Range | null {
  if (bounds) return { ...bounds, isLowInclusive: true, isHighInclusive: true }
  if (number === null) return null
  const isUpper = comparator === '<' || comparator === '<='
  const isLower = comparator === '>' || comparator === '>='
  return {
    low: isUpper ? null : number,
    high: isLower ? null : number,
    isLowInclusive: comparator !== '>',
    isHighInclusive: comparator !== '<',
  }
}

/**
 * The interpretation of a result: that of its printed flag; without one, by its place in the printed interval, in
 * numbers or words (docs/contract/16-lab-report-parsing.md#objects). A flag that nobody can read makes a value within
 * the interval unknown rather than normal.
 */
export function interpret(printed: {
  flag: string | null
  value: string
  range: string | null
  position: Position
  reference: Range | null
}): Interpretation {
  const flag = printed.flag === null ? null : readFlag(printed.flag)
  if (flag) return flag.interpretation
  const { isAboveMax, isBelowMin } = printed.position
  if (isAboveMax || isBelowMin) return 'abnormal'
  const isWithin =
    printed.reference !== null &&
    (printed.reference.high === null || isAboveMax === false) &&
    (printed.reference.low === null || isBelowMin === false)
  if (isWithin) return printed.flag === null ? 'normal' : 'unknown'
  const compared = compareWords(printed.value, printed.range)
  return compared === 'normal' && printed.flag !== null ? 'unknown' : compared
}

/** `Positive` where `Negative` is expected is abnormal; the same words are normal. */
function compareWords(value: string, range: string | null): Interpretation {
  if (range === null) return 'unknown'
  const [found, expected] = [toSide(value), toSide(range)]
  if (found === null || expected === null) return 'unknown'
  return found === expected ? 'normal' : 'abnormal'
}

function toSide(text: string): 'positive' | 'negative' | null {
  const word = toPlainWords(text)
    .replace(/[-_]+/g, ' ')
    .replace(/[.,:;()[\]]+/g, '')
    .trim()
  if (NEGATIVE_WORDS.has(word)) return 'negative'
  return POSITIVE_WORDS.has(word) ? 'positive' : null
}
