import type { ListReading, RowValue } from '../analysis/plan.ts'
import { typeOfValue } from '../analysis/plan.ts'
import type { QuerySource, ScalarColumn, ValueSql } from '../tables/query-source.ts'
import { filterSql } from './filter-sql.ts'
import { functionSql } from './function-sql.ts'
import type { StatementParameters } from './statement-parameters.ts'

/** Compiles a value over the rows of a source that has it. */
export function valueSql(
  value: RowValue,
  source: QuerySource,
  parameters: StatementParameters,
): ValueSql {
  switch (value.kind) {
    case 'column':
      return value.column
    case 'index':
      return source.index
    case 'shared':
      return source.columns.get(value.column) as ScalarColumn
    case 'list': {
      const sql = listSql(value.reading, parameters)
      return { type: typeOfValue(value), nullable: value.reading.func !== 'count', sql }
    }
  }
}

function listSql(
  { func, list, element, filter }: ListReading,
  parameters: StatementParameters,
): string {
  const kept =
    filter === null
      ? list.sql
      : `arrayFilter(element -> ifNull(${filterSql(filter, parameters)}, 0), ${list.sql})`
  if (element === null) return `toInt64(length(${kept}))`
  return functionSql(func, element.type).ofList(element.sql, kept)
}
