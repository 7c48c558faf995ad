import type { ReferenceAnswer } from './reference/reference-query.ts'
import type { WireAnswer } from './reference/wire-query.ts'

const RELATIVE_ERROR = 1e-9
/** Sums that cancel out are near nothing, not nothing. */
const ABSOLUTE_ERROR = 1e-9

/** How an answer differs from the reference, in words, or undefined when it does not. */
export function findDifference(
  { table: expected, order }: ReferenceAnswer,
  actual: WireAnswer,
): string | undefined {
  const names = Object.keys(expected)
  const isNamedAlike = JSON.stringify(names) === JSON.stringify(Object.keys(actual))
  if (!isNamedAlike) return `columns ${Object.keys(actual)} instead of ${names}`
  for (const name of names) {
    const [wanted, found] = [expected[name]?.length, actual[name]?.length]
    if (wanted !== found) return `${found} rows in ${name} instead of ${wanted}`
  }
  return order === null
    ? findInOrder(names, expected, actual)
    : findInRuns(names, expected, actual, order)
}

function findInOrder(
  names: readonly string[],
  expected: WireAnswer,
  actual: WireAnswer,
): string | undefined {
  for (const name of names) {
    for (const [row, wanted] of (expected[name] as unknown[]).entries()) {
      const found = actual[name]?.[row]
      if (isAlike(name, wanted, found)) continue
      return `${name}[${row}] is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`
    }
  }
  return undefined
}

/** Rows of one index may come in any order, so each must be there as often as it should. */
function findInRuns(
  names: readonly string[],
  expected: WireAnswer,
  actual: WireAnswer,
  order: readonly number[],
): string | undefined {
  const rowOf = (table: WireAnswer, at: number) => names.map((name) => table[name]?.[at])
  for (let start = 0; start < order.length; ) {
    const length = order.slice(start).findIndex((index) => index !== order[start])
    const end = length === -1 ? order.length : start + length
    const indexes = Array.from({ length: end - start }, (_, at) => start + at)
    const left = new Set(indexes)
    for (const index of indexes) {
      const wanted = rowOf(expected, index)
      const match = [...left].find((other) => {
        const found = rowOf(actual, other)
        return names.every((name, at) => isAlike(name, wanted[at], found[at]))
      })
      if (match === undefined) {
        const found = indexes.map((other) => JSON.stringify(rowOf(actual, other))).join(' or ')
        return `row ${index} of ${names} is ${found} instead of ${JSON.stringify(wanted)}`
      }
      left.delete(match)
    }
    start = end
  }
  return undefined
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?$/

function isAlike(name: string, wanted: unknown, found: unknown): boolean {
  if (typeof wanted === 'number' && typeof found === 'number') {
    const error = Math.abs(wanted - found)
    return error <= ABSOLUTE_ERROR || error <= RELATIVE_ERROR * Math.abs(wanted)
  }
  if (wanted === found) return true
  return /mean|median/.test(name) && isNextTime(wanted, found)
}

/** Times between two seconds, or days between two days, may be written as either. */
function isNextTime(wanted: unknown, found: unknown): boolean {
  if (!TIME.test(String(wanted)) || !TIME.test(String(found))) return false
  const [a, b] = [String(wanted), String(found)]
  const step = a.length === 10 ? 86_400_000 : 1000
  const isoOf = (text: string) => Date.parse(text.length === 10 ? text : `${text}Z`)
  return a.length === b.length && Math.abs(isoOf(a) - isoOf(b)) <= step
}
