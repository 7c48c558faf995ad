import type {
  AllocatedNumbers,
  Requisition,
  RequisitionPatient,
} from '@salus/contracts/lab-gateway'
import type { FhirRules } from '../connection.ts'
import { PATIENT_SYSTEM, PLACER_SYSTEM, TEST_SYSTEM } from '../systems.ts'

/** A resource to be written, and the name by which others of the order refer to it. */
export interface NewResource {
  key: string
  resource: { resourceType: string } & Record<string, unknown>
}

/** An order with its patient, and how its resources refer to each other. */
export interface OrderContext {
  requisition: Requisition & { patient: RequisitionPatient }
  numbers: AllocatedNumbers
  rules: FhirRules
  status: 'active' | 'revoked'
  /** Returns the Reference to a resource by its key. */
  refer(key: string): { reference: string }
}

const TYPES = 'http://terminology.hl7.org/CodeSystem/v2-0203'
const NPI = 'http://hl7.org/fhir/sid/us-npi'
const ICD_10_CM = 'http://hl7.org/fhir/sid/icd-10-cm'
const LOINC = 'http://loinc.org'
const RELATIONS = 'http://terminology.hl7.org/CodeSystem/subscriber-relationship'

const identifierOf = (type: string, system: string, value: string) => ({
  type: { coding: [{ system: TYPES, code: type }] },
  system,
  value,
})

type Address = Pick<
  NonNullable<Requisition['address']>,
  'first_line' | 'second_line' | 'city' | 'state' | 'zip' | 'country'
>

const addressOf = ({ first_line, second_line, city, state, zip, country }: Address) => ({
  line: second_line === null ? [first_line] : [first_line, second_line],
  city,
  state,
  postalCode: /^\d{9}$/.test(zip) ? `${zip.slice(0, 5)}-${zip.slice(5)}` : zip,
  country,
})

const GENDERS = ['male', 'female', 'other', 'unknown']

export function patientOf({ requisition }: OrderContext): NewResource {
  const { patient, patientNumber, address } = requisition
  const telecom = [
    ...(patient.phone_number === null ? [] : [{ system: 'phone', value: patient.phone_number }]),
    ...(patient.email === null ? [] : [{ system: 'email', value: patient.email }]),
  ]
  return {
    key: 'patient',
    resource: {
      resourceType: 'Patient',
      identifier: [identifierOf('MR', PATIENT_SYSTEM, patientNumber)],
      name: [{ use: 'official', family: patient.last_name, given: [patient.first_name] }],
      gender: GENDERS.includes(patient.gender) ? patient.gender : 'unknown',
      birthDate: patient.dob,
      ...(telecom.length > 0 && { telecom }),
      ...(address !== null && { address: [addressOf(address)] }),
    },
  }
}

export function practitionerOf({ requisition }: OrderContext): NewResource[] {
  const { physician } = requisition
  if (physician === null) return []
  const { first_name, last_name, npi } = physician
  return [
    {
      key: 'practitioner',
      resource: {
        resourceType: 'Practitioner',
        identifier: [identifierOf('NPI', NPI, npi)],
        name: [{ family: last_name, given: [first_name] }],
      },
    },
  ]
}

export function coverageOf({ requisition, numbers, rules, refer }: OrderContext): NewResource[] {
  const { insurance, billingType } = requisition
  if (insurance === null || billingType !== 'commercial_insurance') return []
  const { payor_code: code, company, member_id, group_id, relationship, insured } = insurance
  const payor = Object.hasOwn(rules.codes.payor, code) ? rules.codes.payor[code] : code
  return [
    {
      key: 'coverage',
      resource: {
        resourceType: 'Coverage',
        identifier: [{ system: PLACER_SYSTEM, value: numbers.placer }],
        status: 'active',
        subscriberId: member_id,
        // The policyholder, where it is another person than the patient.
        ...(relationship !== 'Self' && {
          subscriber: { display: `${insured.first_name} ${insured.last_name}` },
        }),
        beneficiary: refer('patient'),
        relationship: { coding: [{ system: RELATIONS, code: relationship.toLowerCase() }] },
        payor: [
          { identifier: { system: 'urn:salus:payor_code', value: payor }, display: company.name },
        ],
        order: 1,
        ...(group_id !== null && {
          class: [
            {
              type: {
                coding: [
                  {
                    system: 'http://terminology.hl7.org/CodeSystem/coverage-class',
                    code: 'group',
                  },
                ],
              },
              value: group_id,
            },
          ],
        }),
      },
    },
  ]
}

