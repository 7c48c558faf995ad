import type { LabSimulator } from '@salus/contracts/lab-gateway'
import { AppError, badRequest } from '@salus/kernel/errors'
import type { FileStore } from '@salus/kernel/files/file-store'
import { newId } from '@salus/kernel/ids'
import { type Environment, environmentNow, type Scope } from '@salus/kernel/scope'
import { findLabBySlug } from '../../catalog/index.ts'
import type { OrderRow } from '../../orders/index.ts'
import { findSameMessage, findUnmatched } from '../match-review/unmatched-results.repository.ts'
import { receiveResultMessage } from '../receive-result-message.service.ts'
import type { ResultsScope } from '../results.scope.ts'
import { inResultTransaction } from '../storing/result-files.ts'
import { withoutPdf } from '../storing/store-result-message.service.ts'
import type { ReviewTestRow } from './review-tests.repository.ts'
import * as repository from './review-tests.repository.ts'
import type { UnmatchedResultTestStage } from './review-tests.schema.ts'
import { type ReviewTestCase, reviewTestCase } from './test-cases.registry.ts'
import { chooseLabTest, makeTestMessage, type TestMessage } from './test-message.service.ts'
import {
  advanceTestOrder,
  findTestOrders,
  placeTestOrders,
  type TestOrders,
  type TestRunTransaction,
} from './test-orders.service.ts'

/** Dependencies of test runs. */
export interface ReviewTestParts {
  files: FileStore
  /** Simulates the laboratory. */
  simulator: LabSimulator
  /** Creates a user of a sandbox for test orders, and returns the id. */
  makeTestUser: (environment: Environment, clientUserId: string) => Promise<string>
}

/** Records the stage of a run outside of its transaction. */
type SetStage = (stage: UnmatchedResultTestStage) => Promise<void>

/**
 * Performs a test run of the review queue: creates or finds its orders, receives the result
 * message, and checks that it is held as its case expects. All changes are in one transaction; an
 * error is recorded in the run.
 */
export async function runReviewTest(
  scope: Scope,
  parts: ReviewTestParts,
  runId: string,
): Promise<void> {
  const run = await repository.findReviewTest(scope, { id: runId })
  if (run === undefined || run.completed_at !== null) return
  const now = () => environmentNow(scope)
  const update = (changes: Parameters<typeof repository.updateReviewTest>[2]) =>
    repository.updateReviewTest(scope, runId, { ...changes, updated_at: now() })
  const setStage: SetStage = (stage) => update({ stage })
  await update({ status: 'running', started_at: now() })
  try {
    const outcome = await performTest({ ...scope, files: parts.files }, parts, run, setStage)
    await update({
      status: 'succeeded',
      stage: 'succeeded',
      orders: JSON.stringify(outcome.orders),
      raw_result_id: outcome.rawResultId,
      completed_at: now(),
    })
  } catch (error) {
    if (!(error instanceof AppError)) scope.log.warn({ err: error, runId }, 'a review test failed')
    const fault = error instanceof AppError ? error : INTERNAL
    await update({
      status: 'failed',
      stage: 'failed',
      error: JSON.stringify({ code: fault.errorType, message: fault.message }),
      completed_at: now(),
    })
  }
}

const INTERNAL = new AppError(500, 'internal_error', 'Something went wrong on the server.')

async function performTest(
  scope: ResultsScope,
  { simulator, makeTestUser }: ReviewTestParts,
  run: ReviewTestRow,
  setStage: SetStage,
) {
  const testCase = reviewTestCase(run.request.case)
  await setStage('validating')
  const isManaged = run.request.order_source === 'managed'
  const userIds = isManaged ? await makeUsers(makeTestUser, scope.environment, testCase) : []
  return inResultTransaction(scope, async (tx) => {
    const at = environmentNow(scope)
    const orders = isManaged
      ? await makeOrders({ ...tx, simulator }, testCase, { run, userIds, at }, setStage)
      : await findTestOrders(tx, testCase, run.request.orders ?? {})
    await setStage('writing_result')
    const [order] = orders.values()
    const facts = { runId: run.id, order, at, simulator }
    const sent = await makeTestMessage(tx, testCase, run.request, facts)
    await setStage('matching_result')
    const taken = { ...sent, messageId: null, at }
    const { state } = await receiveResultMessage(tx, taken)
    await setStage('verifying_review')
    if (state !== 'held') throw UNEXPECTED
    const rawResultId = await findHeld(tx, testCase, sent)
    return { orders: Object.fromEntries([...orders].map(toShownOrder)), rawResultId }
  })
}

const UNEXPECTED = badRequest(
  'unexpected_match',
  'The result was not held as the case expects; other orders of the patient may be the cause.',
)

function toShownOrder([role, row]: [string, OrderRow]) {
  const shown = {
    order_id: row.id,
    user_id: row.user_id,
    order_transaction_id: row.transaction_id,
  }
  return [role, shown] as const
}

/** Creates a user for each order before the transaction of the run. */
async function makeUsers(
  makeTestUser: ReviewTestParts['makeTestUser'],
  environment: Environment,
  { orders }: ReviewTestCase,
): Promise<string[]> {
  const userIds: string[] = []
  for (const role of Object.keys(orders)) {
    // A restarted run creates them again, so names must be unique.
    userIds.push(await makeTestUser(environment, `unmatched-result-test-${role}-${newId()}`))
  }
  return userIds
}

async function makeOrders(
  tx: TestRunTransaction,
  testCase: ReviewTestCase,
  { run, userIds, at }: { run: ReviewTestRow; userIds: readonly string[]; at: Date },
  setStage: SetStage,
): Promise<TestOrders> {
  if (userIds.length === 0) return new Map()
  await setStage('selecting_configuration')
  const test = await chooseLabTest(tx, run.request.lab_test_id ?? null)
  await setStage('creating_orders')
  const testRequest = { runId: run.id, labTestId: test.id, userIds }
  const placed = await placeTestOrders(tx, testCase, testRequest, at)
  await setStage('transitioning_orders')
  const advanced: TestOrders = new Map()
  for (const [role, row] of placed) {
    const status = testCase.orders[role] ?? row.last_status
    advanced.set(role, await advanceTestOrder(tx, row, status, at))
  }
  return advanced
}

async function findHeld(
  scope: Scope,
  testCase: ReviewTestCase,
  { message, labSlug }: TestMessage,
): Promise<string> {
  const held = await findHeldRow(scope, message, labSlug)
  if (held?.decision_code !== testCase.case) throw UNEXPECTED
  return held.id
}

async function findHeldRow(scope: Scope, message: TestMessage['message'], labSlug: string) {
  const { db } = scope
  const hash = withoutPdf(message).content_hash
  const lab = await findLabBySlug(db, labSlug)
  const same = lab && (await findSameMessage(scope, lab.id, hash))
  return same && findUnmatched(scope, same.id)
}
