import type { UserReference } from '@salus/accounts/users'
import type { CollectionMethod } from '@salus/contracts/order-lifecycle'
import type {
  AoeAnswer,
  Billing,
  LabAccountRow,
  OrderedMarker,
  OrderedTest,
} from '../../catalog/index.ts'
import type { OrderHealthInsurance } from '../insurance/health-insurance.ts'
import { toSearchedName } from '../listing/searched-text.ts'
import type { NewOrder } from '../orders.repository.ts'
import type { OrderOrigin } from '../orders.schema.ts'
import type {
  Consent,
  PatientAddress,
  PatientDetails,
  PhysicianInput,
  ShippingAddress,
} from '../people.schema.ts'

/** A checked order that is not stored yet. */
export interface OrderDraft {
  userId: string
  /** The user, where the transaction holds it. */
  user?: UserReference
  labTest: OrderedTest
  account: LabAccountRow
  method: CollectionMethod
  markers: readonly Pick<OrderedMarker, 'id'>[]
  patient: PatientDetails | null
  address: PatientAddress | null
  shipping: ShippingAddress | null
  physician: PhysicianInput | null
  billing: Billing
  icdCodes: readonly string[] | null
  consents: readonly Consent[]
  aoeAnswers: readonly AoeAnswer[]
  priority: boolean
  activateBy: string | null
  notes: string | null
  clinicalNotes: string | null
  passthrough: string | null
  sampleId: string | null
  creatorMemberId: string | null
  isImported: boolean
  isUnregisteredKit: boolean
  healthInsuranceId: string | null
  healthInsurance: OrderHealthInsurance | null
}

/** Relation of an order to others. */
export interface Lineage {
  origin: OrderOrigin
  transactionId: string
  parentId: string | null
  updateReason: string | null
}

/** Billing types with which the patient may have to pay and therefore signs a notice. */
const PATIENT_MAY_PAY = new Set<Billing>([
  'commercial_insurance',
  'patient_bill',
  'patient_bill_passthrough',
])

const nameOf = (person: { first_name: string; last_name: string } | null): string =>
  person === null ? '' : toSearchedName(`${person.first_name} ${person.last_name}`)

/** Returns the columns by which people are searched. */
export function searchColumns(
  patient: PatientDetails | null,
  address: PatientAddress | null,
  shipping: ShippingAddress | null,
) {
  return {
    patient_name: nameOf(patient),
    patient_dob: patient?.dob ?? null,
    shipping_recipient_name: toSearchedName((shipping ?? address)?.receiver_name ?? ''),
  }
}

/** Returns the row of a draft in its first status. */
export function toNewOrder(
  draft: OrderDraft,
  lineage: Lineage,
  ids: { id: string; detailsId: string },
  at: Date,
): NewOrder {
  const { patient, address, shipping } = draft
  return {
    id: ids.id,
    details_id: ids.detailsId,
    user_id: draft.userId,
    transaction_id: lineage.transactionId,
    origin: lineage.origin,
    parent_id: lineage.parentId,
    update_reason: lineage.updateReason,
    lab_id: draft.labTest.lab_id,
    lab_test_id: draft.labTest.id,
    lab_account_id: draft.account.id,
    method: draft.method,
    marker_ids: draft.markers.map((marker) => marker.id),
    sample_id: draft.sampleId,
    notes: draft.notes,
    clinical_notes: draft.clinicalNotes,
    passthrough: draft.passthrough,
    priority: draft.priority,
    billing_type: draft.billing,
    icd_codes: draft.icdCodes && [...draft.icdCodes],
    health_insurance_id: draft.healthInsuranceId,
    health_insurance: draft.healthInsurance,
    creator_member_id: draft.creatorMemberId,
    activate_by: draft.activateBy,
    is_scheduled: draft.activateBy !== null,
    is_imported: draft.isImported,
    is_unregistered_kit: draft.isUnregisteredKit,
    patient_details: patient,
    patient_address: address,
    shipping_details: shipping,
    physician: draft.physician,
    consents: [...draft.consents],
    aoe_answers: [...draft.aoeAnswers],
    has_abn: PATIENT_MAY_PAY.has(draft.billing),
    ...searchColumns(patient, address, shipping),
    last_status: 'ordered',
    last_status_at: at,
    created_at: at,
    updated_at: at,
    ...NOTHING_YET,
  }
}

/** Columns of what happens to an order later. */
const NOTHING_YET = {
  dispatched_at: null,
  registered_at: null,
  requisition_at: null,
  sms_enabled: null,
  interpretation: null,
  has_missing_results: null,
  collected_on: null,
  is_hidden: false,
  dispatch_failed_at: null,
  dispatch_problem: null,
  dispatch_detail: null,
  cancel_problem: null,
  cancel_detail: null,
  cancel_failed_at: null,
}
