/** A query as it stands in a request (docs/contract/09-aggregate.md). */
export type PeriodUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

export interface WirePeriod {
  unit: PeriodUnit
  value?: number
}

export interface WireTimeframe {
  type: 'relative'
  anchor: string
  past: WirePeriod
}

export type SummaryTable =
  | 'sleep'
  | 'activity'
  | 'workout'
  | 'body'
  | 'meal'
  | 'menstrual_cycle'
  | 'profile'
  | 'derived_readiness'

export type WireTable = SummaryTable | 'timeseries'

export type SeriesColumn = { timeseries: string; field: string }
export type SummaryColumn = Partial<Record<SummaryTable, string>>
export type TableColumn = SeriesColumn | SummaryColumn

export type WireIndex = { index: WireTable }
export type WireSource = {
  source: 'source_provider' | 'source_type' | 'source_app_id' | 'source_workout_id' | 'source_sport'
}
export type WireMacro = { value_macro: string; version?: string }
export type WireSubquery = {
  select: { func: string; arg: null | { element: true } | Record<string, string> }
  from: { unnest: TableColumn }
  where?: string
}
/** What has a value in every row. */
export type RowExpression = TableColumn | WireIndex | WireSource | WireMacro | WireSubquery
export type WireAggregate = { func: string; arg: RowExpression }
export type WireGroupKey = { group_key: number | '*' }
export type WireSelect = RowExpression | WireAggregate | WireGroupKey

export type WireDateTrunc = { date_trunc: WirePeriod; arg: WireIndex }
export type WireDatePart = { date_part: string; arg: WireIndex }
export type WireGroupBy = TableColumn | WireSource | WireMacro | WireDateTrunc | WireDatePart

export type WireCarry =
  | { mode: 'carry_forward' | 'carry_backward'; max_age?: WirePeriod | null }
  | { mode: 'carry_nearest'; span?: WirePeriod | null }

export interface WireQuery {
  select: WireSelect[]
  group_by?: WireGroupBy[]
  where?: string | null
  align?: { carry: WireCarry } | null
  split_by_source?: boolean
}

export interface WireConfig {
  provider_priority_overrides?: string[] | null
}

/** The table of an answer: columns in their order. */
export type WireAnswer = Record<string, unknown[]>

/** The one key of an object that is none of the keys with a meaning of their own: the table. */
export function tableOfColumn(column: TableColumn): WireTable {
  return 'timeseries' in column ? 'timeseries' : (Object.keys(column)[0] as SummaryTable)
}

export function isTableColumn(expression: object): expression is TableColumn {
  const otherKeys = ['index', 'source', 'group_key', 'value_macro', 'func', 'select']
  return !otherKeys.some((key) => key in expression) && !isGroupingOnly(expression)
}

function isGroupingOnly(expression: object): boolean {
  return 'date_trunc' in expression || 'date_part' in expression
}
