import { findUserInfo } from '@salus/accounts/users'
import { badRequest } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import {
  type Billing,
  checkBilling,
  type LabAccountRow,
  requireInsurableMarkers,
} from '../../catalog/index.ts'
import { addPolicy, checkDiagnosisCodes, findBillingPolicy } from '../../insurance/index.ts'
import type { OrderCreate } from '../order-requests.schema.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { PatientAddress, PatientDetails } from '../people.schema.ts'
import { type Check, runCheck } from '../placing/checks.ts'
import type { OrderDraft } from '../placing/order-draft.ts'
import type { OrderHealthInsurance } from './health-insurance.ts'

interface Payment {
  account: LabAccountRow
  billing: Billing
  /** State of the patient. */
  state: string
  markers: readonly { id: number }[]
  /** Undefined for an import, whose diagnosis codes are checked separately. */
  icdCodes?: readonly string[] | null
}

/**
 * Checks that the account allows the billing type for these markers and diagnoses
 * (docs/contract/15-insurance.md#commercial-insurance-orders).
 * @throws AppError 400 `billing_not_allowed`, `icd_codes_required`, `icd_codes_invalid`
 */
export async function checkPayment(
  { db }: Scope,
  { account, billing, state, markers, icdCodes }: Payment,
  check: Check = runCheck,
): Promise<void> {
  await check('billing_type', () => checkBilling(account, billing, state))
  const isInsured = billing === 'commercial_insurance'
  if (icdCodes !== undefined) {
    await check('icd_codes', () => checkIcdCodes(db, icdCodes ?? [], isInsured))
  }
  if (isInsured) await check('billing_type', () => requireInsurableMarkers(db, markers, state))
}

/** A letter, a digit, then up to five letters or digits, the dot after the third (ICD-10-CM). */
const ICD_10_CM = /^[A-Z]\d[0-9A-Z](?:\.?[0-9A-Z]{1,4})?$/i

/**
 * Checks that diagnosis codes have the form of ICD-10-CM. When an insurer is billed, at least one
 * code is required and all must be in the code set.
 * @throws AppError 400 `icd_codes_required`, `icd_codes_invalid`
 */
export async function checkIcdCodes(
  db: Db,
  codes: readonly string[],
  isInsured: boolean,
): Promise<void> {
  if (isInsured && codes.length === 0) {
    throw badRequest('icd_codes_required', 'Insurance needs at least one diagnosis code.')
  }
  const malformed = codes.flatMap((code, index) => (ICD_10_CM.test(code) ? [] : index))
  if (malformed.length > 0) {
    const message = 'A diagnosis code does not have the form of an ICD-10-CM code.'
    throw badRequest('icd_codes_invalid', message, { positions: malformed })
  }
  if (!isInsured) return
  const { unknown } = await checkDiagnosisCodes(db, codes)
  if (unknown.length > 0) {
    const message = 'A diagnosis code is not valid for claims.'
    throw badRequest('icd_codes_invalid', message, { positions: unknown })
  }
}

/** Billing columns of a draft. */
export type DraftBilling = Pick<
  OrderDraft,
  'billing' | 'icdCodes' | 'healthInsuranceId' | 'healthInsurance'
>

/** Data for billing an order, as far as it is known. */
interface BillingGrounds extends Pick<Payment, 'account' | 'markers' | 'state'> {
  userId: string | undefined
  patient: PatientDetails | undefined
  address: PatientAddress | undefined
  healthInsurance: OrderHealthInsurance | null
}

/**
 * Decides who is billed for an order after the payment was checked.
 * @param former the replaced order. Its insurance is reused when the request has none and both
 *   orders have the same person.
 * @throws AppError as checkPayment and choosePolicy
 */
export async function decideBilling(
  tx: TransactionScope,
  input: Pick<OrderCreate, 'billing_type' | 'icd_codes' | 'health_insurance'>,
  grounds: BillingGrounds,
  former: OrderRow | undefined,
  check: Check,
): Promise<DraftBilling> {
  const { account, markers, state, userId, patient, address, healthInsurance } = grounds
  const billing = input.billing_type ?? 'client_bill'
  const icdCodes = chooseIcdCodes(input, healthInsurance)
  await checkPayment(tx, { account, billing, state, markers, icdCodes }, check)
  const person = patient && address && { patient, address, healthInsurance }
  const policyId =
    userId && (await check('billing_type', () => choosePolicy(tx, { userId, billing, person })))
  const isInherited = input.health_insurance === undefined && former?.user_id === userId
  const inherited = isInherited ? former : undefined
  return {
    billing,
    icdCodes,
    healthInsuranceId: policyId ?? inherited?.health_insurance_id ?? null,
    healthInsurance: healthInsurance ?? inherited?.health_insurance ?? null,
  }
}

/** Returns the codes of the order, or else those of its insurance. */
function chooseIcdCodes(
  { icd_codes: codes }: Pick<OrderCreate, 'icd_codes'>,
  insurance: OrderHealthInsurance | null,
): string[] | null {
  const { diagnosis_codes: others = [] } = insurance ?? {}
  return !codes?.length && others.length > 0 ? others : (codes ?? null)
}

export interface InsuredPerson {
  patient: PatientDetails
  address: PatientAddress
  healthInsurance: OrderHealthInsurance | null
}

interface Insured {
  userId: string
  billing: Billing
  /** The insured person; undefined when the request is incomplete. */
  person: InsuredPerson | undefined
}

/**
 * Returns the policy of an order: one created from its `health_insurance` if that is complete, or
 * else, when an insurer is billed, the newest primary one of the person.
 * @returns the id of the policy, or null without one
 * @throws AppError 400 `insurance_required`, 404 `payor_not_found`
 */
export async function choosePolicy(tx: TransactionScope, insured: Insured): Promise<string | null> {
  const { userId, billing, person } = insured
  const isInsured = billing === 'commercial_insurance'
  if (isInsured && (await findUserInfo(tx, userId)) === undefined) throw insuranceRequired()
  const made = person ? await makePolicy(tx, userId, person) : null
  if (made !== null || !isInsured) return made
  const policy = await findBillingPolicy(tx, userId)
  if (policy === undefined) throw insuranceRequired()
  return policy.id
}

const insuranceRequired = () =>
  badRequest('insurance_required', 'The person has no insurance that can be billed.')

/** The patient is the insured person, and the responsible person is the guarantor. */
async function makePolicy(
  tx: TransactionScope,
  userId: string,
  { patient, address, healthInsurance }: InsuredPerson,
): Promise<string | null> {
  const { payor_code, insurance_id, responsible_relationship } = healthInsurance ?? {}
  if (!payor_code || !insurance_id || !responsible_relationship) return null
  const person = healthInsurance?.responsible_details ?? null
  const { id } = await addPolicy(tx, userId, {
    payor_code,
    state: address.state,
    member_id: insurance_id,
    group_id: null,
    relationship: responsible_relationship,
    insured: {
      first_name: patient.first_name,
      last_name: patient.last_name,
      gender: patient.gender,
      dob: patient.dob,
      email: patient.email,
      phone_number: patient.phone_number,
      address: {
        first_line: address.first_line,
        second_line: address.second_line ?? '',
        city: address.city,
        state: address.state,
        zip: address.zip,
        country: address.country,
        access_notes: address.access_notes,
      },
    },
    guarantor: person && {
      first_name: person.first_name,
      last_name: person.last_name,
      phone_number: person.phone_number,
      email: null,
      household_income: null,
      household_size: null,
      address: { access_notes: null, ...person.address },
    },
    is_primary: true,
  })
  return id
}
