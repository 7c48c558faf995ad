import type {
  CodeableConcept,
  Coverage,
  Device,
  DocumentReference,
  Patient,
} from '@medplum/fhirtypes'
import type { UserInfo } from '@salus/accounts/users'
import {
  type FhirResource,
  idOf,
  instant,
  LABORATORY_REPORT,
  loincConcept,
  type ResourceContext,
  textOf,
  wordsOf,
} from './fhir-parts.ts'

const GENDERS = ['male', 'female', 'other'] as const

export interface UserRow {
  id: string
  client_user_id: string
  fallback_birth_date: string | null
}

export function toPatient(user: UserRow, info: UserInfo | undefined): Patient & { id: string } {
  const birthDate = info?.dob ?? user.fallback_birth_date ?? undefined
  return {
    resourceType: 'Patient',
    id: user.id,
    identifier: [{ system: 'urn:salus:client_user_id', value: user.client_user_id }],
    ...(birthDate !== undefined && { birthDate }),
    ...(info && toDetails(info)),
  }
}

function toDetails(info: UserInfo): Partial<Patient> {
  const { first_name, last_name, email, phone_number, gender, address } = info
  return {
    name: [{ family: last_name, given: [first_name] }],
    telecom: [
      { system: 'phone', value: phone_number },
      { system: 'email', value: email },
    ],
    gender: GENDERS.find((known) => known === gender) ?? 'unknown',
    address: [
      {
        line: [address.first_line, address.second_line].flatMap((line) => textOf(line) ?? []),
        city: address.city,
        state: address.state,
        postalCode: address.zip,
        country: address.country,
      },
    ],
  }
}

export interface DeviceRow {
  id: string
  provider: string
  source_type: string
  device_manufacturer: string | null
  device_model: string | null
  device_version: string | null
}

export function toDevice(row: DeviceRow, { patient }: ResourceContext): FhirResource[] {
  const manufacturer = textOf(row.device_manufacturer)
  const model = textOf(row.device_model)
  const version = textOf(row.device_version)
  const device: Device & { id: string } = {
    resourceType: 'Device',
    id: row.id,
    ...(manufacturer && { manufacturer }),
    ...(model && { modelNumber: model, deviceName: [{ name: model, type: 'model-name' }] }),
    ...(version && { version: [{ value: version }] }),
    type: { text: [row.provider, row.source_type].map(wordsOf).join(', ') },
    patient,
  }
  return [device]
}

export interface PolicyRow {
  id: string
  payor_id: string
  member_id: string
  group_id: string | null
  relationship: string
  is_primary: boolean
  insured: { first_name: string; last_name: string }
}

const RELATIONSHIPS = 'http://terminology.hl7.org/CodeSystem/subscriber-relationship'
const MEMBER_NUMBER = {
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MB' }],
}
const CLASSES = 'http://terminology.hl7.org/CodeSystem/coverage-class'

export function toCoverage(row: PolicyRow, { patient, payors }: ResourceContext): FhirResource[] {
  const payor = payors.get(row.payor_id)
  const { first_name, last_name } = row.insured
  const group = textOf(row.group_id)
  const coverage: Coverage & { id: string } = {
    resourceType: 'Coverage',
    id: row.id,
    identifier: [{ type: MEMBER_NUMBER, value: row.member_id }],
    status: 'active',
    subscriber: row.relationship === 'Self' ? patient : { display: `${first_name} ${last_name}` },
    subscriberId: row.member_id,
    beneficiary: patient,
    relationship: { coding: [{ system: RELATIONSHIPS, code: row.relationship.toLowerCase() }] },
    payor: [
      payor === undefined
        ? { identifier: { system: 'urn:salus:payor', value: row.payor_id } }
        : {
            identifier: { system: 'urn:salus:payor_code', value: payor.code },
            display: payor.name,
          },
    ],
    ...(group && {
      class: [{ type: { coding: [{ system: CLASSES, code: 'group' }] }, value: group }],
    }),
    order: row.is_primary ? 1 : 2,
  }
  return [coverage]
}

const DOCUMENT_TYPES: Readonly<Record<string, CodeableConcept>> = {
  results: loincConcept(LABORATORY_REPORT, 'Laboratory report'),
  lab_report_jobs: loincConcept(LABORATORY_REPORT, 'Uploaded laboratory report'),
  order_insurance_images: { text: 'Insurance card' },
}

/** A file about a person. */
export interface DocumentFile {
  /** Path or address of the content. */
  name: string
  contentType: string
  /** Row that it belongs to. */
  about: { table: string; id: string }
  createdAt: Date | null
}

/** Returns the document of a file. */
export function toDocument(file: DocumentFile, context: ResourceContext): FhirResource {
  const { patient, refer, reportIdOf } = context
  const { table, id } = file.about
  const [orderId = '', version] = id.split('/')
  const report = table === 'results' ? reportIdOf(orderId, Number(version)) : undefined
  const document: DocumentReference & { id: string } = {
    resourceType: 'DocumentReference',
    id: idOf('document', file.name),
    status: 'current',
    type: DOCUMENT_TYPES[table] ?? { text: 'Document' },
    identifier: [{ system: `urn:salus:${table}`, value: id }],
    subject: patient,
    ...(file.createdAt && { date: instant(file.createdAt) }),
    ...(report && { context: { related: [refer('DiagnosticReport', report)] } }),
    content: [{ attachment: { contentType: file.contentType, url: file.name } }],
  }
  return document
}
