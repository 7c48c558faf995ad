import type { ReportedTime } from '@salus/contracts/lab-gateway'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { notFoundCode } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import { environmentNow, type Scope } from '@salus/kernel/scope'
import { dateAtOffset, formatInstant, parseInstant } from '@salus/kernel/time/instants'
import {
  findLab,
  getLabAccount,
  getLabTestForInstructions,
  type LabRow,
  listOrderedMarkers,
  showLabTests,
} from '../../catalog/index.ts'
import {
  type AbnReason,
  type DocumentImage,
  renderAbn,
  renderCollectionInstructions,
  renderLabels,
  renderRequisition,
} from '../../documents/index.ts'
import { describeDiagnosisCodes, findPolicy, isMedicarePolicy } from '../../insurance/index.ts'
import { mergeClinicalNotes } from '../dispatch/requisition.service.ts'
import { findInsuranceImages } from '../insurance/insurance-images.ts'
import type { OrderRow } from '../orders.repository.ts'
import { getOrderRow } from '../show-orders.service.ts'
import {
  toDocumentAccount,
  toDocumentAddress,
  toDocumentAnswers,
  toDocumentLaboratory,
  toDocumentPatient,
  toDocumentTests,
} from './document-parts.ts'

/** A document with its file name. */
export interface NamedPdf {
  name: string
  content: Buffer
}

const notAvailable = () => notFoundCode('document_not_available')

async function getLab(db: Db, labId: number): Promise<LabRow> {
  const lab = await findLab(db, labId)
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  return lab
}

async function readOrder(scope: Scope, orderId: string) {
  const { db } = scope
  const row = await getOrderRow(scope, orderId)
  const [lab, account, markers, tests] = await Promise.all([
    getLab(db, row.lab_id),
    getLabAccount(db, row.lab_account_id),
    listOrderedMarkers(db, row.marker_ids),
    showLabTests(scope, [row.lab_test_id]),
  ])
  const fasting = tests.get(row.lab_test_id)?.fasting ?? false
  return { row, lab, account, markers, fasting }
}

type WithRequisition = OrderRow & {
  patient_details: NonNullable<OrderRow['patient_details']>
  sample_id: string
}
type WithPatient = Pick<WithRequisition, 'patient_details'>

/**
 * Returns whether the order has a requisition from Salus, for which its number and patient are
 * known. The number is the one by which the laboratory knows the order. An id of ours is none: it
 * is too long for a barcode that scans, and a laboratory cannot find an order by it.
 */
const hasRequisition = (row: OrderRow): row is WithRequisition =>
  row.requisition_at !== null &&
  !row.is_imported &&
  row.patient_details !== null &&
  row.sample_id !== null &&
  !isUuid(row.sample_id)

const hasAbn = (row: OrderRow): row is OrderRow & WithPatient =>
  row.has_abn && row.patient_details !== null

function requireRequisition(row: OrderRow) {
  if (!hasRequisition(row)) throw notAvailable()
  return { patient: row.patient_details, sampleId: row.sample_id }
}

export type OrderDocument = 'requisition' | 'abn' | 'collection_instructions'

/** Returns the documents that exist for an order, by the rules of the functions below. */
export function listOrderDocuments(row: OrderRow): OrderDocument[] {
  return [
    ...(hasRequisition(row) ? (['requisition'] as const) : []),
    ...(hasAbn(row) ? (['abn'] as const) : []),
    'collection_instructions',
  ]
}

/**
 * Returns the policy that is billed for an order; null for another payer, or when it was erased.
 */
async function findBilledPolicy(scope: Scope, row: OrderRow) {
  const { billing_type: billing, health_insurance_id: id } = row
  if (billing !== 'commercial_insurance' || id === null) return null
  return (await findPolicy(scope, id)) ?? null
}

/** Choices of a requisition. */
export interface RequisitionOptions {
  /** ISO 8601; undefined leaves it blank, or for the service center. */
  collectionDate: string | undefined
  hasOrderRecord: boolean
}

/**
 * Renders the requisition.
 * @throws AppError 404 `order_not_found`; `document_not_available` before the requisition exists
 */
export async function getRequisitionPdf(
  scope: Scope,
  secrets: SecretBox,
  orderId: string,
  options: RequisitionOptions,
): Promise<NamedPdf> {
  const { row, lab, account, markers, fasting } = await readOrder(scope, orderId)
  const { patient, sampleId } = requireRequisition(row)
  const [insurance, diagnoses, insuranceImages] = await Promise.all([
    findBilledPolicy(scope, row),
    describeDiagnosisCodes(scope.db, row.icd_codes ?? []),
    readCardImages(scope, secrets, row),
  ])
  const { collectionDate, hasOrderRecord } = options
  const content = await renderRequisition({
    laboratory: toDocumentLaboratory(lab),
    account: toDocumentAccount(account),
    sampleId,
    orderedOn: dateAtOffset(row.created_at.getTime(), 0),
    priority: row.priority,
    method: row.method,
    fasting,
    patient: toDocumentPatient(patient),
    patientAddress: toDocumentAddress(row.patient_address),
    billingType: row.billing_type,
    insurance,
    insuranceImages,
    collectedAt: collectionDate === undefined ? null : readCollection(collectionDate),
    hasOrderRecord,
    tests: toDocumentTests(markers),
    answers: toDocumentAnswers(row, markers),
    diagnoses,
    clinicalNotes: mergeClinicalNotes(lab.slug, row.clinical_notes, account.default_clinical_notes),
    physician: row.physician,
    consents: row.consents,
    at: row.requisition_at ?? row.created_at,
  })
  return { name: `requisition-${sampleId}.pdf`, content }
}

