import { createHash } from 'node:crypto'
import type {
  MissingResult,
  ReportedResult,
  ReportedTest,
  ReportedTime,
  ResultMessage,
} from '@salus/contracts/lab-gateway'
import { decimal, type Json } from './json.ts'
import type { FhirTest } from './received-order.ts'

const OWN_CODES = 'urn:salus:sandbox:lab'
const IDENTIFIER_TYPES = 'http://terminology.hl7.org/CodeSystem/v2-0203'
const INTERPRETATIONS = 'http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation'
/** The laboratory, to which all results refer. */
const ORGANIZATION = 'Organization/laboratory'

/** How a report refers to its order. */
export interface ReportTarget {
  number: string
  /** Reference to the patient, or to another person. */
  subject: string
  /** Behind the ids of reports about another person. */
  suffix: string
  /** References to the ServiceRequest of each test, by its key. */
  basedOn: (key: string) => Json[]
  /** Observations that a report had before, by its id. */
  resultsBefore: (reportId: string) => readonly string[]
}

/** Writes a report as a DiagnosticReport for each test, with its Observations. */
export function reportResources(report: ResultMessage, target: ReportTarget): Json[] {
  const tests = Object.entries(report.tests ?? {})
  const isOfIsolate = ([, { parent }]: [string, ReportedTest]) =>
    parent !== null && parent.sub_id !== null
  const isolates = tests.filter(isOfIsolate)
  return tests
    .filter((test) => !isOfIsolate(test))
    .flatMap(([key, test]) => {
      const own = observationsOf(report, { key, test }, target)
      const members = isolates.flatMap(([panelKey, panel]) =>
        memberObservations(report, { panelKey, panel, own }, target),
      )
      return [...own, ...members, diagnosticReportOf(report, { key, test, own }, target)]
    })
}

/** DiagnosticReport.status by the status of a test. */
const TEST_STATUSES: Readonly<Record<ReportedTest['status'], string>> = {
  pending: 'registered',
  preliminary: 'preliminary',
  final: 'final',
  corrected: 'corrected',
  cancelled: 'cancelled',
}

function diagnosticReportOf(
  report: ResultMessage,
  { key, test, own }: OfTest & { own: Json[] },
  { number, subject, suffix, basedOn, resultsBefore }: ReportTarget,
): Json {
  const id = `${number}-${key}${suffix}`
  const { pdf } = report
  const results = [...new Set([...resultsBefore(id), ...own.map((each) => String(each.id))])]
  return {
    resourceType: 'DiagnosticReport',
    id,
    identifier: [
      {
        type: { coding: [{ system: IDENTIFIER_TYPES, code: 'FILL' }] },
        system: OWN_CODES,
        value: test.filler_number,
      },
    ],
    basedOn: basedOn(key),
    status: TEST_STATUSES[test.status],
    code: codeOf({ provider_id: test.provider_id, loinc: test.loinc, name: test.name }),
    subject: { reference: subject },
    effectiveDateTime: instantOf(report.collected_at),
    issued: instantOf(test.reported_at),
    performer: [{ reference: ORGANIZATION }],
    result: results.map((each) => ({ reference: `Observation/${each}` })),
    ...(report.notes !== null && { conclusion: report.notes }),
    ...(pdf !== null && {
      presentedForm: [{ contentType: 'application/pdf', title: 'Report', data: pdf }],
    }),
  }
}

/** Writes the report of a test that the laboratory does not perform. */
export function cancelledReportOf(
  { code, name }: Pick<FhirTest, 'code' | 'name'>,
  { key, issued }: { key: string; issued: Date },
  { number, subject, basedOn }: ReportTarget,
): Json {
  return {
    resourceType: 'DiagnosticReport',
    id: `${number}-${key}`,
    basedOn: basedOn(key),
    status: 'cancelled',
    code: codeOf({ provider_id: code, loinc: null, name }),
    subject: { reference: subject },
    issued: issued.toISOString(),
    performer: [{ reference: ORGANIZATION }],
    conclusion: 'The laboratory cancelled the test.',
  }
}

