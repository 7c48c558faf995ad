import type {
  WhereComparison,
  WhereOperand,
  WherePredicate,
} from '../../../../health/src/queries/where-ast.ts'
import { parseFloating } from './floating-time.ts'
import type { ColumnType } from './reference-columns.registry.ts'
import type { Scalar } from './reference-row.ts'

/** What is not known is null; undefined is what a filter does not say of a row. */
export type Truth = boolean | null | undefined

export interface WhereColumnValue {
  type: ColumnType
  value: Scalar
}

/** The value of a column in the row at hand; undefined when the row's series has no such column. */
export type LookUp = (resource: string | null, name: string) => WhereColumnValue | undefined

/**
 * docs/contract/09-aggregate.md#where, over one row. A comparison of a column that the row's series
 * lacks is not about the row: it drops out of whatever it stands in.
 */
export function isTrueOf(predicate: WherePredicate, lookUp: LookUp): Truth {
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const join = predicate.kind === 'and' ? and : or
      const truths = predicate.operands.map((operand) => isTrueOf(operand, lookUp))
      const about = truths.filter((truth) => truth !== undefined)
      return about.length === 0 ? undefined : about.reduce(join)
    }
    case 'not': {
      const truth = isTrueOf(predicate.operand, lookUp)
      return typeof truth === 'boolean' ? !truth : truth
    }
    case 'comparison':
      return compare(predicate, lookUp)
  }
}

function and(a: boolean | null, b: boolean | null): boolean | null {
  if (a === false || b === false) return false
  return a === null || b === null ? null : true
}

function or(a: boolean | null, b: boolean | null): boolean | null {
  if (a === true || b === true) return true
  return a === null || b === null ? null : false
}

function compare({ operator, left, right }: WhereComparison, lookUp: LookUp): Truth {
  if ([left, right].some((operand) => isElsewhere(operand, lookUp))) return undefined
  const type = typeOf(left, lookUp) ?? typeOf(right, lookUp)
  const a = operandValue(left, type, lookUp)
  const b = operandValue(right, type, lookUp)
  const isNullTest = left.kind === 'null' || right.kind === 'null'
  if (isNullTest && operator === '=') return a === null && b === null
  if (isNullTest && operator === '!=') return a !== null || b !== null
  if (a === null || b === null) return null
  const order = compareScalars(a, b)
  switch (operator) {
    case '=':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
  }
}

function isElsewhere(operand: WhereOperand, lookUp: LookUp): boolean {
  return operand.kind === 'column' && lookUp(operand.resource, operand.name) === undefined
}

function typeOf(operand: WhereOperand, lookUp: LookUp): ColumnType | undefined {
  return operand.kind === 'column' ? lookUp(operand.resource, operand.name)?.type : undefined
}

function operandValue(operand: WhereOperand, type: ColumnType | undefined, lookUp: LookUp): Scalar {
  switch (operand.kind) {
    case 'column':
      return lookUp(operand.resource, operand.name)?.value ?? null
    case 'null':
      return null
    case 'text':
      return type === 'date' || type === 'dt' ? parseFloating(operand.value) : operand.value
    default:
      return operand.value
  }
}

/** Numbers and times by size, texts by their bytes, false before true. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  }
  return Number(a) - Number(b)
}
