import { Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { FUNCTION_NAMES, type FunctionName } from './aggregate-functions.registry.ts'

/**
 * Expressions of the query language (docs/contract/09-aggregate.md#expressions and
 * docs/contract/09-aggregate.md#list-columns).
 */

const closed = { additionalProperties: false } as const

export const PERIOD_UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const
export type PeriodUnit = (typeof PERIOD_UNITS)[number]

export const Period = Type.Object(
  {
    value: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    unit: TextEnum(PERIOD_UNITS),
  },
  { title: 'QueryPeriod' },
)
export type Period = Type.Static<typeof Period>

export const SUMMARY_TABLE_NAMES = [
  'sleep',
  'activity',
  'workout',
  'body',
  'meal',
  'menstrual_cycle',
  'profile',
  'derived_readiness',
] as const
const TABLE_NAMES = [...SUMMARY_TABLE_NAMES, 'timeseries', 'merged'] as const
export type SummaryTableName = (typeof SUMMARY_TABLE_NAMES)[number]
export type TableName = (typeof TABLE_NAMES)[number]

const ColumnName = Type.String({ maxLength: 100 })

const SeriesField = Type.Object(
  { timeseries: ColumnName, field: ColumnName },
  {
    ...closed,
    title: 'QuerySeriesField',
    description: 'Field of a time series, such as `{"timeseries": "steps", "field": "value"}`.',
  },
)
type SeriesField = Type.Static<typeof SeriesField>

const MergedField = Type.Object(
  { merged: ColumnName, field: ColumnName },
  {
    ...closed,
    title: 'QueryMergedField',
    description:
      'Field of a series whose sources are merged so that each instant counts once, such as `{"merged": "steps", "field": "value"}`.',
  },
)
type MergedField = Type.Static<typeof MergedField>

export type SummaryColumn = { [Name in SummaryTableName]?: string }

const SummaryColumn = Type.Unsafe<SummaryColumn>({
  type: 'object',
  title: 'QueryColumn',
  description: 'Column of a table, such as `{"sleep": "efficiency"}`.',
  properties: Object.fromEntries(SUMMARY_TABLE_NAMES.map((name) => [name, ColumnName])),
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
})

export type TableColumn = SeriesField | MergedField | SummaryColumn

/** A column of a table or series, as the argument of an aggregate. */
export const ValueColumn = Type.Union([
  SeriesField,
  MergedField,
  Type.Unsafe<SummaryColumn>({ ...SummaryColumn, title: 'QuerySummaryColumn' }),
])

const Index = Type.Object(
  { index: TextEnum(TABLE_NAMES) },
  { ...closed, title: 'QueryIndex', description: 'Time index of a table.' },
)
type IndexExpression = Type.Static<typeof Index>

export const SOURCE_COLUMNS = [
  'source_provider',
  'source_type',
  'source_app_id',
  'source_workout_id',
  'source_sport',
] as const
export type SourceColumn = (typeof SOURCE_COLUMNS)[number]

const Source = Type.Object(
  { source: TextEnum(SOURCE_COLUMNS) },
  { ...closed, title: 'QuerySource' },
)
type SourceExpression = Type.Static<typeof Source>

const VALUE_MACROS = ['sleep_score', 'chronotype', 'asleep_at', 'awake_at', 'awakenings'] as const

const Macro = Type.Object(
  {
    value_macro: TextEnum(VALUE_MACROS),
    version: Type.Optional(Nullable(TextEnum(['automatic']))),
  },
  {
    ...closed,
    title: 'QueryValueMacro',
    description: 'Value computed from several columns of the table `sleep`.',
  },
)
type MacroExpression = Type.Static<typeof Macro>

const ElementArgument = Type.Object({ element: Type.Literal(true) }, closed)
const FieldArgument = Type.Unsafe<Record<string, string>>({
  type: 'object',
  description: 'List column with one of its fields; `field_for` may name the table.',
  minProperties: 1,
  maxProperties: 2,
  additionalProperties: ColumnName,
})

export const Where = Nullable(
  Type.String({
    description:
      "Comparisons of columns with values or other columns, combined with AND, OR, NOT and parentheses, such as `efficiency > 80 AND source_type != 'phone'`. The maximum length is 4000 characters.",
  }),
)

const Subquery = Type.Object(
  {
    select: Type.Object(
      {
        func: TextEnum(FUNCTION_NAMES),
        arg: Type.Union([ElementArgument, FieldArgument, Type.Null()]),
      },
      closed,
    ),
    from: Type.Object({ unnest: Type.Union([SeriesField, MergedField, SummaryColumn]) }, closed),
    where: Type.Optional(Where),
  },
  { ...closed, title: 'QuerySubquery', description: 'Aggregate of a list column.' },
)
export interface SubqueryExpression {
  select: { func: FunctionName; arg: { element: true } | Record<string, string> | null }
  from: { unnest: TableColumn }
  where?: string | null
}

/** An expression with a value in every row. */
export type RowExpression =
  | TableColumn
  | IndexExpression
  | SourceExpression
  | MacroExpression
  | SubqueryExpression

const Placeholder = Type.Object({ placeholder: Type.Boolean() }, { title: 'QueryPlaceholder' })
type PlaceholderExpression = Type.Static<typeof Placeholder>

const Aggregate = Type.Object(
  {
    func: TextEnum(FUNCTION_NAMES),
    arg: Type.Union([SeriesField, MergedField, SummaryColumn, Index, Macro, Subquery, Placeholder]),
  },
  { ...closed, title: 'QueryAggregate' },
)
export interface AggregateExpression {
  func: FunctionName
  arg: Exclude<RowExpression, SourceExpression> | PlaceholderExpression
}

const GroupKeyReference = Type.Object(
  { group_key: Type.Union([Type.Integer(), Type.Literal('*')]) },
  {
    ...closed,
    title: 'QueryGroupKey',
    description: 'Group key at a position, counted from 0; `*` selects all of them.',
  },
)
type GroupKeyReference = Type.Static<typeof GroupKeyReference>

export const SelectExpression = Type.Union([
  Aggregate,
  GroupKeyReference,
  SeriesField,
  MergedField,
  SummaryColumn,
  Index,
  Source,
  Macro,
  Subquery,
  Placeholder,
])
export type SelectExpression =
  | AggregateExpression
  | GroupKeyReference
  | RowExpression
  | PlaceholderExpression

const IndexArgument = Type.Union([Index, Placeholder])

const DateTrunc = Type.Object(
  { date_trunc: Period, arg: IndexArgument },
  { ...closed, title: 'QueryDateTrunc', description: 'Start of the period that a row belongs to.' },
)
type DateTrunc = Type.Static<typeof DateTrunc>

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
export type DatePartName = (typeof DATE_PARTS)[number]

const DatePart = Type.Object(
  { date_part: TextEnum(DATE_PARTS), arg: IndexArgument },
  {
    ...closed,
    title: 'QueryDatePart',
    description: 'Part of a date. Weekdays are numbered from 1 (Monday) to 7.',
  },
)
export type DatePart = Type.Static<typeof DatePart>

export const GroupByExpression = Type.Union([
  DateTrunc,
  DatePart,
  Source,
  Macro,
  SeriesField,
  MergedField,
  SummaryColumn,
  Placeholder,
])
export type GroupByExpression =
  | DateTrunc
  | DatePart
  | SourceExpression
  | MacroExpression
  | TableColumn
  | PlaceholderExpression
