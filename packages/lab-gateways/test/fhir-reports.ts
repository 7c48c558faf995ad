/** Reports of invented laboratories about invented people, as FHIR R4 has them. */

type Resource = Record<string, unknown>

export const LOINC = 'http://loinc.org'
const FLAGS = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation'
const TYPES = 'http://terminology.hl7.org/CodeSystem/v2-0203'

/** The bytes of a message. */
export const encode = (json: unknown): Buffer => Buffer.from(JSON.stringify(json), 'utf8')

export const bundle = (type: string, ...resources: Resource[]): Resource => ({
  resourceType: 'Bundle',
  type,
  entry: resources.map((resource) => ({
    fullUrl: `https://lab.example/fhir/${resource.resourceType}/${resource.id}`,
    resource,
  })),
})

export const coded = (code: string, name: string, system = LOINC) => ({
  coding: [{ system, code, display: name }],
  text: name,
})

export const flag = (code: string) => [{ coding: [{ system: FLAGS, code }] }]

export const observation = (id: string, more: Resource): Resource => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  subject: { reference: 'Patient/p1' },
  ...more,
})

export const PERSON: Resource = {
  resourceType: 'Patient',
  id: 'p1',
  identifier: [
    { system: 'urn:salus:patient', value: '12345' },
    { system: 'urn:lab:acme', value: '884412' },
  ],
  name: [{ family: 'Vance', given: ['Orla', 'M'] }],
  gender: 'female',
  birthDate: '1990-04-12',
}

export const diagnosticReport = (results: string[], more: Resource = {}): Resource => ({
  resourceType: 'DiagnosticReport',
  id: 'r1',
  meta: { versionId: '3', lastUpdated: '2026-03-09T15:00:00.250Z' },
  identifier: [
    {
      type: { coding: [{ system: TYPES, code: 'FILL' }] },
      system: 'urn:lab:acme',
      value: 'FL26-003009',
    },
  ],
  basedOn: [{ identifier: { system: 'urn:salus:placer', value: 'SA00000017' } }],
  status: 'final',
  code: coded('24323-8', 'Metabolic Panel'),
  subject: { reference: 'Patient/p1' },
  effectiveDateTime: '2026-03-08T08:00:00-07:00',
  issued: '2026-03-09T07:59:00-07:00',
  result: results.map((id) => ({ reference: `Observation/${id}` })),
  ...more,
})

export const quantity = (value: number, unit = 'mg/dL', more: Resource = {}) => ({
  value,
  unit,
  system: 'http://unitsofmeasure.org',
  code: unit,
  ...more,
})

/** One Observation of each status, and each kind of value. */
const EVERY = [
  observation('o1', {
    code: coded('2345-7', 'Glucose'),
    valueQuantity: quantity(104),
    interpretation: flag('H'),
    referenceRange: [{ low: { value: 70 }, high: { value: 99 }, text: '70-99' }],
    performer: [{ reference: 'Organization/lab' }],
    specimen: { reference: 'Specimen/s1' },
  }),
  observation('o2', {
    code: coded('33914-3', 'eGFR'),
    status: 'corrected',
    valueQuantity: quantity(59, 'mL/min', { comparator: '>' }),
    referenceRange: [{ low: { value: 60 } }],
    note: [{ text: 'First.' }, { text: 'Second.' }],
  }),
  observation('o3', { code: coded('5778-6', 'Color'), valueString: 'Yellow' }),
  observation('o4', {
    code: coded('5196-1', 'HBsAg'),
    status: 'preliminary',
    valueCodeableConcept: coded('260385009', 'Negative', 'http://snomed.info/sct'),
  }),
  observation('o5', { code: coded('1-8', 'Titer'), valueRatio: ratio(1, 40) }),
  observation('o6', {
    code: coded('2-6', 'Cells'),
    valueRange: { low: { value: 2 }, high: { value: 5 } },
  }),
  observation('o7', { code: coded('3-4', 'Count'), valueInteger: 12 }),
  observation('o8', { code: coded('4-2', 'Present'), valueBoolean: true }),
  observation('o9', { code: coded('5-9', 'Drawn'), valueDateTime: '2026-03-08T08:00:00-07:00' }),
  observation('o10', {
    code: coded('2951-2', 'Sodium'),
    dataAbsentReason: coded('not-performed', 'Not performed', 'urn:x'),
    note: [{ text: 'Hemolyzed specimen.' }],
  }),
  observation('o11', { code: coded('2160-0', 'Creatinine'), status: 'registered' }),
  observation('o12', { code: coded('2075-0', 'Chloride'), status: 'cancelled' }),
  observation('o13', {
    code: coded('17861-6', 'Calcium'),
    status: 'entered-in-error',
    valueQuantity: quantity(9.1),
  }),
  observation('o14', {
    code: coded('85354-9', 'Pressure'),
    component: [
      { code: coded('8480-6', 'Systolic'), valueQuantity: quantity(120, 'mm[Hg]') },
      { code: coded('8462-4', 'Diastolic'), valueQuantity: quantity(80, 'mm[Hg]') },
    ],
  }),
]

