import { lockQueryToBegin, updateBeginning } from '../managing/queries.repository.ts'
import { claimDueMarks, markNextUsers } from '../marking/marks.repository.ts'
import { CLAIM_MS, PACE } from '../pace.ts'
import { evaluateMark } from './evaluate-mark.service.ts'
import type { EvaluationContext } from './evaluation.context.ts'

/** People that one transaction marks for a new query. */
const MOST_MARKED = 5_000
/** Queries of one person that are claimed together; they take far less than a claim lasts. */
const MOST_CLAIMED = 10

/**
 * Marks everyone for new queries, then evaluates what is due, person by person and in the order in
 * which it was due, until nothing is left or the signal ends.
 */
export async function evaluateDueQueries(
  context: EvaluationContext,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await beginQuery(context)));
  while (!signal.aborted) {
    const now = context.clock.now()
    const until = new Date(now.getTime() + CLAIM_MS)
    const marks = await claimDueMarks(context.db, { now, until, limit: MOST_CLAIMED })
    if (marks.length === 0) return
    for (const mark of marks) {
      // What is left is evaluated when the claim has ended.
      if (signal.aborted) return
      await evaluateMark(context, mark)
    }
  }
}

/**
 * Marks the next people for a query that has waited for a minute, so that all that was stored before
 * uploads knew of it is in its first evaluation. False when no query waits.
 */
function beginQuery({ db, clock }: EvaluationContext): Promise<boolean> {
  const now = clock.now()
  const createdBefore = new Date(now.getTime() - PACE.delaySeconds * 1000)
  return db.transaction().execute(async (transaction) => {
    const query = await lockQueryToBegin(transaction, createdBefore)
    if (query === undefined) return false
    const { environment_id: environmentId, id: queryId, created_at: changedAt } = query
    const after = query.begun_through
    const options = { queryId, after, limit: MOST_MARKED, changedAt, now }
    const last = await markNextUsers(transaction, environmentId, options)
    await updateBeginning(transaction, environmentId, queryId, {
      begunThrough: last ?? after,
      begunAt: last === undefined ? now : null,
    })
    return true
  })
}
