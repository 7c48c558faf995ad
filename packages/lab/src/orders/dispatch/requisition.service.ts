import type { Requisition, RequisitionTest } from '@salus/contracts/lab-gateway'
import { onOneConnection } from '@salus/kernel/postgres/transaction'
import type { Scope } from '@salus/kernel/scope'
import {
  findLab,
  getLabAccount,
  listOrderedMarkers,
  type OrderedMarker,
  showLabTests,
} from '../../catalog/index.ts'
import { findPolicy } from '../../insurance/index.ts'
import type { OrderHealthInsurance } from '../insurance/health-insurance.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { PatientAddress, PatientDetails } from '../people.schema.ts'

/** Laboratories that accept clinical notes with the requisition (specification, "Limits"). */
const LABS_TAKING_NOTES = new Set(['quest', 'sonora_quest', 'labcorp', 'bioreference'])

/**
 * Returns the notes for the laboratory: those of the order, then those of the account. Returns null
 * for laboratories that do not accept notes.
 */
export function mergeClinicalNotes(
  labSlug: string,
  ofOrder: string | null,
  ofAccount: string | null,
): string | null {
  if (!LABS_TAKING_NOTES.has(labSlug)) return null
  const notes = [ofOrder, ofAccount].filter((text) => text)
  return notes.length === 0 ? null : notes.join('\n')
}

/** Returns the requisition of an order. The caller adds the images of insurance. */
export async function makeRequisition(scope: Scope, row: OrderRow): Promise<Requisition> {
  const { health_insurance_id: policyId } = row
  const [lab, account, markers, tests, insurance = null] = await onOneConnection(scope.db, (db) =>
    Promise.all([
      findLab(db, row.lab_id),
      getLabAccount(db, row.lab_account_id),
      listOrderedMarkers(db, row.marker_ids),
      showLabTests({ ...scope, db }, [row.lab_test_id]),
      policyId === null ? undefined : findPolicy({ ...scope, db }, policyId),
    ]),
  )
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  const { physician } = row
  return {
    environmentId: row.environment_id,
    orderId: row.id,
    labSlug: lab.slug,
    method: row.method,
    accountId: account.provider_account_id,
    sampleId: row.sample_id,
    orderedAt: row.created_at,
    collectedAt: null,
    priority: row.priority,
    fasting: tests.get(row.lab_test_id)?.fasting ?? false,
    patient: row.patient_details && toPatient(row.patient_details),
    patientNumber: patientNumberOf(row.user_id),
    address: toAddress(row),
    physician: physician && {
      first_name: physician.first_name,
      last_name: physician.last_name,
      npi: physician.npi,
    },
    tests: markers.map(toTest),
    answers: toAnswers(row, markers),
    clinicalNotes: mergeClinicalNotes(lab.slug, row.clinical_notes, account.default_clinical_notes),
    icdCodes: row.icd_codes ?? [],
    billingType: row.billing_type,
    insurance,
    billing: row.health_insurance && toBilling(row.health_insurance),
  }
}

function toTest(marker: OrderedMarker): RequisitionTest {
  return {
    marker_id: marker.id,
    provider_id: marker.provider_id,
    name: marker.name,
    specimen_type: marker.sample_type,
    expected_results: marker.expected_results.map((result) => ({
      name: result.name,
      provider_id: result.provider_id,
      loinc: result.loinc?.code ?? null,
      unit: result.unit,
      required: result.required,
    })),
  }
}

/**
 * Returns the answers by the laboratory's codes of the questions. Answers to questions that the
 * laboratory no longer has are left out.
 */
function toAnswers(row: OrderRow, markers: readonly OrderedMarker[]): Requisition['answers'] {
  const questions = new Map(
    markers.flatMap(({ id, questions }) =>
      (questions ?? []).map((question) => [`${id}:${question.id}`, question] as const),
    ),
  )
  return row.aoe_answers.flatMap(({ marker_id, question_id, answer }) => {
    const asked = questions.get(`${marker_id}:${question_id}`)
    if (asked === undefined) return []
    const { code: question_code, value: question, type } = asked
    return [{ marker_id, question_code, question, type, answer }]
  })
}

function toBilling({ has_images: _, ...billing }: OrderHealthInsurance): Requisition['billing'] {
  return { ...billing, front_image: null, back_image: null, patient_signature_image: null }
}

/** Digits of a person's number: enough that two people of an environment never share it. */
const PATIENT_NUMBER_LENGTH = 16

/** Returns the end of the id, because the beginning of an id of version 7 is a time. */
function patientNumberOf(userId: string): string {
  return userId.replaceAll('-', '').slice(-PATIENT_NUMBER_LENGTH).toUpperCase()
}

function toPatient(patient: PatientDetails): Requisition['patient'] {
  const { first_name, last_name, dob, gender, race, ethnicity, phone_number, email } = patient
  return { first_name, last_name, dob, gender, race, ethnicity, phone_number, email }
}

/** Returns the shipping address of the kit, or the address of the patient. */
function toAddress(row: OrderRow): PatientAddress | null {
  const { shipping_details: shipping, patient_address: address } = row
  if (shipping !== null && row.registered_at === null) return { ...shipping, access_notes: null }
  return address
}
