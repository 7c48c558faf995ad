import type { SearchParameter } from './search/search-filter.ts'
import { TARGETS_OF_PROVENANCE } from './served/provenance.ts'
import type { ServedType } from './served/sources.ts'

/** A type of resource: what the routes, the CapabilityStatement and the documents say of it. */
export interface ResourceType {
  /** Profile of US Core that its resources follow. */
  profile?: string
  parameters: Readonly<Record<string, SearchParameter>>
  /** Names of reference parameters whose targets `_include` adds. */
  includes: readonly string[]
  /** Element by which `_sort=date` sorts. */
  sortsBy?: string
}

const token = (...paths: string[]): SearchParameter => ({ type: 'token', paths })
const date = (...paths: string[]): SearchParameter => ({ type: 'date', paths })
const text = (...paths: string[]): SearchParameter => ({ type: 'string', paths })
const reference = (path: string, ...targets: string[]): SearchParameter => ({
  type: 'reference',
  paths: [path],
  targets,
})

/** Both names of the patient that a resource is about. */
const subject = {
  patient: reference('subject', 'Patient'),
  subject: reference('subject', 'Patient'),
}
const identifier = token('identifier')
const status = token('status')
const basedOn = { 'based-on': reference('basedOn', 'ServiceRequest') }

/** Every type that can be read and searched, with its parameters beside those of all types. */
export const RESOURCE_TYPES: Readonly<Record<ServedType, ResourceType>> = {
  Patient: {
    profile: 'us-core-patient',
    includes: [],
    parameters: {
      identifier,
      name: text('name'),
      family: text('name.family'),
      given: text('name.given'),
      birthdate: date('birthDate'),
      gender: token('gender'),
      email: token('telecom'),
      phone: token('telecom'),
    },
  },
  ServiceRequest: {
    profile: 'us-core-servicerequest',
    includes: ['patient', 'requester', 'performer', 'specimen'],
    sortsBy: 'authoredOn',
    parameters: {
      ...subject,
      identifier,
      status,
      intent: token('intent'),
      category: token('category'),
      code: token('code'),
      authored: date('authoredOn'),
      requisition: token('requisition'),
      requester: reference('requester', 'Practitioner'),
      performer: reference('performer', 'Organization'),
      specimen: reference('specimen', 'Specimen'),
    },
  },
  DiagnosticReport: {
    profile: 'us-core-diagnosticreport-lab',
    includes: ['patient', 'result', 'based-on', 'performer', 'specimen'],
    sortsBy: 'effectiveDateTime',
    parameters: {
      ...subject,
      ...basedOn,
      identifier,
      status,
      category: token('category'),
      code: token('code'),
      date: date('effectiveDateTime', 'effectivePeriod'),
      issued: date('issued'),
      result: reference('result', 'Observation'),
      performer: reference('performer', 'Organization'),
      specimen: reference('specimen', 'Specimen'),
    },
  },
  Observation: {
    profile: 'us-core-observation-lab',
    includes: ['patient', 'based-on', 'performer', 'specimen'],
    sortsBy: 'effectiveDateTime',
    parameters: {
      ...subject,
      ...basedOn,
      status,
      category: token('category'),
      code: token('code', 'component.code'),
      date: date('effectiveDateTime', 'effectivePeriod'),
      performer: reference('performer', 'Organization'),
      specimen: reference('specimen', 'Specimen'),
    },
  },
  Specimen: {
    profile: 'us-core-specimen',
    includes: ['patient'],
    sortsBy: 'collection.collectedDateTime',
    parameters: {
      ...subject,
      identifier,
      accession: token('accessionIdentifier'),
      type: token('type'),
      collected: date('collection.collectedDateTime'),
    },
  },
  Coverage: {
    profile: 'us-core-coverage',
    includes: ['patient', 'payor'],
    parameters: {
      patient: reference('beneficiary', 'Patient'),
      beneficiary: reference('beneficiary', 'Patient'),
      status,
      payor: reference('payor', 'Organization'),
    },
  },
  Appointment: {
    includes: ['patient', 'based-on'],
    sortsBy: 'start',
    parameters: {
      ...basedOn,
      patient: reference('participant.actor', 'Patient'),
      actor: reference('participant.actor', 'Patient'),
      status,
      date: date('start'),
      'appointment-type': token('appointmentType'),
    },
  },
  DocumentReference: {
    profile: 'us-core-documentreference',
    includes: ['patient', 'related'],
    sortsBy: 'date',
    parameters: {
      ...subject,
      identifier,
      status,
      category: token('category'),
      type: token('type'),
      date: date('date'),
      related: reference('context.related', 'DiagnosticReport'),
    },
  },
  Device: {
    includes: ['patient'],
    parameters: {
      patient: reference('patient', 'Patient'),
      manufacturer: text('manufacturer'),
      model: text('modelNumber'),
      'device-name': text('deviceName.name', 'type.text'),
      type: token('type'),
    },
  },
  Practitioner: {
    profile: 'us-core-practitioner',
    includes: [],
    parameters: {
      identifier,
      name: text('name'),
      family: text('name.family'),
      given: text('name.given'),
    },
  },
  Organization: {
    profile: 'us-core-organization',
    includes: [],
    parameters: { identifier, name: text('name'), address: text('address'), type: token('type') },
  },
  Provenance: {
    profile: 'us-core-provenance',
    includes: ['target'],
    parameters: { target: reference('target', ...TARGETS_OF_PROVENANCE) },
  },
}

/** References to a patient are followed back only where a patient has few of them. */
const OF_PATIENT = ['Coverage', 'Device', 'ServiceRequest', 'Specimen', 'Appointment'] as const
const WITH_DOCUMENTS = [...OF_PATIENT, 'DiagnosticReport', 'DocumentReference'] as const

const OF_TYPE: Readonly<Partial<Record<ServedType, readonly string[]>>> = {
  Patient: WITH_DOCUMENTS.map((type) => `${type}:patient`),
  ServiceRequest: ['DiagnosticReport:based-on', 'Observation:based-on', 'Appointment:based-on'],
  DiagnosticReport: ['DocumentReference:related'],
  Observation: ['DiagnosticReport:result'],
  Specimen: ['ServiceRequest:specimen', 'DiagnosticReport:specimen', 'Observation:specimen'],
}

/** Returns the references that `_revinclude` follows back, for a type that is searched. */
export const reverseIncludesOf = (type: ServedType): readonly string[] => [
  ...(OF_TYPE[type] ?? []),
  ...(TARGETS_OF_PROVENANCE.includes(type) ? ['Provenance:target'] : []),
]

export const SERVED_TYPES = Object.keys(RESOURCE_TYPES) as ServedType[]

export const isServedType = (type: string): type is ServedType =>
  Object.hasOwn(RESOURCE_TYPES, type)
