import type {
  Appointment,
  DiagnosticReport,
  DocumentReference,
  Observation,
  Quantity,
  ServiceRequest,
} from '@medplum/fhirtypes'
import type { PersonFile } from '../person-files.ts'
import {
  type BundleContext,
  category,
  type FhirResource,
  ICD_10_CM,
  idOf,
  instant,
  loincConcept,
  refer,
  type StoredInstant,
  textOf,
  UCUM_SYSTEM,
} from './fhir-parts.ts'

interface OrderRow {
  id: string
  last_status: string
  sample_id: string | null
  lab_test_id: string
  priority: boolean
  icd_codes: string[] | null
  created_at: StoredInstant
}

export function toServiceRequest(row: OrderRow, { patient }: BundleContext): FhirResource[] {
  const request: ServiceRequest & { id: string } = {
    resourceType: 'ServiceRequest',
    id: row.id,
    status: toRequestStatus(row.last_status),
    intent: 'order',
    category: [{ text: 'Laboratory procedure' }],
    priority: row.priority ? 'urgent' : 'routine',
    code: { text: `Lab test ${row.lab_test_id}` },
    subject: patient,
    authoredOn: instant(row.created_at),
    ...(row.sample_id && { identifier: [{ system: 'urn:salus:sample_id', value: row.sample_id }] }),
    ...(row.icd_codes?.length && {
      reasonCode: row.icd_codes.map((code) => ({ coding: [{ system: ICD_10_CM, code }] })),
    }),
  }
  return [request]
}

function toRequestStatus(status: string): NonNullable<ServiceRequest['status']> {
  if (status.startsWith('cancelled')) return 'revoked'
  if (status.startsWith('completed')) return 'completed'
  return 'active'
}

interface ResultRow {
  order_id: string
  version: number
  status: string
  created_at: StoredInstant
  report: {
    evaluated: {
      results: {
        name: string
        result: string
        type: string
        unit: string | null
        timestamp: string | null
        notes: string | null
        reference_range: string | null
        min_range_value: number | null
        max_range_value: number | null
        interpretation: string
        loinc: string | null
      }[]
    }
  }
}

const INTERPRETATIONS: Readonly<Record<string, string>> = {
  normal: 'N',
  abnormal: 'A',
  critical: 'AA',
}
const INTERPRETATION_SYSTEM = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation'

const interpretationOf = (code: string) => {
  const found = INTERPRETATIONS[code]
  if (found === undefined) return {}
  return { interpretation: [{ coding: [{ system: INTERPRETATION_SYSTEM, code: found }] }] }
}

type UnitParts = Pick<Quantity, 'unit' | 'system' | 'code'>

/** UCUM takes any words in braces for a unit of its own, such as `{ratio}`. */
const UCUM_ANNOTATION = /^\{[\x21-\x7a\x7c]+\}$/

/** A unit as it is printed, with its code where it is known. */
function toUnitParts(unit: string | null, { toUcum }: BundleContext): UnitParts {
  const label = textOf(unit)
  if (label === undefined) return {}
  const code = UCUM_ANNOTATION.test(label) ? label : toUcum(label)
  return { unit: label, ...(code !== null && { system: UCUM_SYSTEM, code }) }
}

/** The value of a result: a number with its unit where it is one, else as it is printed. */
function toResultValue(text: string, number: number | null, unit: UnitParts): Partial<Observation> {
  if (number !== null) return { valueQuantity: { value: number, ...unit } }
  const { unit: label } = unit
  const value = textOf(text)
  return value === undefined
    ? { dataAbsentReason: { text: 'not told' } }
    : { valueString: label === undefined ? value : `${value} ${label}` }
}

interface PrintedRange {
  low: number | null
  high: number | null
  text?: string | null
}

function rangeOf({ low, high, text }: PrintedRange, unit: UnitParts) {
  const printed = textOf(text)
  if (low === null && high === null && printed === undefined) return {}
  return {
    referenceRange: [
      {
        ...(low !== null && { low: { value: low, ...unit } }),
        ...(high !== null && { high: { value: high, ...unit } }),
        ...(printed !== undefined && { text: printed }),
      },
    ],
  }
}

