import type { TableColumns } from './query-code.ts'

/** Lines of one chart; each has a color of its own. */
const MOST_LINES = 6
/** Buckets without a value are only added to a chart that stays readable. */
const MOST_BUCKETS = 5000

/** Describes a column of a result. */
export interface ResultColumn {
  unit: string
  /** Whether zero is where its values begin, as for sums. */
  isFromZero: boolean
}

/** A table of one person, or of the only one, with an empty name. */
export interface NamedTable {
  name: string
  table: TableColumns
}

/** Undefined where a line has no place of its own, null in a gap. */
type Values = (number | null | undefined)[]

/** Lines with one unit along one axis. */
export interface ResultPlot {
  unit: string
  /** Whether the axis of values begins at zero. */
  isFromZero: boolean
  lines: { name: string; values: Values }[]
}

/** A result in the form of charts: one for each unit, above each other. */
export interface ResultCharts {
  /** Name of the column along the axis. */
  xName: string
  /** Seconds for local times, else numbers; rising. */
  x: number[]
  isTime: boolean
  plots: ResultPlot[]
  /** Number of lines that are not drawn, because colors would repeat. */
  leftOut: number
}

/** The length of buckets of time in a query. */
export interface BucketLength {
  value: number
  unit: string
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d)?/

/** Local times are drawn unchanged, whatever zone the reader is in. */
const toSeconds = (text: string): number =>
  Date.parse(`${text.slice(0, 19)}${text.length > 10 ? 'Z' : ''}`) / 1000

const isTimeColumn = (values: readonly unknown[]): boolean =>
  values.length > 0 && values.every((value) => typeof value === 'string' && DATE.test(value))

const isNumberColumn = (values: readonly unknown[]): boolean =>
  values.some((value) => typeof value === 'number') &&
  values.every((value) => value === null || typeof value === 'number')

interface Shape {
  xName: string
  isTime: boolean
  /** Columns that divide rows into lines. */
  keys: string[]
  numbers: string[]
}

/** Finds which columns are the axis, the lines and their keys. */
function findShape(table: TableColumns): Shape | undefined {
  const columns = Object.entries(table)
  const time = columns.find(([, values]) => isTimeColumn(values))?.[0]
  const isKey = (name: string): boolean => name.startsWith('group_key')
  const part = columns.find(
    ([name, values]) => isKey(name) && isNumberColumn(values) && !values.includes(null),
  )?.[0]
  const xName = time ?? part
  if (xName === undefined) return undefined
  const numbers = columns
    .filter(([name, values]) => name !== xName && !isKey(name) && isNumberColumn(values))
    .map(([name]) => name)
  const keys = columns.map(([name]) => name).filter((name) => isKey(name) && name !== xName)
  return { xName, isTime: time !== undefined, keys, numbers }
}

/** Returns the time of the next bucket. */
function nextBucket(seconds: number, { value, unit }: BucketLength): number {
  const months = unit === 'month' ? value : unit === 'year' ? 12 * value : 0
  if (months > 0) {
    const date = new Date(seconds * 1000)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate()) / 1000
  }
  return seconds + value * (SECONDS[unit] ?? 86_400)
}

const SECONDS: Record<string, number> = { minute: 60, hour: 3600, day: 86_400, week: 604_800 }

/** Adds the buckets that have no rows, so that lines break there. */
function withEmptyBuckets(x: readonly number[], bucket: BucketLength): number[] {
  const all: number[] = []
  for (const [index, at] of x.entries()) {
    all.push(at)
    const following = x[index + 1]
    if (following === undefined) break
    for (let next = nextBucket(at, bucket); next < following; next = nextBucket(next, bucket)) {
      all.push(next)
      if (all.length > MOST_BUCKETS) return [...x]
    }
  }
  return all
}

interface Line {
  name: string
  column: string
  points: Map<number, number | null>
}

const textOf = (value: unknown): string =>
  value === null || value === undefined ? 'none' : String(value)

/** Returns the lines of a table: one for each column and group. */
function linesOf({ name: person, table }: NamedTable, { xName, keys, numbers }: Shape): Line[] {
  const lines = new Map<string, Line>()
  const axis = table[xName] ?? []
  for (const [row, at] of axis.entries()) {
    if (at === null || at === undefined) continue
    const group = keys.map((key) => textOf(table[key]?.[row])).join(', ')
    for (const column of numbers) {
      const name = [person, column, group].filter((part) => part !== '').join(' · ')
      const line = lines.get(name) ?? { name, column, points: new Map() }
      lines.set(name, line)
      const x = typeof at === 'number' ? at : toSeconds(String(at))
      line.points.set(x, (table[column]?.[row] ?? null) as number | null)
    }
  }
  return [...lines.values()]
}

/**
 * Arranges tables of one query as charts.
 * @param bucket Length of the buckets of time of the query, if it has some.
 * @param columns Units of columns by their names.
 * @returns undefined for tables without a time or group column, or without numbers
 */
export function toResultCharts(
  tables: readonly NamedTable[],
  columns: ReadonlyMap<string, ResultColumn>,
  bucket?: BucketLength,
): ResultCharts | undefined {
  const shapes = tables.map(({ table }) => findShape(table))
  const shape = shapes.find((one) => one !== undefined && one.numbers.length > 0)
  if (shape === undefined) return undefined
  const numbers = [...new Set(shapes.flatMap((one) => one?.numbers ?? []))]
  const lines = tables.flatMap((one) => linesOf(one, { ...shape, numbers }))
  const known = [...new Set(lines.flatMap(({ points }) => [...points.keys()]))].sort(
    (a, b) => a - b,
  )
  if (known.length < 2) return undefined
  const isBucketed = bucket !== undefined && shape.isTime
  const x = isBucketed ? withEmptyBuckets(known, bucket) : known
  const byUnit = Map.groupBy(lines, ({ column }) => columns.get(column)?.unit ?? '')
  const missing = isBucketed || !shape.isTime ? null : undefined
  const plots = [...byUnit].map(([unit, all]): ResultPlot => {
    const shown = all.slice(0, MOST_LINES)
    return {
      unit,
      isFromZero: shown.every(({ column }) => columns.get(column)?.isFromZero === true),
      lines: shown.map(({ name, points }) => ({
        name,
        values: x.map((at) => (points.has(at) ? points.get(at) : missing)),
      })),
    }
  })
  const drawn = plots.reduce((sum, { lines: shown }) => sum + shown.length, 0)
  const { xName, isTime } = shape
  return { xName, x, isTime, plots, leftOut: lines.length - drawn }
}
