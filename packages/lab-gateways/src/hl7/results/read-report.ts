import type { ReportedTest, ResultMessage } from '@salus/contracts/lab-gateway'
import type { Segment } from '@salus/hl7v2'
import { captureFrom } from '@salus/kernel/operator-patterns'
import type { ResolvedConnection } from '../connection/resolved-connection.ts'
import { readNamedCode } from './codes.ts'
import { chooseDocuments, readEmbeddedDocuments } from './documents.ts'
import {
  type MessageGroups,
  orcOf,
  type PatientGroup,
  type TestGroup,
  textOfNotes,
} from './message-groups.ts'
import type { OrderGroup } from './order-groups.ts'
import { PerformingLaboratories, textOfPerson } from './performing-laboratories.ts'
import { type ReadObservations, readObservations } from './read-observations.ts'
import { readAccount, readPatient } from './read-patient.ts'
import { readSpecimenNumbers, readTest } from './read-test.ts'
import { latestOf, readReportedTime } from './times.ts'

/** A test with what its segments say. */
interface TestPart {
  group: TestGroup
  /** Key in `tests`. */
  key: string
  test: ReportedTest
  read: ReadObservations
}

/** Where a report is in its message. */
export interface ReportContext {
  groups: MessageGroups
  patient: PatientGroup
  connection: ResolvedConnection
  /** Number of the order; null when the message has none. */
  sampleId: string | null
  /** Whether it also has what belongs to the patient and to no test. */
  isFirst: boolean
}

/** Reads the report of one order of a message. */
export function readReport(order: OrderGroup, context: ReportContext): ResultMessage {
  const { connection, groups, patient } = context
  const laboratories = new PerformingLaboratories(groups.laboratories)
  const parts = order.tests.map((group, index) =>
    readPart(group, { connection, laboratories, key: String(index + 1) }),
  )
  const loose = readObservations(context.isFirst ? patient.observations : [], {
    connection,
    laboratories,
    test: undefined,
    obr: undefined,
  })
  const reads = [...parts.map(({ read }) => read), loose]
  const tests = Object.fromEntries(parts.map(({ key, test }) => [key, test]))
  const withdrawn = reads.flatMap((read) => read.withdrawn)
  const confirmed = reads.flatMap((read) => read.confirmed)
  const results = reads.flatMap((read) => read.results)
  return {
    status: statusOf(Object.values(tests), {
      isCorrected: withdrawn.length > 0 || results.some((result) => result.status === 'corrected'),
    }),
    scope: connection.result.scope === 'cumulative' ? 'whole' : 'part',
    tests,
    ...(withdrawn.length > 0 && { withdrawn }),
    ...(confirmed.length > 0 && { confirmed }),
    ...readFrame(order, context),
    fasting: readFasting(parts, loose, context),
    notes: collectNotes(parts, loose, context),
    results,
    missing_results: reads.flatMap((read) => read.missing),
    performing_laboratories: laboratories.all(),
    ...collectDocuments(parts, loose, context),
  }
}

function readPart(
  group: TestGroup,
  context: { connection: ResolvedConnection; laboratories: PerformingLaboratories; key: string },
): TestPart {
  const { connection, laboratories, key } = context
  const { obr } = group
  const read = readObservations(group.observations, { connection, laboratories, test: key, obr })
  return { group, key, read, test: readTest(group, read.standings, connection) }
}

/** What is said of the whole: the patient, numbers and times. */
function readFrame(order: OrderGroup, context: ReportContext) {
  const { connection, patient, groups } = context
  const { time_zone } = connection
  const obrs = order.tests.flatMap(({ obr }) => obr ?? [])
  const specimens = order.tests.flatMap((test) => test.specimens)
  const first = (segments: readonly Segment[], field: number) =>
    segments
      .map((segment) => readReportedTime(segment.text(field), time_zone))
      .find((time) => time !== null) ?? null
  const { header } = groups.message
  const filler = order.numbers.flatMap(({ fillers }) => fillers)[0]
  const accession = specimens.map(readSpecimenNumbers).find((each) => each.filler !== null)
  return {
    account_id: readAccount(header, patient, connection),
    sample_id: context.sampleId,
    specimen_number: accession?.filler ?? filler ?? null,
    patient: readPatient(patient, connection),
    ordering_physician: physicianOf(order.tests),
    collected_at: first(specimens, 17) ?? first(obrs, 7),
    received_at: first(specimens, 18) ?? first(obrs, 14),
    reported_at:
      latestOf(obrs.map((obr) => readReportedTime(obr.text(22), time_zone))) ??
      readReportedTime(header.text(7), time_zone),
    total_volume: volumeOf(obrs),
    ordered_provider_ids: order.tests.flatMap(({ obr }) => {
      const isOrdered = obr !== undefined && !['A', 'G'].includes(obr.text(11).trim())
      return (isOrdered && readNamedCode(obr.field(4), connection).provider_id) || []
    }),
  }
}

