import { NEGATIVE_WORDS, POSITIVE_WORDS, toPlainWords } from '../language/words.ts'
import type { Interpretation } from '../report.ts'
import { readFlag } from './flag.ts'
import { type Position, positionOf, type Range } from './range-position.ts'
import type { Value } from './value.ts'

/**
 * Returns the position of a value against its interval. Comparators count only if all values that
 * they allow are on one side.
 */
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
 * Returns the interpretation of a result: that of its printed flag; without one, by its position in
 * the printed interval, in numbers or words (docs/contract/16-lab-report-parsing.md#objects). With
 * an unreadable flag a value within the interval is unknown rather than normal.
 */
export function interpretResult(printed: {
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

/** `Positive` where `Negative` is expected is abnormal, `3+` too; the same words are normal. */
function compareWords(value: string, range: string | null): Interpretation {
  if (range === null) return 'unknown'
  const titer = compareTiters(value, range)
  if (titer !== null) return titer
  const found = toGrade(value)
  // `None - Few`, `Negative or trace`: what is expected at most.
  const whole = toGrade(range)
  const expected =
    whole === null
      ? range.split(/\s(?:-|–|to|or|\/)\s|(?<=\p{L})[-–/](?=\p{L})/u).map(toGrade)
      : [whole]
  const known = expected.filter((grade) => grade !== null)
  if (found !== null && known.length === expected.length)
    return found > Math.max(...known) ? 'abnormal' : 'normal'
  return toPlainWords(value) === toPlainWords(range) ? 'normal' : 'unknown'
}

/** Amounts of a finding in the words of test strips and smears; null for other words. */
const GRADES: readonly [RegExp, number][] = [
  [/^(?:trace|traces|tr|\+\/-|±|\(\+\)|spuren?|trazas|tracos|tracce|spoor|sporen|vestigios)$/, 0.5],
  [/^(?:1\s?\+|\+|\+1|small|few|rare|occasional|scant|scanty|mild|weak(?:ly)? positive)$/, 1],
  [/^(?:2\s?\+|\+\s?\+|\+2|moderate)$/, 2],
  [/^(?:3\s?\+|\+\s?\+\s?\+|\+3|large|many|abundant|numerous)$/, 3],
  [/^(?:4\s?\+|\+\s?\+\s?\+\s?\+|\+4|tntc|packed)$/, 4],
]

function toGrade(text: string): number | null {
  const plain = toPlainWords(text)
    .replace(/[.,:;[\]]+/g, '')
    .trim()
  const [, grade] = GRADES.find(([words]) => words.test(plain)) ?? []
  if (grade !== undefined) return grade
  if (plain === '-ve') return 0
  const side = plain === '+ve' ? 'positive' : toSide(text)
  if (side === null) return null
  return side === 'positive' ? 1 : 0
}

/** `1:80` where `<1:40` is expected is abnormal, and where `Negative` is. */
function compareTiters(value: string, range: string): Interpretation | null {
  const TITER = /^\s*(<=|>=|<|>|≤|≥)?\s*1\s*:\s*(\d+)\s*$/
  const [, sign = '', dilution] = TITER.exec(value) ?? []
  if (dilution === undefined) return null
  if (toSide(range) === 'negative') return sign.startsWith('<') ? 'normal' : 'abnormal'
  const [, bound = '', limit] = TITER.exec(range) ?? []
  if (limit === undefined || !/^[<≤]/.test(bound)) return 'unknown'
  const [found, most] = [Number(dilution), Number(limit)]
  const isBelow = found < most || (found === most && (bound !== '<' || sign === '<'))
  if (/^[>≥]/.test(sign)) return found >= most ? 'abnormal' : 'unknown'
  if (isBelow) return 'normal'
  return /^[<≤]/.test(sign) ? 'unknown' : 'abnormal'
}

function toSide(text: string): 'positive' | 'negative' | null {
  const word = toPlainWords(text)
    .replace(/[-_]+/g, ' ')
    .replace(/[.,:;()[\]]+/g, '')
    .trim()
  if (NEGATIVE_WORDS.has(word)) return 'negative'
  return POSITIVE_WORDS.has(word) ? 'positive' : null
}
