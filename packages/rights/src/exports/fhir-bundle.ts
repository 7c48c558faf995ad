import type { UserInfo } from '@salus/accounts/users'
import {
  type FhirResource,
  idOf,
  type ResourceContext,
  toAppointment,
  toCoverage,
  toDevice,
  toDiagnosticReport,
  toDocument,
  toPatient,
  toReadResult,
  toSample,
  toServiceRequest,
  toSummary,
  type UserRow,
} from '@salus/fhir/resources'
import type { RowScope } from '@salus/kernel/scope'
import type { PersonRow, PersonTable } from '../person-data/index.ts'
import type { PersonFile } from './person-files.ts'
import { readResourceNames } from './resource-names.ts'

type Mapper = (row: PersonRow, context: ResourceContext) => FhirResource[]

/** Rows are those of the tables, whose columns the mappers name. */
const mapper = <Row>(map: (row: Row, context: ResourceContext) => FhirResource[]): Mapper =>
  map as unknown as Mapper

const MAPPERS: Readonly<Record<string, Mapper>> = {
  devices: mapper(toDevice),
  insurance_policies: mapper(toCoverage),
  orders: mapper(toServiceRequest),
  results: mapper(toDiagnosticReport),
  appointments: mapper(toAppointment),
  lab_report_results: mapper(toReadResult),
  samples: mapper(toSample),
  ...Object.fromEntries(
    ['activity', 'sleep', 'workout', 'body', 'meal', 'menstrual_cycle', 'electrocardiogram'].map(
      (kind) => [`${kind}_summaries`, mapper(toSummary(kind))],
    ),
  ),
}

/** Tables from which the one resource of the patient is made. */
const OF_PATIENT = ['users', 'user_demographics']

/** Tables with a form in FHIR. */
export const FHIR_TABLES: ReadonlySet<string> = new Set([...OF_PATIENT, ...Object.keys(MAPPERS)])

/**
 * Tables that only the bundle contains. Samples are many, and FHIR has all their fields, so they
 * are written once; of other tables it leaves fields out.
 */
export const ONLY_IN_BUNDLE: ReadonlySet<string> = new Set(['samples'])

/** Returns a reference to another resource of the bundle. */
const refer = (id: string): { reference: string } => ({ reference: `urn:uuid:${id}` })

/** Each version of the results of an order is a report of its own, with its own ids. */
const IN_BUNDLE: Pick<ResourceContext, 'refer' | 'reportIdOf' | 'resultIdsOf'> = {
  refer: (_type, id) => refer(id),
  reportIdOf: (orderId, version) => idOf('report', orderId, version),
  resultIdsOf: (orderId, version, results) =>
    results.map((_result, index) => idOf('result', orderId, version, index)),
}

/** Writes a FHIR R4 bundle, one resource on each line, as the rows are read. */
export async function* writeBundle(
  scope: RowScope,
  { userId, at, files }: { userId: string; at: Date; files: readonly PersonFile[] },
  tables: readonly PersonTable[],
  read: (table: PersonTable) => AsyncIterable<PersonRow[]>,
): AsyncGenerator<Buffer> {
  // Only an export of FHIR needs the unit parser, which is large.
  const { toUcum } = await import('@salus/lab-report-parser/measurements')
  const names = await readResourceNames(scope, userId)
  const context: ResourceContext = { ...names, ...IN_BUNDLE, patient: refer(userId), toUcum }
  const find = async (name: string): Promise<PersonRow | undefined> => {
    const table = tables.find((candidate) => candidate.name === name)
    return table && (await Array.fromAsync(read(table))).flat()[0]
  }
  const user = (await find('users')) as UserRow | undefined
  const info = (await find('user_demographics'))?.info as UserInfo | undefined
  if (user === undefined) throw new Error('The user no longer exists.')
  const head = { resourceType: 'Bundle', type: 'collection', timestamp: at.toISOString() }
  yield Buffer.from(
    `${JSON.stringify(head).slice(0, -1)},"entry":[\n${toEntry(toPatient(user, info))}`,
  )
  yield Buffer.from(files.map((file) => `,\n${toEntry(toDocument(file, context))}`).join(''))
  for (const table of tables) {
    const map = MAPPERS[table.name]
    if (map === undefined) continue
    for await (const rows of read(table)) {
      const entries = rows.flatMap((row) => map(row, context))
      yield Buffer.from(entries.map((resource) => `,\n${toEntry(resource)}`).join(''))
    }
  }
  yield Buffer.from('\n]}\n')
}

const toEntry = (resource: FhirResource): string =>
  JSON.stringify({ fullUrl: `urn:uuid:${resource.id}`, resource })
