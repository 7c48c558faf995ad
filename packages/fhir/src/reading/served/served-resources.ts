import type {
  Coverage,
  DiagnosticReport,
  Observation,
  Organization,
  Practitioner,
  Resource,
  ServiceRequest,
  Specimen,
} from '@medplum/fhirtypes'
import {
  type FhirResource,
  idOf,
  type NamedResult,
  type ResourceContext,
  salusConcept,
  textOf,
  toAppointment,
  toCoverage,
  toDevice,
  toDiagnosticReport,
  toDocument,
  toPatient,
  toSample,
  toServiceRequest,
  US_NPI,
} from '../../resources/index.ts'
import type * as orders from './order-rows.repository.ts'
import type * as parties from './party-rows.repository.ts'
import type * as persons from './person-rows.repository.ts'
import type { ServedSampleRow } from './samples.repository.ts'

type ToUcum = ResourceContext['toUcum']

const PROFILES = 'http://hl7.org/fhir/us/core/StructureDefinition/'

const refer = (type: Resource['resourceType'], id: string) => ({ reference: `${type}/${id}` })

/** Ids of results stay the same in later versions: by the order, the result and its repetition. */
function resultIdsOf(orderId: string, _version: number, results: readonly NamedResult[]): string[] {
  const seen = new Map<string, number>()
  return results.map(({ name, slug }) => {
    const key = slug || name
    const repetition = seen.get(key) ?? 0
    seen.set(key, repetition + 1)
    return `${orderId}.${idOf(key, repetition).replaceAll('-', '').slice(0, 12)}`
  })
}

/** Returns the order of the id of a laboratory's result; undefined for another id. */
export const orderOfResult = (id: string): string | undefined =>
  /^([0-9a-f-]{36})\.[0-9a-f]{12}$/.exec(id)?.[1]

const NO_NAMES = { labTests: new Map(), payors: new Map(), firstFinal: new Map() }

const contextOf = (userId: string, toUcum: ToUcum): ResourceContext => ({
  ...NO_NAMES,
  toUcum,
  refer,
  patient: refer('Patient', userId),
  reportIdOf: (orderId) => orderId,
  resultIdsOf,
})

interface Stamp {
  profile?: string | undefined
  at?: Date | number | undefined
  version?: number
}

/** Adds when a resource changed, its version, and the profile that it follows. */
function stamp<R extends FhirResource>(resource: R, { profile, at, version }: Stamp): R {
  const changed = at === undefined ? undefined : new Date(at).toISOString()
  const { resourceType, id, ...rest } = resource
  const meta = {
    ...(version !== undefined && { versionId: String(version) }),
    ...(changed !== undefined && { lastUpdated: changed }),
    ...(profile !== undefined && { profile: [`${PROFILES}${profile}`] }),
  }
  return { resourceType, id, meta, ...rest } as unknown as R
}

export const servePatient = (row: persons.PatientRow): FhirResource[] => {
  const patient = toPatient(row, row.info ?? undefined)
  // The profile requires a name and a gender, which Salus may not know.
  const profile = row.info === null ? undefined : 'us-core-patient'
  return [stamp(patient, { at: row.at, profile })]
}

export function serveOrder(row: orders.ServedOrderRow, toUcum: ToUcum): FhirResource[] {
  const { id, at, lab_id: labId, physician, sample_id: sampleId, transaction_id: group } = row
  const names = { labTests: new Map([[row.lab_test_id, row.lab_test_name]]) }
  const given = (row.identifiers ?? []).map(({ system, value }) => ({
    ...(system && { system }),
    value,
  }))
  const [request] = toServiceRequest(row, { ...contextOf(row.user_id, toUcum), ...names })
  const served: ServiceRequest & { id: string } = {
    ...(request as ServiceRequest & { id: string }),
    ...(given.length > 0 && {
      identifier: [...((request as ServiceRequest).identifier ?? []), ...given],
    }),
    requisition: { system: 'urn:salus:order_transaction', value: group },
    performer: [refer('Organization', `lab-${labId}`)],
    ...(physician?.npi && { requester: refer('Practitioner', `npi-${physician.npi}`) }),
    ...(sampleId && { specimen: [refer('Specimen', id)] }),
  }
  return [stamp(served, { at, profile: 'us-core-servicerequest' })]
}

