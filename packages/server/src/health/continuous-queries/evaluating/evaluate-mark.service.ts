import { findEnvironment } from '../../../accounts/teams/index.ts'
import { findUser } from '../../../accounts/users/index.ts'
import { ClickHouseError } from '../../../platform/clickhouse/clickhouse-error.ts'
import { AppError } from '../../../platform/errors.ts'
import { findQuery } from '../managing/queries.repository.ts'
import {
  type ClaimedMark,
  deleteMark,
  lockClaimedMark,
  postponeMark,
} from '../marking/marks.repository.ts'
import { backOffMs } from '../pace.ts'
import { computeResult } from './compute-result.service.ts'
import type { EvaluationContext } from './evaluation.context.ts'
import { ClaimLost, storeResult } from './store-result.service.ts'
import { endTask, insertScheduledTask, startTask } from './tasks.repository.ts'

/**
 * Evaluates what a claimed mark says may have changed, and stores the outcome. Cut short at any point
 * it is repeated when the claim has ended, which changes nothing that was stored already.
 */
export async function evaluateMark(context: EvaluationContext, mark: ClaimedMark): Promise<void> {
  const { db, clock } = context
  const { environment_id: environmentId } = mark
  const [query, user, environment] = await Promise.all([
    findQuery(db, environmentId, mark.query_id),
    findUser(db, environmentId, mark.user_id),
    findEnvironment(db, environmentId),
  ])
  if (query?.status !== 'active' || environment === undefined) return dropMark(context, mark)
  // Deleted just now; the mark waits for the person to come back or to be erased.
  if (user === undefined) return
  const subject = { query, user, scope: environment }
  const startedAt = clock.now()
  if (!(await startTask(db, environmentId, mark, startedAt))) return
  try {
    const result = await computeResult(context, subject, mark, startedAt)
    await storeResult(context, subject, mark, result, startedAt)
  } catch (error) {
    if (error instanceof ClaimLost) return
    await recordFailure(context, mark, error)
  }
}

/** A query that was archived meanwhile, or whose team is gone, is not evaluated. */
async function dropMark({ db, clock }: EvaluationContext, mark: ClaimedMark): Promise<void> {
  const { environment_id: environmentId } = mark
  await db.transaction().execute(async (transaction) => {
    const held = await lockClaimedMark(transaction, environmentId, mark)
    if (held === undefined) return
    await deleteMark(transaction, environmentId, mark)
    await endTask(transaction, environmentId, mark, { status: 'skipped', at: clock.now() })
  })
}

async function recordFailure(
  { db, clock, log }: EvaluationContext,
  mark: ClaimedMark,
  error: unknown,
): Promise<void> {
  const { environment_id: environmentId, query_id: queryId } = mark
  log.error({ err: error, queryId }, 'a continuous query could not be evaluated')
  const at = clock.now()
  const failures = mark.failures + 1
  const dueAt = new Date(at.getTime() + backOffMs(failures))
  await db.transaction().execute(async (transaction) => {
    const held = await lockClaimedMark(transaction, environmentId, mark)
    if (held === undefined) return
    const errorDetails = describeFailure(error)
    await endTask(transaction, environmentId, mark, { status: 'error', at, errorDetails })
    await postponeMark(transaction, environmentId, mark, { due_at: dueAt, failures })
    await insertScheduledTask(transaction, environmentId, mark, at)
  })
}

const TIMEOUT_EXCEEDED = 159

/** Constant words: what a store says may quote health data. */
function describeFailure(error: unknown): string {
  if (error instanceof AppError) return error.message
  if (error instanceof ClickHouseError) {
    if (error.code === TIMEOUT_EXCEEDED) return 'The query took longer than 30 seconds.'
    return 'The store of health data did not answer the query. It will be tried again.'
  }
  return 'The evaluation failed. It will be tried again.'
}
