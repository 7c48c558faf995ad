import type { TransactionScope } from '@salus/kernel/scope'
import { findOrCreateOrderedTest, getLabAccount, resolveMarkers } from '../../catalog/index.ts'
import { copyImages } from '../insurance/insurance-images.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { OrderDraft } from './order-draft.ts'
import { laterThan, storeOrder } from './store-order.service.ts'

export interface FollowingOrder {
  origin: 'redraw' | 'recreation'
  /** Markers to order again at the parent's laboratory. */
  markerIds: readonly number[]
  /** Account of the order, if not that of the parent, when another laboratory reported. */
  labAccountId?: string
  /** User of the order, if not the parent's. */
  userId?: string
  /** Whether the laboratory already has the order, so that it is not dispatched. */
  isImported?: boolean
  at: Date
}

/**
 * Creates an order inside the transaction of another one, as a copy with other markers: a redraw,
 * or the order for a late result. Stores its first event and emits it, and adds the dispatch job
 * unless the laboratory already has the order.
 */
export async function createFollowingOrder(
  tx: TransactionScope,
  parent: OrderRow,
  { origin, markerIds, labAccountId, userId, isImported = false, at }: FollowingOrder,
): Promise<OrderRow> {
  const set = await resolveMarkers(tx.db, markerIds)
  const isSamePerson = userId === undefined || userId === parent.user_id
  const draft: OrderDraft = {
    userId: userId ?? parent.user_id,
    labTest: await findOrCreateOrderedTest(tx, set, parent.method, at),
    account: await getLabAccount(tx.db, labAccountId ?? parent.lab_account_id),
    method: parent.method,
    markers: set.markers,
    patient: parent.patient_details,
    address: parent.patient_address,
    shipping: null,
    physician: parent.physician,
    billing: parent.billing_type,
    icdCodes: parent.icd_codes,
    consents: parent.consents,
    aoeAnswers: parent.aoe_answers.filter((answer) => markerIds.includes(answer.marker_id)),
    priority: parent.priority,
    activateBy: null,
    notes: parent.notes,
    clinicalNotes: parent.clinical_notes,
    passthrough: parent.passthrough,
    sampleId: null,
    creatorMemberId: parent.creator_member_id,
    isImported,
    isUnregisteredKit: false,
    // Insurance belongs to a person.
    healthInsuranceId: isSamePerson ? parent.health_insurance_id : null,
    healthInsurance: isSamePerson ? parent.health_insurance : null,
  }
  const { transaction_id: transactionId, id: parentId } = parent
  const lineage = { origin, transactionId, parentId, updateReason: null }
  const { row } = await storeOrder(tx, draft, lineage, laterThan(parent, at))
  if (isSamePerson) await copyImages(tx, parent, row)
  return row
}
