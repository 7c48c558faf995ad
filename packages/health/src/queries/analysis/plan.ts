import type { FunctionName } from '../aggregate-functions.registry.ts'
import type { OutputColumn } from '../compiled-query.ts'
import type { DatePartName } from '../expressions.schema.ts'
import type { Span } from '../period.ts'
import type {
  ListColumn,
  QuerySource,
  ScalarColumn,
  ValueSql,
  ValueType,
} from '../tables/query-source.ts'
import type { WhereOperator } from '../where-ast.ts'

/** A query that was checked: what it reads, and what it makes of that. */
export interface AnalyzedQuery {
  /** One table, or one to several series. */
  sources: readonly QuerySource[]
  /** A filter for each source; null lets every row pass. */
  filters: readonly (Filter | null)[]
  result: RowsPlan | GroupsPlan
  /** Of the answer. */
  columns: readonly OutputColumn[]
  /** Positions among the columns of the group keys. */
  keyColumns: readonly number[]
  /** What it reads: read names of series (`body_weight`) and summary resources (`workouts`). */
  resources: readonly string[]
}

/** A row for each row read. */
export interface RowsPlan {
  kind: 'rows'
  columns: readonly { name: string; value: RowValue }[]
}

/** A row for each group, or one for all rows together where there are no keys. */
export interface GroupsPlan {
  kind: 'groups'
  keys: readonly GroupKey[]
  aggregates: readonly Aggregate[]
  output: readonly GroupsColumn[]
  align: AlignPlan | null
}

export type GroupsColumn =
  | { kind: 'key'; name: string; key: number }
  | { kind: 'aggregate'; name: string; aggregate: number }

/** A value of every row of one source, or of the rows of all sources. */
export type RowValue =
  | { kind: 'column'; name: string; source: number; column: ScalarColumn }
  | { kind: 'list'; name: string; source: number; type: ValueType; reading: ListReading }
  | { kind: 'index'; name: string; type: ValueType }
  /** The column of that name of whichever source the row is of. */
  | { kind: 'shared'; name: string; column: string; type: ValueType }

/** One value made of the elements of a list (docs/contract/09-aggregate.md#list-columns). */
export interface ListReading {
  func: FunctionName
  list: ListColumn
  /** A value of the element; null counts elements. */
  element: ValueSql | null
  filter: Filter | null
}

export type GroupKey =
  | { kind: 'trunc'; span: Span; type: 'date' | 'datetime' }
  | { kind: 'part'; part: DatePartName }
  | { kind: 'value'; value: RowValue }

export interface Aggregate {
  func: FunctionName
  value: RowValue
  /** Position of the source that it is made of. */
  source: number
  type: ValueType
}

export interface AlignPlan {
  mode: 'carry_forward' | 'carry_backward' | 'carry_nearest'
  /** How far values are carried; null is any distance. */
  cap: Span | null
  /** Position of the date_trunc among the keys, and its span. */
  axis: number
  bucket: Span
}

/** A filter whose columns were found and whose types fit. */
export type Filter =
  | { kind: 'and' | 'or'; operands: readonly Filter[] }
  | { kind: 'not'; operand: Filter }
  | { kind: 'comparison'; operator: WhereOperator; left: FilterOperand; right: FilterOperand }
  | { kind: 'null_test'; operand: ValueSql; isNull: boolean }
  /** A comparison by size with NULL. */
  | { kind: 'unknown' }

export type FilterOperand =
  | { kind: 'column'; value: ValueSql }
  | { kind: 'text'; value: string }
  | { kind: 'number'; value: number }
  | { kind: 'boolean'; value: boolean }
  /** Floating time in epoch milliseconds. */
  | { kind: 'time'; value: number }

/** What type each row has of a value: that of its column, or of what computes it. */
export function typeOfValue(value: RowValue): ValueType {
  return value.kind === 'column' ? value.column.type : value.type
}
