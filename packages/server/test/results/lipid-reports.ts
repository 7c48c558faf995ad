import type { MissingResult, ReportedResult, ResultMessage } from '@salus/contracts/lab-gateway'
import type { Answer } from '../harness.ts'
import type { ResultsFixture } from './results-fixture.ts'

/**
 * Orders of lipid panels and glucose at two laboratories of the starting catalog, and their
 * reports.
 */

export const PATIENT = {
  first_name: 'Ada',
  last_name: 'Moreau',
  dob: '1990-04-12',
  gender: 'female',
  phone_number: '+15550100199',
  email: 'ada.moreau@example.com',
}
const ADDRESS = {
  receiver_name: 'Ada Moreau',
  first_line: '1 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
}

/** Provider ids of markers at each laboratory; results are known by LOINC. */
const MARKERS: Record<string, string[]> = {
  quest: ['70373', '71372'],
  labcorp: ['871613'],
  ussl: ['USL-1001'],
}

export interface OrderSelection {
  userId: string
  lab?: 'quest' | 'labcorp' | 'ussl'
  method?: string
  sampleId?: string
  patient?: Partial<typeof PATIENT>
  providerIds?: string[]
}

let nextSample = 1000

/** Imports an order, which is then in requisition_bypassed. */
export async function importOrder(
  fixture: ResultsFixture,
  wish: OrderSelection,
): Promise<Answer['body']> {
  const lab = wish.lab ?? 'quest'
  const { rows } = await fixture.database.pool.query(
    `update markers m set a_la_carte_enabled = true from labs l
    where l.id = m.lab_id and l.slug = $1 and m.provider_id = any($2) returning m.id`,
    [lab, wish.providerIds ?? MARKERS[lab]],
  )
  nextSample += 1
  const answer = await fixture.call('POST', '/v3/order/import', {
    user_id: wish.userId,
    billing_type: 'client_bill',
    order_set: { add_on: { marker_ids: rows.map(({ id }) => id).sort() } },
    collection_method: wish.method ?? 'walk_in_test',
    patient_details: { ...PATIENT, ...wish.patient },
    patient_address: ADDRESS,
    physician: { first_name: 'Ines', last_name: 'Park', npi: '1234567893' },
    sample_id: wish.sampleId ?? `S${nextSample}`,
  })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return answer.body.order
}

const RESULTS: Record<string, [name: string, loinc: string, unit: string, range: string | null]> = {
  cholesterol: ['CHOLESTEROL, TOTAL', '2093-3', 'mg/dL', '<200'],
  hdl: ['HDL CHOLESTEROL', '2085-9', 'mg/dL', '> OR = 50'],
  triglycerides: ['TRIGLYCERIDES', '2571-8', 'mg/dL', '<150'],
  ldl: ['LDL-CHOLESTEROL', '13457-7', 'mg/dL (calc)', '<100'],
  nonHdl: ['NON HDL CHOLESTEROL', '43396-1', 'mg/dL (calc)', '<130'],
  ratio: ['CHOL/HDLC RATIO', '9830-1', '(calc)', '<5.0'],
  glucose: ['GLUCOSE', '2345-7', 'mg/dL', '65-99'],
}

export type ResultName = keyof typeof RESULTS

/** One reported result; a number is numeric, `<` and `>` are ranges, anything else is a comment. */
export function reported(
  name: string,
  value: string,
  more: Partial<ReportedResult> = {},
): ReportedResult {
  const [title = name, loinc = null, unit = null, range = null] = RESULTS[name] ?? []
  const type = /^[\d.]+$/.test(value) ? 'numeric' : /^[<>]/.test(value) ? 'range' : 'comment'
  return {
    name: title,
    provider_id: null,
    loinc,
    type,
    result: value,
    unit,
    reference_range: range,
    min_range_value: null,
    max_range_value: null,
    flag: null,
    notes: null,
    timestamp: '2026-03-01T10:00:00Z',
    performing_laboratory: 'EZ',
    ...more,
  }
}

const VALUES: Record<string, string> = {
  cholesterol: '180',
  hdl: '60',
  triglycerides: '90',
  ldl: '95',
  nonHdl: '120',
  ratio: '3.0',
  glucose: '88',
}

/**
 * Everything that an order of both markers asks for, in range; values can be changed or left out.
 */
export function allResults(changes: Record<string, string | null> = {}): ReportedResult[] {
  return Object.entries({ ...VALUES, ...changes }).flatMap(([name, value]) =>
    value === null ? [] : [reported(name, value)],
  )
}

export const missing = (name: string, note: string | null): MissingResult => {
  const [title = name, loinc = null] = RESULTS[name] ?? []
  return { name: title, provider_id: null, loinc, failure_type: null, note }
}

/** A final report of an order's sample and patient. */
export function reportOf(
  order: { sample_id: string } | null,
  more: Partial<ResultMessage> = {},
): ResultMessage {
  return {
    status: 'final',
    account_id: null,
    sample_id: order?.sample_id ?? null,
    specimen_number: order === null ? null : `SPEC-${order.sample_id}`,
    patient: {
      first_name: PATIENT.first_name,
      last_name: PATIENT.last_name,
      dob: PATIENT.dob,
      gender: 'female',
      patient_id: 'P-77',
    },
    ordering_physician: 'PARK, INES',
    collected_at: { timestamp: '2026-02-28T15:00:00Z', timezone_offset: -25_200 },
    received_at: { timestamp: '2026-03-01T02:00:00Z', timezone_offset: -25_200 },
    reported_at: { timestamp: '2026-03-01T11:00:00Z', timezone_offset: 0 },
    fasting: true,
    notes: null,
    total_volume: null,
    ordered_provider_ids: [],
    results: allResults(),
    missing_results: [],
    performing_laboratories: {
      EZ: {
        name: 'Example Laboratory',
        phone_number: '+15550100100',
        medical_director: 'Dr. Example',
        address: {
          first_line: '1 Laboratory Way',
          second_line: null,
          city: 'Phoenix',
          state: 'AZ',
          zip: '85001',
          country: 'US',
        },
      },
    },
    pdf: null,
    ...more,
  }
}

/** Anything that begins as a PDF does. */
export const pdfText = (text: string): string => Buffer.from(`%PDF-1.7 ${text}`).toString('base64')
