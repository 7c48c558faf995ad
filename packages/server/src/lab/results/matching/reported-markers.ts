import type { OrderedMarker } from '../../catalog/index.ts'
import type { LabReport } from '../../gateways/index.ts'
import { isSameResult, type ResultKey } from '../evaluation/expected-results.ts'

type Answered = Pick<LabReport, 'ordered_provider_ids' | 'results' | 'missing_results'>
type Candidate = Pick<OrderedMarker, 'id' | 'provider_id' | 'expected_results'>

/**
 * The markers that a report answers: those that it names as ordered; otherwise the fewest of which all
 * required results are reported, the largest first.
 */
export function markersOfReport(report: Answered, candidates: readonly Candidate[]): number[] {
  const named = candidates.filter(
    ({ provider_id: code }) => code !== null && report.ordered_provider_ids.includes(code),
  )
  if (named.length > 0) return named.map(({ id }) => id)
  const reported: ResultKey[] = [...report.results, ...report.missing_results]
  const isReported = (key: ResultKey) => reported.some((result) => isSameResult(result, key))
  const complete = candidates
    .map((marker) => ({ marker, keys: requiredKeys(marker) }))
    .filter(({ keys }) => keys.length > 0 && keys.every(isReported))
    .toSorted((a, b) => b.keys.length - a.keys.length || a.marker.id - b.marker.id)
  const covered: ResultKey[] = []
  const chosen: number[] = []
  for (const { marker, keys } of complete) {
    const isNews = keys.some((key) => !covered.some((known) => isSameResult(known, key)))
    if (!isNews) continue
    covered.push(...keys)
    chosen.push(marker.id)
  }
  return chosen
}

function requiredKeys({ expected_results }: Candidate): ResultKey[] {
  return expected_results
    .filter(({ required }) => required)
    .map(({ name, provider_id, loinc }) => ({ name, provider_id, loinc: loinc?.code ?? null }))
}
