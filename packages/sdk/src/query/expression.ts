import { type Filter, filterText } from './filter.ts'
import type {
  QueryLists,
  QueryMergedSeries,
  QuerySeries,
  QueryTables,
} from './query-tables.generated.ts'

/**
 * A table that a query can read; `merged` has the series merged from all sources, `timeseries` the
 * samples of every source.
 */
export type TableName = keyof QueryTables | 'merged' | 'timeseries'

export type PeriodUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

export interface Period {
  value: number
  unit: PeriodUnit
}

export const DATE_PARTS = [
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'year',
  'weekday',
  'week_of_year',
  'day_of_year',
] as const
export type DatePart = (typeof DATE_PARTS)[number]

export type SourceColumn =
  | 'source_provider'
  | 'source_type'
  | 'source_app_id'
  | 'source_workout_id'
  | 'source_sport'

export type ValueMacro = 'sleep_score' | 'chronotype' | 'asleep_at' | 'awake_at' | 'awakenings'

/** An expression of the query language in its JSON form. */
export interface Expression {
  readonly json: Readonly<Record<string, unknown>>
}

/**
 * An expression of one table. Only the compiler knows the table, which keeps expressions of two
 * tables out of one query: as parameter and result at once it fits no other.
 */
export interface TableExpression<Table extends TableName> extends Expression {
  readonly of?: (table: Table) => Table
}

/** An expression that an aggregate can take. */
export interface ValueExpression<Table extends TableName> extends TableExpression<Table> {
  readonly isValue: true
}

/** An expression that groups. */
export interface GroupExpression<Table extends TableName> extends TableExpression<Table> {
  readonly isGroup: true
}

export type GroupableValue<Table extends TableName> = ValueExpression<Table> &
  GroupExpression<Table>

const value = <Table extends TableName>(json: Expression['json']): ValueExpression<Table> => ({
  json,
  isValue: true,
})
const group = <Table extends TableName>(json: Expression['json']): GroupExpression<Table> => ({
  json,
  isGroup: true,
})
const groupable = <Table extends TableName>(json: Expression['json']): GroupableValue<Table> => ({
  json,
  isValue: true,
  isGroup: true,
})

/** Expressions that every table has. */
export interface TableExpressions<Table extends TableName> {
  /** Returns the time of a row, by which rows are ordered and grouped into buckets. */
  index(): ValueExpression<Table>
  /** Returns buckets of `size` units of the person's local time; weeks begin on Monday. */
  every(size: number, unit: PeriodUnit): GroupExpression<Table>
  /** Returns a part of the local time, such as the weekday (1 is Monday). */
  part(part: DatePart): GroupExpression<Table>
  source(column: SourceColumn): GroupableValue<Table>
}

export interface SummaryTable<Table extends keyof QueryTables> extends TableExpressions<Table> {
  column<Name extends keyof QueryTables[Table] & string>(name: Name): GroupableValue<Table>
}

export interface SleepTable extends SummaryTable<'sleep'> {
  /** Returns a value that Salus derives from a night, such as its score. */
  macro(name: ValueMacro): GroupableValue<'sleep'>
}

/** Functions that aggregate a list. */
export type ListFunction = Exclude<AggregateFunction, 'oldest' | 'newest'>

export interface MenstrualCycleTable extends SummaryTable<'menstrual_cycle'> {
  /** Aggregates the entries of a list: one of their fields, or with count the entries. */
  list<Name extends keyof QueryLists & string>(
    func: ListFunction,
    name: Name,
    options?: { field?: QueryLists[Name]; where?: Filter | string },
  ): ValueExpression<'menstrual_cycle'>
}

export interface SeriesTable<Series extends keyof QuerySeries>
  extends TableExpressions<'timeseries'> {
  column<Name extends keyof QuerySeries[Series] & string>(name: Name): GroupableValue<'timeseries'>
}

export interface MergedSeriesTable<Series extends keyof QueryMergedSeries>
  extends TableExpressions<'merged'> {
  column<Name extends keyof QueryMergedSeries[Series] & string>(
    name: Name,
  ): GroupableValue<'merged'>
}

