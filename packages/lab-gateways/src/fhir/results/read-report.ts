import type {
  ReportedPatient,
  ReportedTest,
  ReportedTime,
  ResultMessage,
} from '@salus/contracts/lab-gateway'
import { chooseDocuments } from '../../hl7/results/documents.ts'
import { latestOf } from '../../hl7/results/times.ts'
import type { FhirRules } from '../connection.ts'
import { firstText, type Json, objectOf, objectsOf, textOf, textsOf, wordsOf } from '../json.ts'
import { PATIENT_SYSTEM } from '../systems.ts'
import { type FoundObservation, findObservations } from './found-observations.ts'
import { readFhirTime } from './observation-value.ts'
import { PerformingLaboratories } from './performing-laboratories.ts'
import { readDocuments } from './read-documents.ts'
import { type ReadObservations, readObservations } from './read-observations.ts'
import { findSpecimen, readTests } from './read-test.ts'
import type { Resource, Resources } from './resources.ts'

const UNREADABLE_DOCUMENT = 'The laboratory sent a document that cannot be decoded.'

const INCOMPLETE = 'The laboratory named results that its message does not have.'

/** A DiagnosticReport with what it says. */
interface Part {
  report: Resource
  tests: [key: string, test: ReportedTest][]
  observations: FoundObservation[]
  read: ReadObservations
  documents: ReturnType<typeof readDocuments>
}

/** Reads the DiagnosticReports of one order into one report. */
export function readReport(
  reports: readonly Resource[],
  {
    resources,
    rules,
    sampleId,
  }: { resources: Resources; rules: FhirRules; sampleId: string | null },
): ResultMessage {
  const laboratories = new PerformingLaboratories(resources)
  let count = 0
  const parts = reports.map((report): Part => {
    const observations = findObservations(report, resources)
    const first = String(count + 1)
    const isInError = report.json.status === 'entered-in-error'
    const about = { rules, laboratories, test: first, report, isInError }
    const read = readObservations(observations, about)
    if (isIncomplete(report, resources)) {
      read.standings.push('awaited')
      read.remarks.push(INCOMPLETE)
    }
    const context = { resources, rules, observations, standings: read.standings }
    const tests = readTests(report, context).map((test): [string, ReportedTest] => [
      String(++count),
      test,
    ])
    const documents = readDocuments(report, resources, tests[0]?.[0] ?? first)
    return { report, tests, observations, read, documents }
  })
  const withdrawn = parts.flatMap(({ read }) => read.withdrawn)
  const documents = parts
    .filter(({ report }) => report.json.status !== 'entered-in-error')
    .flatMap(({ documents: found }) => found.documents)
  return {
    status: statusOf(parts, withdrawn.length > 0),
    scope: rules.scope,
    tests: Object.fromEntries(parts.flatMap(({ tests }) => tests)),
    ...(withdrawn.length > 0 && { withdrawn }),
    ...readFrame(parts, resources, rules),
    sample_id: sampleId,
    notes: notesOfParts(parts),
    results: parts.flatMap(({ read }) => read.results),
    missing_results: parts.flatMap(({ read }) => read.missing),
    performing_laboratories: laboratories.all(),
    ...chooseDocuments(documents),
  }
}

/** Whether a report names results that its message does not have, so that it is not final. */
function isIncomplete(report: Resource, resources: Resources): boolean {
  const named = objectsOf(report.json.result)
  return resources.findAll(named, report).length < named.length
}

function statusOf(parts: readonly Part[], hasWithdrawn: boolean): ResultMessage['status'] {
  const statuses = parts.flatMap(({ tests }) => tests.map(([, { status }]) => status))
  const results = parts.flatMap(({ read }) => read.results)
  const isCorrected = results.some(({ status }) => status === 'corrected')
  if (hasWithdrawn || isCorrected || statuses.includes('corrected')) return 'corrected'
  return statuses.every((status) => status === 'final' || status === 'cancelled')
    ? 'final'
    : 'partial'
}

