import { parseDate } from '@salus/kernel/time/instants'
import type { ValueSql, ValueType } from '../tables/query-source.ts'
import { parseWhere, WhereSyntaxError } from '../where/parse-where.ts'
import type { WhereColumn, WhereComparison, WhereOperand, WherePredicate } from '../where-ast.ts'
import type { Filter, FilterOperand } from './plan.ts'
import { type Location, refuseQuery } from './refuse-query.ts'

/**
 * Finds a column; null for one of another series, so that the comparison does not apply to these
 * rows.
 */
type FindColumn = (column: WhereColumn) => ValueSql | null

/** @throws InputError `where_syntax`. */
export function parseFilter(text: string, loc: Location): WherePredicate {
  try {
    return parseWhere(text)
  } catch (error) {
    if (!(error instanceof WhereSyntaxError)) throw error
    return refuseQuery(loc, 'where_syntax', atCharacter(error.position, error.message))
  }
}

/** Positions count characters from 0. */
export function atCharacter(position: number, message: string): string {
  return `At character ${position}: ${message}`
}

/**
 * Checks a filter against the columns of one source. Comparisons that do not apply to the source
 * are dropped.
 * @param seen Receives every comparison that applies to the source.
 * @throws InputError `where_type`.
 */
export function checkFilter(
  predicate: WherePredicate,
  find: FindColumn,
  loc: Location,
  seen: Set<WhereComparison> = new Set(),
): Filter | null {
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const operands = predicate.operands
        .map((operand) => checkFilter(operand, find, loc, seen))
        .filter((operand) => operand !== null)
      return operands.length === 0 ? null : { kind: predicate.kind, operands }
    }
    case 'not': {
      const operand = checkFilter(predicate.operand, find, loc, seen)
      return operand && { kind: 'not', operand }
    }
    case 'comparison':
      return checkComparison(predicate, find, loc, seen)
  }
}

type Operand = Exclude<WhereOperand, WhereColumn> | { kind: 'found'; value: ValueSql }

function checkComparison(
  comparison: WhereComparison,
  find: FindColumn,
  loc: Location,
  seen: Set<WhereComparison>,
): Filter | null {
  const left = findOperand(comparison.left, find)
  const right = findOperand(comparison.right, find)
  if (left === null || right === null) return null
  seen.add(comparison)
  const { operator, position } = comparison
  if (left.kind === 'null' || right.kind === 'null') {
    const other = left.kind === 'null' ? right : left
    const isTest = operator === '=' || operator === '!='
    if (other.kind !== 'found' || !isTest) return { kind: 'unknown' }
    return { kind: 'null_test', operand: other.value, isNull: operator === '=' }
  }
  const family = familyOf(left.kind === 'found' ? left : right)
  const checked = [left, right].map((operand) => toFamily(operand, family))
  const [a, b] = checked
  if (a === undefined || b === undefined) {
    return refuseQuery(loc, 'where_type', atCharacter(position, WORDS[family]))
  }
  return { kind: 'comparison', operator, left: a, right: b }
}

function findOperand(operand: WhereOperand, find: FindColumn): Operand | null {
  if (operand.kind !== 'column') return operand
  const value = find(operand)
  return value && { kind: 'found', value }
}

/** Types that can be compared with each other. */
type Family = 'number' | 'text' | 'boolean' | 'time'

const FAMILIES: Record<ValueType, Family> = {
  integer: 'number',
  number: 'number',
  text: 'text',
  boolean: 'boolean',
  date: 'time',
  datetime: 'time',
}

const WORDS: Record<Family, string> = {
  number: 'This column is compared with numbers.',
  text: 'This column is compared with strings.',
  boolean: 'This column is compared with TRUE and FALSE.',
  time: "This column is compared with dates and times such as '2025-01-31' and '2025-01-31T07:00:00'.",
}

function familyOf(operand: Operand): Family {
  return operand.kind === 'found' ? FAMILIES[operand.value.type] : 'text'
}

function toFamily(operand: Operand, family: Family): FilterOperand | undefined {
  if (operand.kind === 'found') {
    const isOfFamily = FAMILIES[operand.value.type] === family
    return isOfFamily ? { kind: 'column', value: operand.value } : undefined
  }
  if (operand.kind === 'text' && family === 'time') {
    const value = parseFloating(operand.value)
    return value === undefined ? undefined : { kind: 'time', value }
  }
  return operand.kind === family ? (operand as FilterOperand) : undefined
}

const FLOATING = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?)?$/

/** Parses a date, or a time without a zone, to epoch milliseconds as if it were UTC. */
function parseFloating(text: string): number | undefined {
  const [, date = '', minute = '00:00', second = ':00'] = FLOATING.exec(text) ?? []
  if (parseDate(date) === undefined) return undefined
  const value = Date.parse(`${date}T${minute}${second}Z`)
  return Number.isNaN(value) ? undefined : value
}
