import { DAY_MS } from '@salus/contracts/time-units'
import type { Filter, FilterOperand } from '../analysis/plan.ts'
import type { StatementParameters } from './statement-parameters.ts'

/** Compiles a filter to a condition that is true, false or null; values are bound. */
export function filterSql(filter: Filter, parameters: StatementParameters): string {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const operands = filter.operands.map((operand) => filterSql(operand, parameters))
      return `(${operands.join(` ${filter.kind} `)})`
    }
    case 'not':
      return `(not ${filterSql(filter.operand, parameters)})`
    case 'null_test':
      return `(${filter.operand.sql} is ${filter.isNull ? '' : 'not '}null)`
    case 'unknown':
      return `cast(null, 'Nullable(UInt8)')`
    case 'comparison': {
      const { operator, left, right } = filter
      return `(${operandSql(left, parameters)} ${operator} ${operandSql(right, parameters)})`
    }
  }
}

function operandSql(operand: FilterOperand, parameters: StatementParameters): string {
  switch (operand.kind) {
    case 'text':
      return parameters.bind(operand.value, 'String')
    case 'number':
      return parameters.bind(operand.value, 'Float64')
    case 'boolean':
      return parameters.bind(operand.value, 'Bool')
    case 'time':
      return parameters.bind(operand.value, 'Int64')
    case 'column': {
      const { type, sql } = operand.value
      if (type === 'date') return `(toInt64(toInt32(${sql})) * ${DAY_MS})`
      return type === 'datetime' ? `toUnixTimestamp64Milli(${sql})` : `(${sql})`
    }
  }
}
