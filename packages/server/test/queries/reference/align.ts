import { addPeriod, truncate } from './floating-time.ts'
import type { Scalar } from './reference-row.ts'
import type { WireCarry, WirePeriod } from './wire-query.ts'

/** A row of aggregates: the values of the group keys, and of the aggregates. */
export interface AggregatedRow {
  keys: Scalar[]
  values: Scalar[]
}

export interface AlignAxis {
  /** Position among the keys of the date_trunc. */
  key: number
  period: WirePeriod
}

/** docs/contract/09-aggregate.md#align. `now` is floating. */
export function alignRows(
  rows: readonly AggregatedRow[],
  axis: AlignAxis,
  carry: WireCarry,
  now: number,
): AggregatedRow[] {
  const partitions = Map.groupBy(rows, ({ keys }) => JSON.stringify(keys.toSpliced(axis.key, 1)))
  return [...partitions.values()].flatMap((partition) =>
    fillNulls(addMissing(partition, axis, carry, now), axis, carry),
  )
}

const capOf = (carry: WireCarry): WirePeriod | null =>
  ('span' in carry ? carry.span : 'max_age' in carry ? carry.max_age : null) ?? null

const bucketOf = (row: AggregatedRow, axis: AlignAxis): number => row.keys[axis.key] as number

function addMissing(
  rows: readonly AggregatedRow[],
  axis: AlignAxis,
  carry: WireCarry,
  now: number,
): AggregatedRow[] {
  const cap = capOf(carry)
  const known = new Map(rows.map((row) => [bucketOf(row, axis), row]))
  const first = Math.min(...known.keys())
  const last = Math.max(...known.keys())
  const reachesBack = carry.mode !== 'carry_forward' && cap !== null
  const reachesOn = carry.mode !== 'carry_backward' && cap !== null
  const { keys, values } = rows[0] as AggregatedRow
  const filled: AggregatedRow[] = []
  const visit = (bucket: number): void => {
    filled.push(
      known.get(bucket) ?? {
        keys: keys.with(axis.key, bucket),
        values: values.map(() => null),
      },
    )
  }
  if (reachesBack) {
    const start = before(first, axis)
    for (let bucket = start; isWithin(bucket, first, cap); bucket = before(bucket, axis))
      visit(bucket)
  }
  let bucket = first
  for (; bucket <= last; bucket = after(bucket, axis)) visit(bucket)
  if (reachesOn) {
    for (; isWithin(last, bucket, cap) && bucket <= now; bucket = after(bucket, axis)) visit(bucket)
  }
  return filled.sort((a, b) => bucketOf(a, axis) - bucketOf(b, axis))
}

function after(bucket: number, { period }: AlignAxis): number {
  return addPeriod(bucket, period, 1)
}

function before(bucket: number, { period }: AlignAxis): number {
  return truncate(bucket - 1, period)
}

/** Whether `later` is no more than a period after `earlier`. */
function isWithin(earlier: number, later: number, cap: WirePeriod | null): boolean {
  return cap === null || addPeriod(earlier, cap, 1) >= later
}

function fillNulls(
  rows: readonly AggregatedRow[],
  axis: AlignAxis,
  carry: WireCarry,
): AggregatedRow[] {
  const columns = rows[0]?.values ?? []
  const known = columns.map((_, column) =>
    rows
      .map((row) => ({ bucket: bucketOf(row, axis), value: row.values[column] as Scalar }))
      .filter(({ value }) => value !== null),
  )
  return rows.map((row) => ({
    keys: row.keys,
    values: row.values.map(
      (value, column) =>
        value ?? findCarried(known[column] as Observation[], bucketOf(row, axis), carry),
    ),
  }))
}

interface Observation {
  bucket: number
  value: Scalar
}

function findCarried(known: readonly Observation[], bucket: number, carry: WireCarry): Scalar {
  const cap = capOf(carry)
  const reaches = (at: Observation | undefined): at is Observation =>
    at !== undefined && isWithin(Math.min(at.bucket, bucket), Math.max(at.bucket, bucket), cap)
  const [before, after] = [
    known.findLast((at) => at.bucket < bucket),
    known.find((at) => at.bucket > bucket),
  ]
  const past = reaches(before) ? before : undefined
  const future = reaches(after) ? after : undefined
  if (carry.mode === 'carry_forward') return past?.value ?? null
  if (carry.mode === 'carry_backward') return future?.value ?? null
  if (past === undefined || future === undefined) return (past ?? future)?.value ?? null
  return bucket - past.bucket <= future.bucket - bucket ? past.value : future.value
}
