import type { Interpretation } from '@salus/contracts/lab-gateway'
import type {
  CollectionMethod,
  LowLevelStatus,
  StatusDetail,
} from '@salus/contracts/order-lifecycle'
import type { ColumnType, Generated } from 'kysely'
import type { AoeAnswer, Billing } from '../catalog/index.ts'
import type { CancelProblem, DispatchProblem } from './dispatch/dispatch-problems.ts'
import type { OrderHealthInsurance } from './insurance/health-insurance.ts'
import type { OrderOrigin, OrderTransactionStatus } from './orders.schema.ts'
import type {
  Consent,
  PatientAddress,
  PatientDetails,
  PhysicianInput,
  ShippingAddress,
} from './people.schema.ts'

type Json<T> = ColumnType<T, string, string>
type NullableJson<T> = ColumnType<T | null, string | null, string | null>

export interface OrderTransactionsTable {
  environment_id: string
  id: string
  status: OrderTransactionStatus
  created_at: Date
  updated_at: Date
}

export interface OrdersTable {
  environment_id: string
  id: string
  user_id: string
  transaction_id: string
  origin: OrderOrigin
  parent_id: string | null
  update_reason: string | null
  lab_id: number
  lab_test_id: string
  lab_account_id: string
  method: CollectionMethod
  marker_ids: number[]
  details_id: string
  sample_id: string | null
  notes: string | null
  clinical_notes: string | null
  passthrough: string | null
  priority: boolean
  billing_type: Billing
  icd_codes: string[] | null
  health_insurance_id: string | null
  health_insurance: NullableJson<OrderHealthInsurance>
  creator_member_id: string | null
  activate_by: string | null
  is_scheduled: boolean
  dispatched_at: Date | null
  is_imported: boolean
  is_unregistered_kit: boolean
  registered_at: Date | null
  patient_details: NullableJson<PatientDetails>
  patient_address: NullableJson<PatientAddress>
  shipping_details: NullableJson<ShippingAddress>
  physician: NullableJson<PhysicianInput>
  consents: Json<Consent[]>
  aoe_answers: Json<AoeAnswer[]>
  has_abn: boolean
  requisition_at: Date | null
  sms_enabled: boolean | null
  last_status: LowLevelStatus
  last_status_at: Date
  interpretation: Interpretation | null
  has_missing_results: boolean | null
  collected_on: string | null
  patient_name: string
  patient_dob: string | null
  shipping_recipient_name: string
  is_hidden: Generated<boolean>
  dispatch_failed_at: Generated<Date | null>
  dispatch_problem: Generated<DispatchProblem | null>
  /** Codes of a laboratory's refusal. */
  dispatch_detail: Generated<string | null>
  cancel_problem: Generated<CancelProblem | null>
  cancel_detail: Generated<string | null>
  cancel_failed_at: Generated<Date | null>
  created_at: Date
  updated_at: Date
}

const COLUMNS = {
  environment_id: true,
  id: true,
  user_id: true,
  transaction_id: true,
  origin: true,
  parent_id: true,
  update_reason: true,
  lab_id: true,
  lab_test_id: true,
  lab_account_id: true,
  method: true,
  marker_ids: true,
  details_id: true,
  sample_id: true,
  notes: true,
  clinical_notes: true,
  passthrough: true,
  priority: true,
  billing_type: true,
  icd_codes: true,
  health_insurance_id: true,
  health_insurance: true,
  creator_member_id: true,
  activate_by: true,
  is_scheduled: true,
  dispatched_at: true,
  is_imported: true,
  is_unregistered_kit: true,
  registered_at: true,
  patient_details: true,
  patient_address: true,
  shipping_details: true,
  physician: true,
  consents: true,
  aoe_answers: true,
  has_abn: true,
  requisition_at: true,
  sms_enabled: true,
  last_status: true,
  last_status_at: true,
  interpretation: true,
  has_missing_results: true,
  collected_on: true,
  patient_name: true,
  patient_dob: true,
  shipping_recipient_name: true,
  is_hidden: true,
  dispatch_failed_at: true,
  dispatch_problem: true,
  dispatch_detail: true,
  cancel_problem: true,
  cancel_detail: true,
  cancel_failed_at: true,
  created_at: true,
  updated_at: true,
} satisfies Record<keyof OrdersTable, true>

/** All columns of orders, by name: PostgreSQL prepares no statement with `*` over a migration. */
export const ORDER_COLUMNS = Object.keys(COLUMNS) as (keyof OrdersTable)[]

/**
 * Kind of a number: Salus assigns a `placer` number, the laboratory a `filler` number; a
 * `requisition` number is printed on the paper.
 */
export type LabNumberKind = 'placer' | 'filler' | 'requisition'

/** Numbers of orders and their tests at laboratories. */
export interface LabOrderNumbersTable {
  environment_id: string
  gateway: string
  kind: LabNumberKind
  number: string
  order_id: string
  marker_id: number | null
  created_at: Date
}

/** Images of insurance cards and signatures, encrypted for the person. */
export interface OrderInsuranceImagesTable {
  environment_id: string
  order_id: string
  user_id: string
  sealed: Buffer
}

export interface OrderEventsTable {
  environment_id: string
  order_id: string
  id: Generated<number>
  status: LowLevelStatus
  status_detail: StatusDetail | null
  created_at: Date
}

export interface ShipmentsTable {
  environment_id: string
  order_id: string
  id: string
  outbound_tracking_number: string | null
  outbound_tracking_url: string | null
  outbound_courier: string | null
  inbound_tracking_number: string | null
  inbound_tracking_url: string | null
  inbound_courier: string | null
  outbound_scan: string | null
  inbound_scan: string | null
  outbound_look_up_at: Generated<Date | null>
  outbound_look_ups: Generated<number>
  inbound_look_up_at: Generated<Date | null>
  inbound_look_ups: Generated<number>
  notes: string | null
  created_at: Date
  updated_at: Date
}

export interface PhysiciansTable {
  id: string
  team_id: string | null
  first_name: string
  last_name: string
  npi: string
  licensed_states: string[]
  signature_image: NullableJson<NonNullable<PhysicianInput['signature_image']>>
  is_sample: Generated<boolean>
  created_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    order_transactions: OrderTransactionsTable
    orders: OrdersTable
    lab_order_numbers: LabOrderNumbersTable
    order_insurance_images: OrderInsuranceImagesTable
    order_events: OrderEventsTable
    shipments: ShipmentsTable
    physicians: PhysiciansTable
  }
}
