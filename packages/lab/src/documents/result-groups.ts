import type { MissingResult, ReportedResult, ResultMessage } from '@salus/contracts/lab-gateway'
import type { RequestedTest } from './document-inputs.ts'

/** The results of one ordered test, in the laboratory's order. */
export interface ResultGroup {
  /** Null for results that no ordered test has. */
  test: RequestedTest | null
  results: ReportedResult[]
  missing: MissingResult[]
}

interface Coded {
  name: string
  provider_id: string | null
  loinc: string | null
}

/**
 * Groups results by ordered test. A result of several tests is listed with the first, and results
 * of no ordered test come last. Tests without results are left out.
 */
export function groupResults(
  report: ResultMessage,
  tests: readonly RequestedTest[],
): ResultGroup[] {
  const groups: ResultGroup[] = tests.map((test) => ({ test, results: [], missing: [] }))
  const rest: ResultGroup = { test: null, results: [], missing: [] }
  const groupOf = (item: Coded) =>
    groups.find(({ test }) => test !== null && isTestOf(test, item)) ?? rest
  for (const result of report.results) groupOf(result).results.push(result)
  for (const missing of report.missing_results) groupOf(missing).missing.push(missing)
  return [...groups, rest].filter(
    ({ results, missing }) => results.length > 0 || missing.length > 0,
  )
}

/** Returns the ordered tests about which the result message has no data. */
export function listUnanswered(
  report: ResultMessage,
  tests: readonly RequestedTest[],
): RequestedTest[] {
  const items: Coded[] = [...report.results, ...report.missing_results]
  return tests.filter((test) => !items.some((item) => isTestOf(test, item)))
}

/** Matches by the laboratory's code, else by LOINC, else by name. */
function isTestOf(test: RequestedTest, item: Coded): boolean {
  return test.expected_results.some((expected) => {
    if (expected.provider_id !== null && item.provider_id !== null) {
      return expected.provider_id === item.provider_id
    }
    if (expected.loinc !== null && item.loinc !== null) return expected.loinc === item.loinc
    return expected.name.toLowerCase() === item.name.toLowerCase()
  })
}
