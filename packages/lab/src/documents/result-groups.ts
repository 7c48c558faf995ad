import type { LabReport, MissingResult, ReportedResult } from '@salus/contracts/lab-gateway'
import type { RequestedTest } from './document-inputs.ts'

/** The results of one requested test, in the order in which the laboratory lists them. */
export interface ResultGroup {
  /** Null for results of no requested test. */
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
 * Results under the tests that asked for them. A result that several tests ask for stands with the
 * first; what no test asks for comes last. Tests without any result are left out.
 */
export function groupResults(report: LabReport, tests: readonly RequestedTest[]): ResultGroup[] {
  const groups: ResultGroup[] = tests.map((test) => ({ test, results: [], missing: [] }))
  const rest: ResultGroup = { test: null, results: [], missing: [] }
  const groupOf = (item: Coded) =>
    groups.find(({ test }) => test !== null && asksFor(test, item)) ?? rest
  for (const result of report.results) groupOf(result).results.push(result)
  for (const missing of report.missing_results) groupOf(missing).missing.push(missing)
  return [...groups, rest].filter(
    ({ results, missing }) => results.length > 0 || missing.length > 0,
  )
}

/** Requested tests of which the report says nothing at all. */
export function listUnanswered(
  report: LabReport,
  tests: readonly RequestedTest[],
): RequestedTest[] {
  const items: Coded[] = [...report.results, ...report.missing_results]
  return tests.filter((test) => !items.some((item) => asksFor(test, item)))
}

/** By the laboratory's code, else by LOINC, else by name. */
function asksFor(test: RequestedTest, item: Coded): boolean {
  return test.expected_results.some((expected) => {
    if (expected.provider_id !== null && item.provider_id !== null) {
      return expected.provider_id === item.provider_id
    }
    if (expected.loinc !== null && item.loinc !== null) return expected.loinc === item.loinc
    return expected.name.toLowerCase() === item.name.toLowerCase()
  })
}
