import type {
  CodeableConcept,
  Extension,
  Practitioner,
  QuestionnaireResponse,
  QuestionnaireResponseItem,
  Reference,
  ServiceRequest,
} from '@medplum/fhirtypes'
import { findStoredUserId } from '@salus/accounts/users'
import { invalidInput } from '@salus/kernel/errors'
import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import type { OrderIdentifier } from '../reading/index.ts'
import { ICD_10_CM, US_NPI } from '../resources/index.ts'

/** A physician of a request: given whole, or by the reference to one who ordered before. */
export type AskedPhysician =
  | { first_name: string; last_name: string; npi: string }
  | { practitionerId: string }

/** What one ServiceRequest says of an order. */
export interface AskedOrder {
  patientId: string
  labTestIds: string[]
  markerIds: number[]
  providerIds: string[]
  isUrgent: boolean
  icdCodes: string[]
  identifiers: OrderIdentifier[]
  physician: AskedPhysician | undefined
  /** YYYY-MM-DD */
  activateBy: string | undefined
  notes: string | undefined
  collectionMethod: string | undefined
  billing: string | undefined
  consents: string[]
  answers: { marker_id: number; question_id: number; answer: string }[]
  /** Number of the laboratory. */
  labId: number | undefined
  requisition: string | undefined
}

/** Extensions for what FHIR R4 has no element for. */
const EXTENSIONS = {
  method: 'urn:salus:collection_method',
  billing: 'urn:salus:billing_type',
  consent: 'urn:salus:consent',
} as const

const refuse = (field: string, message: string) => invalidInput(['body', field], message, 'enum')

/**
 * Reads an order from a ServiceRequest (docs/contract/19-fhir.md#orders). The ordering service
 * checks it afterwards as any order.
 * @throws InputError 422 for what the resource must have, and for what it may not have
 */
export function readServiceRequest(resource: ServiceRequest): AskedOrder {
  if (resource.resourceType !== 'ServiceRequest') {
    throw refuse('resourceType', 'Input should be ServiceRequest')
  }
  if (resource.status !== 'active') throw refuse('status', 'Input should be active')
  if (resource.intent !== 'order') throw refuse('intent', 'Input should be order')
  const { code } = resource
  const codes = (system: string) =>
    (code?.coding ?? []).flatMap((one) => (one.system === system ? (one.code ?? []) : []))
  const asked = {
    labTestIds: codes('urn:salus:lab_test'),
    markerIds: codes('urn:salus:marker').map(readNumber),
    providerIds: codes('urn:salus:provider_id'),
  }
  if (Object.values(asked).every((list) => list.length === 0)) {
    throw refuse('code', 'The code names no lab test, marker or code of the laboratory')
  }
  return {
    ...asked,
    patientId: readReference(resource.subject, 'Patient', 'subject'),
    isUrgent: ['urgent', 'asap', 'stat'].includes(resource.priority ?? 'routine'),
    icdCodes: (resource.reasonCode ?? []).flatMap(icdCodesOf),
    identifiers: (resource.identifier ?? []).flatMap(({ system = '', value }) =>
      value ? [{ system, value }] : [],
    ),
    physician: readPhysician(resource),
    activateBy: resource.occurrenceDateTime?.slice(0, 10),
    notes: resource.note?.map(({ text }) => text).join('\n'),
    collectionMethod: textsOf(resource.extension, EXTENSIONS.method)[0],
    billing: textsOf(resource.extension, EXTENSIONS.billing)[0] ?? billingOf(resource),
    consents: textsOf(resource.extension, EXTENSIONS.consent),
    answers: readAnswers(resource),
    labId: readLab(resource.performer),
    requisition: resource.requisition?.value,
  }
}

function readNumber(code: string): number {
  if (!/^\d{1,9}$/.test(code)) throw refuse('code', 'The code of a marker is its number')
  return Number(code)
}

function readReference(reference: Reference | undefined, type: string, field: string): string {
  const [, id] =
    new RegExp(`(?:^|/)${type}/([\\w.-]{1,64})$`).exec(reference?.reference ?? '') ?? []
  if (id === undefined) throw refuse(field, `Input should be a reference to a ${type}`)
  return id
}

const icdCodesOf = ({ coding = [] }: CodeableConcept): string[] =>
  coding.flatMap(({ system, code }) => (system === ICD_10_CM && code ? [code] : []))

const textsOf = (extensions: Extension[] = [], url: string): string[] =>
  extensions.flatMap((one) => (one.url === url ? (one.valueCode ?? one.valueString ?? []) : []))

/** An order that names an insurance is billed to it. */
const billingOf = ({ insurance = [] }: ServiceRequest): string | undefined =>
  insurance.length > 0 ? 'commercial_insurance' : undefined

function readLab(performer: Reference[] = []): number | undefined {
  const [first] = performer
  if (first === undefined) return undefined
  const id = readReference(first, 'Organization', 'performer')
  const [, number] = /^lab-(\d{1,9})$/.exec(id) ?? []
  if (number === undefined) throw refuse('performer', 'The performer is no laboratory')
  return Number(number)
}

function readPhysician({ requester, contained = [] }: ServiceRequest): AskedPhysician | undefined {
  if (requester === undefined) return undefined
  const { reference = '' } = requester
  if (!reference.startsWith('#')) {
    return { practitionerId: readReference(requester, 'Practitioner', 'requester') }
  }
  const practitioner = contained.find(
    (one): one is Practitioner => one.resourceType === 'Practitioner' && `#${one.id}` === reference,
  )
  const npi = practitioner?.identifier?.find(({ system }) => system === US_NPI)?.value
  const [name] = practitioner?.name ?? []
  const first = name?.given?.join(' ')
  if (npi === undefined || name?.family === undefined || first === undefined) {
    throw refuse('requester', 'The practitioner has no NPI or no whole name')
  }
  return { first_name: first, last_name: name.family, npi }
}

/** Reads answers to questions of the laboratory: `linkId` is `MARKER/QUESTION`. */
function readAnswers({ supportingInfo = [], contained = [] }: ServiceRequest) {
  const referred = new Set(supportingInfo.map(({ reference }) => reference))
  return contained
    .filter((one): one is QuestionnaireResponse => one.resourceType === 'QuestionnaireResponse')
    .filter(({ id }) => referred.has(`#${id}`))
    .flatMap(({ item = [] }) => item.map(readAnswer))
}

function readAnswer({ linkId, answer = [] }: QuestionnaireResponseItem) {
  const [, marker, question] = /^(\d{1,9})\/(\d{1,9})$/.exec(linkId ?? '') ?? []
  if (marker === undefined || question === undefined) {
    throw refuse('contained', 'The linkId of an answer is MARKER/QUESTION')
  }
  const values = answer.map(({ valueCoding, ...others }) => {
    const [value] = valueCoding ? [valueCoding.code] : Object.values(others)
    return String(value ?? '')
  })
  return { marker_id: Number(marker), question_id: Number(question), answer: values.join(';') }
}

/** Returns the id of the existing user whom the requests are about; null for an unknown one. */
export async function findPatientOf(
  scope: Scope,
  [first]: readonly ServiceRequest[],
): Promise<string | null> {
  const [, id] = /(?:^|\/)Patient\/([\w-]{36})$/.exec(first?.subject?.reference ?? '') ?? []
  return id !== undefined && isUuid(id) ? findStoredUserId(scope, id.toLowerCase()) : null
}
