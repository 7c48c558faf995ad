import { QUALITATIVE_VALUES, TRUTH_WORDS } from '../language/words.ts'
import type { ResultType } from '../report.ts'
import {
  type NumberStyle,
  readNumber,
  repairDigits,
  toPlainSigns,
  UNSIGNED_NUMBER,
} from './number.ts'

export type Comparator = '<' | '>' | '<=' | '>='

/** What a printed value is (docs/contract/16-lab-report-parsing.md#objects). */
export interface Value {
  type: ResultType
  /**
   * The number that is printed, that of a comparator included; null where there is none or more
   * than one.
   */
  number: number | null
  comparator: Comparator | null
  /** Both ends of a value such as `3-7`. */
  bounds: { low: number; high: number } | null
}

const NUMBER = String.raw`[-+]?${UNSIGNED_NUMBER}`
const COMPARED = new RegExp(String.raw`^(<=|>=|<|>)\s*(${NUMBER})\s*(%?)$`)
const FROM_TO = new RegExp(String.raw`^(${NUMBER})\s*(?:-|to|bis|à|~)\s*(${UNSIGNED_NUMBER})$`, 'i')
const PERCENTAGE = new RegExp(String.raw`^(${NUMBER})\s*%$`)
const RATIO = new RegExp(String.raw`^${UNSIGNED_NUMBER}\s*\/\s*${UNSIGNED_NUMBER}$`)
const DURATION = new RegExp(
  String.raw`^(${UNSIGNED_NUMBER})\s*(?:h|hrs?|hours?|std|stunden?|horas?|heures?|ore|uur|min|mins|minutes?|minuten?|minutos?|minuti|s|secs?|seconds?|sek|sekunden?|segundos?|seg|secondi|sec|ms|days?|d[ií]as?|tage?|jours?|dias)\.?$`,
  'i',
)
// 1:80 is a titer, so a clock form has hours or more than one minute.
const CLOCK = /^(?!1:)\d{1,2}:[0-5]\d(?::[0-5]\d)?$/
const TITER = /^(?:<|>|<=|>=)?\s*1\s*:\s*\d+$/
/** `1+`, `+++`, `3 +`, `(+)`, `+/-` of test strips. */
const PLUSES = /^(?:[1-4]\s?\+|\(?\+{1,4}\)?|\+\/-|-ve|\+ve)$/i
const BLOOD_GROUP = /^(?:A|B|AB|O)\s?(?:\d\s?)?(?:\+|-|pos(?:itive)?|neg(?:ative)?|rh.*)?$/i

/**
 * Reads the shape of a value and its number, as the contract infers it from the text; null for an
 * empty text or one of signs only.
 */
export function readValue(text: string, style: NumberStyle = {}): Value | null {
  const plain = repairDigits(toPlainSigns(text))
  if (!/[\p{L}\p{N}]/u.test(plain) && !PLUSES.test(plain)) return null
  const of = (type: ResultType, more: Partial<Value> = {}): Value => ({
    type,
    number: null,
    comparator: null,
    bounds: null,
    ...more,
  })
  if (TITER.test(plain)) return of('comment')
  const number = readNumber(plain, style)
  if (number !== null) return of('numeric', { number })
  const [, sign, bound = ''] = COMPARED.exec(plain) ?? []
  if (sign !== undefined) {
    const type = plain.endsWith('%') ? 'percentage' : 'range'
    return of(type, { comparator: sign as Comparator, number: readNumber(bound, style) })
  }
  const [, percent] = PERCENTAGE.exec(plain) ?? []
  if (percent !== undefined) return of('percentage', { number: readNumber(percent, style) })
  if (CLOCK.test(plain)) return of('duration')
  const [, from, to = ''] = FROM_TO.exec(plain) ?? []
  if (from !== undefined) {
    const low = readNumber(from, style)
    const high = readNumber(to, style)
    if (low !== null && high !== null && low <= high) return of('range', { bounds: { low, high } })
  }
  if (RATIO.test(plain)) return of('ratio')
  const [, time] = DURATION.exec(plain) ?? []
  if (time !== undefined) return of('duration', { number: readNumber(time, style) })
  if (TRUTH_WORDS.has(toWord(plain))) return of('boolean')
  return of(/\d\s*%/.test(plain) ? 'percentage' : 'comment')
}

/** Returns whether a text alone, without its column, is likely to be the value of a result. */
export function looksLikeValue(text: string): boolean {
  const plain = toPlainSigns(text)
  if (PLUSES.test(plain) || TITER.test(plain)) return true
  const value = readValue(plain)
  if (value === null) return false
  if (value.type !== 'comment') return true
  const word = toWord(plain)
  return (
    QUALITATIVE_VALUES.has(word) ||
    (/^(AB|[ABO])\s?(rh|pos|neg|\+|-)/i.test(plain) && BLOOD_GROUP.test(plain))
  )
}

const toWord = (plain: string): string =>
  plain
    .toLowerCase()
    .replace(/[-_]+/g, ' ')
    .replace(/[.,:;()[\]*!]+/g, '')
    .trim()