function commonExpressions<Table extends TableName>(table: Table): TableExpressions<Table> {
  const index = { index: table }
  return {
    index: () => value(index),
    every: (size, unit) => group({ date_trunc: { value: size, unit }, arg: index }),
    part: (part) => group({ date_part: part, arg: index }),
    source: (column) => groupable({ source: column }),
  }
}

/** Returns a table of summaries: `summaries('activity').column('steps')`. */
export function summaries(table: 'sleep'): SleepTable
export function summaries(table: 'menstrual_cycle'): MenstrualCycleTable
export function summaries<Table extends keyof QueryTables>(table: Table): SummaryTable<Table>
export function summaries(table: keyof QueryTables): object {
  return {
    ...commonExpressions(table),
    column: (name: string) => groupable({ [table]: name }),
    macro: (name: ValueMacro) => groupable({ value_macro: name, version: 'automatic' }),
    list: (func: ListFunction, name: string, options: ListOptions = {}) => {
      const { field, where } = options
      const arg = field === undefined ? null : { field_for: table, [name]: field }
      return value({
        select: { func, arg },
        from: { unnest: { [table]: name } },
        ...(where === undefined ? {} : { where: filterText(where) }),
      })
    },
  }
}

interface ListOptions {
  field?: string
  where?: Filter | string
}

/**
 * Returns a series merged from all sources, so that each instant counts once:
 * `merged('steps').column('value')`. Use it for sums and means.
 */
export function merged<Series extends keyof QueryMergedSeries & string>(
  name: Series,
): MergedSeriesTable<Series> {
  return {
    ...commonExpressions('merged'),
    column: (field) => groupable({ merged: name, field }),
  }
}

/**
 * Returns the samples of a series of every source: `series('heartrate').column('value')`. Samples
 * that several sources measured occur several times; with `groupBy` one source counts for each
 * group.
 */
export function series<Series extends keyof QuerySeries & string>(
  name: Series,
): SeriesTable<Series> {
  return {
    ...commonExpressions('timeseries'),
    column: (field) => groupable({ timeseries: name, field }),
  }
}

export const AGGREGATE_FUNCTIONS = [
  'mean',
  'min',
  'max',
  'sum',
  'count',
  'median',
  'stddev',
  'oldest',
  'newest',
] as const
export type AggregateFunction = (typeof AGGREGATE_FUNCTIONS)[number]

/** An aggregate of the rows of a group, or of all rows. */
export interface AggregateExpression<Table extends TableName> extends TableExpression<Table> {
  readonly isAggregate: true
}

export function aggregate<Table extends TableName>(
  func: AggregateFunction,
  arg: ValueExpression<Table>,
): AggregateExpression<Table> {
  return { json: { func, arg: arg.json }, isAggregate: true }
}

type Aggregate = <Table extends TableName>(
  arg: ValueExpression<Table>,
) => AggregateExpression<Table>

export const mean: Aggregate = (arg) => aggregate('mean', arg)
export const min: Aggregate = (arg) => aggregate('min', arg)
export const max: Aggregate = (arg) => aggregate('max', arg)
export const sum: Aggregate = (arg) => aggregate('sum', arg)
/** Counts the rows that have a value. */
export const count: Aggregate = (arg) => aggregate('count', arg)
export const median: Aggregate = (arg) => aggregate('median', arg)
/** Returns the standard deviation of a sample; null for fewer than two values. */
export const stddev: Aggregate = (arg) => aggregate('stddev', arg)
/** Returns the value of the row with the smallest index. */
export const oldest: Aggregate = (arg) => aggregate('oldest', arg)
/** Returns the value of the row with the largest index. */
export const newest: Aggregate = (arg) => aggregate('newest', arg)

export interface GroupKeyExpression extends Expression {
  readonly isGroupKey: true
}

/** Returns a group key by its position in `groupBy`, from 0, or all of them. */
export function groupKey(position: number | '*'): GroupKeyExpression {
  return { json: { group_key: position }, isGroupKey: true }
}
