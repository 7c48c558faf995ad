import type { Requisition, RequisitionResult } from '@salus/contracts/lab-gateway'

const expected = (name: string, loinc: string | null, unit: string | null): RequisitionResult => ({
  name,
  provider_id: null,
  loinc,
  unit,
  required: true,
})

/** Rows of `name|LOINC|unit`. */
const panel = (rows: string): RequisitionResult[] =>
  rows
    .trim()
    .split('\n')
    .map((row) => row.trim().split('|'))
    .map(([name = '', loinc = '', unit = '']) => expected(name, loinc || null, unit || null))

export const METABOLIC = panel(`
  Glucose|2345-7|mg/dL
  BUN|3094-0|mg/dL
  Creatinine|2160-0|mg/dL
  eGFR|98979-8|mL/min/1.73
  BUN/Creatinine Ratio|3097-3|
  Sodium|2951-2|mmol/L
  Potassium|2823-3|mmol/L
  Chloride|2075-0|mmol/L
  Carbon Dioxide, Total|2028-9|mmol/L
  Anion Gap|33037-3|mmol/L
  Calcium|17861-6|mg/dL
  Protein, Total|2885-2|g/dL
  Albumin|1751-7|g/dL
  Globulin, Total|10834-0|g/dL
  A/G Ratio|1759-0|
  Bilirubin, Total|1975-2|mg/dL
  Alkaline Phosphatase|6768-6|IU/L
  AST (SGOT)|1920-8|IU/L
  ALT (SGPT)|1742-6|IU/L`)

export const BLOOD_COUNT = panel(`
  WBC|6690-2|x10E3/uL
  RBC|789-8|x10E6/uL
  Hemoglobin|718-7|g/dL
  Hematocrit|4544-3|%
  MCV|787-2|fL
  MCH|785-6|pg
  MCHC|786-4|g/dL
  RDW|788-0|%
  Platelets|777-3|x10E3/uL
  Neutrophils|770-8|%
  Lymphs|736-9|%
  Monocytes|5905-5|%
  Eos|713-8|%
  Basos|706-2|%
  Immature Granulocytes|71695-1|%
  Neutrophils (Absolute)|751-8|x10E3/uL
  Lymphs (Absolute)|731-0|x10E3/uL
  Monocytes (Absolute)|742-7|x10E3/uL
  Eos (Absolute)|711-2|x10E3/uL
  Baso (Absolute)|704-7|x10E3/uL`)

export const LIPIDS = panel(`
  Cholesterol, Total|2093-3|mg/dL
  Triglycerides|2571-8|mg/dL
  HDL Cholesterol|2085-9|mg/dL
  VLDL Cholesterol Cal|13458-5|mg/dL
  LDL Chol Calc|13457-7|mg/dL
  Non-HDL Cholesterol|43396-1|mg/dL
  Chol/HDL Ratio|9830-1|`)

export const IRON = panel(`
  Iron|2498-4|ug/dL
  TIBC|2500-7|ug/dL
  UIBC|2501-5|ug/dL
  Iron Saturation|2502-3|%
  Ferritin|2276-4|ng/mL`)

export const HORMONES = panel(`
  Testosterone, Total|2986-8|ng/dL
  Testosterone, Free, Percent|15432-8|%
  Testosterone, Free|2991-8|pg/mL
  TSH|3016-3|uIU/mL
  hs-CRP|30522-7|mg/L
  PSA|2857-1|ng/mL
  HbA1c|4548-4|%`)

export const INFECTIONS = panel(`
  Chlamydia trachomatis, NAA|43304-5|
  Neisseria gonorrhoeae, NAA|43305-2|
  HIV Ag/Ab|56888-1|
  HSV 2 IgG|5209-2|{Index_val}
  RPR|20507-0|`)

/** Nothing that the registry knows. */
export const UNKNOWN = panel(`
  Made Up Analyte||ng/mL
  Made Up Antibody||
  Odd Fungus IgE||kU/L
  Odd Titer||
  Odd Virus, PCR||
  Strange Ratio||`)

export const galleriResult = (part: number | null, name: string): RequisitionResult => ({
  ...expected(name, null, null),
  provider_id: part === null ? '86038987' : `86038987_${part}`,
  required: part === null,
})

export interface RequisitionWish {
  orderId?: string
  gender?: string
  dob?: string
}

/** A requisition of one test for each panel. */
export function makeRequisition(
  panels: readonly RequisitionResult[][],
  wish: RequisitionWish = {},
): Requisition {
  return {
    environmentId: 'environment',
    orderId: wish.orderId ?? '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    labSlug: 'quest',
    answers: [],
    method: 'walk_in_test',
    accountId: '1234567890',
    sampleId: 'QU123',
    orderedAt: new Date('2026-03-01T09:00:00Z'),
    collectedAt: null,
    priority: false,
    fasting: true,
    patient: {
      first_name: 'Sam',
      last_name: 'Example',
      dob: wish.dob ?? '1985-03-01',
      gender: wish.gender ?? 'female',
      phone_number: null,
      email: null,
    },
    patientNumber: '0000000000000001',
    address: {
      receiver_name: 'Sam Example',
      first_line: '1 Example Street',
      second_line: null,
      city: 'San Francisco',
      state: 'CA',
      zip: '94110',
      country: 'US',
      phone_number: null,
      access_notes: null,
    },
    physician: { first_name: 'Robin', last_name: 'Example', npi: '1234567893' },
    tests: panels.map((expected_results, index) => ({
      marker_id: index + 1,
      provider_id: `T${index + 1}`,
      name: `Panel ${index + 1}`,
      expected_results,
    })),
    clinicalNotes: null,
    icdCodes: [],
    billingType: 'client_bill',
    insurance: null,
    billing: null,
  }
}
