import type { AllocatedNumbers, Requisition } from '@salus/contracts/lab-gateway'

const ADDRESS = {
  first_line: '1 Main St',
  second_line: null,
  city: 'Phoenix',
  state: 'AZ',
  zip: '850041234',
  country: 'US',
}

/** An invented order of two tests, with answers, diagnoses and a policy. */
export const REQUISITION: Requisition = {
  environmentId: '5c9e6c0e-6a0d-4f4e-8c39-5b60e1b3a001',
  orderId: '5c9e6c0e-6a0d-4f4e-8c39-5b60e1b3a002',
  labSlug: 'acme',
  method: 'walk_in_test',
  accountId: '97512345',
  sampleId: null,
  orderedAt: new Date('2026-03-01T19:05:09Z'),
  collectedAt: new Date('2026-03-02T15:15:00Z'),
  priority: true,
  fasting: true,
  patient: {
    first_name: 'Zoë',
    last_name: 'Vance',
    dob: '1990-04-12',
    gender: 'female',
    race: 'asian',
    ethnicity: 'non_hispanic',
    phone_number: '+16025550199',
    email: 'orla@example.com',
  },
  patientNumber: '12345',
  address: { ...ADDRESS, receiver_name: 'Zoë Vance', phone_number: null, access_notes: null },
  physician: { first_name: 'Ruth', last_name: 'Hall', npi: '1234567893' },
  tests: [
    { marker_id: 1, provider_id: '322000', name: 'Metabolic Panel', expected_results: [] },
    { marker_id: 2, provider_id: '7600', name: 'Lipid Panel', expected_results: [] },
  ],
  answers: [
    {
      marker_id: 1,
      question_code: 'FAST',
      question: 'Fasting?',
      type: 'choice',
      answer: 'Y',
    },
    {
      marker_id: 2,
      question_code: 'VOL',
      question: 'Volume | total',
      type: 'numeric',
      answer: '500',
    },
    { marker_id: 2, question_code: 'SRC', question: 'Sources', type: 'multi_choice', answer: 'A1' },
    { marker_id: 2, question_code: 'SRC', question: 'Sources', type: 'multi_choice', answer: 'B2' },
  ],
  clinicalNotes: 'Tired & pale.\nSince May.',
  icdCodes: ['E78.5', 'R53.83'],
  billingType: 'commercial_insurance',
  insurance: {
    payor_code: 'UHC01',
    payor_ids: {},
    company: { name: 'United Mutual', address: { ...ADDRESS, first_line: 'PO Box 5' } },
    member_id: 'W123^4',
    group_id: 'G77',
    relationship: 'Spouse',
    insured: {
      first_name: 'Pat',
      last_name: 'Vance',
      gender: 'male',
      dob: '1988-01-02',
      email: 'pat@example.com',
      phone_number: '+16025550177',
      address: ADDRESS,
    },
    guarantor: null,
  },
  billing: null,
}

export const NUMBERS: AllocatedNumbers = {
  controlId: 'M-0001',
  placer: 'SA00000017',
  placerOfTest: new Map([
    [1, 'SA00000017'],
    [2, 'SA00000017'],
  ]),
  requisition: 'SA00000017',
}

/** Numbers where each test has one of its own. */
export const NUMBERS_PER_TEST: AllocatedNumbers = {
  ...NUMBERS,
  placerOfTest: new Map([
    [1, 'SA00000017'],
    [2, 'SA00000018'],
  ]),
}
