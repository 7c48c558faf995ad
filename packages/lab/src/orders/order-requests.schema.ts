import { PersonName } from '@salus/accounts/users'
import { COLLECTION_METHODS } from '@salus/contracts/order-lifecycle'
import { DateOnly, DateTimeInput, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { AoeAnswer, BILLINGS, OrderSetRequest } from '../catalog/index.ts'
import { AddressInput, MEMBER_ID_LENGTH, RELATIONSHIPS } from '../insurance/index.ts'
import {
  ConsentInput,
  Image,
  ImportPatientAddress,
  PatientAddressInput,
  PatientDetailsInput,
  PhysicianCreateRequest,
  PhysicianCreateRequestBase,
  ShippingAddressInput,
} from './people.schema.ts'

/** Bodies of the ordering endpoints (docs/contract/11-orders.md#request-objects). */

export const UPDATE_REASONS = [
  'INCORRECT_LAB',
  'INCORRECT_TEST',
  'INCORRECT_PATIENT_DETAILS',
  'SAMPLE_LOST',
  'OTHER',
] as const

const IcdCodes = Type.Array(Type.String({ maxLength: 20 }), { maxItems: 50 })

const BillingText = Type.String({ maxLength: 10_000 })

const ResponsiblePerson = Type.Object({
  first_name: PersonName,
  last_name: PersonName,
  address: AddressInput,
  phone_number: Type.String(),
  phone_type: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 50,
      description: 'Type of the telephone; mobile by default.',
    }),
  ),
})

/**
 * The deprecated way to name an insurance
 * (docs/contract/11-orders.md#healthinsurancecreaterequest).
 */
export const HealthInsuranceCreateRequest = Type.Object(
  {
    front_image: Type.Optional(Nullable(Image)),
    back_image: Type.Optional(Nullable(Image)),
    patient_signature_image: Type.Optional(Nullable(Image)),
    subjective: Type.Optional(Nullable(BillingText)),
    assessment_plan: Type.Optional(Nullable(BillingText)),
    payor_code: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    insurance_id: Type.Optional(Nullable(Type.String({ maxLength: MEMBER_ID_LENGTH }))),
    responsible_relationship: Type.Optional(Nullable(TextEnum(RELATIONSHIPS))),
    responsible_details: Type.Optional(Nullable(ResponsiblePerson)),
    diagnosis_codes: Type.Optional(Nullable(IcdCodes)),
  },
  { title: 'HealthInsuranceCreateRequest', deprecated: true },
)
export type HealthInsuranceCreateRequest = Type.Static<typeof HealthInsuranceCreateRequest>

const orderFields = {
  lab_test_id: Type.Optional(Nullable(Uuid)),
  order_set: Type.Optional(Nullable(OrderSetRequest)),
  collection_method: Type.Optional(Nullable(TextEnum(COLLECTION_METHODS))),
  physician: Type.Optional(Nullable(PhysicianCreateRequest)),
  health_insurance: Type.Optional(Nullable(HealthInsuranceCreateRequest)),
  priority: Type.Optional(Type.Boolean()),
  billing_type: Type.Optional(TextEnum(BILLINGS)),
  icd_codes: Type.Optional(Nullable(IcdCodes)),
  consents: Type.Optional(Type.Array(ConsentInput)),
  activate_by: Type.Optional(Nullable(DateOnly)),
  aoe_answers: Type.Optional(Nullable(Type.Array(AoeAnswer, { maxItems: 1000 }))),
  passthrough: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  clinical_notes: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))),
  notes: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
  lab_account_id: Type.Optional(Nullable(Uuid)),
  creator_member_id: Type.Optional(Nullable(Uuid)),
}

export const OrderCreate = Type.Object(
  {
    user_id: Uuid,
    ...orderFields,
    patient_details: PatientDetailsInput,
    patient_address: PatientAddressInput,
  },
  { title: 'OrderCreate' },
)
export type OrderCreate = Type.Static<typeof OrderCreate>

/** Fields that are left out are copied from the replaced order. */
export const OrderCreateOrReplace = Type.Object(
  {
    user_id: Type.Optional(Uuid),
    ...orderFields,
    patient_details: Type.Optional(PatientDetailsInput),
    patient_address: Type.Optional(PatientAddressInput),
    recreate_from_order_id: Type.Optional(Nullable(Uuid)),
    update_reason: Type.Optional(Nullable(TextEnum(UPDATE_REASONS))),
  },
  { title: 'OrderCreateOrReplace' },
)
export type OrderCreateOrReplace = Type.Static<typeof OrderCreateOrReplace>

export const OrderImport = Type.Object(
  {
    user_id: Uuid,
    billing_type: TextEnum(BILLINGS),
    order_set: OrderSetRequest,
    collection_method: TextEnum(COLLECTION_METHODS),
    physician: Type.Optional(Nullable(PhysicianCreateRequest)),
    patient_details: PatientDetailsInput,
    patient_address: ImportPatientAddress,
    sample_id: Type.String({ minLength: 1, maxLength: 100 }),
    lab_account_id: Type.Optional(Nullable(Uuid)),
  },
  { title: 'OrderImport' },
)
export type OrderImport = Type.Static<typeof OrderImport>

export const TestkitOrder = Type.Object(
  {
    user_id: Uuid,
    lab_test_id: Uuid,
    shipping_details: ShippingAddressInput,
    passthrough: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
    lab_account_id: Type.Optional(Nullable(Uuid)),
  },
  { title: 'TestkitOrder' },
)
export type TestkitOrder = Type.Static<typeof TestkitOrder>

export const TestkitRegistration = Type.Object(
  {
    user_id: Type.Optional(Nullable(Uuid)),
    sample_id: Type.String({ minLength: 1, maxLength: 100 }),
    patient_details: PatientDetailsInput,
    patient_address: PatientAddressInput,
    physician: Type.Optional(Nullable(PhysicianCreateRequestBase)),
    health_insurance: Type.Optional(Nullable(HealthInsuranceCreateRequest)),
    consents: Type.Optional(Type.Array(ConsentInput)),
  },
  { title: 'TestkitRegistration' },
)
export type TestkitRegistration = Type.Static<typeof TestkitRegistration>

export const OrderPatch = Type.Object({ activate_by: Nullable(DateOnly) }, { title: 'OrderPatch' })

export const ResendEvents = Type.Object(
  {
    order_ids: Type.Optional(Nullable(Type.Array(Uuid))),
    start_at: Type.Optional(Nullable(DateTimeInput)),
    end_at: Type.Optional(Nullable(DateTimeInput)),
  },
  { title: 'ResendEvents' },
)
export type ResendEvents = Type.Static<typeof ResendEvents>

/** Headers of endpoints with idempotency keys. */
