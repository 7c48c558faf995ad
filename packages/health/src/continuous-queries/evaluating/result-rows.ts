import { createHash } from 'node:crypto'
import type { ResultColumn } from '../continuous-queries.tables.ts'
import type { FloatingRange } from './buckets.ts'
import type { ResultRow } from './results.repository.ts'

/** Longer keys would not fit an index of PostgreSQL. */
const LONGEST_KEY = 1_000

/** Result of a statement: rows of values in the order of the columns. */
interface EvaluatedTable {
  columns: readonly ResultColumn[]
  /** Positions of the group keys among the columns. */
  keyColumns: readonly number[]
  /** Lines of JSON arrays, as the engine writes them. */
  lines: readonly string[]
}

/**
 * Returns the rows of a result whose buckets begin in a range. Equal values give equal texts, so
 * that changes can be detected.
 */
export function toResultRows(
  { columns, keyColumns, lines }: EvaluatedTable,
  bucketColumn: number,
  range: FloatingRange,
): ResultRow[] {
  const rows = new Map<string, ResultRow>()
  for (const line of lines) {
    const values = (JSON.parse(line) as unknown[]).map((value, position) =>
      toStored(value, columns[position]?.type),
    )
    const bucket = Date.parse(`${values[bucketColumn]}${isDay(values[bucketColumn]) ? '' : 'Z'}`)
    // A row without a time belongs to no bucket.
    if (!(bucket >= range.from && bucket < range.to)) continue
    const key = toKey(keyColumns.map((position) => values[position]))
    rows.set(key, { key, bucket, json: JSON.stringify(values) })
  }
  return [...rows.values()]
}

/** A calendar date is parsed as UTC by itself, a time only with its Z. */
const isDay = (value: unknown): boolean => typeof value === 'string' && value.length === 10

function toKey(values: readonly unknown[]): string {
  const key = JSON.stringify(values)
  if (key.length <= LONGEST_KEY) return key
  return `sha256:${createHash('sha256').update(key).digest('hex')}`
}

/**
 * Converts a value to its form in answers: a floating time is `YYYY-MM-DDTHH:MM:SS`
 * (docs/contract/09-aggregate.md#query-api).
 */
function toStored(value: unknown, type: string | undefined): unknown {
  if (typeof value !== 'string') return Array.isArray(value) ? value.map(withoutNul) : value
  if (type === 'datetime') return value.slice(0, 19).replace(' ', 'T')
  return withoutNul(value)
}

/** PostgreSQL cannot store NUL in a text. */
const withoutNul = (value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '') : value

/** Converts rows of values to columns by name. */
export function toTable(
  columns: readonly Pick<ResultColumn, 'name'>[],
  rows: readonly (readonly unknown[])[],
): Record<string, unknown[]> {
  return Object.fromEntries(
    columns.map(({ name }, position) => [name, rows.map((row) => row[position] ?? null)]),
  )
}

/**
 * Sorts rows by their group keys, ascending, nulls last
 * (docs/contract/09-aggregate.md#output-columns).
 */
export function sortByKeys(rows: readonly unknown[][], keyColumns: readonly number[]): unknown[][] {
  return rows.toSorted((a, b) => {
    for (const position of keyColumns) {
      const order = compareValues(a[position], b[position])
      if (order !== 0) return order
    }
    return 0
  })
}

function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a == null) return 1
  if (b == null) return -1
  return (a as string | number) < (b as string | number) ? -1 : 1
}
