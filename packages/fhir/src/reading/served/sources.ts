import type { Resource } from '@medplum/fhirtypes'
import { findUser } from '@salus/accounts/users'
import { SERIES } from '@salus/contracts/series'
import type { Scope } from '@salus/kernel/scope'
import type { FhirResource } from '../../resources/index.ts'
import type { ServedRow } from './list-rows.repository.ts'
import * as orders from './order-rows.repository.ts'
import * as parties from './party-rows.repository.ts'
import * as persons from './person-rows.repository.ts'
import { targetOfProvenance, toProvenance } from './provenance.ts'
import type { RowFilter, RowPage, RowPosition } from './row-page.ts'
import { listSamples, type SampleFilter } from './samples.repository.ts'
import {
  ofType,
  orderOfResult,
  readSampleId,
  serveAppointment,
  serveCoverage,
  serveDevice,
  serveDocument,
  serveOrder,
  serveOrganization,
  servePatient,
  servePractitioner,
  serveReport,
  serveSample,
  serveSpecimen,
} from './served-resources.ts'

/** A row of a list with the resources that it becomes. */
export interface Served {
  at: number
  id: string
  resources: FhirResource[]
}

/** Rows that a source looks at, and parameters that it can check itself. */
export interface SourceFilter extends RowFilter {
  /** Series of samples that can match. */
  series?: readonly string[]
  /** Start of samples, in milliseconds of the epoch. */
  from?: number | undefined
  until?: number | undefined
}

/** A list of stored rows from which resources of a type are made. */
export interface Source {
  /** Whether a search needs a patient to read it. */
  needsPatient?: boolean
  list(scope: Scope, filter: SourceFilter, page: RowPage): Promise<Served[]>
}

/** Loaded with its first use, because the parser of units is large. */
async function loadToUcum(): Promise<(unit: string) => string | null> {
  return (await import('@salus/lab-report-parser/measurements')).toUcum
}

type List<Row> = (scope: Scope, filter: RowFilter, page: RowPage) => Promise<Row[]>
type Serve<Row> = (row: Row, toUcum: (unit: string) => string | null) => FhirResource[]

/** Another text is the id of nothing. */
const FHIR_ID = /^[\w.-]{1,64}$/

/** A source of rows of PostgreSQL. */
const tableSource = <Row extends ServedRow>(
  list: List<Row>,
  serve: Serve<Row>,
  rowIdOf: (id: string) => string | undefined = (id) => id,
): Source => ({
  async list(scope, { ids, ...filter }, page) {
    const toUcum = await loadToUcum()
    const rowIds = ids?.flatMap((id) => (FHIR_ID.test(id) ? (rowIdOf(id) ?? []) : []))
    const found = await list(scope, { ...filter, ids: rowIds }, page)
    return found.map((row) => ({ at: row.at.getTime(), id: row.id, resources: serve(row, toUcum) }))
  },
})

/** Samples of a person; a search needs the person, because there are many. */
const SAMPLES: Source = {
  needsPatient: true,
  async list(scope, { ids, userId, since, before, series, from, until }, page) {
    const asked = series ?? SERIES.map(({ name }) => name)
    const toUcum = await loadToUcum()
    const read = async (
      filter: Omit<SampleFilter, 'series' | 'since' | 'before'>,
      part: RowPage,
    ) => {
      const found = await listSamples(scope, { ...filter, series: asked, since, before }, part)
      return found.map((row) => ({
        at: row.at,
        id: row.key,
        resources: serveSample(row, filter.userId, toUcum),
      }))
    }
    if (ids === undefined) return userId === undefined ? [] : read({ userId, from, until }, page)
    const all: Served[] = []
    const named = Map.groupBy(
      ids.flatMap((id) => readSampleId(id) ?? []),
      (one) => one.userId,
    )
    for (const [owner, samples] of named) {
      const isTheirs = userId === undefined || userId === owner
      if (!isTheirs || (await findUser(scope, owner)) === undefined) continue
      const whole: RowPage = { order: page.order, after: null, limit: samples.length }
      const found = await read({ userId: owner, samples }, whole)
      // Two people may have samples of the same key.
      all.push(...found.map((row) => ({ ...row, id: row.resources[0]?.id ?? row.id })))
    }
    return cutPage(all, page)
  },
}

/** Returns a page of rows that were read whole. */
function cutPage(rows: readonly Served[], { order, after, isIncluded, limit }: RowPage): Served[] {
  const direction = order === 'newest' ? -1 : 1
  const compare = (one: RowPosition, other: RowPosition): number =>
    direction * (one.at - other.at || (one.id < other.id ? -1 : Number(one.id > other.id)))
  return rows
    .filter((row) => after === null || compare(row, after) > (isIncluded ? -1 : 0))
    .sort(compare)
    .slice(0, limit)
}

/** Provenances are made of the resources that they are about, and are read by these only. */
const PROVENANCES: Source = {
  needsPatient: true,
  async list(scope, { ids = [], since, before }, page) {
    const targets = Map.groupBy(
      ids.flatMap((id) => targetOfProvenance(id) ?? []),
      ({ type }) => type,
    )
    const all: Served[] = []
    for (const [type, list] of targets) {
      const wanted = new Set(list.map(({ id }) => id))
      for (const source of SOURCES[type as ServedType] as readonly Source[]) {
        const limit = 2 * list.length
        const filter = { ids: [...wanted], since, before }
        const rows = await source.list(scope, filter, { order: 'id', after: null, limit })
        const found = rows.flatMap(({ at, resources }) =>
          resources.filter(({ id }) => wanted.has(id)).map((resource) => ({ at, resource })),
        )
        for (const { at, resource } of found) {
          const provenance = toProvenance(resource, scope.environment.teamId)
          all.push({ at, id: provenance.id, resources: [provenance] })
        }
      }
    }
    return cutPage(all, page)
  },
}

/** Returns the resources of all versions of the results of an order, the newest first. */
export async function listVersions(scope: Scope, orderId: string): Promise<FhirResource[]> {
  const toUcum = await loadToUcum()
  const rows = await orders.listResultVersions(scope, orderId)
  return rows.flatMap((row) => [
    ...serveReport(row, toUcum),
    ...(row.has_pdf ? serveDocument(row, toUcum, `.${row.version}`) : []),
  ])
}

export const SOURCES = {
  Patient: [tableSource(persons.listPatients, servePatient)],
  ServiceRequest: [tableSource(orders.listOrders, serveOrder)],
  DiagnosticReport: [tableSource(orders.listResults, ofType('DiagnosticReport', serveReport))],
  Observation: [
    tableSource(orders.listResults, ofType('Observation', serveReport), orderOfResult),
    SAMPLES,
  ],
  Specimen: [tableSource(orders.listSpecimens, serveSpecimen)],
  Coverage: [tableSource(persons.listCoverages, serveCoverage)],
  Appointment: [tableSource(orders.listAppointments, serveAppointment)],
  DocumentReference: [tableSource(orders.listResultDocuments, serveDocument)],
  Device: [tableSource(persons.listDevices, serveDevice)],
  Practitioner: [tableSource(parties.listPractitioners, servePractitioner)],
  Organization: [tableSource(parties.listOrganizations, serveOrganization)],
  Provenance: [PROVENANCES],
} as const satisfies Partial<Record<Resource['resourceType'], readonly Source[]>>

/** A type of resource that can be searched. */
export type ServedType = keyof typeof SOURCES
