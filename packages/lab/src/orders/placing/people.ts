import { isNpi } from '@salus/kernel/check-digits'
import { badRequest } from '@salus/kernel/errors'
import {
  readBirthDate,
  readGender,
  readGuarantor,
  readPhone,
  refuseField,
  requireState,
  ZIP_PATTERN,
} from '../../insurance/index.ts'
import { yearsBetween } from '../../patients/index.ts'
import type {
  Consent,
  ConsentInput,
  PatientAddress,
  PatientAddressInput,
  PatientDetails,
  PatientDetailsInput,
  PhysicianCreateRequest,
  PhysicianInput,
  ShippingAddress,
  ShippingAddressInput,
} from '../people.schema.ts'

/**
 * Checks and normalizes people and addresses of requests
 * (docs/contract/11-orders.md#request-objects).
 */

const ADULT_YEARS = 18
const ZIP = new RegExp(ZIP_PATTERN)
const COUNTRIES = new Set(['US', 'USA', 'UNITED STATES'])

/**
 * Returns the patient, normalized.
 * @throws InputError 422 for a birth date in the future, an unknown gender, no phone number
 */
export function readPatient(input: PatientDetailsInput, today: string): PatientDetails {
  const at = (field: string) => ['patient_details', field]
  const { medical_proxy: proxy } = input
  return {
    first_name: input.first_name,
    last_name: input.last_name,
    dob: readBirthDate(input.dob, at('dob'), today),
    gender: readGender(input.gender, at('gender')),
    phone_number: readPhone(input.phone_number, at('phone_number')),
    email: input.email,
    medical_proxy: proxy ? readGuarantor(proxy, at('medical_proxy')) : null,
    race: input.race ?? null,
    ethnicity: input.ethnicity ?? null,
    sexual_orientation: input.sexual_orientation ?? null,
    gender_identity: input.gender_identity ?? null,
    household_income: input.household_income ?? null,
    household_size: input.household_size ?? null,
  }
}

/**
 * Returns the patient's address.
 * @throws InputError 422 for a state or country that is not American
 */
export function readPatientAddress(
  input: PatientAddressInput,
  patient: { first_name: string; last_name: string },
  options: { isStrict: boolean } = { isStrict: true },
): PatientAddress {
  if (options.isStrict) {
    requireUsAddress(input, 'patient_address')
    // An order may copy the address of an imported one, which was not checked.
    if (!ZIP.test(input.zip)) {
      refuseField(
        ['patient_address', 'zip'],
        'Input should be a ZIP code',
        'string_pattern_mismatch',
      )
    }
  }
  const { phone_number: phone } = input
  const receiver = input.receiver_name?.trim()
  const path = ['patient_address', 'phone_number']
  return {
    receiver_name: receiver || `${patient.first_name} ${patient.last_name}`,
    first_line: input.first_line,
    second_line: input.second_line || null,
    city: input.city,
    state: input.state,
    zip: input.zip,
    country: input.country,
    access_notes: input.access_notes ?? null,
    phone_number: phone && options.isStrict ? readPhone(phone, path) : (phone ?? null),
  }
}

/** Returns the shipping address. @throws InputError 422 */
export function readShippingAddress(input: ShippingAddressInput): ShippingAddress {
  requireUsAddress(input, 'shipping_details')
  return {
    receiver_name: input.receiver_name,
    first_line: input.first_line,
    second_line: input.second_line || null,
    city: input.city,
    state: input.state,
    zip: input.zip,
    country: input.country,
    phone_number: readPhone(input.phone_number, ['shipping_details', 'phone_number']),
  }
}

function requireUsAddress(
  { state, country }: { state: string; country: string },
  field: string,
): void {
  requireState(state, [field])
  if (!COUNTRIES.has(country.toUpperCase())) {
    refuseField([field, 'country'], 'Input should be US', 'enum')
  }
}

/**
 * Returns the physician.
 * @throws InputError 422 for an invalid NPI; an import may leave it empty
 */
export function readPhysician(
  input: PhysicianCreateRequest,
  options: { mayLackNpi: boolean } = { mayLackNpi: false },
): PhysicianInput {
  const isValid = isNpi(input.npi) || (options.mayLackNpi && input.npi === '')
  if (!isValid) {
    const words = 'Input should be an NPI: 10 digits, the last of which is the check digit'
    refuseField(['physician', 'npi'], words, 'npi')
  }
  return {
    first_name: input.first_name,
    last_name: input.last_name,
    npi: input.npi,
    email: input.email ?? null,
    licensed_states: input.licensed_states ?? [],
    signature_image: input.signature_image
      ? { content: input.signature_image.content, content_type: input.signature_image.content_type }
      : null,
    is_own: true,
  }
}

/** Returns the consents as stored: version 1.0 and the time of the request by default. */
export function readConsents(inputs: readonly ConsentInput[], now: string): Consent[] {
  return inputs.map(({ consentType, version, timeOfConsent }) => ({
    consentType,
    version: version ?? '1.0',
    timeOfConsent: timeOfConsent ?? now,
  }))
}

/** The data of a patient that decides whether a proxy is required. */
export interface MaybeMinor {
  dob: string
  medical_proxy: object | null
}

/**
 * Checks that the team may order for a minor, and that a proxy is named.
 * @throws AppError 400 `minor_not_allowed`, `medical_proxy_required`
 */
export function checkMinor(
  patient: MaybeMinor,
  options: { today: string; isAllowed: boolean; hasStoredProxy: boolean },
): void {
  if (yearsBetween(patient.dob, options.today) >= ADULT_YEARS) return
  if (!options.isAllowed) {
    throw badRequest('minor_not_allowed', 'The team does not order for people under 18.')
  }
  if (patient.medical_proxy === null && !options.hasStoredProxy) {
    const message = 'People under 18 need a medical_proxy, here or in their demographics.'
    throw badRequest('medical_proxy_required', message)
  }
}