/** The specimen, once it was collected or where a kit has its number. */
export function specimenOf({ requisition, numbers, refer }: OrderContext): NewResource[] {
  const { collectedAt, sampleId } = requisition
  if (collectedAt === null && sampleId === null) return []
  return [
    {
      key: 'specimen',
      resource: {
        resourceType: 'Specimen',
        identifier: [{ system: 'urn:salus:sample_id', value: sampleId ?? numbers.placer }],
        subject: refer('patient'),
        ...(collectedAt !== null && {
          collection: { collectedDateTime: collectedAt.toISOString() },
        }),
      },
    },
  ]
}

/** The answers to the laboratory's questions about one test. */
export function answersOf(context: OrderContext, markerId: number): NewResource[] {
  const { requisition, numbers, refer } = context
  const items = new Map<string, { linkId: string; text: string; answer: object[] }>()
  for (const each of requisition.answers.filter(({ marker_id }) => marker_id === markerId)) {
    const { question_code: linkId, question: text, type, answer } = each
    const item = items.get(linkId) ?? { linkId, text, answer: [] }
    item.answer.push(answerOf(type, answer))
    items.set(linkId, item)
  }
  if (items.size === 0) return []
  return [
    {
      key: `answers-${markerId}`,
      resource: {
        resourceType: 'QuestionnaireResponse',
        identifier: { system: TEST_SYSTEM, value: `${numbers.placer}.${markerId}` },
        status: 'completed',
        subject: refer('patient'),
        authored: requisition.orderedAt.toISOString(),
        item: [...items.values()],
      },
    },
  ]
}

function answerOf(type: Requisition['answers'][number]['type'], answer: string): object {
  if (type === 'choice' || type === 'multi_choice') return { valueCoding: { code: answer } }
  const isNumber = type === 'numeric' && /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(answer)
  return isNumber ? { valueDecimal: Number(answer) } : { valueString: answer }
}

/** The ServiceRequest of one test. Its second identifier is of this test alone. */
export function serviceRequestOf(
  context: OrderContext,
  test: Requisition['tests'][number] & { provider_id: string },
): NewResource {
  const { requisition, numbers, rules, status, refer } = context
  const { marker_id: id, provider_id: code, name } = test
  const { to_loinc: map } = rules.codes
  const loinc = Object.hasOwn(map, code) ? map[code] : undefined
  const isCollected = requisition.collectedAt !== null || requisition.sampleId !== null
  const hasAnswers = requisition.answers.some(({ marker_id }) => marker_id === id)
  const hasCoverage = coverageOf(context).length > 0
  return {
    key: `test-${id}`,
    resource: {
      resourceType: 'ServiceRequest',
      identifier: [
        identifierOf('PLAC', PLACER_SYSTEM, numbers.placerOfTest.get(id) ?? numbers.placer),
        { system: TEST_SYSTEM, value: `${numbers.placer}.${id}` },
      ],
      requisition: {
        system: 'urn:salus:requisition',
        value: numbers.requisition ?? numbers.placer,
      },
      status,
      intent: 'order',
      category: [{ coding: [{ system: 'http://snomed.info/sct', code: '108252007' }] }],
      priority: requisition.priority ? 'stat' : 'routine',
      code: {
        coding: [
          { system: rules.orderableSystem, code, display: name },
          ...(loinc === undefined ? [] : [{ system: LOINC, code: loinc }]),
        ],
        text: name,
      },
      subject: refer('patient'),
      authoredOn: requisition.orderedAt.toISOString(),
      ...(requisition.physician !== null && { requester: refer('practitioner') }),
      ...(requisition.icdCodes.length > 0 && {
        reasonCode: requisition.icdCodes.map((each) => ({
          coding: [{ system: ICD_10_CM, code: each }],
        })),
      }),
      ...(hasCoverage && { insurance: [refer('coverage')] }),
      ...(hasAnswers && { supportingInfo: [refer(`answers-${id}`)] }),
      ...(isCollected && { specimen: [refer('specimen')] }),
      ...(requisition.clinicalNotes !== null && { note: [{ text: requisition.clinicalNotes }] }),
      ...(requisition.fasting && { patientInstruction: 'Fasting' }),
    },
  }
}
