import { conflict, invalidInput, notFoundCode } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { addJob, defineJob } from '@salus/kernel/jobs/jobs'
import { type Environment, environmentNow, type Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { requireReviewQueue } from '../match-review/show-reviews.service.ts'
import * as repository from './review-tests.repository.ts'
import type { UnmatchedResultTestCreate, UnmatchedResultTestRun } from './review-tests.schema.ts'
import { REVIEW_TEST_CASES, reviewTestCase } from './test-cases.registry.ts'
import { chooseLabTest } from './test-message.service.ts'

export interface ReviewTestJob {
  environmentId: string
  runId: string
}

/** The job that performs a test run. */
export const RUN_REVIEW_TEST = defineJob<ReviewTestJob>('run_unmatched_result_test')

const UNKNOWN_RUN = notFoundCode('unmatched_result_test_not_found')

/**
 * Checks that the environment is a sandbox with a review queue.
 * @throws AppError 404 in production, 400 `match_review_disabled`
 */
function requireSandbox(environment: Environment): void {
  if (environment.kind !== 'sandbox') throw UNKNOWN_RUN
  requireReviewQueue(environment)
}

/** Returns the test cases. @throws AppError as createReviewTest */
export function listReviewTestCases(environment: Environment) {
  requireSandbox(environment)
  const data = REVIEW_TEST_CASES.map(({ case: name, orders, labConstraints }) => ({
    case: name,
    order_roles: Object.keys(orders),
    required_statuses: { ...orders },
    lab_constraints: [...labConstraints],
  }))
  return { data }
}

/**
 * Starts a test run; the same key returns the same run.
 * @throws AppError 404 in production, 400 `match_review_disabled`, 422 for orders that do not fit
 *   the case, 400 `lab_test_required`, `lab_test_unsuitable` for a managed run without a suitable
 *   lab test, 409 `idempotency_conflict` for another request under the key
 */
export async function createReviewTest(
  scope: Scope,
  key: string,
  input: UnmatchedResultTestCreate,
) {
  requireSandbox(scope.environment)
  const request = JSON.stringify(normalizeRequest(input))
  refuseWrongOrders(input)
  await refuseUnsuitableTest(scope, key, input)
  const id = newId()
  const at = environmentNow(scope)
  const run = await scope.transaction(async (tx) => {
    const made = await repository.insertReviewTest(tx, {
      id,
      idempotency_key: key,
      request,
      status: 'queued',
      stage: 'queued',
      orders: '{}',
      raw_result_id: null,
      error: null,
      created_at: at,
      updated_at: at,
      started_at: null,
      completed_at: null,
    })
    const payload = { environmentId: scope.environment.id, runId: id }
    if (made !== undefined) await addJob(tx.db, RUN_REVIEW_TEST, payload)
    return made
  })
  const found = run ?? (await repository.findReviewTest(scope, { idempotency_key: key }))
  if (found === undefined) throw new Error('The run of a used key is gone.')
  if (run === undefined && JSON.stringify(normalizeRequest(found.request)) !== request) {
    throw conflict('idempotency_conflict', 'The key was used for another request.')
  }
  return { run_id: found.id, status: found.status }
}

/**
 * Refuses a lab test with which a run would fail. A used key returns its run, even if the lab tests
 * have changed since.
 */
async function refuseUnsuitableTest(
  scope: Scope,
  key: string,
  { order_source: source, lab_test_id: labTestId = null }: UnmatchedResultTestCreate,
): Promise<void> {
  if (source !== 'managed') return
  const known = await repository.findReviewTest(scope, { idempotency_key: key })
  if (known === undefined) await chooseLabTest(scope, labTestId)
}

/** Returns a request with all fields, so that equal requests are equal texts. */
function normalizeRequest(input: UnmatchedResultTestCreate): UnmatchedResultTestCreate {
  const orders = Object.entries(input.orders ?? {})
    .map(([role, id]) => [role, id?.toLowerCase() ?? null] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    case: input.case,
    order_source: input.order_source,
    orders: Object.fromEntries(orders),
    result_status: input.result_status ?? 'final',
    interpretation: input.interpretation ?? 'normal',
    lab_test_id: input.lab_test_id?.toLowerCase() ?? null,
    wrong_lab_test_id: input.wrong_lab_test_id?.toLowerCase() ?? null,
  }
}

function refuseWrongOrders({
  case: name,
  order_source: source,
  orders,
}: UnmatchedResultTestCreate) {
  const { orders: required, isManageable } = reviewTestCase(name)
  if (source === 'managed' && !isManageable) {
    const msg = 'This case needs an existing order with at-home phlebotomy'
    throw invalidInput(['body', 'order_source'], msg, 'provided_required')
  }
  const wanted = source === 'managed' ? [] : Object.keys(required)
  const given = Object.entries(orders ?? {}).flatMap(([role, id]) => (id === null ? [] : role))
  if (given.toSorted().join() === wanted.toSorted().join()) return
  const msg =
    wanted.length === 0
      ? 'This case does not take orders'
      : `Input should name exactly these orders: ${wanted.join(', ')}`
  throw invalidInput(['body', 'orders'], msg, 'order_roles')
}

/** Returns a test run. @throws AppError 404, 400 `match_review_disabled` */
export async function showReviewTest(scope: Scope, runId: string): Promise<UnmatchedResultTestRun> {
  requireSandbox(scope.environment)
  const row = await repository.findReviewTest(scope, { id: runId })
  if (row === undefined) throw UNKNOWN_RUN
  return {
    run_id: row.id,
    status: row.status,
    stage: row.stage,
    case: row.request.case,
    order_source: row.request.order_source,
    result_status: row.request.result_status ?? 'final',
    orders: row.orders,
    raw_result_id: row.raw_result_id,
    error: row.error,
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
    started_at: row.started_at && formatInstant(row.started_at),
    completed_at: row.completed_at && formatInstant(row.completed_at),
  }
}