interface OfTest {
  key: string
  test: ReportedTest
}

function observationsOf(
  report: ResultMessage,
  { key, test }: OfTest,
  target: ReportTarget,
): Json[] {
  const results = report.results.filter((each) => each.test === key)
  const missing = report.missing_results.filter((each) => each.test === key)
  return [
    ...results.map((each) => ({
      ...frameOf(each, report, target),
      ...resultOf(each, test),
    })),
    ...missing.map((each) => ({
      ...frameOf(each, report, target),
      status: 'cancelled',
      dataAbsentReason: { text: each.note ?? 'Not performed' },
    })),
  ]
}

/** Susceptibilities, below the Observation of their isolate. */
function memberObservations(
  report: ResultMessage,
  { panelKey, panel, own }: { panelKey: string; panel: ReportedTest; own: Json[] },
  target: ReportTarget,
): Json[] {
  const isolate = own.find(({ valueString }) => valueString === panel.parent?.value)
  if (isolate === undefined) return []
  const derivedFrom = [{ reference: `Observation/${isolate.id}` }]
  const members = observationsOf(report, { key: panelKey, test: panel }, target)
  const references = members.map(({ id }) => ({ reference: `Observation/${id}` }))
  isolate.hasMember = references
  return members.map((each) => ({ ...each, derivedFrom }))
}

/** The same result has the same id in all versions. */
function frameOf(
  result: Pick<
    ReportedResult | MissingResult,
    'test' | 'sub_id' | 'provider_id' | 'loinc' | 'name'
  >,
  report: ResultMessage,
  { number, subject, suffix }: ReportTarget,
): Json {
  const { test, sub_id, provider_id, loinc, name } = result
  const identity = JSON.stringify([test, sub_id ?? null, provider_id, loinc, name])
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 12)
  return {
    resourceType: 'Observation',
    id: `${number}-${hash}${suffix}`,
    code: codeOf({ provider_id, loinc, name }),
    subject: { reference: subject },
    effectiveDateTime: instantOf(report.collected_at),
    performer: [{ reference: ORGANIZATION }],
  }
}

function resultOf(result: ReportedResult, test: ReportedTest): Json {
  const { unit, reference_range: range, flag, notes, status = 'final' } = result
  return {
    // A test with more to come has no final results yet.
    status: test.status === 'preliminary' ? 'preliminary' : status,
    issued: instantOf(test.reported_at),
    ...observedValue(result, unit === null ? {} : { unit }),
    ...(range !== null && { referenceRange: [{ text: range }] }),
    ...(flag !== null && {
      interpretation: [{ coding: [{ system: INTERPRETATIONS, code: flag }] }],
    }),
    ...(notes !== null && { note: [{ text: notes }] }),
  }
}

const RANGE = /^(<=|>=|<|>)?(\d*\.?\d+)(?:-(\d*\.?\d+))?$/

function observedValue({ type, result }: ReportedResult, unit: Json): Json {
  const [isNumber, comparator, low = '', high] = RANGE.exec(result) ?? []
  if (type === 'numeric') return { valueQuantity: { value: decimal(result), ...unit } }
  if (type !== 'range' || isNumber === undefined) return { valueString: result }
  if (high === undefined) {
    return { valueQuantity: { value: decimal(low), ...(comparator && { comparator }), ...unit } }
  }
  const [from, to] = [low, high].map((value) => ({ value: decimal(value), ...unit }))
  return { valueRange: { low: from, high: to } }
}

function codeOf({
  provider_id,
  loinc,
  name,
}: Pick<ReportedResult, 'provider_id' | 'loinc' | 'name'>) {
  const own = { system: OWN_CODES, code: provider_id, display: name }
  const standard = { system: 'http://loinc.org', code: loinc, display: name }
  const coding = [own, standard].filter(({ code }) => code !== null)
  return { text: name, ...(coding.length > 0 && { coding }) }
}

/** An instant with its offset. */
function instantOf(time: ReportedTime | null): string | undefined {
  return time === null ? undefined : new Date(time.timestamp).toISOString()
}
