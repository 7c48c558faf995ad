import type { ReportedTime } from '@salus/contracts/lab-gateway'
import { dateAtOffset, formatInstant, parseInstant } from '@salus/kernel/time/instants'
import type { LabAccountRow, LabRow } from '../../catalog/index.ts'
import type { OrderRow } from '../../orders/index.ts'
import type { ResultDocument } from '../result-details.schema.ts'
import type { ResultRow } from '../results.repository.ts'
import {
  type LabResultsMetadata,
  type LabResultsRaw,
  type ResultVersion,
  type SampleData,
  WITHOUT_DETAILS,
} from '../results.schema.ts'
import type { StoredDocument, StoredResultMessage } from '../results.tables.ts'
import { fileOfDocument } from '../storing/result-documents.ts'

/** Data of the results of an order for its wire object. */
export interface ResultParts {
  row: OrderRow
  /** The version to show, usually the newest. */
  result: ResultRow
  lab: LabRow
  account: LabAccountRow
}

/** Results of one order, without its transaction. */
export type OrderResults = Omit<LabResultsRaw, 'order_transaction'>

/** Returns the wire object of an order's results (docs/contract/13-results.md#labresultsraw). */
export function toOrderResults(parts: ResultParts): OrderResults {
  const { row, result } = parts
  const { report } = result
  const sampleId = row.sample_id ?? report.sample_id ?? report.specimen_number ?? ''
  return {
    metadata: toResultsMetadata(parts),
    ...report.evaluated,
    results: report.evaluated.results.map((result) => ({ ...WITHOUT_DETAILS, ...result })),
    sample_information: { [sampleId]: toSampleData(report, sampleId) },
    documents: (report.documents ?? []).map((document) => toResultDocument(document, result)),
  }
}

/** Returns a document of a version as the API shows it. */
function toResultDocument(document: StoredDocument, result: ResultRow): ResultDocument {
  const { id, name, content_type, size, provider_id = null, loinc = null, test } = document
  return {
    id,
    order_id: result.order_id,
    name,
    content_type,
    size,
    provider_id,
    loinc,
    status: document.status ?? 'final',
    panel: (test === undefined ? null : result.report.tests?.[test]?.name) || null,
    version: document.version ?? result.version,
    is_report: result.pdf_file === fileOfDocument(result.order_id, document),
  }
}

/**
 * Returns the metadata of results: the data of the result message, and of the order where that is
 * missing.
 */
export function toResultsMetadata({ row, result, lab, account }: ResultParts): LabResultsMetadata {
  const { report } = result
  const patient = row.patient_details
  const dob = report.patient.dob ?? patient?.dob ?? ''
  const collected = instantOf(report.collected_at)
  const reported = instantOf(report.reported_at) ?? result.created_at
  const received = instantOf(report.received_at)
  return {
    age: yearsOn(dob, collected ?? reported),
    dob,
    'clia_#': lab.clia_number,
    clia_number: lab.clia_number,
    patient: nameOf(report.patient) || nameOf(patient),
    provider: report.ordering_physician ?? (nameOf(row.physician) || null),
    laboratory: lab.name,
    date_reported: formatInstant(reported),
    date_collected: collected && formatInstant(collected),
    date_received: received && formatInstant(received),
    specimen_number: report.specimen_number ?? '',
    status: result.status,
    interpretation: result.interpretation,
    patient_id: report.patient.patient_id,
    account_id: report.account_id ?? account.provider_account_id,
  }
}

/** Returns one of the versions of an order's results, without the results. */
export function toResultVersion(result: ResultRow): ResultVersion {
  const { version, report, status, interpretation, created_at } = result
  return {
    version,
    status,
    is_correction: report.status === 'corrected',
    interpretation,
    has_missing_results: result.has_missing_results,
    date_reported: formatInstant(instantOf(report.reported_at) ?? created_at),
    created_at: formatInstant(created_at),
  }
}

function toSampleData(report: StoredResultMessage, sampleId: string): SampleData {
  const laboratories = Object.entries(report.performing_laboratories).map(
    ([code, { address, ...laboratory }]) => {
      const shown = address && { ...address, access_notes: null }
      return [code, { ...laboratory, address: shown }] as const
    },
  )
  return {
    sample_id: sampleId === '' ? null : sampleId,
    control_number: report.sample_id,
    date_collected: toOffsetTime(report.collected_at),
    date_received: toOffsetTime(report.received_at),
    date_reported: toOffsetTime(report.reported_at),
    performing_laboratories: Object.fromEntries(laboratories),
    clinical_information: {
      fasting: report.fasting,
      notes: report.notes,
      information: null,
      total_volume: report.total_volume,
    },
  }
}

function instantOf(time: ReportedTime | null): Date | null {
  const parsed = time && parseInstant(time.timestamp)
  return parsed ? new Date(parsed.epochMilliseconds) : null
}

function toOffsetTime(time: ReportedTime | null): SampleData['date_collected'] {
  const instant = instantOf(time)
  if (instant === null || time === null) return null
  return { timestamp: formatInstant(instant), timezone_offset: time.timezone_offset }
}

function nameOf(person: { first_name: string | null; last_name: string | null } | null): string {
  return [person?.first_name, person?.last_name].filter((name) => name).join(' ')
}

/** Returns completed years as text; empty without a birth date. */
export function yearsOn(dob: string, at: Date): string {
  const today = dateAtOffset(at.getTime(), 0)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(dob) || dob > today) return ''
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4))
  const hadBirthday = today.slice(5) >= dob.slice(5)
  return String(hadBirthday ? years : years - 1)
}
