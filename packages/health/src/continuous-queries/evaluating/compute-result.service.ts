import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { AppError } from '@salus/kernel/errors'
import type { Stores } from '@salus/kernel/scope'
import { compileQuery, mergeQueryRows, type QueryTarget, type Window } from '../../queries/index.ts'
import type { ClaimedInvalidation } from '../invalidation/invalidations.repository.ts'
import { analyzeContinuousQuery } from '../managing/check-query.ts'
import {
  type FloatingRange,
  intersectRanges,
  isEmpty,
  type Period,
  wholeBuckets,
} from './buckets.ts'
import { type QueryShape, queryShapeOf } from './query-shape.ts'
import {
  describeRankings,
  type EvaluationSubject,
  evaluationBasisOf,
  findQueryTarget,
} from './query-target.service.ts'
import { toResultRows } from './result-rows.ts'
import { findBasis } from './results.repository.ts'
import { MOST_SECONDS, runQuery } from './run-query.repository.ts'
import type { ComputedResult } from './store-result.service.ts'

export interface EvaluationContext extends Stores {
  /** Length of the window that is kept up to date. */
  continuousQueryDays: number
  /** Maximum number of rows that one evaluation may read. */
  queryMaxSourceRows: number
}

const NOTHING_CHANGED = { rows: [], touched: { from: 0, to: 0 } }

/** Evaluates the buckets that a change may affect; all of them when more than the data changed. */
export async function computeResult(
  context: EvaluationContext,
  subject: EvaluationSubject,
  invalidation: ClaimedInvalidation,
  at: Date,
): Promise<ComputedResult> {
  const { continuousQueryDays: days } = context
  const { query } = subject
  const shape = queryShapeOf(query.query, days * DAY_MS)
  const window = evaluationWindow(at, days, shape.period)
  const target = await findQueryTarget(subject, at)
  const basis = evaluationBasisOf(target, days, await describeRankings(subject))
  const known = await findBasis(subject.scope, invalidation)
  const change = known === basis ? invalidation : { from: null, to: null }
  const touched = touchedBuckets(change, window, shape)
  if (isEmpty(touched)) return { ...NOTHING_CHANGED, basis }
  return {
    rows: await evaluateBuckets(context, subject, { touched, shape, target }),
    touched,
    basis,
  }
}

async function evaluateBuckets(
  { clickhouse, queryMaxSourceRows }: EvaluationContext,
  { query, scope }: EvaluationSubject,
  { touched, shape, target }: { touched: Window; shape: QueryShape; target: QueryTarget },
) {
  const analyzed = analyzeContinuousQuery(query.query)
  const read = wholeBuckets({ ...touched, from: touched.from - shape.readBackMs }, shape.period)
  const compiled = compileQuery(analyzed, read, target)
  refuseOtherColumns(query.result_table_schema.columns, compiled.columns)
  const limits = { sourceRows: queryMaxSourceRows, seconds: MOST_SECONDS }
  const rows = await mergeQueryRows(scope, compiled.mergedRows, target, limits)
  const lines = await runQuery(clickhouse, compiled, MOST_ROWS, queryMaxSourceRows, rows)
  if (lines.length > MOST_ROWS) throw TOO_MANY_ROWS
  const bucketColumn = compiled.keyColumns[shape.bucketKey] ?? 0
  return toResultRows({ ...compiled, lines }, bucketColumn, touched)
}

/**
 * Maximum number of rows that one evaluation stores: a year of buckets of five minutes, with room
 * for more keys.
 */
const MOST_ROWS = 200_000

const TOO_MANY_ROWS = new AppError(
  400,
  'range_too_large',
  'The result has more than 200000 rows. Create a query with larger buckets or fewer group keys.',
)

const COLUMNS_CHANGED = new AppError(
  409,
  'columns_changed',
  'In this version the query has other columns than when it was created. Create it again.',
)

/** Stored rows depend on the columns that the query was created with. */
function refuseOtherColumns(
  stored: readonly { name: string }[],
  compiled: readonly { name: string }[],
): void {
  const namesOf = (columns: readonly { name: string }[]) => columns.map(({ name }) => name).join()
  if (namesOf(stored) !== namesOf(compiled)) throw COLUMNS_CHANGED
}

/**
 * Local times are at most 14 h ahead of UTC and 12 h behind it; the zone of a row is unknown here.
 */
const ZONES_MS = 15 * HOUR_MS

/**
 * Data with a future date, such as a predicted cycle, are only evaluated when they arrive, so the
 * window reaches this far ahead.
 */
const AHEAD_MS = 366 * DAY_MS

/** Returns the range of whole buckets that are kept up to date. Older buckets do not change. */
function evaluationWindow(at: Date, days: number, period: Period): FloatingRange {
  const now = at.getTime()
  return wholeBuckets({ from: now - days * DAY_MS, to: now + AHEAD_MS }, period)
}

/**
 * Returns the buckets of the window that a change may affect; all of them when the change has no
 * bounds.
 */
function touchedBuckets(
  change: { from: Date | null; to: Date | null },
  window: FloatingRange,
  { period, isTouchedAnywhere, touchesBeforeMs, touchesAfterMs }: QueryShape,
): FloatingRange {
  if (change.from === null || change.to === null || isTouchedAnywhere) return window
  const touched = {
    from: change.from.getTime() - ZONES_MS - touchesBeforeMs,
    to: change.to.getTime() + ZONES_MS + touchesAfterMs + 1,
  }
  return intersectRanges(wholeBuckets(touched, period), window)
}
