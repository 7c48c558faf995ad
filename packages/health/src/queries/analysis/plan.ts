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

/** A checked query with its sources and plan. */
export interface AnalyzedQuery {
  /** One table, or one to several series. */
  sources: readonly QuerySource[]
  /** A filter for each source; null accepts every row. */
  filters: readonly (Filter | null)[]
  result: RowsPlan | GroupsPlan
  /** Columns of the answer. */
  columns: readonly OutputColumn[]
  /** Positions of the group keys among the columns. */
  keyColumns: readonly number[]
  /**
   * The data that it reads: read names of series (`body_weight`) and summary resources
   * (`workouts`).
   */
  resources: readonly string[]
}

/** One row for each row read. */
export interface RowsPlan {
  kind: 'rows'
  columns: readonly { name: string; value: RowValue }[]
}

/** One row for each group, or a single row without keys. */
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
  /** The column of that name in the source of each row. */
  | { kind: 'shared'; name: string; column: string; type: ValueType }

/** An aggregate of the elements of a list (docs/contract/09-aggregate.md#list-columns). */
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
  /** Position of its source. */
  source: number
  type: ValueType
}

export interface AlignPlan {
  mode: 'carry_forward' | 'carry_backward' | 'carry_nearest'
  /** How far values are carried; null means any distance. */
  cap: Span | null
  /** Position of the date_trunc among the keys, and its span. */
  axis: number
  bucket: Span
}

/** A filter with resolved columns and checked types. */
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

/** Returns the type of a value in each row: that of its column or expression. */
export function typeOfValue(value: RowValue): ValueType {
  return value.kind === 'column' ? value.column.type : value.type
}