async function readCardImages(
  scope: Scope,
  secrets: SecretBox,
  row: OrderRow,
): Promise<DocumentImage[]> {
  const images = await findInsuranceImages(scope, secrets, row)
  return [images?.front_image, images?.back_image].flatMap((image) => image ?? [])
}

function readCollection(date: string): ReportedTime {
  const collected = parseInstant(date)
  if (collected === undefined) throw new Error('The collection date passed its schema.')
  return {
    timestamp: formatInstant(collected.epochMilliseconds),
    timezone_offset: collected.offsetSeconds ?? 0,
  }
}

/**
 * Renders tube labels, three unless there are more kinds of specimens.
 * @throws AppError 404 as getRequisitionPdf
 */
export async function getLabelsPdf(
  scope: Scope,
  orderId: string,
  options: { numberOfLabels: number | undefined; collectionDate: string },
): Promise<NamedPdf> {
  const { row, account, markers } = await readOrder(scope, orderId)
  const { patient, sampleId } = requireRequisition(row)
  const tests = toDocumentTests(markers)
  const kinds = new Set(tests.map(({ sample_type: kind }) => kind)).size
  const content = await renderLabels({
    patient: toDocumentPatient(patient),
    sampleId,
    accountNumber: account.provider_account_id,
    collectedAt: readCollection(options.collectionDate),
    tests,
    priority: row.priority,
    numberOfLabels: options.numberOfLabels ?? Math.min(Math.max(USUAL_LABELS, kinds), MOST_LABELS),
    at: row.requisition_at ?? row.created_at,
  })
  return { name: `labels-${sampleId}.pdf`, content }
}

const USUAL_LABELS = 3
export const MOST_LABELS = 20

/** The tests whose coverage is limited, and why; all tests of the order unless named. */
export interface AbnOptions {
  markerIds: readonly number[] | null
  reason: AbnReason | null
}

/**
 * Renders the advance beneficiary notice, on the form of Medicare if Medicare pays first.
 * @throws AppError 404 when the order needs none, and for markers that it does not have
 */
export async function getAbnPdf(
  scope: Scope,
  orderId: string,
  { markerIds, reason }: AbnOptions,
): Promise<NamedPdf> {
  const { row, lab, markers } = await readOrder(scope, orderId)
  if (!hasAbn(row)) throw notAvailable()
  const laboratory = toDocumentLaboratory(lab)
  const insurance = await findBilledPolicy(scope, row)
  const { health_insurance_id: policyId } = row
  const isMedicare =
    insurance !== null && policyId !== null && (await isMedicarePolicy(scope, policyId))
  const limited = markers.filter(({ id }) => markerIds === null || markerIds.includes(id))
  if (markerIds?.some((id) => !row.marker_ids.includes(id))) throw notFoundCode('marker_not_found')
  const content = await renderAbn({
    isMedicare,
    notifier: laboratory,
    patient: toDocumentPatient(row.patient_details),
    identificationNumber: row.sample_id,
    insurerName: insurance?.company.name ?? null,
    tests: limited.map((marker) => ({
      code: marker.provider_id,
      name: marker.name,
      reason,
      estimatedCostCents: marker.price_cents,
    })),
    at: row.created_at,
  })
  return { name: `abn-${row.id}.pdf`, content }
}

/** Renders instructions for collecting the samples of the order. */
export async function getInstructionsPdf(scope: Scope, orderId: string): Promise<NamedPdf> {
  const { row, lab, markers, fasting } = await readOrder(scope, orderId)
  const content = await renderCollectionInstructions({
    laboratory: toDocumentLaboratory(lab),
    method: row.method,
    sampleId: row.sample_id,
    patient: row.patient_details && toDocumentPatient(row.patient_details),
    fasting,
    tests: toDocumentTests(markers),
    at: row.created_at,
  })
  return { name: `collection-instructions-${row.id}.pdf`, content }
}

/**
 * Renders instructions for collecting the samples of a lab test.
 * @throws AppError 404 `lab_test_not_found`
 */
export async function getLabTestInstructionsPdf(
  scope: Scope,
  labTestId: string,
): Promise<NamedPdf> {
  const { clock, environment } = scope
  const test = await getLabTestForInstructions(scope, labTestId)
  const { lab_name: name, sample_type } = test
  const laboratory = { name, address: null, phone_number: null }
  const content = await renderCollectionInstructions({
    laboratory: { ...laboratory, clia_number: null, medical_director: null },
    method: test.method,
    sampleId: null,
    patient: null,
    fasting: test.fasting,
    tests: test.marker_names.map((marker) => ({ code: null, name: marker, sample_type })),
    at: environmentNow({ clock, environment }),
  })
  return { name: `collection-instructions-${test.id}.pdf`, content }
}
