import type { LabSimulator } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { AppError, badRequest } from '@salus/kernel/errors'
import type { TransactionScope } from '@salus/kernel/scope'
import { findLab } from '../../catalog/index.ts'
import {
  applyUpdate,
  cancelLockedOrder,
  findOrder,
  lockOrder,
  makeRequisition,
  type OrderRow,
  placeOrder,
} from '../../orders/index.ts'
import { compareDemographics } from '../../patients/index.ts'
import { storeMatchedMessage } from '../receive-result-message.service.ts'
import type { ResultTransaction } from '../results.scope.ts'
import type { ReviewTestCase } from './test-cases.registry.ts'

/** Transaction of a run, with the simulator as its laboratory. */
export interface TestRunTransaction extends ResultTransaction {
  simulator: LabSimulator
}

/** Orders of a test by role. */
export type TestOrders = Map<string, OrderRow>

/** Letters for spelling a run's id, because names allow neither repeated dashes nor many digits. */
const LETTERS = 'abcdefghijklmnop'

/** Returns a patient whom only this run uses. */
function testPatient(runId: string) {
  const name = [...runId.replaceAll('-', '').slice(0, 12)]
    .map((digit) => LETTERS[Number.parseInt(digit, 16)])
    .join('')
  return {
    first_name: 'Test',
    last_name: `Review-${name}`,
    dob: '1980-01-01',
    gender: 'female',
    phone_number: '+15550100000',
    email: 'test@example.com',
  }
}

const TEST_ADDRESS = {
  receiver_name: 'Test',
  first_line: '1 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
}
const TEST_PHYSICIAN = { first_name: 'Test', last_name: 'Physician', npi: '1234567893' }
const CONSENTS = ['hipaa-authorization', 'terms-of-use', 'telehealth-informed-consent'] as const

/** Places the orders of a managed run, each with its own user and all with one patient. */
export async function placeTestOrders(
  tx: TestRunTransaction,
  { orders }: ReviewTestCase,
  test: { runId: string; labTestId: string; userIds: readonly string[] },
  at: Date,
): Promise<TestOrders> {
  const placed: TestOrders = new Map()
  for (const [index, role] of Object.keys(orders).entries()) {
    // Runs are in sandboxes, where every laboratory is connected.
    const { order } = await placeOrder(tx, async () => true, {
      user_id: test.userIds[index] ?? '',
      order_set: { lab_test_ids: [test.labTestId] },
      patient_details: testPatient(test.runId),
      patient_address: TEST_ADDRESS,
      physician: TEST_PHYSICIAN,
      consents: CONSENTS.map((consentType) => ({ consentType })),
    } as Parameters<typeof placeOrder>[2])
    placed.set(role, await acceptOrder(tx, order.id, at))
  }
  return placed
}

/** Accepts the order as the laboratory does, with a sample id. */
async function acceptOrder(tx: TestRunTransaction, orderId: string, at: Date): Promise<OrderRow> {
  const row = await getLocked(tx, orderId)
  const lab = await findLab(tx.db, row.lab_id)
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  const order = { orderId, labSlug: lab.slug }
  const sampleId = tx.simulator.makeSampleId(order)
  const update = { kind: 'requisition_accepted', order, sampleId } as const
  const accepted = await applyUpdate(tx, row, update, at)
  return accepted.row
}

async function getLocked(tx: TransactionScope, orderId: string): Promise<OrderRow> {
  const row = await lockOrder(tx, orderId)
  if (row === undefined) throw new Error('An order that was just placed is gone.')
  return row
}

/** Moves a placed order to the status that its case requires. */
export async function advanceTestOrder(
  tx: TestRunTransaction,
  row: OrderRow,
  status: LowLevelStatus,
  at: Date,
): Promise<OrderRow> {
  if (row.last_status === status) return row
  if (status === 'cancelled') return cancelLockedOrder(tx, row, at)
  const requisition = await makeRequisition(tx, row)
  const message = await tx.simulator.makeReport({
    requisition,
    status: 'final',
    interpretation: 'normal',
    resultTypes: null,
    hasMissingResults: false,
    collectedAt: at,
    reportedAt: at,
    labName: requisition.labSlug,
    accountId: requisition.accountId,
  })
  await storeMatchedMessage(tx, row, message, { messageId: null, at })
  return getLocked(tx, row.id)
}

/**
 * Returns the orders that the caller names for a run.
 * @throws AppError 404 `order_not_found`; 400 `order_status_invalid`, `orders_unsuitable`
 */
export async function findTestOrders(
  tx: TransactionScope,
  testCase: ReviewTestCase,
  given: Record<string, string | null>,
): Promise<TestOrders> {
  const found: TestOrders = new Map()
  for (const [role, status] of Object.entries(testCase.orders)) {
    const row = await findOrder(tx, given[role] ?? '')
    if (row === undefined || row.is_hidden)
      throw new AppError(404, 'order_not_found', 'One of the orders does not exist.')
    if (row.last_status !== status) {
      throw badRequest('order_status_invalid', 'An order is not in the status that the case needs.')
    }
    found.set(role, row)
  }
  refuseUnsuitable(testCase, [...found.values()])
  return found
}

function refuseUnsuitable(testCase: ReviewTestCase, orders: readonly OrderRow[]): void {
  const [first, second] = orders
  const isVisit = testCase.case !== 'wrong_collection' || first?.method === 'at_home_phlebotomy'
  const patients = orders.map(({ patient_details: patient }) => patient)
  const [one, other] = patients
  const isPair =
    second === undefined ||
    (first?.user_id !== second.user_id &&
      first?.lab_id === second.lab_id &&
      one &&
      other &&
      compareDemographics(one, other) === 'match')
  if (isVisit && isPair && patients.every((patient) => patient !== null)) return
  throw badRequest('orders_unsuitable', 'The orders do not fit the case.')
}
