import type { Appointment, ServiceRequest } from '@medplum/fhirtypes'
import type { CollectionMethod } from '@salus/contracts/order-lifecycle'
import { groupOf, isTerminal, type LowLevelStatus } from '@salus/contracts/order-lifecycle'
import {
  type FhirResource,
  ICD_10_CM,
  instant,
  type ResourceContext,
  type StoredInstant,
  salusConcept,
} from './fhir-parts.ts'

export interface OrderRow {
  id: string
  method: CollectionMethod
  last_status: LowLevelStatus
  physician: { first_name: string; last_name: string; npi: string } | null
  sample_id: string | null
  lab_test_id: string
  priority: boolean
  icd_codes: string[] | null
  created_at: StoredInstant
}

export const US_NPI = 'http://hl7.org/fhir/sid/us-npi'

/** SNOMED CT concept by which US Core finds requests to laboratories. */
const LABORATORY_PROCEDURE = {
  coding: [
    { system: 'http://snomed.info/sct', code: '108252007', display: 'Laboratory procedure' },
  ],
  text: 'Laboratory procedure',
}

export function toServiceRequest(row: OrderRow, context: ResourceContext): FhirResource[] {
  const { patient, labTests } = context
  const { physician } = row
  const request: ServiceRequest & { id: string } = {
    resourceType: 'ServiceRequest',
    id: row.id,
    status: toRequestStatus(row),
    intent: 'order',
    category: [LABORATORY_PROCEDURE],
    priority: row.priority ? 'urgent' : 'routine',
    code: salusConcept('lab_test', row.lab_test_id, labTests.get(row.lab_test_id) ?? 'Lab test'),
    subject: patient,
    authoredOn: instant(row.created_at),
    ...(physician && {
      requester: {
        identifier: { system: US_NPI, value: physician.npi },
        display: `${physician.first_name} ${physician.last_name}`,
      },
    }),
    ...(row.sample_id && { identifier: [{ system: 'urn:salus:sample_id', value: row.sample_id }] }),
    ...(row.icd_codes?.length && {
      reasonCode: row.icd_codes.map((code) => ({ coding: [{ system: ICD_10_CM, code }] })),
    }),
  }
  return [request]
}

/** An order that failed for good is treated like a cancelled one: no more work is done for it. */
function toRequestStatus({ method, last_status: status }: OrderRow): ServiceRequest['status'] {
  if (groupOf(method, status) === 'completed') return 'completed'
  return isTerminal(status) ? 'revoked' : 'active'
}

export interface AppointmentRow {
  id: string
  status: string
  type: string
  order_id: string
  start_at: StoredInstant | null
  end_at: StoredInstant | null
}

const APPOINTMENT_STATUSES: Readonly<Record<string, Appointment['status']>> = {
  pending: 'proposed',
  reserved: 'pending',
  scheduled: 'booked',
  confirmed: 'booked',
  in_progress: 'arrived',
  completed: 'fulfilled',
  cancelled: 'cancelled',
}

export function toAppointment(
  row: AppointmentRow,
  { patient, refer }: ResourceContext,
): FhirResource[] {
  const hasTime = row.start_at !== null && row.end_at !== null
  const known = APPOINTMENT_STATUSES[row.status] ?? 'proposed'
  const appointment: Appointment & { id: string } = {
    resourceType: 'Appointment',
    id: row.id,
    // Only these statuses allow a missing time.
    status: hasTime || known === 'cancelled' ? known : 'proposed',
    appointmentType: salusConcept('appointment_type', row.type),
    basedOn: [refer('ServiceRequest', row.order_id)],
    ...(row.start_at && row.end_at && { start: instant(row.start_at), end: instant(row.end_at) }),
    participant: [{ actor: patient, status: 'accepted' }],
  }
  return [appointment]
}