type Served<R> = R & { id: string }

/** Returns the report of an order, with its observations before it. */
export function serveReport(row: orders.ServedResultRow, toUcum: ToUcum): FhirResource[] {
  const firstFinal = new Map(row.first_final === null ? [] : [[row.id, row.first_final]])
  const context = { ...contextOf(row.user_id, toUcum), firstFinal }
  const { at, version, lab_id: labId, has_pdf: hasPdf } = row
  const performer = [refer('Organization', `lab-${labId}`)]
  const specimen = hasSpecimen(row) ? refer('Specimen', row.id) : undefined
  return toDiagnosticReport(row, context).map((resource) => {
    if (resource.resourceType === 'Observation') {
      const result: Served<Observation> = {
        ...(resource as Served<Observation>),
        performer,
        ...(specimen && { specimen }),
      }
      return stamp(result, { at, version, profile: 'us-core-observation-lab' })
    }
    const report: Served<DiagnosticReport> = {
      ...(resource as Served<DiagnosticReport>),
      performer,
      ...(specimen && { specimen: [specimen] }),
      ...(hasPdf && {
        presentedForm: [{ contentType: 'application/pdf', url: `Binary/${row.id}` }],
      }),
    }
    return stamp(report, { at, version, profile: 'us-core-diagnosticreport-lab' })
  })
}

const hasSpecimen = ({ sample_id, report }: orders.ServedResultRow): boolean =>
  sample_id !== null || Boolean(report.specimen_number)

export const ofType =
  <Row>(type: Resource['resourceType'], serve: (row: Row, toUcum: ToUcum) => FhirResource[]) =>
  (row: Row, toUcum: ToUcum): FhirResource[] =>
    serve(row, toUcum).filter(({ resourceType }) => resourceType === type)

export function serveSpecimen(row: orders.ServedSpecimenRow): FhirResource[] {
  const { id, sample_id: sample, specimen_number: accession } = row
  const collected = row.reported_collection ?? row.collected_on
  const specimen: Served<Specimen> = {
    resourceType: 'Specimen',
    id,
    ...(sample && { identifier: [{ system: 'urn:salus:sample_id', value: sample }] }),
    ...(accession && {
      accessionIdentifier: { system: `urn:salus:lab:${row.lab_id}:specimen`, value: accession },
    }),
    type: salusConcept('sample_type', row.sample_type),
    subject: refer('Patient', row.user_id),
    request: [refer('ServiceRequest', id)],
    ...(row.reported_receipt && { receivedTime: instantOf(row.reported_receipt) }),
    ...(collected && { collection: { collectedDateTime: instantOf(collected) } }),
  }
  return [stamp(specimen, { at: row.at, profile: 'us-core-specimen' })]
}

/** Dates stay dates; times are in UTC. */
const instantOf = (text: string): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? text : new Date(text).toISOString()

export function serveCoverage(row: persons.ServedPolicyRow, toUcum: ToUcum): FhirResource[] {
  const [coverage] = toCoverage(row, contextOf(row.user_id, toUcum))
  const payor = { ...refer('Organization', row.payor_id), display: row.payor_name }
  const served = { ...(coverage as Served<Coverage>), payor: [payor] }
  return [stamp(served, { at: row.at, profile: 'us-core-coverage' })]
}

export const serveAppointment = (
  row: orders.ServedAppointmentRow,
  toUcum: ToUcum,
): FhirResource[] =>
  toAppointment(row, contextOf(row.user_id, toUcum)).map((one) => stamp(one, { at: row.at }))

export const serveDevice = (row: persons.ServedDeviceRow, toUcum: ToUcum): FhirResource[] =>
  toDevice(row, contextOf(row.user_id, toUcum)).map((one) => stamp(one, { at: row.at }))