const physicianOf = (tests: readonly TestGroup[]): string | null =>
  tests
    .flatMap((test) => [test.obr?.field(16), orcOf(test)?.field(12)])
    .map((field) => (field === undefined ? null : textOfPerson(field, 2)))
    .find((name) => name !== null) ?? null

function volumeOf(obrs: readonly Segment[]): string | null {
  const field = obrs.map((obr) => obr.field(9)).find((each) => each.component(1).trim() !== '')
  if (field === undefined) return null
  return [field.component(1).trim(), field.component(2, 1).trim()].filter(Boolean).join(' ')
}

function statusOf(
  tests: readonly ReportedTest[],
  { isCorrected }: { isCorrected: boolean },
): ResultMessage['status'] {
  if (isCorrected || tests.some(({ status }) => status === 'corrected')) return 'corrected'
  const isEnded = tests.every(({ status }) => status === 'final' || status === 'cancelled')
  return tests.length > 0 && isEnded ? 'final' : 'partial'
}

/** All documents, those of tests before those of the patient. */
function collectDocuments(
  parts: readonly TestPart[],
  loose: ReadObservations,
  { patient, isFirst }: ReportContext,
): ReturnType<typeof chooseDocuments> {
  const ofTests = parts.flatMap(({ key, read, group, test }) => [
    ...read.documents,
    ...readEmbeddedDocuments(group.documents, { name: test.name || 'Report', test: key }),
  ])
  const ofPatient = isFirst ? readEmbeddedDocuments(patient.documents, { name: 'Report' }) : []
  return chooseDocuments([...ofTests, ...loose.documents, ...ofPatient])
}

/** Notes of the patient and of the tests, which have their names where there are several. */
function collectNotes(
  parts: readonly TestPart[],
  loose: ReadObservations,
  { patient, isFirst }: ReportContext,
): string | null {
  const ofTests = parts.flatMap(({ group, read, test }) => {
    const text = [textOfNotes(group.notes), ...read.remarks].filter(Boolean).join('\n')
    if (text === '') return []
    return parts.length > 1 && test.name !== '' ? [`${test.name}: ${text}`] : [text]
  })
  const ofPatient = isFirst ? [textOfNotes(patient.notes), ...loose.remarks] : []
  return [...ofPatient, ...ofTests].filter(Boolean).join('\n') || null
}

const FASTING_NOTE = /^\s*(?:patient\s+)?fasting\s*[:=?]\s*(y|yes|no?)\b/im
const FASTING_WORD = /^\s*(?:y|yes|f|fasting)\b/i

/** Whether the patient fasted: by an observation, by OBR-13, or by a note such as `FASTING:YES`. */
function readFasting(
  parts: readonly TestPart[],
  loose: ReadObservations,
  { patient }: ReportContext,
): boolean {
  const observed = [...parts.map(({ read }) => read), loose].map(({ fasting }) => fasting)
  const known = observed.find((fasting) => fasting !== undefined)
  if (known !== undefined) return known
  if (parts.some(({ group }) => FASTING_WORD.test(group.obr?.text(13) ?? ''))) return true
  const notes = [patient.notes, ...parts.map(({ group }) => group.notes)].map(textOfNotes)
  const said = notes.map((text) => captureFrom(FASTING_NOTE, text ?? '')).find(Boolean)
  return said?.toLowerCase().startsWith('y') ?? false
}
