import type { ColumnType } from './reference-columns.registry.ts'
import type { Scalar } from './reference-row.ts'
import { compareScalars } from './reference-where.ts'

/** A value and where it stands. */
export interface Operand {
  value: Scalar
  index: number
  updatedAt: number
}

/** docs/contract/09-aggregate.md#function-rules. Nulls are left out everywhere. */
export function applyFunction(func: string, operands: readonly Operand[]): Scalar {
  const known = operands.filter(({ value }) => value !== null)
  const values = known.map(({ value }) => value)
  if (func === 'count') return known.length
  if (known.length === 0) return null
  switch (func) {
    case 'min':
      return values.reduce((a, b) => (compareScalars(a, b) <= 0 ? a : b))
    case 'max':
      return values.reduce((a, b) => (compareScalars(a, b) >= 0 ? a : b))
    case 'sum':
      return sumOf(values as number[])
    case 'mean':
      return meanOf(values as number[])
    case 'median':
      return medianOf(values as number[])
    case 'stddev':
      return stddevOf(values as number[])
    case 'oldest':
      return (known.reduce((a, b) => (isBefore(b, a) ? b : a)) as Operand).value
    case 'newest':
    case 'latest':
      return (known.reduce((a, b) => (isBefore(a, b) ? b : a)) as Operand).value
    default:
      throw new Error(`No function ${func}`)
  }
}

function isBefore(a: Operand, b: Operand): boolean {
  return a.index < b.index || (a.index === b.index && a.updatedAt < b.updatedAt)
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

const meanOf = (values: readonly number[]): number => sumOf(values) / values.length

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)] as number
  return ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

function stddevOf(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const mean = meanOf(values)
  return Math.sqrt(sumOf(values.map((value) => (value - mean) ** 2)) / (values.length - 1))
}

/** What a function makes of values of a type. */
export function typeOfFunction(func: string, type: ColumnType): ColumnType {
  if (func === 'count') return 'int'
  if (func === 'mean' || func === 'median') return type === 'int' ? 'num' : type
  return func === 'stddev' ? 'num' : type
}
