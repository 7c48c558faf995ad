import type { Requisition, RequisitionPatient } from '@salus/contracts/lab-gateway'
import type { NewSegment } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { codeFor, type Formats } from './formats.ts'

type Relationship = 'Self' | 'Spouse' | 'Other'
type Address = NonNullable<Requisition['insurance']>['company']['address']

/** A person who is insured or pays. */
interface Payer {
  first_name: string
  last_name: string
  phone_number: string | null
  address: Address | null
  dob: string | null
  gender: string | null
  relationship: Relationship
}

/** The policy of an order, from either form in which orders have it. */
interface Policy {
  payorCode: string | null
  company: { name: string; address: Address | null }
  memberId: string | null
  groupId: string | null
  insured: Payer
}

/**
 * Writes who pays: IN1 and IN2 of the policy that is billed, and GT1 unless the client is billed.
 * Where the profile has the kind of billing in IN1-47, an IN1 with it alone is written for orders
 * without a policy.
 */
export function insuranceSegments(
  requisition: Requisition & { patient: RequisitionPatient },
  connection: ResolvedConnection,
  formats: Formats,
): NewSegment[] {
  const policy = policyOf(requisition)
  const { codes, order, traits } = connection
  const billType = codeFor(codes.bill_type, requisition.billingType)
  const segments: NewSegment[] = []
  if (policy !== null && order.insurance_max > 0) {
    segments.push(...policySegments(policy, { connection, formats, billType }))
  } else if (traits.billTypeField === 'IN1-47') {
    segments.push({ name: 'IN1', fields: { 1: '1', 47: billType } })
  }
  if (requisition.billingType !== 'client_bill') {
    segments.push(guarantorSegment(payerOf(requisition, policy), connection, formats))
  }
  return segments
}

function policySegments(
  { payorCode, company, memberId, groupId, insured }: Policy,
  context: { connection: ResolvedConnection; formats: Formats; billType: string },
): NewSegment[] {
  const { connection, formats, billType } = context
  const { codes, traits } = connection
  const payor = codeFor(codes.payor, payorCode, payorCode ?? '')
  const in1: NewSegment = {
    name: 'IN1',
    fields: {
      1: '1',
      2: payor,
      3: payor,
      4: formats.text(company.name),
      5: company.address === null ? undefined : formats.address(company.address),
      8: groupId,
      16: formats.name(insured),
      17: codeFor(codes.relationship, insured.relationship),
      18: insured.dob === null ? undefined : formats.date(insured.dob),
      19: insured.address === null ? undefined : formats.address(insured.address),
      22: '1',
      36: memberId,
      43: codeFor(codes.sex, insured.gender),
      47: traits.billTypeField === 'IN1-47' ? billType : undefined,
    },
  }
  const phone = formats.phone(insured.phone_number)
  const in2: NewSegment = { name: 'IN2', fields: { 61: memberId, 63: phone } }
  return [withoutNulls(in1), withoutNulls(in2)]
}

/** A null would be written as `""`, which deletes what the laboratory has. */
function withoutNulls({ name, fields }: NewSegment): NewSegment {
  const given = Object.entries(fields).filter(([, value]) => value !== null)
  return { name, fields: Object.fromEntries(given) }
}

function guarantorSegment(
  payer: Payer,
  { codes }: ResolvedConnection,
  formats: Formats,
): NewSegment {
  return {
    name: 'GT1',
    fields: {
      1: '1',
      3: formats.name(payer),
      5: payer.address === null ? undefined : formats.address(payer.address),
      6: formats.phone(payer.phone_number),
      8: payer.dob === null ? undefined : formats.date(payer.dob),
      9: codeFor(codes.sex, payer.gender),
      11: codeFor(codes.relationship, payer.relationship),
    },
  }
}

function policyOf(requisition: Requisition & { patient: RequisitionPatient }): Policy | null {
  const { insurance, billing, billingType } = requisition
  if (billingType !== 'commercial_insurance') return null
  if (insurance !== null) {
    const { payor_code, company, member_id, group_id, relationship, insured } = insurance
    return {
      payorCode: payor_code,
      company,
      memberId: member_id,
      groupId: group_id,
      insured: { ...insured, relationship },
    }
  }
  if (billing === null || (billing.payor_code === null && billing.insurance_id === null))
    return null
  return {
    payorCode: billing.payor_code,
    company: { name: '', address: null },
    memberId: billing.insurance_id,
    groupId: null,
    insured: responsibleOf(billing) ?? self(requisition),
  }
}

/** The person who is responsible by the billing data; null when it is the patient. */
function responsibleOf(billing: NonNullable<Requisition['billing']>): Payer | null {
  const { responsible_details: details, responsible_relationship: relationship } = billing
  if (details === null) return null
  return { ...details, dob: null, gender: null, relationship: relationship ?? 'Other' }
}

function payerOf(
  requisition: Requisition & { patient: RequisitionPatient },
  policy: Policy | null,
): Payer {
  const { insurance, billing } = requisition
  const guarantor = insurance?.guarantor ?? null
  if (guarantor !== null) return { ...guarantor, dob: null, gender: null, relationship: 'Other' }
  return (billing && responsibleOf(billing)) ?? policy?.insured ?? self(requisition)
}

const self = ({ patient, address }: Requisition & { patient: RequisitionPatient }): Payer => ({
  ...patient,
  address,
  relationship: 'Self',
})
