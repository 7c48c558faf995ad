import type { Requisition, RequisitionPatient } from '@salus/contracts/lab-gateway'
import type { FieldValue, NewSegment } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { codeFor, type Formats } from './formats.ts'

/** Writes the patient: PID and PV1. */
export function patientSegments(
  requisition: Requisition & { patient: RequisitionPatient },
  connection: ResolvedConnection,
  formats: Formats,
): NewSegment[] {
  const { patient, address } = requisition
  const { codes, numbers } = connection
  const isSecond = numbers.patient === 'PID-2'
  const pid: NewSegment = {
    name: 'PID',
    fields: {
      1: '1',
      2: isSecond ? requisition.patientNumber : undefined,
      3: isSecond ? undefined : patientNumber(requisition, connection),
      5: formats.name(patient),
      7: formats.date(patient.dob),
      8: codeFor(codes.sex, patient.gender, 'U'),
      10: tableCode(codeFor(codes.race, patient.race), 'HL70005', connection),
      11: address === null ? undefined : formats.address(address),
      13: formats.phone(patient.phone_number ?? address?.phone_number ?? null),
      18: accountField(requisition, connection),
      22: tableCode(codeFor(codes.ethnicity, patient.ethnicity), 'HL70189', connection),
    },
  }
  return [pid, { name: 'PV1', fields: { 1: '1' } }]
}

/** A code of a table; since 2.5 with the name of the table. */
const tableCode = (code: string, table: string, { traits }: ResolvedConnection): FieldValue =>
  traits.hasAssigners && code !== '' ? [code, '', table] : code

function patientNumber(
  { patientNumber: number }: Requisition,
  { traits, envelope }: ResolvedConnection,
): FieldValue {
  const [assigner = ''] = envelope.sending_app.split('^')
  return traits.hasAssigners ? [number, '', '', assigner, 'MR'] : number
}

/** The account with the kind of billing, where the profile has it with the patient. */
function accountField(
  { accountId, billingType }: Requisition,
  { traits, codes }: ResolvedConnection,
): FieldValue {
  if (traits.billTypeField === null) return undefined
  if (traits.billTypeField !== 'PID-18') return accountId
  return [accountId, '', '', codeFor(codes.bill_type, billingType)]
}