/** @param version Suffix of the id of the Binary; the newest one has none. */
export function serveDocument(
  row: orders.ServedResultRow,
  toUcum: ToUcum,
  version = '',
): FhirResource[] {
  const file = {
    name: `Binary/${row.id}${version}`,
    contentType: 'application/pdf',
    about: { table: 'results', id: `${row.id}/${row.version}` },
    createdAt: row.created_at as Date,
  }
  const document = toDocument(file, contextOf(row.user_id, toUcum))
  const author = [refer('Organization', `lab-${row.lab_id}`)]
  return [
    stamp({ ...document, id: row.id, category: [CLINICAL_NOTE], author } as FhirResource, {
      at: row.at,
      version: row.version,
      profile: 'us-core-documentreference',
    }),
  ]
}

/** The only category that US Core has for documents. */
const CLINICAL_NOTE = {
  coding: [
    {
      system: 'http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category',
      code: 'clinical-note',
    },
  ],
}

export function servePractitioner(row: parties.ServedPractitionerRow): FhirResource[] {
  const [first, last] = [textOf(row.first_name), textOf(row.last_name)]
  const practitioner: Served<Practitioner> = {
    resourceType: 'Practitioner',
    id: row.id,
    identifier: [{ system: US_NPI, value: row.npi }],
    name: [{ ...(last && { family: last }), ...(first && { given: [first] }) }],
  }
  return [stamp(practitioner, { at: row.at, profile: 'us-core-practitioner' })]
}

const ORGANIZATION_TYPES = 'http://terminology.hl7.org/CodeSystem/organization-type'

export function serveOrganization(row: parties.ServedOrganizationRow): FhirResource[] {
  const { kind, code } = row
  const system = kind === 'lab' ? 'urn:oid:2.16.840.1.113883.4.7' : 'urn:salus:payor_code'
  const types = {
    lab: [{ text: 'Laboratory' }],
    payor: [{ coding: [{ system: ORGANIZATION_TYPES, code: 'ins' }], text: 'Insurance Company' }],
    team: undefined,
  }
  const type = types[kind]
  const phone = textOf(row.phone_number)
  const organization: Served<Organization> = {
    resourceType: 'Organization',
    id: row.id,
    active: true,
    ...(code && { identifier: [{ system, value: code }] }),
    ...(type && { type }),
    name: row.name,
    ...(phone && { telecom: [{ system: 'phone', value: phone }] }),
    ...(row.line && { address: [addressOf(row)] }),
  }
  return [stamp(organization, { profile: 'us-core-organization' })]
}

const addressOf = ({ line, city, state, zip }: parties.ServedOrganizationRow) => {
  const parts = { city, state, postalCode: zip }
  const known = Object.entries(parts).flatMap(([name, text]) => {
    const shown = textOf(text)
    return shown === undefined ? [] : [[name, shown] as const]
  })
  return { line: [line ?? ''], ...Object.fromEntries(known), country: 'US' }
}

/** Id of the observation of a sample: the person, the start and a hash of the rest of its key. */
export const sampleIdOf = (userId: string, { at, key }: { at: number; key: string }): string =>
  `${userId.replaceAll('-', '')}.${at.toString(36)}.${key}`

/** Reads the id of the observation of a sample; undefined for another id. */
export function readSampleId(id: string): { userId: string; at: number; key: string } | undefined {
  const [, user, start = '', key = ''] =
    /^([0-9a-f]{32})\.(-?[0-9a-z]{1,10})\.([0-9a-f]{16})$/.exec(id) ?? []
  if (user === undefined) return undefined
  const userId = user.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { userId, at: Number.parseInt(start, 36), key }
}

/** Profiles of vital signs, by series. */
const VITAL_SIGNS: Readonly<Record<string, string>> = {
  blood_oxygen: 'us-core-pulse-oximetry',
  blood_pressure: 'us-core-blood-pressure',
  body_mass_index: 'us-core-bmi',
  body_temperature: 'us-core-body-temperature',
  body_weight: 'us-core-body-weight',
  heartrate: 'us-core-heart-rate',
  respiratory_rate: 'us-core-respiratory-rate',
}

export function serveSample(row: ServedSampleRow, userId: string, toUcum: ToUcum): FhirResource[] {
  return toSample(row, contextOf(userId, toUcum)).map((one) =>
    stamp(
      { ...one, id: sampleIdOf(userId, row) },
      { at: row.changed_at, profile: VITAL_SIGNS[row.series] },
    ),
  )
}
