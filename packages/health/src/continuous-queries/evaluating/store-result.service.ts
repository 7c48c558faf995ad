import { writeEvents } from '@salus/kernel/events/events'
import type { TransactionScope } from '@salus/kernel/scope'
import {
  type ClaimedInvalidation,
  deleteInvalidation,
  lockClaimedInvalidation,
  postponeInvalidation,
} from '../invalidation/invalidations.repository.ts'
import { SCHEDULE, SETTLED_MS } from '../schedule.ts'
import { type FloatingRange, isEmpty } from './buckets.ts'
import { changeEvents } from './change-events.ts'
import type { EvaluationSubject } from './query-target.service.ts'
import {
  deleteResultRows,
  listResultKeys,
  type ResultRow,
  upsertEvaluation,
  upsertResultRows,
} from './results.repository.ts'
import { endTask, insertScheduledTask } from './tasks.repository.ts'

/** The rows of the evaluated buckets. */
export interface ComputedResult {
  /** In the order of the events. */
  rows: readonly ResultRow[]
  /** The buckets whose stored rows are replaced. */
  touched: FloatingRange
  basis: string
}

/** The claim ended meanwhile, so that another evaluation may have stored newer rows. */
export class ClaimLost extends Error {}

/**
 * Stores rows, their events and the outcome of the task, and removes the invalidation, in one
 * transaction.
 */
export async function storeResult(
  { query, user, scope }: EvaluationSubject,
  invalidation: ClaimedInvalidation,
  { rows, touched, basis }: ComputedResult,
  startedAt: Date,
): Promise<void> {
  await scope.transaction(async (tx) => {
    const { changed, vanished } = await replaceRows(tx, invalidation, rows, touched)
    const at = scope.clock.now()
    if (query.data_events_enabled && changed.length > 0) {
      const { columns } = query.result_table_schema
      const events = changeEvents({ query, user: toReference(user), columns, rows: changed })
      await writeEvents(tx, events)
    }
    await upsertEvaluation(tx, invalidation, { evaluated_at: startedAt, basis })
    const status = changed.length + vanished > 0 ? 'completed' : 'skipped'
    await endTask(tx, invalidation, { status, at })
    // Last, because uploads of the user wait while the invalidation is locked.
    await completeInvalidation(tx, invalidation, startedAt, query.minimum_gap_seconds)
  })
}

const toReference = ({ id, client_user_id }: EvaluationSubject['user']) => ({ id, client_user_id })

async function replaceRows(
  tx: TransactionScope,
  invalidation: ClaimedInvalidation,
  rows: readonly ResultRow[],
  touched: FloatingRange,
): Promise<{ changed: ResultRow[]; vanished: number }> {
  if (isEmpty(touched)) return { changed: [], vanished: 0 }
  const stored = await listResultKeys(tx, invalidation, touched)
  const keys = new Set(rows.map(({ key }) => key))
  const vanished = stored.filter((key) => !keys.has(key))
  await deleteResultRows(tx, invalidation, vanished)
  const changed = await upsertResultRows(tx, invalidation, rows)
  return { changed: rows.filter(({ key }) => changed.has(key)), vanished: vanished.length }
}

/**
 * Removes the invalidation, except the part that was noted during the evaluation or shortly before
 * it, when the data may not have been stored. That part is evaluated once more.
 */
async function completeInvalidation(
  tx: TransactionScope,
  invalidation: ClaimedInvalidation,
  startedAt: Date,
  gapSeconds: number | null,
): Promise<void> {
  const held = await lockClaimedInvalidation(tx, invalidation)
  if (held === undefined) throw new ClaimLost()
  const isSettled = startedAt.getTime() - invalidation.invalidated_at.getTime() >= SETTLED_MS
  if (isSettled && !held.hasChanged) return deleteInvalidation(tx, invalidation)
  const gapMs = (gapSeconds ?? SCHEDULE.gapSeconds) * 1000
  await postponeInvalidation(tx, invalidation, {
    due_at: new Date(startedAt.getTime() + gapMs),
    failures: 0,
    claimed: isSettled ? 'empty' : invalidation.fresh,
  })
  await insertScheduledTask(tx, invalidation, startedAt)
}