/** A report with an observation for each of its results. */
export function toDiagnosticReport(row: ResultRow, context: BundleContext): FhirResource[] {
  const { patient } = context
  const { order_id: orderId, version } = row
  const issued = instant(row.created_at)
  const status = row.status === 'final' ? 'final' : 'partial'
  const observations = row.report.evaluated.results.map((result, index) => {
    const isNumber = result.type === 'numeric' && Number.isFinite(Number(result.result))
    const note = textOf(result.notes)
    const unit = toUnitParts(result.unit, context)
    const { min_range_value: low, max_range_value: high, reference_range: text } = result
    const observation: Observation & { id: string } = {
      resourceType: 'Observation',
      id: idOf('result', orderId, version, index),
      status: status === 'final' ? 'final' : 'preliminary',
      category: category('laboratory'),
      code: loincConcept(result.loinc, result.name),
      subject: patient,
      basedOn: [refer(orderId)],
      issued,
      ...(result.timestamp && { effectiveDateTime: instant(result.timestamp) }),
      ...toResultValue(result.result, isNumber ? Number(result.result) : null, unit),
      ...interpretationOf(result.interpretation),
      ...rangeOf({ low, high, text }, unit),
      ...(note && { note: [{ text: note }] }),
    }
    return observation
  })
  const report: DiagnosticReport & { id: string } = {
    resourceType: 'DiagnosticReport',
    id: idOf('report', orderId, version),
    status,
    code: { text: 'Laboratory report' },
    subject: patient,
    basedOn: [refer(orderId)],
    issued,
    ...(observations.length > 0 && { result: observations.map(({ id }) => refer(id)) }),
  }
  return [...observations, report]
}

interface ReadResultRow {
  job_id: string
  position: number
  loinc_code: string | null
  name: string
  value: string
  unit: string | null
  /** In which the number and the range are. */
  ucum_unit: string | null
  number: number | null
  low: number | null
  high: number | null
  interpretation: string
  collected_on: string | null
}

/** A result that was read in an uploaded report. */
export function toReadResult(row: ReadResultRow, context: BundleContext): FhirResource[] {
  const unit = toUnitParts(row.ucum_unit ?? row.unit, context)
  const observation: Observation & { id: string } = {
    resourceType: 'Observation',
    id: idOf('read result', row.job_id, row.position),
    status: 'unknown',
    category: category('laboratory'),
    code: loincConcept(row.loinc_code, row.name),
    subject: context.patient,
    ...(row.collected_on && { effectiveDateTime: row.collected_on }),
    ...toResultValue(row.value, row.number, unit),
    ...interpretationOf(row.interpretation),
    ...rangeOf(row, unit),
  }
  return [observation]
}

interface AppointmentRow {
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

export function toAppointment(row: AppointmentRow, { patient }: BundleContext): FhirResource[] {
  const hasTime = row.start_at !== null && row.end_at !== null
  const known = APPOINTMENT_STATUSES[row.status] ?? 'proposed'
  const appointment: Appointment & { id: string } = {
    resourceType: 'Appointment',
    id: row.id,
    // Of the statuses only these may be without a time.
    status: hasTime || known === 'cancelled' ? known : 'proposed',
    appointmentType: { text: row.type },
    basedOn: [refer(row.order_id)],
    ...(row.start_at && row.end_at && { start: instant(row.start_at), end: instant(row.end_at) }),
    participant: [{ actor: patient, status: 'accepted' }],
  }
  return [appointment]
}

/** A document, which lies beside the bundle in the archive. */
export function toDocument(file: PersonFile, { patient }: BundleContext): FhirResource {
  const document: DocumentReference & { id: string } = {
    resourceType: 'DocumentReference',
    id: idOf('document', file.name),
    status: 'current',
    type: { text: file.about.table },
    identifier: [{ system: `urn:salus:${file.about.table}`, value: file.about.id }],
    subject: patient,
    ...(file.createdAt && { date: instant(file.createdAt) }),
    content: [{ attachment: { contentType: file.contentType, url: file.name } }],
  }
  return document
}
