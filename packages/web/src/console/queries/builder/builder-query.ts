import { type Condition, formatWhere, parseWhere } from './conditions.ts'

type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

export interface Period {
  value: number
  unit: string
}

/** A value that the query returns. */
export interface Measure {
  /** Aggregate function; empty in rows that are not grouped. */
  func: string
  /** `steps.value` for a field of a series, `efficiency` for a column, `macro:sleep_score`. */
  column: string
}

/** A query as the controls show it. */
export interface BuilderQuery {
  /** `merged`, `timeseries`, or a table of summaries. */
  table: string
  /** Groups of rows with aggregates, or the rows themselves. */
  mode: 'groups' | 'rows'
  measures: Measure[]
  /** Length of a bucket of time; null without buckets. */
  bucket: Period | null
  /** Part of the time, such as `weekday`; empty without one. */
  part: string
  /** Further keys: `source:source_provider`, or a column as in measures. */
  by: string[]
  conditions: Condition[]
  /** Fills buckets without a value; null leaves them out. */
  fill: { mode: string; reach: Period | null } | null
  /** Whether each sleep or workout counts once. */
  isMerged: boolean
  /** Whether the keys of groups, or the times of rows, are columns. */
  hasKeys: boolean
  past: Period
  /** The last day, YYYY-MM-DD. */
  anchor: string
}

/** A query for the controls, or the reason why they cannot show it. */
export type Read = { query: BuilderQuery } | { reason: string }

const SERIES_TABLES = ['merged', 'timeseries']
export const isSeriesTable = (table: string): boolean => SERIES_TABLES.includes(table)

const MACRO = 'macro:'
const SOURCE = 'source:'

function toExpression(table: string, column: string): JsonObject {
  if (column.startsWith(MACRO)) return { value_macro: column.slice(MACRO.length) }
  if (column.startsWith(SOURCE)) return { source: column.slice(SOURCE.length) }
  if (!isSeriesTable(table)) return { [table]: column }
  const dot = column.lastIndexOf('.')
  return { [table]: column.slice(0, dot), field: column.slice(dot + 1) }
}

/** Returns the request of a query, as the API takes it. */
export function toRequest(query: BuilderQuery): JsonObject {
  const { table, mode, measures, bucket, part, by, fill, past, anchor } = query
  const isGrouped = mode === 'groups'
  const index = { index: table }
  const values = measures.map(({ func, column }) => {
    const expression = toExpression(table, column)
    return isGrouped ? { func, arg: expression } : expression
  })
  const keys: JsonObject[] = []
  if (isGrouped) {
    if (bucket !== null) keys.push({ date_trunc: { ...bucket }, arg: index })
    if (part !== '') keys.push({ date_part: part, arg: index })
    keys.push(...by.map((column) => toExpression(table, column)))
  }
  const first: JsonObject[] = isGrouped ? (keys.length > 0 ? [{ group_key: '*' }] : []) : [index]
  const where = formatWhere(query.conditions)
  const made: JsonObject = { select: [...(query.hasKeys ? first : []), ...values] }
  if (keys.length > 0) made.group_by = keys
  if (where !== '') made.where = where
  if (fill !== null && bucket !== null && isGrouped) made.align = toAlign(fill)
  if (query.isMerged) made.source_rule = 'merged'
  return { timeframe: { type: 'relative', anchor, past: { ...past } }, queries: [made] }
}

