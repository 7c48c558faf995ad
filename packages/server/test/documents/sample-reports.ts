import type { ReportedResult, ResultMessage } from '@salus/contracts/lab-gateway'
import type { ResultDocumentInput } from '../../../lab/src/documents/index.ts'
import { AT, laboratory, longRequisition, requisition } from './sample-documents.ts'

function result(
  name: string,
  value: string,
  unit: string | null,
  range: string | null,
  more: Partial<ReportedResult> = {},
): ReportedResult {
  return {
    name,
    provider_id: null,
    loinc: null,
    type: 'numeric',
    result: value,
    unit,
    reference_range: range,
    min_range_value: null,
    max_range_value: null,
    flag: null,
    notes: null,
    timestamp: '2026-03-06T16:05:00Z',
    performing_laboratory: 'PHX',
    ...more,
  }
}

const at = (timestamp: string) => ({ timestamp, timezone_offset: -25_200 })

export const report: ResultMessage = {
  status: 'final',
  account_id: '1234567890',
  sample_id: requisition.sampleId,
  specimen_number: 'PH-0305-88121',
  patient: {
    first_name: 'Eleanor',
    last_name: 'Vance',
    dob: '1985-07-19',
    gender: 'female',
    patient_id: 'NW-55120',
  },
  ordering_physician: 'Grace Holloway',
  collected_at: at('2026-03-05T14:45:00Z'),
  received_at: at('2026-03-06T03:10:00Z'),
  reported_at: at('2026-03-06T16:05:00Z'),
  fasting: true,
  notes: 'Specimen slightly lipemic.\nResults were checked by a second method.',
  total_volume: null,
  ordered_provider_ids: ['10231', '7600', '17306'],
  results: [
    result('Glucose', '92', 'mg/dL', '65-99', { flag: 'N' }),
    result('Sodium', '139', 'mmol/L', '135-146'),
    result('Potassium', '7.1', 'mmol/L', '3.5-5.3', {
      flag: 'HH',
      notes: 'Called to and read back by the account, 03/06/2026 09:02.',
    }),
    result('eGFR', '>90', 'mL/min/1.73 m²', '≥ 60', { type: 'range' }),
    result('Cholesterol, Total', '212', 'mg/dL', '<200', { flag: 'H' }),
    result('HDL Cholesterol', '41', 'mg/dL', '> OR = 50', { flag: 'L' }),
    result('Triglycerides', '148', 'mg/dL', null, { max_range_value: 150 }),
    result('Vitamin D, 25-OH, Total', '18', 'ng/mL', null, {
      min_range_value: 30,
      max_range_value: 100,
      performing_laboratory: 'SJC',
    }),
    result('Appearance', 'Clear', null, 'Clear', { type: 'comment', notes: 'Clear' }),
  ],
  missing_results: [
    {
      name: 'LDL Cholesterol, calculated',
      provider_id: null,
      loinc: null,
      failure_type: 'missing_result_calc_failure',
      note: 'Not calculated in lipemic specimens.',
    },
  ],
  performing_laboratories: {
    PHX: {
      name: 'Northwind Clinical Laboratories',
      phone_number: '+16025550123',
      medical_director: 'Amara Okafor, MD',
      address: { ...laboratoryAddress() },
    },
    SJC: {
      name: 'Northwind Esoteric Testing',
      phone_number: null,
      medical_director: null,
      address: null,
    },
  },
  pdf: null,
}

function laboratoryAddress() {
  return {
    first_line: '1200 Harbor Boulevard',
    second_line: 'Suite 400',
    city: 'Phoenix',
    state: 'AZ',
    zip: '85004',
    country: 'US',
  }
}

const asks = (...names: string[]) => names.map((name) => ({ name, provider_id: null, loinc: null }))

export const resultReport: ResultDocumentInput = {
  report,
  laboratory,
  account: requisition.account,
  tests: [
    {
      provider_id: '10231',
      name: 'Comprehensive Metabolic Panel',
      expected_results: asks('Glucose', 'Sodium', 'Potassium', 'eGFR'),
    },
    {
      provider_id: '7600',
      name: 'Lipid Panel, Standard',
      expected_results: asks(
        'Cholesterol, Total',
        'HDL Cholesterol',
        'Triglycerides',
        'LDL Cholesterol, calculated',
      ),
    },
    {
      provider_id: '17306',
      name: 'Vitamin D, 25-Hydroxy, Total',
      expected_results: asks('Vitamin D, 25-OH, Total'),
    },
  ],
  at: AT,
}

const LONG_COMMENT = Array.from(
  { length: 90 },
  (_, index) => `Line ${index + 1} of the pathologist’s comment, as it was dictated.`,
).join('\n')

/** Many results, one with a comment of more than a page. */
export const longResultReport: ResultDocumentInput = {
  ...resultReport,
  report: {
    ...report,
    status: 'corrected',
    patient: { ...report.patient, ...longRequisition.patient },
    results: [
      ...report.results,
      result('Cytology', LONG_COMMENT, null, null, { type: 'comment', notes: LONG_COMMENT }),
      ...Array.from({ length: 80 }, (_, index) =>
        result(`Allergen ${index + 1}, IgE`, (index * 0.37).toFixed(2), 'kU/L', '<0.35', {
          max_range_value: 0.35,
        }),
      ),
    ],
  },
  tests: [
    ...resultReport.tests,
    {
      provider_id: '90210',
      name: 'Allergy profile',
      expected_results: asks(...Array.from({ length: 80 }, (_, i) => `Allergen ${i + 1}, IgE`)),
    },
  ],
}

export const minimalResultReport: ResultDocumentInput = {
  report: {
    ...report,
    status: 'partial',
    account_id: null,
    specimen_number: null,
    patient: { first_name: null, last_name: null, dob: null, gender: null, patient_id: null },
    ordering_physician: null,
    collected_at: null,
    received_at: null,
    reported_at: null,
    notes: null,
    results: report.results.slice(0, 1),
    missing_results: [],
    performing_laboratories: {},
  },
  laboratory: {
    name: 'Northwind',
    address: null,
    phone_number: null,
    clia_number: null,
    medical_director: null,
  },
  account: null,
  tests: [],
  at: AT,
}
