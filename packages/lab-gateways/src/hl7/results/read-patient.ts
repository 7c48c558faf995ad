import type { ReportedPatient } from '@salus/contracts/lab-gateway'
import { readTime, type Segment } from '@salus/hl7v2'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import type { PatientGroup } from './message-groups.ts'

/** Reads a patient. What the laboratory leaves out, or what cannot be read, is null. */
export function readPatient(
  { pid }: PatientGroup,
  connection: ResolvedConnection,
): ReportedPatient {
  const name = (component: number) => pid?.text(5, component, 1).trim() || null
  const birth = readTime(pid?.text(7) ?? '', { zone: connection.time_zone })
  const hasDay = birth !== undefined && birth.precision !== 'year' && birth.precision !== 'month'
  return {
    first_name: name(2),
    last_name: name(1),
    dob: hasDay ? birth.local.slice(0, 10) : null,
    gender: readSex(pid?.text(8) ?? '', connection),
    patient_id: pid === undefined ? null : readLaboratoryId(pid, connection),
  }
}

/** The sex by the map of the connection, read backwards; other letters as they are sent. */
function readSex(text: string, { codes }: ResolvedConnection): string | null {
  const sent = text.trim()
  const known = Object.entries(codes.sex).find(([, code]) => code === sent.toUpperCase())
  return known?.[0] ?? (sent || null)
}

/** The laboratory's own number of the person: the one in PID-3 that is not ours. */
function readLaboratoryId(pid: Segment, { envelope, numbers }: ResolvedConnection): string | null {
  const ids = pid.field(3).repetitions.map((each) => ({
    id: each.component(1).trim(),
    assigner: each.component(4, 1).trim(),
  }))
  const isOurs = ({ assigner }: { assigner: string }) =>
    numbers.patient === 'PID-3' && assigner !== '' && assigner === envelope.sending_app
  return ids.find((each) => each.id !== '' && !isOurs(each))?.id ?? null
}

/**
 * Reads the account number. Laboratories send it as receiving facility (MSH-6) or with the patient
 * (PID-18). Without the numbers of accounts in the connection, only a field that the profile uses
 * for it counts; another one could be a name.
 */
export function readAccount(
  header: Segment,
  { pid }: PatientGroup,
  { accounts, envelope, traits }: ResolvedConnection,
): string | null {
  const receiver = header.text(6).trim()
  const ofPatient = pid?.text(18).trim() ?? ''
  const found = [receiver, ofPatient].find((account) => accounts.includes(account))
  if (found !== undefined) return found
  if (envelope.sending_facility.includes('{account}') && receiver !== '') return receiver
  return traits.billTypeField === 'PID-18' && ofPatient !== '' ? ofPatient : null
}
