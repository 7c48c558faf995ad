import {
  ETHNICITIES,
  GENDER_IDENTITIES,
  PersonName,
  RACES,
  SEXUAL_ORIENTATIONS,
} from '@salus/accounts/users'
import { DateOnly, DateTimeInput, Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'
import {
  AccessNotes,
  GENDERS,
  type GuarantorDetails,
  GuarantorInput,
  SecondLine,
  Text,
  Zip,
} from '../insurance/index.ts'

/**
 * People and addresses of an order, in requests and as stored
 * (docs/contract/11-orders.md#request-objects).
 */

export const CONSENT_TYPES = [
  'terms-of-use',
  'telehealth-informed-consent',
  'mobile-terms-and-conditions',
  'notice-of-privacy-practices',
  'privacy-policy',
  'hipaa-authorization',
] as const

export const PatientDetailsInput = Type.Object(
  {
    first_name: PersonName,
    last_name: PersonName,
    dob: DateOnly,
    gender: Type.String({ description: `One of ${GENDERS.join(', ')}, in upper or lower case.` }),
    phone_number: Type.String(),
    email: Type.String({ format: 'email', maxLength: 254 }),
    medical_proxy: Type.Optional(Nullable(GuarantorInput)),
    race: Type.Optional(Nullable(TextEnum(RACES))),
    ethnicity: Type.Optional(Nullable(TextEnum(ETHNICITIES))),
    sexual_orientation: Type.Optional(Nullable(TextEnum(SEXUAL_ORIENTATIONS))),
    gender_identity: Type.Optional(Nullable(TextEnum(GENDER_IDENTITIES))),
    household_income: Type.Optional(Nullable(Type.Integer())),
    household_size: Type.Optional(Nullable(Type.Integer())),
  },
  { title: 'PatientDetailsInput' },
)
export type PatientDetailsInput = Type.Static<typeof PatientDetailsInput>

/** A patient as stored: all fields, gender in lower case, a normalized phone number. */
export type PatientDetails = {
  [Key in keyof PatientDetailsInput]-?: Key extends 'medical_proxy'
    ? GuarantorDetails | null
    : Key extends 'gender'
      ? (typeof GENDERS)[number]
      : Exclude<PatientDetailsInput[Key], undefined>
}

const patientAddressFields = {
  first_line: Text,
  second_line: SecondLine,
  city: Text,
  state: Text,
  country: Text,
  access_notes: AccessNotes,
  phone_number: Type.Optional(Nullable(Type.String())),
}

export const PatientAddressInput = Type.Object(
  {
    receiver_name: Type.Optional(Type.String({ maxLength: 200 })),
    ...patientAddressFields,
    zip: Zip,
  },
  { title: 'PatientAddressInput' },
)
export type PatientAddressInput = Type.Static<typeof PatientAddressInput>

export const ImportPatientAddress = Type.Object(
  { receiver_name: Type.String(), ...patientAddressFields, zip: Type.String() },
  { title: 'ImportPatientAddress' },
)

/** A patient's address as stored and returned. */
export interface PatientAddress {
  receiver_name: string
  first_line: string
  second_line: string | null
  city: string
  state: string
  zip: string
  country: string
  access_notes: string | null
  phone_number: string | null
}

export const ShippingAddressInput = Type.Object(
  {
    receiver_name: Text,
    first_line: Text,
    second_line: SecondLine,
    city: Text,
    state: Text,
    zip: Zip,
    country: Text,
    phone_number: Type.String(),
  },
  { title: 'ShippingAddressInput' },
)
export type ShippingAddressInput = Type.Static<typeof ShippingAddressInput>
export interface ShippingAddress extends Omit<ShippingAddressInput, 'second_line'> {
  second_line: string | null
}

/** An image in base64 with its content type. */
export const Image = Type.Object({
  content: Type.String({ description: 'Content in base64.' }),
  content_type: TextEnum(['image/jpeg', 'image/png']),
})

const physicianFields = {
  first_name: PersonName,
  last_name: PersonName,
  email: Type.Optional(Nullable(Type.String())),
  npi: Type.String({ description: 'National provider identifier, 10 digits.' }),
  licensed_states: Type.Optional(Type.Array(Type.String())),
}

export const PhysicianCreateRequestBase = Type.Object(physicianFields, {
  title: 'PhysicianCreateRequestBase',
})
export const PhysicianCreateRequest = Type.Object(
  { ...physicianFields, signature_image: Type.Optional(Nullable(Image)) },
  { title: 'PhysicianCreateRequest' },
)
export type PhysicianCreateRequest = Type.Static<typeof PhysicianCreateRequest>

/** A physician as stored with an order. */
export interface PhysicianInput {
  first_name: string
  last_name: string
  npi: string
  email: string | null
  licensed_states: string[]
  signature_image: Type.Static<typeof Image> | null
  /** Whether the physician is the customer's, not of the installation's network. */
  is_own: boolean
}

export const ConsentInput = Type.Object(
  {
    consentType: TextEnum(CONSENT_TYPES),
    version: Type.Optional(Type.String()),
    timeOfConsent: Type.Optional(DateTimeInput),
  },
  { title: 'Consent' },
)
export type ConsentInput = Type.Static<typeof ConsentInput>
export interface Consent {
  consentType: (typeof CONSENT_TYPES)[number]
  version: string
  timeOfConsent: string
}
