import { badRequest } from '@salus/kernel/errors'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import {
  checkBilling,
  findOrCreateOrderedTest,
  resolveOrderSet,
  selectLabAccount,
} from '../../catalog/index.ts'
import { toOrderResponse } from '../commands/order-commands.service.ts'
import type { TestkitOrder } from '../order-requests.schema.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { transitionOrder } from '../transitions/transition-order.service.ts'
import type { OrderDraft } from './order-draft.ts'
import { readShippingAddress } from './people.ts'
import { type IsConnected, requireConnection, requireUser } from './prepare-order.service.ts'
import { newLineage, storeOrder } from './store-order.service.ts'

/**
 * Orders a kit before its patient is known (docs/contract/11-orders.md#post-v3ordertestkit).
 * @throws AppError 404 `user_not_found`, `lab_test_not_found`; 400 `not_a_testkit`,
 *   `lab_test_not_active`, and those of accounts and billing
 */
export function orderTestkit(
  scope: Scope,
  isConnected: IsConnected,
  input: TestkitOrder,
): Promise<PostOrderResponse> {
  return scope.transaction(async (tx) => {
    const at = environmentNow(tx)
    const draft = await prepareTestkit(tx, isConnected, input, at)
    const { row } = await storeOrder(tx, draft, newLineage(), at)
    const transition = { to: 'awaiting_registration' as const, at }
    const changed = await transitionOrder(tx, row, transition)
    return toOrderResponse(tx, changed, 'Kit ordered.')
  })
}

async function prepareTestkit(
  tx: TransactionScope,
  isConnected: IsConnected,
  input: TestkitOrder,
  at: Date,
): Promise<OrderDraft> {
  const shipping = readShippingAddress(input.shipping_details)
  const user = await requireUser(tx, input.user_id)
  const { lab_account_id: named } = input
  const selection = { order_set: { lab_test_ids: [input.lab_test_id] } }
  const set = await resolveOrderSet(tx, selection, { labAccountId: named })
  if (set.sharedMethod !== 'testkit') {
    throw badRequest('not_a_testkit', 'The lab test is not a testkit.')
  }
  const { lab, labAccountId, markers, accounts: known } = set
  await requireConnection(isConnected, lab)
  const purpose = 'create' as const
  const account = await selectLabAccount(tx, {
    labId: lab.id,
    labAccountId,
    purpose,
    markers,
    known,
  })
  checkBilling(account, 'client_bill', shipping.state)
  return {
    userId: user.id,
    user,
    labTest: await findOrCreateOrderedTest(tx, set, 'testkit', at),
    account,
    method: 'testkit',
    markers,
    shipping,
    passthrough: input.passthrough ?? null,
    isUnregisteredKit: true,
    ...NOT_KNOWN_YET,
  }
}

const NOT_KNOWN_YET = {
  patient: null,
  address: null,
  physician: null,
  billing: 'client_bill' as const,
  sampleId: null,
  icdCodes: null,
  consents: [],
  aoeAnswers: [],
  priority: false,
  activateBy: null,
  notes: null,
  clinicalNotes: null,
  creatorMemberId: null,
  isImported: false,
  healthInsuranceId: null,
  healthInsurance: null,
}
