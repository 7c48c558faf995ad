import type { Stores } from '@salus/kernel/scope'
import {
  type EndpointFigures,
  MOST_ATTEMPTS_TIMED,
  measureRecentAttempts,
} from '../delivery/delivery-figures.global.repository.ts'
import {
  countMovedAttempts,
  type FiguresRange,
  listNewestMovedAttempts,
  type MovedFigures,
  type TimedAttempt,
} from './attempt-figures.global.repository.ts'
import { readAtOneInstant, readHistoryState } from './history-state.global.repository.ts'

/** Returns the backlog of endpoints and the success of their attempts, moved ones included. */
export async function measureEndpoints(
  { db, clickhouse }: Pick<Stores, 'db' | 'clickhouse'>,
  range: FiguresRange,
): Promise<EndpointFigures[]> {
  const recent = await measureRecentAttempts(db, range)
  const { movedAttemptsUntil: until } = await readHistoryState(db)
  if (until === null || until < range.since) return recent
  return readAtOneInstant(db, async (instant, state) => {
    const rows = await measureRecentAttempts(instant, range)
    const counts = await countMovedAttempts(clickhouse, state, range)
    const newest = await listNewestMovedAttempts(clickhouse, state, range, MOST_ATTEMPTS_TIMED)
    const countsOf = new Map(counts.map((count) => [count.endpoint_id, count]))
    const newestOf = Map.groupBy(newest, ({ endpoint_id: id }) => id)
    return rows.map((row) =>
      join(row, countsOf.get(row.endpoint_id), newestOf.get(row.endpoint_id) ?? []),
    )
  })
}

type RecentFigures = Awaited<ReturnType<typeof measureRecentAttempts>>[number]

function join(
  row: RecentFigures,
  moved: MovedFigures | undefined,
  newest: readonly TimedAttempt[],
): EndpointFigures {
  if (moved === undefined) return row
  const lastMoved = new Date(moved.last_attempt_at_ms)
  const last = row.last_attempt_at
  const joined = {
    ...row,
    succeeded: row.succeeded + moved.succeeded,
    failed: row.failed + moved.failed,
    last_attempt_at: last !== null && last > lastMoved ? last : lastMoved,
  }
  // PostgreSQL has as many as are timed.
  if (row.durations === null) return joined
  const added = newest.slice(0, MOST_ATTEMPTS_TIMED - row.durations.length)
  const durations = [...row.durations, ...added.map(({ duration_ms: duration }) => duration)]
  const lags = [
    ...(row.lags ?? []),
    ...added.flatMap(({ lag_ms: lag }) => (lag === null ? [] : [lag])),
  ]
  return {
    ...joined,
    duration_p50: percentileOf(durations, 0.5),
    duration_p95: percentileOf(durations, 0.95),
    lag_p50: percentileOf(lags, 0.5),
    lag_p95: percentileOf(lags, 0.95),
  }
}

/** Interpolates between neighbors, as `percentile_cont` of PostgreSQL does. */
function percentileOf(values: readonly number[], fraction: number): number | null {
  if (values.length === 0) return null
  const sorted = values.toSorted((one, other) => one - other)
  const position = fraction * (sorted.length - 1)
  const below = sorted[Math.floor(position)] ?? 0
  const above = sorted[Math.ceil(position)] ?? below
  return roundToEven(below + (above - below) * (position - Math.floor(position)))
}

/** Rounds as PostgreSQL does: what lies between two whole numbers becomes the even one. */
function roundToEven(value: number): number {
  const rounded = Math.round(value)
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}
