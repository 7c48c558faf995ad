import { PersonName } from '@salus/accounts/users'
import { DateOnly, Nullable, TextEnum } from '@salus/contracts/schema-types'
import Type from 'typebox'

/** People other than the patient, and addresses (docs/contract/15-insurance.md#objects). */

export const GENDERS = ['female', 'male', 'other', 'unknown'] as const
export const RELATIONSHIPS = ['Self', 'Spouse', 'Other'] as const
export type Relationship = (typeof RELATIONSHIPS)[number]

export const ZIP_PATTERN = '^\\d{5}(-\\d{4})?$'
export const Zip = Type.String({ pattern: ZIP_PATTERN })
export const Text = Type.String({ minLength: 1, maxLength: 500 })
export const SecondLine = Type.Optional(Nullable(Type.String({ maxLength: 500 })))
export const AccessNotes = Type.Optional(Nullable(Type.String({ maxLength: 1000 })))

const ZIP_IN = 'Postal code. Either `zip_code` or `zip` is required.'

/** An address as requests give it; readAddress turns it into one with `zip`. */
export const AddressInput = Type.Object(
  {
    first_line: Text,
    second_line: SecondLine,
    city: Text,
    state: Text,
    country: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Country; `US` by default.' }),
    ),
    zip_code: Type.Optional(Type.String({ pattern: ZIP_PATTERN, description: ZIP_IN })),
    zip: Type.Optional(Type.String({ pattern: ZIP_PATTERN, description: ZIP_IN })),
    access_notes: AccessNotes,
  },
  { title: 'AddressInput' },
)
export type AddressInput = Type.Static<typeof AddressInput>

/** An address as it is stored and returned. */
export const Address = Type.Object(
  {
    first_line: Type.String(),
    second_line: Nullable(Type.String()),
    city: Type.String(),
    state: Type.String(),
    zip: Type.String(),
    country: Type.String(),
    access_notes: Nullable(Type.String()),
  },
  { title: 'Address' },
)
export type Address = Type.Static<typeof Address>

const guarantorFields = {
  first_name: PersonName,
  last_name: PersonName,
  phone_number: Type.String(),
  email: Type.Optional(Nullable(Type.String({ format: 'email', maxLength: 254 }))),
  household_income: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1e9 }))),
  household_size: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1000 }))),
}

/** A guarantor, or the proxy of a minor, in requests. */
export const GuarantorInput = Type.Object(
  { ...guarantorFields, address: AddressInput },
  { title: 'GuarantorDetailsInput' },
)
export type GuarantorInput = Type.Static<typeof GuarantorInput>

/** A guarantor as stored and returned, with all fields. */
export const GuarantorDetails = Type.Object(
  {
    first_name: Type.String(),
    last_name: Type.String(),
    address: Address,
    phone_number: Type.String(),
    email: Nullable(Type.String()),
    household_income: Nullable(Type.Integer()),
    household_size: Nullable(Type.Integer()),
  },
  { title: 'GuarantorDetails' },
)
export type GuarantorDetails = Type.Static<typeof GuarantorDetails>

const GENDER = `One of ${GENDERS.join(', ')}, in any case.`

export const InsuredPersonInput = Type.Object(
  {
    first_name: PersonName,
    last_name: PersonName,
    gender: Type.String({ description: GENDER }),
    dob: DateOnly,
    email: Type.String({ format: 'email', maxLength: 254 }),
    phone_number: Type.String(),
    address: AddressInput,
  },
  { title: 'InsuredPersonInput' },
)
export type InsuredPersonInput = Type.Static<typeof InsuredPersonInput>

export const InsuredPerson = Type.Object(
  {
    first_name: Type.String(),
    last_name: Type.String(),
    gender: TextEnum(GENDERS),
    dob: DateOnly,
    email: Type.String(),
    phone_number: Type.String(),
    address: Address,
  },
  { title: 'InsuredPerson' },
)
export type InsuredPerson = Type.Static<typeof InsuredPerson>
