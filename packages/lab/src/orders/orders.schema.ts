import { INTERPRETATIONS } from '@salus/contracts/lab-gateway'
import {
  COLLECTION_METHODS,
  GROUPS,
  LOW_LEVEL_STATUSES,
  STATUS_DETAILS,
} from '@salus/contracts/order-lifecycle'
import { DateOnly, DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { BILLINGS, LabTest } from '../catalog/index.ts'
import { GuarantorDetails } from '../insurance/index.ts'

/** Orders as endpoints return them (docs/contract/11-orders.md#objects). */

export const ORDER_ORIGINS = ['initial', 'redraw', 'recreation'] as const
export type OrderOrigin = (typeof ORDER_ORIGINS)[number]
export const ORDER_TRANSACTION_STATUSES = ['active', 'completed', 'cancelled'] as const
export type OrderTransactionStatus = (typeof ORDER_TRANSACTION_STATUSES)[number]

const NullableText = Nullable(Type.String())

export const OrderPatientDetails = Type.Object(
  {
    first_name: NullableText,
    last_name: NullableText,
    dob: DateOnly,
    gender: Type.String(),
    phone_number: NullableText,
    email: NullableText,
    medical_proxy: Nullable(GuarantorDetails),
    race: NullableText,
    ethnicity: NullableText,
    sexual_orientation: NullableText,
    gender_identity: NullableText,
  },
  { title: 'OrderPatientDetails' },
)

export const OrderPatientAddress = Type.Object(
  {
    receiver_name: Type.String(),
    first_line: Type.String(),
    second_line: NullableText,
    city: Type.String(),
    state: Type.String(),
    zip: Type.String(),
    country: Type.String(),
    access_notes: NullableText,
    phone_number: NullableText,
  },
  { title: 'OrderPatientAddress' },
)

const OrderShippingDetails = Type.Object(
  {
    receiver_name: Type.String(),
    first_line: Type.String(),
    second_line: NullableText,
    city: Type.String(),
    state: Type.String(),
    zip: Type.String(),
    country: Type.String(),
    phone_number: Type.String(),
  },
  { title: 'OrderShippingDetails' },
)

export const Shipment = Type.Object(
  {
    id: Uuid,
    outbound_tracking_number: NullableText,
    outbound_tracking_url: NullableText,
    inbound_tracking_number: NullableText,
    inbound_tracking_url: NullableText,
    outbound_courier: NullableText,
    inbound_courier: NullableText,
    notes: NullableText,
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'Shipment' },
)

const OrderDetails = Type.Object(
  {
    type: TextEnum(COLLECTION_METHODS),
    data: Type.Object({
      id: Uuid,
      shipment: Type.Optional(Nullable(Shipment)),
      appointment_id: Type.Optional(Nullable(Uuid)),
      created_at: DateTime,
      updated_at: DateTime,
    }),
  },
  {
    title: 'OrderDetails',
    description:
      'Details of the order. `data.shipment` is present for test kits, `data.appointment_id` for walk-in tests and phlebotomy.',
  },
)

export const OrderEvent = Type.Object(
  {
    id: Type.Integer(),
    created_at: DateTime,
    status: Type.String({
      description: 'Status as `<group>.<method>.<low-level status>`; further values may be added.',
    }),
    status_detail: Nullable(TextEnum(STATUS_DETAILS)),
  },
  { title: 'OrderEvent' },
)
export type OrderEvent = Type.Static<typeof OrderEvent>

const OrderInTransaction = Type.Object(
  {
    id: Uuid,
    low_level_status: Nullable(TextEnum(LOW_LEVEL_STATUSES)),
    low_level_status_created_at: Nullable(DateTime),
    origin: Nullable(TextEnum(ORDER_ORIGINS)),
    parent_id: Nullable(Uuid),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'OrderInTransaction' },
)

export const OrderTransaction = Type.Object(
  {
    id: Uuid,
    status: TextEnum(ORDER_TRANSACTION_STATUSES),
    orders: Type.Array(OrderInTransaction),
  },
  { title: 'OrderTransaction' },
)
export type OrderTransaction = Type.Static<typeof OrderTransaction>

export const Physician = Type.Object(
  { first_name: Type.String(), last_name: Type.String(), npi: Type.String() },
  { title: 'Physician' },
)

const NullableString = Nullable(Type.String())

/** A provider of health care in the registry of NPIs. */
export const RegisteredPhysician = Type.Object(
  {
    npi: Type.String(),
    kind: TextEnum(['individual', 'organization']),
    is_active: Type.Boolean({ description: 'False for an NPI that was deactivated.' }),
    first_name: NullableString,
    last_name: NullableString,
    organization_name: NullableString,
    credential: NullableString,
    licensed_states: Type.Array(Type.String(), {
      description: 'States of the licences in the registry, which does not verify them.',
    }),
    taxonomies: Type.Array(
      Type.Object({
        code: Type.String({ description: 'Code of the specialty, such as 207Q00000X.' }),
        description: NullableString,
        is_primary: Type.Boolean(),
        state: NullableString,
        license: NullableString,
      }),
    ),
  },
  { title: 'RegisteredPhysician' },
)
export type RegisteredPhysician = Type.Static<typeof RegisteredPhysician>

export const Order = Type.Object(
  {
    user_id: Uuid,
    id: Uuid,
    team_id: Uuid,
    patient_details: Nullable(OrderPatientDetails),
    patient_address: Nullable(OrderPatientAddress),
    lab_test: LabTest,
    details: OrderDetails,
    sample_id: NullableText,
    notes: NullableText,
    clinical_notes: NullableText,
    created_at: DateTime,
    updated_at: DateTime,
    events: Type.Array(OrderEvent),
    status: TextEnum(GROUPS, { deprecated: true, description: 'Group of the last event.' }),
    last_event: OrderEvent,
    physician: Nullable(Physician),
    health_insurance_id: Nullable(Uuid),
    requisition_form_url: Nullable(Type.String({ deprecated: true })),
    priority: Type.Boolean(),
    shipping_details: Nullable(OrderShippingDetails),
    activate_by: Nullable(DateOnly),
    passthrough: NullableText,
    billing_type: TextEnum(BILLINGS),
    icd_codes: Nullable(Type.Array(Type.String())),
    has_abn: Type.Boolean(),
    interpretation: Nullable(TextEnum(INTERPRETATIONS)),
    has_missing_results: Nullable(Type.Boolean()),
    expected_result_by_date: Nullable(DateOnly),
    worst_case_result_by_date: Nullable(DateOnly),
    origin: TextEnum(ORDER_ORIGINS),
    order_transaction: OrderTransaction,
  },
  { title: 'Order' },
)
export type Order = Type.Static<typeof Order>

export const PostOrderResponse = Type.Object(
  { order: Order, status: Type.String(), message: Type.String() },
  { title: 'PostOrderResponse' },
)
export type PostOrderResponse = Type.Static<typeof PostOrderResponse>

/** An order in the response of its transaction, with its status under both names. */
const OrderSummary = Type.Object(
  {
    id: Uuid,
    origin: TextEnum(ORDER_ORIGINS),
    parent_id: Nullable(Uuid),
    last_status: TextEnum(LOW_LEVEL_STATUSES),
    last_status_created_at: DateTime,
    updated_at: DateTime,
    created_at: DateTime,
    low_level_status: TextEnum(LOW_LEVEL_STATUSES),
    low_level_status_created_at: DateTime,
  },
  { title: 'OrderSummary' },
)

export const OrderTransactionDetails = Type.Object(
  {
    id: Uuid,
    team_id: Uuid,
    status: TextEnum(ORDER_TRANSACTION_STATUSES),
    orders: Type.Array(OrderSummary),
  },
  { title: 'OrderTransactionDetails' },
)

export const CommunicationSettings = Type.Object(
  { order_id: Uuid, sms_enabled: Type.Boolean() },
  { title: 'CommunicationSettings' },
)
