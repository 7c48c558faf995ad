import type { Series } from '@salus/contracts/series'
import type { DataType } from '../../source-priorities/index.ts'
import type { SessionResource } from '../../summaries/index.ts'
import type { ValueType } from '../aggregate-functions.registry.ts'
import type { TableName } from '../expressions.schema.ts'

/**
 * Types of single values. A date and a datetime are floating
 * (docs/contract/09-aggregate.md#floating-time).
 */
export type { ValueType }

/**
 * SQL over the rows of a source, with its type: Int64, Float64, Bool, String, Date32, DateTime64.
 */
export interface ValueSql {
  type: ValueType
  nullable: boolean
  sql: string
}

export interface ScalarColumn extends ValueSql {
  kind: 'scalar'
  name: string
}

/** A list in each row: only read by subqueries (docs/contract/09-aggregate.md#list-columns). */
export interface ListColumn {
  kind: 'list'
  name: string
  /** Array(String): texts, or JSON objects with the fields. */
  sql: string
  elements: { kind: 'texts' } | { kind: 'objects'; fields: Readonly<Record<string, ValueType>> }
}

export type Column = ScalarColumn | ListColumn

/**
 * Rows that a query reads: those of a table, or of one series. Its SQL has the parameters of
 * compile/source-parameters.ts and no others.
 */
export interface QuerySource {
  table: TableName
  /** Name in queries; null for a table of summaries. */
  series: string | null
  /** The data that it reads: the read name of the series, or names of summary resources. */
  resources: readonly string[]
  columns: ReadonlyMap<string, Column>
  macros: ReadonlyMap<string, ScalarColumn>
  /** The time index of the rows: a date or a datetime. */
  index: ScalarColumn
  /** The index in local milliseconds (floating-sql.ts). */
  localMs: string
  /** Orders rows of the same index: the larger was stored later. */
  updated: string
  /** Gives rows of the same index a stable order. */
  tieBreak: readonly string[]
  /** Data type whose team priorities apply, if any. */
  dataType: DataType | null
  /** What is sent with the statement to merge sources; null where they are not merged. */
  merged: MergedReading | null
  relation: SourceRelation
}

/** What is sent: the rows of a series that count, or the ids of summaries that do not. */
type MergedReading =
  | {
      kind: 'series'
      series: Series
      /** Whether it is an amount, which is summed, or a level. */
      isSum: boolean
    }
  | { kind: 'sessions'; resource: SessionResource }

interface SourceRelation {
  /** The FROM clause. */
  from: string
  conditions: readonly string[]
  /** The column of the instant in the sort key, by which a window can skip most of the rows. */
  instantKey: string | null
}

/** Makes a column with one value for each row; 'known' means that it is never null. */
export function scalarColumn(
  name: string,
  type: ValueType,
  sql: string,
  nullable: 'nullable' | 'known' = 'nullable',
): ScalarColumn {
  return { kind: 'scalar', name, type, sql, nullable: nullable === 'nullable' }
}

export function byName<C extends { name: string }>(columns: readonly C[]): ReadonlyMap<string, C> {
  return new Map(columns.map((column) => [column.name, column]))
}