function ratio(numerator: number, denominator: number) {
  return { numerator: { value: numerator }, denominator: { value: denominator } }
}

export const PDF = Buffer.from('%PDF-1.4\ninvented\n%%EOF\n', 'latin1')

export const EVERY_STATUS = bundle(
  'collection',
  PERSON,
  {
    resourceType: 'Organization',
    id: 'lab',
    identifier: [{ system: 'urn:oid:2.16.840.1.113883.4.7', value: '03D0000001' }],
    name: 'Acme Phoenix',
    telecom: [{ system: 'phone', value: '6025550100' }],
    address: [{ line: ['5005 S 40th St'], city: 'Phoenix', state: 'AZ', postalCode: '85040' }],
  },
  {
    resourceType: 'Specimen',
    id: 's1',
    accessionIdentifier: { value: 'ACC-9' },
    type: coded('119364003', 'Serum', 'http://snomed.info/sct'),
    receivedTime: '2026-03-08T18:00:00Z',
    collection: { collectedDateTime: '2026-03-08T08:05:00-07:00' },
  },
  ...EVERY,
  diagnosticReport(
    EVERY.map(({ id }) => String(id)),
    {
      presentedForm: [
        { contentType: 'application/pdf', data: PDF.toString('base64') },
        { contentType: 'text/plain', title: 'Remarks', data: 'Tm90ZQ==' },
      ],
    },
  ),
)

const drug = (id: string, code: string, name: string, value: number, letter: string, more = {}) =>
  observation(id, {
    code: coded(code, name),
    valueQuantity: quantity(value, 'ug/mL', { comparator: '<=' }),
    interpretation: flag(letter),
    ...more,
  })

/** Two isolates with the same drug: one names its members, the other one is named by its own. */
export const CULTURE = bundle(
  'searchset',
  PERSON,
  observation('i1', {
    code: coded('630-4', 'Bacteria identified'),
    valueCodeableConcept: { text: 'Escherichia coli' },
    hasMember: [{ reference: 'Observation/d1' }, { reference: 'Observation/d2' }],
  }),
  observation('i2', {
    code: coded('630-4', 'Bacteria identified'),
    valueCodeableConcept: { text: 'Klebsiella oxytoca' },
  }),
  drug('d1', '18864-9', 'Ampicillin', 32, 'R'),
  drug('d2', '18906-8', 'Ciprofloxacin', 0.25, 'S'),
  drug('d3', '18864-9', 'Ampicillin', 2, 'S', { derivedFrom: [{ reference: 'Observation/i2' }] }),
  diagnosticReport(['i1', 'i2'], {
    code: coded('395', 'Urine Culture', 'urn:salus:lab:acme:orderable'),
  }),
)

/** One DiagnosticReport with everything contained. */
export const CONTAINED: Resource = {
  ...diagnosticReport([], { result: [{ reference: '#a' }], subject: { reference: '#p' } }),
  basedOn: [{ reference: '#order' }],
  contained: [
    { ...PERSON, id: 'p' },
    { ...observation('a', { code: coded('2345-7', 'Glucose'), valueQuantity: quantity(88) }) },
    {
      resourceType: 'ServiceRequest',
      id: 'order',
      identifier: [{ system: 'urn:salus:order_test', value: 'SA00000017.42' }],
      code: coded('322000', 'Metabolic Panel', 'urn:salus:lab:acme:orderable'),
      requester: { display: 'Ruth Hall' },
    },
  ],
}

/** A narrative without Observations. */
export const CONCLUSION = diagnosticReport([], { conclusion: 'No malignancy seen.' })

/** Two orders of two people, in the order of a message. */
export const SEVERAL_PATIENTS = bundle(
  'message',
  { resourceType: 'MessageHeader', id: 'm1', eventCoding: { code: 'R01' } },
  PERSON,
  { ...PERSON, id: 'p2', name: [{ family: 'Tarn', given: ['Milo'] }] },
  observation('x1', { code: coded('2951-2', 'Sodium'), valueQuantity: quantity(140, 'mmol/L') }),
  observation('x2', { code: coded('2951-2', 'Sodium'), valueQuantity: quantity(142, 'mmol/L') }),
  diagnosticReport(['x1']),
  diagnosticReport(['x2'], {
    id: 'r2',
    subject: { reference: 'Patient/p2' },
    identifier: [{ value: 'FL-82' }],
    basedOn: [{ reference: 'ServiceRequest/77' }],
  }),
)
