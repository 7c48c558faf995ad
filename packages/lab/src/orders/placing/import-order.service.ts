import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { dateAtOffset } from '@salus/kernel/time/instants'
import {
  chooseCollectionMethod,
  findOrCreateOrderedTest,
  resolveOrderSet,
  selectLabAccount,
} from '../../catalog/index.ts'
import { toOrderResponse } from '../commands/order-commands.service.ts'
import { checkPayment, choosePolicy } from '../insurance/billing.service.ts'
import type { OrderImport } from '../order-requests.schema.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { transitionOrder } from '../transitions/transition-order.service.ts'
import type { OrderDraft } from './order-draft.ts'
import { readPatient, readPatientAddress, readPhysician } from './people.ts'
import { choosePhysician, isDelegated } from './physicians.service.ts'
import { requireAdultOrProxy, requireUser } from './prepare-order.service.ts'
import { newLineage, storeOrder } from './store-order.service.ts'

/**
 * Stores an order that was placed elsewhere, with its two events; it is not dispatched.
 * @throws AppError as prepareOrder, and 400 `sample_id_taken`
 */
export function importOrder(scope: Scope, input: OrderImport): Promise<PostOrderResponse> {
  return scope.transaction(async (tx) => {
    const at = environmentNow(tx)
    const draft = await prepareImport(tx, input, at)
    const { row } = await storeOrder(tx, draft, newLineage(), at)
    const transition = { to: 'requisition_bypassed' as const, at, changes: { requisition_at: at } }
    const changed = await transitionOrder(tx, row, transition)
    return toOrderResponse(tx, changed, 'Order imported.')
  })
}

async function prepareImport(
  scope: TransactionScope,
  input: OrderImport,
  at: Date,
): Promise<OrderDraft> {
  const { db, environment } = scope
  const today = dateAtOffset(at.getTime(), 0)
  const patient = readPatient(input.patient_details, today)
  const address = readPatientAddress(input.patient_address, patient, { isStrict: false })
  const given = input.physician ? readPhysician(input.physician, { mayLackNpi: true }) : null
  const user = await requireUser(scope, input.user_id)
  const userId = user.id
  const set = await resolveOrderSet(scope, input, { labAccountId: input.lab_account_id })
  const { labAccountId, markers } = set
  const accountRequest = { labId: set.lab.id, labAccountId, purpose: 'import' as const, markers }
  const account = await selectLabAccount(scope, accountRequest)
  const method = chooseCollectionMethod(set, input.collection_method)
  const { billing_type: billing } = input
  await checkPayment(scope, { account, billing, state: address.state, markers })
  const choice = { isDelegated: isDelegated(account.delegated_flow), state: address.state }
  const physician = await choosePhysician(db, environment.kind, given, choice)
  await requireAdultOrProxy(scope, userId, patient, today)
  const person = { patient, address, healthInsurance: null }
  return {
    userId,
    user,
    labTest: await findOrCreateOrderedTest(scope, set, method, at),
    account,
    method,
    markers,
    patient,
    address,
    physician,
    billing,
    healthInsuranceId: await choosePolicy(scope, { userId, billing, person }),
    sampleId: input.sample_id,
    isImported: true,
    ...NOT_OF_AN_IMPORT,
  }
}

const NOT_OF_AN_IMPORT = {
  shipping: null,
  icdCodes: null,
  consents: [],
  aoeAnswers: [],
  priority: false,
  activateBy: null,
  notes: null,
  clinicalNotes: null,
  passthrough: null,
  creatorMemberId: null,
  isUnregisteredKit: false,
  healthInsurance: null,
}
