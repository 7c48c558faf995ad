import type { Stores } from '@salus/kernel/scope'
import { claimDueInvalidations } from '../invalidation/invalidations.global.repository.ts'
import { invalidateNextUsers } from '../invalidation/invalidations.repository.ts'
import { updateInvalidationProgress } from '../managing/queries.repository.ts'
import { CLAIM_MS, SCHEDULE } from '../schedule.ts'
import type { EvaluationContext } from './compute-result.service.ts'
import { evaluateInvalidation } from './evaluate-invalidation.service.ts'
import { lockQueryToBegin } from './evaluation.global.repository.ts'

/** Users that one transaction invalidates for a new query. */
const MOST_INVALIDATED = 5_000
/** Queries of one user that are claimed together; they take far less time than a claim lasts. */
const MOST_CLAIMED = 10

/**
 * Invalidates every user for new queries, then evaluates what is due, user by user in order of due
 * times, until nothing is left or the signal aborts.
 */
export async function evaluateDueQueries(
  context: EvaluationContext,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await invalidateForNewQuery(context)));
  while (!signal.aborted) {
    const now = context.clock.now()
    const until = new Date(now.getTime() + CLAIM_MS)
    const invalidations = await claimDueInvalidations(context.db, {
      now,
      until,
      limit: MOST_CLAIMED,
    })
    if (invalidations.length === 0) return
    for (const invalidation of invalidations) {
      // The rest is evaluated when the claim has ended.
      if (signal.aborted) return
      await evaluateInvalidation(context, invalidation)
    }
  }
}

/**
 * Invalidates the next users for a query that was created at least a minute ago, so that its first
 * evaluation has everything that was stored before uploads knew of it. Returns false when no query
 * waits.
 */
function invalidateForNewQuery({ db, clock }: Stores): Promise<boolean> {
  const now = clock.now()
  const createdBefore = new Date(now.getTime() - SCHEDULE.delaySeconds * 1000)
  return db.transaction().execute(async (transaction) => {
    const query = await lockQueryToBegin(transaction, createdBefore)
    if (query === undefined) return false
    const { id: queryId, created_at: changedAt } = query
    const tx = { db: transaction, environment: { id: query.environment_id } }
    const after = query.begun_through
    const options = { queryId, after, limit: MOST_INVALIDATED, changedAt, now }
    const last = await invalidateNextUsers(tx, options)
    await updateInvalidationProgress(tx, queryId, {
      begunThrough: last ?? after,
      begunAt: last === undefined ? now : null,
    })
    return true
  })
}
