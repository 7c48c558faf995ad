import { createCanvas } from '@napi-rs/canvas'
import type {
  AbnInput,
  CollectionInstructionsInput,
  DocumentGuarantor,
  DocumentInsurance,
  DocumentLaboratory,
  DocumentTest,
  LabelsInput,
  RequisitionInput,
} from '../../../lab/src/documents/index.ts'

/** Documents of people and laboratories that do not exist. */

export const AT = new Date('2026-03-04T15:30:00Z')

export const laboratory: DocumentLaboratory = {
  name: 'Northwind Clinical Laboratories',
  address: {
    first_line: '1200 Harbor Boulevard',
    second_line: 'Suite 400',
    city: 'Phoenix',
    state: 'AZ',
    zip: '85004',
    country: 'US',
  },
  phone_number: '+16025550123',
  clia_number: '03D1234567',
  medical_director: 'Amara Okafor, MD',
}

export const proxy: DocumentGuarantor = {
  first_name: 'Miriam',
  last_name: 'Vance',
  phone_number: '+16025550188',
  email: 'miriam.vance@example.com',
  address: {
    first_line: '77 Saguaro Lane',
    second_line: 'Apartment 3B',
    city: 'Tempe',
    state: 'AZ',
    zip: '85281',
    country: 'US',
  },
}

export const insurance: DocumentInsurance = {
  member_id: 'XJH-99887766',
  payor_code: 'BCAZ1',
  group_id: 'GRP-4410',
  relationship: 'Spouse',
  insured: {
    first_name: 'Jonas',
    last_name: 'Vance',
    dob: '1980-11-30',
    gender: 'male',
    phone_number: '+16025550177',
    address: {
      first_line: '5 Ocotillo Court',
      second_line: null,
      city: 'Mesa',
      state: 'AZ',
      zip: '85201',
      country: 'US',
    },
  },
  company: {
    name: 'Desert Mutual Health',
    address: {
      first_line: 'PO Box 9100',
      second_line: '',
      city: 'Scottsdale',
      state: 'AZ',
      zip: '85251',
      country: 'US',
    },
  },
  guarantor: proxy,
}

export const tests: DocumentTest[] = [
  { code: '10231', name: 'Comprehensive Metabolic Panel', sample_type: 'serum' },
  { code: '7600', name: 'Lipid Panel, Standard', sample_type: 'serum' },
  { code: '496', name: 'Hemoglobin A1c', sample_type: 'Whole blood, EDTA' },
  { code: '899', name: 'TSH', sample_type: 'serum' },
  { code: '17306', name: 'Vitamin D, 25-Hydroxy, Total', sample_type: 'serum' },
  { code: '5463', name: 'Urinalysis, Complete', sample_type: 'urine' },
]

export const requisition: RequisitionInput = {
  laboratory,
  account: {
    number: '1234567890',
    name: 'Juniper Health',
    address: {
      first_line: '300 Market Street',
      second_line: null,
      city: 'San Francisco',
      state: 'CA',
      zip: '94105',
      country: 'US',
    },
  },
  sampleId: '7718204453',
  orderedOn: '2026-03-04',
  priority: false,
  method: 'walk_in_test',
  fasting: true,
  patient: {
    first_name: 'Eleanor',
    last_name: 'Vance',
    dob: '1985-07-19',
    gender: 'female',
    phone_number: '+16025550142',
    email: 'eleanor.vance@example.com',
    medical_proxy: null,
  },
  patientAddress: {
    first_line: '48 Palo Verde Drive',
    second_line: null,
    city: 'Phoenix',
    state: 'AZ',
    zip: '85016',
    country: 'US',
  },
  billingType: 'client_bill',
  insurance: null,
  insuranceImages: [],
  collectedAt: null,
  hasOrderRecord: false,
  tests,
  answers: [
    { question: 'Is the patient fasting?', answers: ['Yes'] },
    { question: 'Which medicines does the patient take?', answers: ['Levothyroxine', 'Metformin'] },
  ],
  diagnoses: [
    { code: 'E78.5', description: 'Hyperlipidemia, unspecified' },
    { code: 'E03.9', description: 'Hypothyroidism, unspecified' },
  ],
  clinicalNotes:
    'Follow-up after change of dose.\nPatient reports fatigue since January.\n\nPlease call the account with critical values.',
  physician: {
    first_name: 'Grace',
    last_name: 'Holloway',
    npi: '1234567893',
    signature_image: null,
  },
  consents: [
    {
      consentType: 'hipaa-authorization',
      version: '1.2',
      timeOfConsent: '2026-03-04T15:28:00+00:00',
    },
    { consentType: 'terms-of-use', version: '1.0', timeOfConsent: '2026-03-04T15:28:00+00:00' },
  ],
  at: AT,
}

