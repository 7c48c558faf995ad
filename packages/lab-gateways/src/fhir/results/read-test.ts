import type { ReportedTest } from '@salus/contracts/lab-gateway'
import type { FhirRules } from '../connection.ts'
import { firstText, objectOf, objectsOf, textOf, wordsOf } from '../json.ts'
import { readNamedCode } from './codes.ts'
import type { FoundObservation } from './found-observations.ts'
import type { Standing } from './observation-standing.ts'
import { readFhirTime } from './observation-value.ts'
import { numbersOfReport, numbersOfRequest } from './order-numbers.ts'
import { notesOf } from './read-observations.ts'
import type { Resource, Resources } from './resources.ts'

type Status = ReportedTest['status']

/** The status of a test by that of its DiagnosticReport. */
const STATUSES: Readonly<Record<string, Status>> = {
  registered: 'pending',
  partial: 'preliminary',
  preliminary: 'preliminary',
  final: 'final',
  appended: 'final',
  amended: 'corrected',
  corrected: 'corrected',
  cancelled: 'cancelled',
  // Another report has to follow.
  'entered-in-error': 'pending',
}

/** Returns the status of a test. A final report with results that are not final is not final. */
export function testStatusOf(report: Resource, standings: readonly Standing[]): Status {
  const declared = textOf(report.json.status) ?? ''
  const status = (Object.hasOwn(STATUSES, declared) && STATUSES[declared]) || 'preliminary'
  const hasOpen = standings.includes('awaited') || standings.includes('preliminary')
  const hasValues = standings.some((each) => each !== 'awaited' && each !== 'cancelled')
  if (status === 'pending' && hasValues && declared === 'registered') return 'preliminary'
  if (status === 'cancelled') return hasValues ? 'final' : 'cancelled'
  if (status !== 'final' && status !== 'corrected') return status
  if (hasOpen) return 'preliminary'
  const areAllMissing = standings.length > 0 && standings.every((each) => each === 'cancelled')
  if (areAllMissing) return 'cancelled'
  return standings.includes('corrected') ? 'corrected' : status
}

interface TestContext {
  resources: Resources
  rules: FhirRules
  observations: readonly FoundObservation[]
  standings: readonly Standing[]
}

/**
 * Reads the tests of a report: one for each ServiceRequest that the message has, because one report
 * may answer several, else one by the code of the report.
 */
export function readTests(report: Resource, context: TestContext): ReportedTest[] {
  const { resources, rules, standings, observations } = context
  const { json } = report
  const requests = resources
    .findAll(json.basedOn, report)
    .filter(({ type }) => type === 'ServiceRequest')
  const { placers, fillers } = numbersOfReport(report, resources, rules)
  const code = readNamedCode(json.code, rules)
  const shared = {
    status: testStatusOf(report, standings),
    origin: 'ordered' as const,
    parent: null,
    specimen: readSpecimen(report, observations, resources),
    reported_at: readFhirTime(json.issued, rules.timeZone),
    notes: notesOf(json),
  }
  const filler_number = fillers[0] ?? null
  if (requests.length === 0) {
    return [{ ...code, placer_number: placers[0] ?? null, filler_number, ...shared }]
  }
  return [...new Set(requests)].map((request) => {
    const ordered = readNamedCode(request.json.code, rules)
    const own = requests.length === 1 ? code : ordered
    return {
      name: own.name || ordered.name,
      // The ordered code says which test it is; reports often have only LOINC.
      provider_id: ordered.provider_id ?? own.provider_id,
      loinc: own.loinc ?? ordered.loinc,
      placer_number: numbersOfRequest(request, rules).placers[0] ?? null,
      filler_number,
      ...shared,
    }
  })
}

/** The specimen of a report, or the first one of its Observations. */
export function findSpecimen(
  report: Resource,
  observations: readonly FoundObservation[],
  resources: Resources,
): Resource | undefined {
  const ofObservations = observations.flatMap(({ resource }) =>
    resources.findAll(resource.json.specimen, resource),
  )
  return [...resources.findAll(report.json.specimen, report), ...ofObservations].find(
    ({ type }) => type === 'Specimen',
  )
}

function readSpecimen(
  report: Resource,
  observations: readonly FoundObservation[],
  resources: Resources,
): ReportedTest['specimen'] {
  const found = findSpecimen(report, observations, resources)
  if (found === undefined) return null
  const { json } = found
  const condition = objectsOf(json.condition).map(wordsOf).find(Boolean) ?? null
  const number = firstText(
    objectOf(json.accessionIdentifier).value,
    ...objectsOf(json.identifier).map(({ value }) => value),
  )
  const isUnsatisfactory = json.status === 'unsatisfactory'
  return {
    number,
    type: wordsOf(json.type),
    condition,
    reject_reason: isUnsatisfactory ? (condition ?? 'unsatisfactory') : null,
  }
}