/** What is said of the whole: the patient, numbers and times. */
function readFrame(parts: readonly Part[], resources: Resources, rules: FhirRules) {
  const time = (value: unknown) => readFhirTime(value, rules.timeZone)
  const first = (times: readonly (ReportedTime | null)[]) =>
    times.find((each) => each !== null) ?? null
  const specimens = parts.flatMap(({ report, observations }): Json[] => {
    const found = findSpecimen(report, observations, resources)
    return found === undefined ? [] : [found.json]
  })
  const reports = parts.map(({ report }) => report.json)
  const collections = specimens.map(({ collection }) => objectOf(collection))
  const started = (json: Json) =>
    json.effectiveDateTime ?? objectOf(json.effectivePeriod).start ?? null
  const collectedAt = collections.map(
    (each) => each.collectedDateTime ?? objectOf(each.collectedPeriod).start,
  )
  const numbers = specimens.map(({ accessionIdentifier }) => objectOf(accessionIdentifier).value)
  return {
    account_id: null,
    specimen_number: firstText(...numbers),
    patient: patientOf(parts, resources),
    ordering_physician: physicianOf(parts, resources),
    collected_at: first([...collectedAt, ...reports.map(started)].map(time)),
    received_at: first(specimens.map(({ receivedTime }) => time(receivedTime))),
    reported_at: latestOf(reports.map(({ issued }) => time(issued))),
    fasting: false,
    total_volume: null,
    ordered_provider_ids: parts.flatMap(({ tests }) =>
      tests.flatMap(([, { provider_id: code }]) => code ?? []),
    ),
  }
}

function patientOf(parts: readonly Part[], resources: Resources): ReportedPatient {
  const [part] = parts
  const found = part && resources.find(part.report.json.subject, part.report)
  const json = found?.type === 'Patient' ? found.json : {}
  const name = officialName(json)
  const dob = textOf(json.birthDate)
  const ids = objectsOf(json.identifier).filter(({ system }) => system !== PATIENT_SYSTEM)
  return {
    first_name: textsOf(name.given)[0] ?? null,
    last_name: textOf(name.family),
    dob: dob !== null && isDay(dob) ? dob : null,
    gender: textOf(json.gender),
    patient_id: firstText(...ids.map(({ value }) => value)),
  }
}

function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && day.toString() !== 'Invalid Date'
    ? day.toISOString().startsWith(text)
    : false
}

const officialName = ({ name }: Json): Json => {
  const names = objectsOf(name)
  return names.find(({ use }) => use === 'official') ?? names[0] ?? {}
}

function physicianOf(parts: readonly Part[], resources: Resources): string | null {
  for (const { report } of parts) {
    for (const request of resources.findAll(report.json.basedOn, report)) {
      const reference = objectOf(request.json.requester)
      const found = resources.find(reference, request)
      const { given, family, text } = officialName(found?.json ?? {})
      const joined = [...textsOf(given), ...textsOf(family)].join(' ')
      const name = firstText(joined, text, reference.display)
      if (name !== null) return name
    }
  }
  return null
}

/** Conclusions and notes of the reports, with the name of the test where there are several. */
function notesOfParts(parts: readonly Part[]): string | null {
  const texts = parts.flatMap(({ report, tests, read, documents }) => {
    const { conclusion, conclusionCode } = report.json
    const codes = objectsOf(conclusionCode).flatMap((code) => wordsOf(code) ?? [])
    const test = tests[0]?.[1]
    const lines = [
      textOf(conclusion) ?? codes.join(', '),
      test?.notes,
      ...read.remarks,
      documents.unreadable > 0 && UNREADABLE_DOCUMENT,
    ]
    const text = lines.filter(Boolean).join('\n')
    if (text === '') return []
    return parts.length > 1 && test?.name ? [`${test.name}: ${text}`] : [text]
  })
  return texts.join('\n') || null
}