/** Everything at its longest: pages break, names wrap, every optional part is there. */
export const longRequisition: RequisitionInput = {
  ...requisition,
  sampleId: 'NWC-2026-0304-77182',
  priority: true,
  billingType: 'commercial_insurance',
  insurance,
  patient: {
    ...requisition.patient,
    first_name: 'Wolfeschlegelsteinhausenbergerdorffwelchevoralter',
    last_name: 'Keihanaikukauakahihuliheekahaunaele-Featherstonehau',
    dob: '2012-02-29',
    email: 'keihanaikukauakahihuliheekahaunaele.featherstonehaugh@correspondence.example.com',
    medical_proxy: proxy,
  },
  tests: Array.from({ length: 60 }, (_, index) => ({
    code: String(90_000 + index * 37),
    name:
      index % 7 === 3
        ? `Allergen-specific IgE antibodies against a very long list of grasses, trees, weeds and moulds, panel ${index + 1}, with reflex to components when positive`
        : `Analyte number ${index + 1}`,
    sample_type: index % 5 === 0 ? 'dried_blood_spot' : 'serum',
  })),
  diagnoses: Array.from({ length: 12 }, (_, index) => ({
    code: `Z${10 + index}.${index}`,
    description: null,
  })),
  clinicalNotes: Array.from(
    { length: 20 },
    (_, index) =>
      `${index + 1}. Observation of the physician, kept on a line of its own, ${'with some more words '.repeat(index % 3)}end.`,
  ).join('\n'),
}

export const labels: LabelsInput = {
  patient: requisition.patient,
  sampleId: requisition.sampleId,
  accountNumber: '1234567890',
  collectedAt: { timestamp: '2026-03-05T14:45:00Z', timezone_offset: -25_200 },
  tests,
  priority: true,
  numberOfLabels: 3,
  at: AT,
}

/** A signature as an image file, base64. */
export function signatureImage(type: 'image/png' | 'image/jpeg') {
  const canvas = createCanvas(360, 120)
  const context = canvas.getContext('2d')
  if (type === 'image/jpeg') {
    context.fillStyle = '#ffffff'
    context.fillRect(0, 0, 360, 120)
  }
  context.strokeStyle = '#12225a'
  context.lineWidth = 4
  context.beginPath()
  context.moveTo(20, 90)
  context.bezierCurveTo(60, -40, 90, 180, 130, 60)
  context.bezierCurveTo(150, 10, 170, 130, 210, 70)
  context.bezierCurveTo(240, 30, 250, 110, 340, 50)
  context.stroke()
  const bytes = type === 'image/png' ? canvas.toBuffer('image/png') : canvas.toBuffer('image/jpeg')
  return { content: bytes.toString('base64'), content_type: type }
}

export const abn: AbnInput = {
  notifier: laboratory,
  patient: requisition.patient,
  identificationNumber: requisition.sampleId,
  isMedicare: false,
  insurerName: 'Desert Mutual Health',
  tests: [
    {
      code: '17306',
      name: 'Vitamin D, 25-Hydroxy, Total',
      reason: 'frequency',
      estimatedCostCents: 8950,
    },
    { code: '899', name: 'TSH', reason: null, estimatedCostCents: 112_000 },
  ],
  at: AT,
}

export const longAbn: AbnInput = {
  ...abn,
  patient: longRequisition.patient,
  insurerName: null,
  identificationNumber: null,
  tests: longRequisition.tests.map(({ code, name }, index) => ({
    code,
    name,
    reason: index % 4 === 0 ? ('experimental' as const) : null,
    estimatedCostCents: index % 9 === 0 ? null : 1000 + index * 431,
  })),
}

/** Samples that people take themselves. */
export const kitTests: DocumentTest[] = [
  { code: 'DBS-1', name: 'Heart health', sample_type: 'dried_blood_spot' },
  { code: 'SAL-1', name: 'Cortisol, morning and evening', sample_type: 'saliva' },
  { code: 'URN-1', name: 'Iodine', sample_type: 'urine' },
  { code: 'STL-1', name: 'Calprotectin', sample_type: 'stool' },
]

export const instructions: CollectionInstructionsInput = {
  laboratory,
  method: 'testkit',
  sampleId: requisition.sampleId,
  patient: requisition.patient,
  fasting: true,
  tests: kitTests,
  at: AT,
}
