import type { OutputColumn } from '../compiled-query.ts'
import { finiteOrNullSql } from './function-sql.ts'

/** Returns the columns of an answer, each with exactly the declared name and type. */
export function outputSql(
  columns: readonly OutputColumn[],
  expressions: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    columns.map((column, at) => [column.name, toType(column, expressions[at] as string)]),
  )
}

function toType({ type, nullable }: OutputColumn, sql: string): string {
  switch (type) {
    case 'integer':
      return `toInt64(${sql})`
    case 'number':
      return finiteOrNullSql(`toFloat64(${sql})`)
    case 'text':
      return nullable ? `cast(${sql}, 'Nullable(String)')` : `toString(${sql})`
    default:
      return sql
  }
}
