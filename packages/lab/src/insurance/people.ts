import { type InputProblem, invalidInput } from '@salus/kernel/errors'
import { ADDRESS_STATES } from '../catalog/index.ts'
import {
  type Address,
  type AddressInput,
  GENDERS,
  type GuarantorDetails,
  type GuarantorInput,
  type InsuredPerson,
  type InsuredPersonInput,
} from './people.schema.ts'

/**
 * Checks and normalizes people and addresses of requests
 * (docs/contract/11-orders.md#validation-rules-imposed-by-laboratories).
 */

const EARLIEST_BIRTH = '1900-01-01'
/** The states to which can be shipped, and DC. */

/** Path of a field in the body. */
export type BodyPath = readonly (string | number)[]

/** Throws the refusal of a field. @throws InputError 422 */
export function refuseField(path: BodyPath, message: string, type: InputProblem['type']): never {
  throw invalidInput(['body', ...path], message, type)
}

/** Checks a state. @throws InputError 422 for text that is not a state of the US */
export function requireState(state: string, path: BodyPath): void {
  if (ADDRESS_STATES.includes(state)) return
  refuseField([...path, 'state'], 'Input should be the two letters of a state', 'enum')
}

/**
 * Returns the address with `zip`; requests may have `zip_code` or `zip`
 * (docs/contract/15-insurance.md#address).
 * @param path of the address
 * @throws InputError 422 for an unknown state, without a postal code, and for two different ones
 */
export function readAddress(input: AddressInput, path: BodyPath): Address {
  const { zip = input.zip_code, zip_code: other = zip } = input
  if (zip === undefined) refuseField([...path, 'zip_code'], 'Field required', 'missing')
  if (zip !== other) refuseField([...path, 'zip_code'], 'zip and zip_code differ', 'zip_mismatch')
  requireState(input.state, path)
  return {
    first_line: input.first_line,
    second_line: input.second_line ?? '',
    city: input.city,
    state: input.state,
    zip,
    country: input.country ?? 'US',
    access_notes: input.access_notes ?? null,
  }
}

/**
 * Returns a guarantor, normalized.
 * @throws InputError 422 as readAddress, and for an invalid phone number
 */
export function readGuarantor(input: GuarantorInput, path: BodyPath): GuarantorDetails {
  return {
    first_name: input.first_name,
    last_name: input.last_name,
    phone_number: readPhone(input.phone_number, [...path, 'phone_number']),
    email: input.email ?? null,
    household_income: input.household_income ?? null,
    household_size: input.household_size ?? null,
    address: readAddress(input.address, [...path, 'address']),
  }
}

/**
 * Returns an insured person, normalized.
 * @throws InputError 422 as readAddress, and for an invalid gender, birth date or phone number
 */
export function readInsured(
  input: InsuredPersonInput,
  path: BodyPath,
  today: string,
): InsuredPerson {
  return {
    first_name: input.first_name,
    last_name: input.last_name,
    gender: readGender(input.gender, [...path, 'gender']),
    dob: readBirthDate(input.dob, [...path, 'dob'], today),
    email: input.email,
    phone_number: readPhone(input.phone_number, [...path, 'phone_number']),
    address: readAddress(input.address, [...path, 'address']),
  }
}

/** Returns a gender in lower case. @throws InputError 422 */
export function readGender(text: string, path: BodyPath): (typeof GENDERS)[number] {
  const gender = text.toLowerCase()
  const found = GENDERS.find((known) => known === gender)
  return found ?? refuseField(path, `Input should be one of: ${GENDERS.join(', ')}`, 'enum')
}

/** Checks a birth date. @throws InputError 422 for a day in the future, and for one before 1900 */
export function readBirthDate(date: string, path: BodyPath, today: string): string {
  if (date > today) refuseField(path, 'The date is in the future', 'date_past')
  if (date < EARLIEST_BIRTH) {
    refuseField(path, 'Input should not be before 1900-01-01', 'date_too_early')
  }
  return date
}

/**
 * Returns a phone number without blanks, dashes, dots and parentheses; ten digits alone are
 * American.
 * @throws InputError 422
 */
export function readPhone(text: string, path: BodyPath): string {
  const digits = text.replaceAll(/[\s\-.()]/g, '')
  if (!/^\+?\d{9,15}$/.test(digits)) {
    refuseField(path, 'Input should be a phone number of 9 to 15 digits', 'phone_number')
  }
  return /^\d{10}$/.test(digits) ? `+1${digits}` : digits
}
