import type { Resource } from '@medplum/fhirtypes'
import { findUser } from '@salus/accounts/users'
import { SERIES } from '@salus/contracts/series'
import type { Scope } from '@salus/kernel/scope'
import type { FhirResource } from '../../resources/index.ts'
import type { RowFilter, RowPage } from './row-page.ts'
import * as rows from './rows.repository.ts'
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

/** A source of rows of PostgreSQL. */
const tableSource = <Row extends rows.ServedRow>(
  list: List<Row>,
  serve: Serve<Row>,
  rowIdOf: (id: string) => string | undefined = (id) => id,
): Source => ({
  async list(scope, { ids, ...filter }, page) {
    const toUcum = await loadToUcum()
    const rowIds = ids?.flatMap((id) => rowIdOf(id) ?? [])
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
    const read = async (filter: Omit<SampleFilter, 'series' | 'since' | 'before'>) => {
      const found = await listSamples(scope, { ...filter, series: asked, since, before }, page)
      return found.map((row) => ({
        at: row.at,
        id: row.key,
        resources: serveSample(row, filter.userId, toUcum),
      }))
    }
    if (ids === undefined) return userId === undefined ? [] : read({ userId, from, until })
    const named = ids.flatMap((id) => readSampleId(id) ?? [])
    const parts = await Promise.all(
      named.map(async ({ userId: owner, at, key }) => {
        const isTheirs = userId === undefined || userId === owner
        if (!isTheirs || (await findUser(scope, owner)) === undefined) return []
        return read({ userId: owner, from: at, until: at + 1, key })
      }),
    )
    return parts.flat()
  },
}

export const SOURCES = {
  Patient: [tableSource(rows.listPatients, servePatient)],
  ServiceRequest: [tableSource(rows.listOrders, serveOrder)],
  DiagnosticReport: [tableSource(rows.listResults, ofType('DiagnosticReport', serveReport))],
  Observation: [
    tableSource(rows.listResults, ofType('Observation', serveReport), orderOfResult),
    SAMPLES,
  ],
  Specimen: [tableSource(rows.listSpecimens, serveSpecimen)],
  Coverage: [tableSource(rows.listCoverages, serveCoverage)],
  Appointment: [tableSource(rows.listAppointments, serveAppointment)],
  DocumentReference: [tableSource(rows.listResultDocuments, serveDocument)],
  Device: [tableSource(rows.listDevices, serveDevice)],
  Practitioner: [tableSource(rows.listPractitioners, servePractitioner)],
  Organization: [tableSource(rows.listOrganizations, serveOrganization)],
} as const satisfies Partial<Record<Resource['resourceType'], readonly Source[]>>

/** A type of resource that can be searched. */
export type ServedType = keyof typeof SOURCES
