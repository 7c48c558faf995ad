import { badRequest, InputError, notFoundCode } from '@salus/kernel/errors'
import { awaitWithCommit } from '@salus/kernel/postgres/transaction'
import { environmentNow, type TransactionScope } from '@salus/kernel/scope'
import { dateAtOffset } from '@salus/kernel/time/instants'
import {
  cancelLockedOrder,
  mayCancel,
  toOrderResponse,
} from '../commands/order-commands.service.ts'
import { copyImages } from '../insurance/insurance-images.ts'
import type { OrderCreate, OrderCreateOrReplace } from '../order-requests.schema.ts'
import type { OrderRow } from '../orders.repository.ts'
import * as repository from '../orders.repository.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { takeOrderEventId } from './new-orders.repository.ts'
import type { Lineage } from './order-draft.ts'
import { type IsConnected, prepareOrder } from './prepare-order.service.ts'
import { laterThan, newLineage, storeOrder } from './store-order.service.ts'

/** Places an order in the caller's transaction. @throws AppError as prepareOrder */
export async function placeOrder(
  tx: TransactionScope,
  isConnected: IsConnected,
  input: OrderCreate,
): Promise<PostOrderResponse> {
  const at = environmentNow(tx)
  // Begun with the reads of the checks, which may fail first.
  const eventId = takeOrderEventId(tx)
  await awaitWithCommit(tx.db, eventId)
  const draft = await prepareOrder(tx, { isConnected, input, at })
  const { order } = await storeOrder(tx, draft, newLineage(), at, eventId)
  return { order, status: 'success', message: 'Order created.' }
}

/**
 * Places an order, or one that replaces another (docs/contract/11-orders.md#post-v3ordercreate).
 * @throws AppError as prepareOrder and findReplacedOrder
 */
export async function placeOrReplaceOrder(
  tx: TransactionScope,
  isConnected: IsConnected,
  input: OrderCreateOrReplace,
): Promise<PostOrderResponse> {
  const at = environmentNow(tx)
  const parent = await findReplacedOrder(tx, input)
  if (parent === undefined) return placeOrder(tx, isConnected, requireOrderCreate(input))
  const whole = requireOrderCreate(fillFromReplacedOrder(parent, input, at))
  const draft = await prepareOrder(tx, { isConnected, input: whole, at, former: parent })
  const lineage: Lineage = {
    origin: 'recreation',
    transactionId: parent.transaction_id,
    parentId: parent.id,
    updateReason: input.update_reason ?? null,
  }
  const { row } = await storeOrder(tx, draft, lineage, laterThan(parent, at))
  const isInherited = input.health_insurance === undefined && row.user_id === parent.user_id
  if (isInherited) await copyImages(tx, parent, row)
  // Cancelled after the new order is stored, so that no event reports the transaction as ended.
  if (await mayCancel(tx, parent)) await cancelLockedOrder(tx, parent, at)
  return toOrderResponse(tx, row, 'Order recreated.')
}

/**
 * Returns the order that a request replaces, locked; undefined when it replaces none.
 * @throws AppError 404 `order_not_found`; 400 `update_reason_required`, `order_already_recreated`
 */
export async function findReplacedOrder(
  tx: TransactionScope,
  { recreate_from_order_id: parentId, update_reason: reason }: OrderCreateOrReplace,
): Promise<OrderRow | undefined> {
  if (!parentId) return undefined
  if (!reason) {
    throw badRequest('update_reason_required', 'Give the reason for the replacement.')
  }
  const parent = await repository.lockOrder(tx, parentId)
  if (parent === undefined || parent.is_hidden) throw notFoundCode('order_not_found')
  if (await repository.findReplacement(tx, parent.id)) {
    throw badRequest('order_already_recreated', 'The order was already replaced.')
  }
  return parent
}

/** Returns the request of a replacement with missing fields copied from the replaced order. */
export function fillFromReplacedOrder(
  parent: OrderRow,
  input: OrderCreateOrReplace,
  at: Date,
): OrderCreateOrReplace {
  const today = dateAtOffset(at.getTime(), 0)
  const namesWhat = input.order_set || input.lab_test_id
  // Saved tests have a collection method; single markers have none.
  const needsMethod = !namesWhat || input.order_set?.add_on
  const isToCome = parent.activate_by !== null && parent.activate_by >= today
  const keepsAccount = input.update_reason !== 'INCORRECT_LAB'
  const ownAccount = input.lab_account_id ?? input.order_set?.lab_account_id
  const copied: OrderCreateOrReplace = {
    user_id: parent.user_id,
    collection_method: needsMethod ? parent.method : null,
    physician: parent.physician?.is_own ? parent.physician : null,
    priority: parent.priority,
    billing_type: parent.billing_type,
    icd_codes: parent.icd_codes,
    consents: parent.consents,
    passthrough: parent.passthrough,
    clinical_notes: parent.clinical_notes,
    notes: parent.notes,
    creator_member_id: parent.creator_member_id,
    activate_by: isToCome ? parent.activate_by : null,
  }
  if (parent.patient_details) copied.patient_details = parent.patient_details
  if (parent.patient_address) copied.patient_address = parent.patient_address
  // For another set, prepareOrder copies the answers to common questions.
  if (!namesWhat) copied.aoe_answers = parent.aoe_answers
  const given = Object.entries(input).filter(([, value]) => value !== undefined)
  const filled: OrderCreateOrReplace = { ...copied, ...Object.fromEntries(given) }
  if (!namesWhat) filled.order_set = { lab_test_ids: [parent.lab_test_id] }
  filled.lab_account_id = ownAccount ?? (keepsAccount ? parent.lab_account_id : null)
  return filled
}

/**
 * Checks that a request has the fields that only a replacement may leave out.
 * @throws InputError 422
 */
export function requireOrderCreate(input: OrderCreateOrReplace): OrderCreate {
  const { user_id, patient_details, patient_address } = input
  const missing = Object.entries({ user_id, patient_details, patient_address })
    .filter(([, value]) => value === undefined)
    .map(([name]) => ({
      loc: ['body' as const, name] as ['body', string],
      msg: 'Field required',
      type: 'missing' as const,
    }))
  if (missing.length > 0) throw new InputError(missing)
  return input as OrderCreate
}
