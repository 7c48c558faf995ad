import type { Requisition, RequisitionTest } from '@salus/contracts/lab-gateway'
import { type Json, objectOf, objectsOf, textOf } from './json.ts'

/** An order or a cancellation as a FHIR server receives it. */
export interface FhirOrder {
  number: string
  isRevoked: boolean
  tests: FhirTest[]
  /** All resources that came, by their local reference: `urn:uuid:…` or `#id`. */
  resources: ReadonlyMap<string, Json>
  notes: string
}

export interface FhirTest {
  code: string
  name: string
  /** The ServiceRequest. */
  request: Json
  /** Its local reference. */
  reference: string
}

/** Reads a transaction, or a RequestGroup that contains all; undefined for anything else. */
export function readFhirOrder(body: Json): FhirOrder | undefined {
  const resources = new Map(
    body.resourceType === 'Bundle'
      ? objectsOf(body.entry).map((entry) => [textOf(entry.fullUrl), objectOf(entry.resource)])
      : objectsOf(body.contained).map((resource) => [`#${textOf(resource.id)}`, resource]),
  )
  const tests = [...resources]
    .filter(([, { resourceType }]) => resourceType === 'ServiceRequest')
    .map(([reference, request]) => readTest(reference, request))
  const [first] = tests
  if (first === undefined) return undefined
  const number = textOf(objectOf(first.request.requisition).value)
  const notes = tests.flatMap(({ request }) => objectsOf(request.note))
  return {
    number,
    isRevoked: first.request.status === 'revoked',
    tests,
    resources,
    notes: [...new Set(notes.map(({ text }) => textOf(text)))].join('\n'),
  }
}

const LOINC = 'http://loinc.org'

function readTest(reference: string, request: Json): FhirTest {
  const codings = objectsOf(objectOf(request.code).coding)
  const own = codings.find(({ system }) => system !== LOINC) ?? codings[0]
  const name = textOf(objectOf(request.code).text) || textOf(own?.display)
  return { code: textOf(own?.code), name, request, reference }
}

/** Returns the order as the simulator takes it. Its seed is the number of the requisition. */
export function requisitionOf(
  { number, tests: received, resources, notes }: FhirOrder,
  { labSlug, tests }: { labSlug: string; tests: RequisitionTest[] },
): Requisition {
  const find = (reference: unknown) => resources.get(textOf(objectOf(reference).reference))
  const request = received[0]?.request ?? {}
  const patient = find(request.subject)
  const specimen = find(objectsOf(request.specimen)[0])
  const collected = textOf(objectOf(specimen?.collection).collectedDateTime)
  return {
    environmentId: '',
    orderId: number,
    labSlug,
    method: 'walk_in_test',
    accountId: '',
    sampleId: number,
    orderedAt: new Date(textOf(request.authoredOn) || 0),
    collectedAt: collected === '' ? null : new Date(collected),
    priority: request.priority === 'stat',
    fasting: textOf(request.patientInstruction) !== '',
    patient: patient === undefined ? null : patientOf(patient),
    patientNumber: '',
    address: addressOf(patient),
    physician: physicianOf(find(request.requester)),
    tests,
    answers: received.flatMap(({ request: of }, index) =>
      objectsOf(of.supportingInfo)
        .flatMap((info) => objectsOf(find(info)?.item))
        .map((item) => answerOf(item, tests[index]?.marker_id ?? 0)),
    ),
    clinicalNotes: notes || null,
    icdCodes: [],
    billingType: '',
    insurance: null,
    billing: null,
  }
}

const nameOf = (resource: Json): Json => objectsOf(resource.name)[0] ?? {}
const givenOf = (resource: Json): string => textOf([nameOf(resource).given].flat()[0])

function patientOf(patient: Json): Requisition['patient'] {
  return {
    first_name: givenOf(patient),
    last_name: textOf(nameOf(patient).family),
    dob: textOf(patient.birthDate),
    gender: textOf(patient.gender),
    phone_number: null,
    email: null,
  }
}

/** The state decides the zone of the report. */
function addressOf(patient: Json | undefined): Requisition['address'] {
  const [address] = objectsOf(patient?.address)
  if (address === undefined) return null
  return {
    receiver_name: '',
    first_line: textOf([address.line].flat()[0]),
    second_line: null,
    city: textOf(address.city),
    state: textOf(address.state),
    zip: textOf(address.postalCode),
    country: textOf(address.country),
    phone_number: null,
    access_notes: null,
  }
}

function physicianOf(practitioner: Json | undefined): Requisition['physician'] {
  if (practitioner === undefined) return null
  const npi = textOf(objectsOf(practitioner.identifier)[0]?.value)
  return { npi, first_name: givenOf(practitioner), last_name: textOf(nameOf(practitioner).family) }
}

function answerOf(item: Json, markerId: number): Requisition['answers'][number] {
  const { valueDecimal, valueString, valueCoding } = objectsOf(item.answer)[0] ?? {}
  const answer = valueDecimal ?? valueString ?? objectOf(valueCoding).code ?? ''
  return {
    marker_id: markerId,
    question_code: textOf(item.linkId),
    question: textOf(item.text),
    type: valueDecimal === undefined ? 'text' : 'numeric',
    answer: String(answer),
  }
}