function toAlign({ mode, reach }: NonNullable<BuilderQuery['fill']>): JsonObject {
  const name = mode === 'carry_nearest' ? 'span' : 'max_age'
  return { carry: { mode, ...(reach !== null && { [name]: { ...reach } }) } }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Thrown for what the controls cannot show. */
class NotShown extends Error {}

/**
 * Reads a request of the API. Only what the controls write again as it was is shown, so that no
 * part is lost.
 */
export function readRequest(request: unknown): Read {
  try {
    const query = readParts(request)
    if (canonical(toRequest(query)) !== canonical(tidy(request as JsonObject))) {
      throw new NotShown('It has parts for which there are no fields here.')
    }
    return { query }
  } catch (error) {
    if (error instanceof NotShown) return { reason: error.message }
    throw error
  }
}

function readParts(request: unknown): BuilderQuery {
  if (!isObject(request) || !Array.isArray(request.queries) || !isObject(request.timeframe)) {
    throw new NotShown('It has no timeframe or no queries.')
  }
  const [json, ...others] = request.queries
  if (others.length > 0) throw new NotShown('It has several queries.')
  if (!isObject(json) || !Array.isArray(json.select)) throw new NotShown('It selects nothing.')
  if (isObject(request.config) && Object.keys(request.config).length > 0) {
    throw new NotShown('It has a config.')
  }
  const { anchor, past } = request.timeframe
  const select = json.select.filter(isObject)
  const isKey = (item: JsonObject): boolean => 'group_key' in item || 'index' in item
  const values = select.filter((item) => !isKey(item)).map(readMeasure)
  const groups = Array.isArray(json.group_by) ? json.group_by.filter(isObject) : []
  const table = tableOf(json, values)
  const mode = groups.length > 0 || values.some(({ func }) => func !== '') ? 'groups' : 'rows'
  if (mode === 'groups' && values.some(({ func }) => func === '')) {
    throw new NotShown('It selects columns beside functions.')
  }
  const trunc = groups.find((key) => 'date_trunc' in key)
  const part = groups.find((key) => 'date_part' in key)
  const by = groups.filter((key) => key !== trunc && key !== part).map(readColumn)
  return {
    ...{ table, mode, by: by.map(({ column }) => column) },
    measures: values.map(({ func, column }) => ({ func, column })),
    bucket: trunc === undefined ? null : readPeriod(trunc.date_trunc),
    part: part === undefined ? '' : String(part.date_part),
    conditions: readConditions(json.where),
    fill: readFill(json.align),
    isMerged: json.source_rule === 'merged',
    hasKeys: mode === 'groups' && groups.length === 0 ? true : select.some(isKey),
    past: readPeriod(past),
    anchor: String(anchor ?? ''),
  }
}

function readConditions(where: Json | undefined): Condition[] {
  const conditions = parseWhere(typeof where === 'string' ? where : '')
  if (conditions === undefined) {
    throw new NotShown('Its where has OR, NOT or brackets, or is not complete.')
  }
  return conditions
}

function readPeriod(json: Json | undefined): Period {
  if (!isObject(json) || typeof json.unit !== 'string') throw new NotShown('A period has no unit.')
  return { value: typeof json.value === 'number' ? json.value : 1, unit: json.unit }
}

function readFill(align: Json | undefined): BuilderQuery['fill'] {
  if (align === undefined || align === null) return null
  if (!isObject(align) || !isObject(align.carry)) throw new NotShown('Its align is not a carry.')
  const { mode, max_age: age, span } = align.carry
  const reach = age ?? span ?? null
  return { mode: String(mode), reach: reach === null ? null : readPeriod(reach) }
}

function readMeasure(item: JsonObject): Measure & { table: string | undefined } {
  if ('func' in item && 'arg' in item) {
    if (!isObject(item.arg)) throw new NotShown('It selects from a list.')
    return { func: String(item.func), ...readColumn(item.arg) }
  }
  return { func: '', ...readColumn(item) }
}

/** Reads an expression of one column, with the table that it names. */
function readColumn(item: JsonObject): { column: string; table: string | undefined } {
  if (typeof item.value_macro === 'string') {
    return { column: MACRO + item.value_macro, table: undefined }
  }
  if (typeof item.source === 'string') return { column: SOURCE + item.source, table: undefined }
  for (const table of SERIES_TABLES) {
    const series = item[table]
    if (typeof series === 'string') return { column: `${series}.${item.field}`, table }
  }
  const [name, ...more] = Object.keys(item)
  const column = name === undefined ? undefined : item[name]
  if (typeof column !== 'string' || more.length > 0) {
    throw new NotShown('It has an expression for which there are no fields here.')
  }
  return { column, table: name }
}

/** Macros are about sleep; an index names its table. */
function tableOf(json: JsonObject, values: readonly { table: string | undefined }[]): string {
  const named = values.find(({ table }) => table !== undefined)?.table
  const [, index] = /"index":"(\w+)"/.exec(JSON.stringify(json)) ?? []
  return named ?? index ?? 'sleep'
}

/** Writes what means the same in one way: parts without effect are left out. */
function tidy(request: JsonObject): JsonObject {
  const { config: _, ...rest } = request
  const [first] = request.queries as JsonObject[]
  const { where, align, group_by: groups, source_rule: rule, split_by_source: split } = first ?? {}
  const conditions = typeof where === 'string' ? parseWhere(where) : undefined
  const query: JsonObject = { ...first }
  if (!conditions || conditions.length === 0) delete query.where
  else query.where = formatWhere(conditions)
  if (align === null) delete query.align
  if (rule === null) delete query.source_rule
  if (split === false) delete query.split_by_source
  if (groups === null || (Array.isArray(groups) && groups.length === 0)) delete query.group_by
  return { ...rest, queries: [query] }
}

/** Returns equal texts for equal JSON, in any order of properties, with the defaults filled in. */
function canonical(json: Json): string {
  return JSON.stringify(json, (_, value: Json) => {
    if (!isObject(value)) return value
    const isPeriod = typeof value.unit === 'string' && !('value' in value)
    const entries = Object.entries(isPeriod ? { ...value, value: 1 } : value)
    const named = entries.filter(([name, part]) => name !== 'version' || part !== 'automatic')
    return Object.fromEntries(named.sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
