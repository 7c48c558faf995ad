import { findEnvironment } from '@salus/accounts/teams'
import { findUser } from '@salus/accounts/users'
import { ClickHouseError } from '@salus/kernel/clickhouse/clickhouse-error'
import { AppError } from '@salus/kernel/errors'
import { createScope, type Scope, type Stores } from '@salus/kernel/scope'
import {
  type ClaimedInvalidation,
  deleteInvalidation,
  lockClaimedInvalidation,
  postponeInvalidation,
} from '../invalidation/invalidations.repository.ts'
import { findQuery } from '../managing/queries.repository.ts'
import { backOffMs } from '../schedule.ts'
import { computeResult, type EvaluationContext } from './compute-result.service.ts'
import { ClaimLost, storeResult } from './store-result.service.ts'
import { endTask, insertScheduledTask, startTask } from './tasks.repository.ts'

/**
 * Evaluates a claimed invalidation and stores the outcome. An interrupted evaluation is repeated
 * when the claim has ended, which does not change what was stored.
 */
export async function evaluateInvalidation(
  context: EvaluationContext,
  invalidation: ClaimedInvalidation,
): Promise<void> {
  const { db, clock } = context
  const environment = await findEnvironment(db, invalidation.environment_id)
  if (environment === undefined) return dropInvalidation(context, invalidation)
  const scope = createScope(context, environment)
  const [query, user] = await Promise.all([
    findQuery(scope, invalidation.query_id),
    findUser(scope, invalidation.user_id),
  ])
  if (query?.status !== 'active') return dropInvalidation(context, invalidation)
  // The user was just deleted. The invalidation stays until they are restored or erased.
  if (user === undefined) return
  const subject = { query, user, scope }
  const startedAt = clock.now()
  if (!(await startTask(scope, invalidation, startedAt))) return
  try {
    const result = await computeResult(context, subject, invalidation, startedAt)
    await storeResult(subject, invalidation, result, startedAt)
  } catch (error) {
    if (error instanceof ClaimLost) return
    await recordFailure(scope, invalidation, error)
  }
}

/** Drops the invalidation of a query that was archived meanwhile, or whose team is gone. */
function dropInvalidation({ db, clock }: Stores, invalidation: ClaimedInvalidation): Promise<void> {
  return db.transaction().execute(async (transaction) => {
    const tx = { db: transaction, environment: { id: invalidation.environment_id } }
    const held = await lockClaimedInvalidation(tx, invalidation)
    if (held === undefined) return
    await deleteInvalidation(tx, invalidation)
    await endTask(tx, invalidation, { status: 'skipped', at: clock.now() })
  })
}

async function recordFailure(
  scope: Scope,
  invalidation: ClaimedInvalidation,
  error: unknown,
): Promise<void> {
  scope.log.error(
    { err: error, queryId: invalidation.query_id },
    'a continuous query could not be evaluated',
  )
  const at = scope.clock.now()
  const failures = invalidation.failures + 1
  const dueAt = new Date(at.getTime() + backOffMs(failures))
  await scope.transaction(async (tx) => {
    const held = await lockClaimedInvalidation(tx, invalidation)
    if (held === undefined) return
    const errorDetails = describeFailure(error)
    await endTask(tx, invalidation, { status: 'error', at, errorDetails })
    await postponeInvalidation(tx, invalidation, { due_at: dueAt, failures })
    await insertScheduledTask(tx, invalidation, at)
  })
}

const TIMEOUT_EXCEEDED = 159

/** Constant texts, because errors of a store may quote health data. */
function describeFailure(error: unknown): string {
  if (error instanceof AppError) return error.message
  if (error instanceof ClickHouseError) {
    if (error.code === TIMEOUT_EXCEEDED) return 'The query took longer than 30 seconds.'
    return 'The store of health data did not answer the query. It is retried.'
  }
  return 'The evaluation failed. It is retried.'
}
