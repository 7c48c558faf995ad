import type { NamedResult, ReportedTest } from '@salus/contracts/lab-gateway'
import type { ResultPanel } from '../result-details.schema.ts'
import type { BiomarkerResult } from '../results.schema.ts'
import type { ReportContent } from '../results.tables.ts'
import { type Expectation, isSameResult, type ResultKey } from './expected-results.ts'

/** An ordered marker as tests of reports name it. */
export interface OrderedTest {
  id: number
  provider_id: string | null
  loinc?: string | null
}

const ENDS = new Set<ReportedTest['status']>(['final', 'corrected', 'cancelled'])

/**
 * Returns whether every ordered marker has an end: by its test, or by all its required results
 * where the laboratory reports it under other tests.
 * @param markerOfPlacer markers by the placer numbers of their tests
 */
export function isComplete(
  { tests = {}, results, missing_results: missing, status }: ReportContent,
  markers: readonly OrderedTest[],
  expectations: readonly Expectation[],
  markerOfPlacer: ReadonlyMap<string, number>,
): boolean {
  const reported = Object.values(tests)
  const own = reported.filter(({ origin }) => origin === 'ordered')
  const ended = [...results.filter((each) => each.status !== 'preliminary'), ...missing]
  const areAllEnded = own.every(({ status: each }) => ENDS.has(each))
  return markers.every((marker) => {
    const ofMarker = own.filter((test) => isTestOf(test, marker, markerOfPlacer))
    if (ofMarker.length > 0) return ofMarker.every((test) => ENDS.has(test.status))
    const required = expectations.filter(
      (each) => each.isRequired && each.marker.marker_id === marker.id,
    )
    if (required.length === 0) return status !== 'partial' && areAllEnded
    return required.every(({ key }) => ended.some((result) => isSameResult(result, key)))
  })
}

/** Whether a test of a report is that of an ordered marker. */
export function isTestOf(
  test: ReportedTest,
  marker: OrderedTest,
  markerOfPlacer: ReadonlyMap<string, number>,
): boolean {
  const numbered = test.placer_number === null ? undefined : markerOfPlacer.get(test.placer_number)
  if (numbered !== undefined) return numbered === marker.id
  if (test.provider_id !== null && marker.provider_id !== null) {
    return test.provider_id === marker.provider_id
  }
  return test.loinc !== null && test.loinc === marker.loinc
}

/** Returns the test of a result as the API shows it; null without one. */
export function toPanel(test: ReportedTest | undefined): ResultPanel | null {
  if (test === undefined) return null
  const { name, provider_id, loinc, filler_number, origin, status } = test
  return { name, provider_id, loinc, filler_number, origin, status }
}

/** Returns the result that led to a test, as the API shows it; null without one. */
export function toParent(
  { tests = {}, results }: ReportContent,
  test: ReportedTest | undefined,
): BiomarkerResult['parent'] {
  const parent = test?.parent ?? null
  if (parent === null) return null
  const found = findParent(tests, results, parent)
  return {
    name: found?.name ?? null,
    provider_id: parent.provider_id ?? found?.provider_id ?? null,
    loinc: parent.loinc ?? found?.loinc ?? null,
    sub_id: parent.sub_id,
    result: parent.value ?? found?.result ?? null,
  }
}

/** Returns the reported result that a parent names. */
export function findParent(
  tests: Readonly<Record<string, ReportedTest>>,
  results: ReportContent['results'],
  parent: NonNullable<ReportedTest['parent']>,
): ReportContent['results'][number] | undefined {
  const { filler_number: number, provider_id: code, loinc, sub_id: subId } = parent
  return results.find((result) => {
    const test = result.test === undefined ? undefined : tests[result.test]
    const isInTest = number === null || test?.filler_number === number
    const isCode =
      code === null ? loinc !== null && result.loinc === loinc : result.provider_id === code
    return isInTest && isCode && (subId === null || (result.sub_id ?? null) === subId)
  })
}

type Named = ResultKey & Pick<NamedResult, 'test' | 'sub_id'>

/** Whether two results of one report are the same: by test and sub-id beside the code. */
export function isSameReported(one: Named, other: Named): boolean {
  const isSameTest = one.test === undefined || other.test === undefined || one.test === other.test
  return isSameTest && (one.sub_id ?? null) === (other.sub_id ?? null) && isSameResult(one, other)
}

type Shown = ResultKey & Partial<Pick<BiomarkerResult, 'sub_id' | 'panel' | 'collected_at'>>

/**
 * Whether two shown results are the same. Results of several orders have other filler numbers, so
 * the codes of their panels count there.
 */
export function isSameShown(one: Shown, other: Shown, isSameOrder = true): boolean {
  if ((one.sub_id ?? null) !== (other.sub_id ?? null) || !isSameResult(one, other)) return false
  const [drawn, otherDrawn] = [one.collected_at ?? null, other.collected_at ?? null]
  if (isSameOrder && drawn !== null && otherDrawn !== null && drawn !== otherDrawn) return false
  const [panel, otherPanel] = [one.panel ?? null, other.panel ?? null]
  if (panel === null || otherPanel === null) return true
  const areNumbered = panel.filler_number !== null && otherPanel.filler_number !== null
  if (isSameOrder && areNumbered && panel.filler_number !== otherPanel.filler_number) return false
  return panel.provider_id === otherPanel.provider_id
}
