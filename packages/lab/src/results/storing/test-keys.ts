import type { ReportedTest } from '@salus/contracts/lab-gateway'
import { slugOf } from '../evaluation/expected-results.ts'
import { byOrder, type Dated } from './report-order.ts'

/** The tests of several reports, each under one key. */
export interface TestKeys {
  /** The newest state of each test; a test that ended stays so. */
  all: ReadonlyMap<string, ReportedTest>
  /** Returns the key of a test that a report has under its own key; empty without one. */
  keyIn(report: Dated, ownKey: string | undefined): string
  /** Returns the laboratory's time of a test of a report, in milliseconds. */
  timeIn(report: Dated, ownKey: string | undefined): number
  /** As `timeIn`, by the key of the test; the time of a report that does not have the test. */
  timeOf(report: Dated, key: string): number
  /** Whether a report ends a test without any result of it. */
  endsBarely(report: Dated, key: string): boolean
  positionOf(key: string): number
}

const ENDS = new Set<ReportedTest['status']>(['final', 'corrected', 'cancelled'])
const STATUS_RANKS = { pending: 0, preliminary: 1, final: 2, corrected: 3, cancelled: 4 }

/** Whether a test will change no more by itself. */
export const hasEnd = ({ status }: ReportedTest): boolean => ENDS.has(status)

/**
 * Collects the tests of reports. Laboratories may use one filler number for all tests of a
 * specimen, and one code for the panels of two isolates, so the key is made of filler number, code
 * and parent. A report without the filler number means the only test with the code.
 */
export function knownTests(reports: readonly Dated[]): TestKeys {
  const given = reports.flatMap((report) =>
    Object.entries(report.message.tests ?? {}).map(([ownKey, test], index) => ({
      report,
      ownKey,
      test,
      index,
      order: orderOf(report, test),
    })),
  )
  const fillers = Map.groupBy(
    given.filter(({ test }) => test.filler_number !== null),
    ({ test }) => codeOf(test),
  )
  const keyOf = (test: ReportedTest): string => {
    const code = codeOf(test)
    if (test.filler_number !== null) return `${test.filler_number} ${code}`
    const numbers = new Set((fillers.get(code) ?? []).map((each) => each.test.filler_number))
    const [only = ''] = numbers
    return numbers.size === 1 ? `${only} ${code}` : ` ${code}`
  }
  const groups = Map.groupBy(given, ({ test }) => keyOf(test))
  const all = new Map(
    [...groups].map(([key, same]) => {
      const [newest] = same.toSorted((a, b) => byOrder(b.order, a.order))
      return [key, newest?.test] as [string, ReportedTest]
    }),
  )
  const firsts = new Map(
    [...groups].map(([key, same]) => [key, Math.min(...same.map(({ order }) => order.time))]),
  )
  const indexes = new Map(
    [...groups].map(([key, same]) => [key, Math.min(...same.map(({ index }) => index))]),
  )
  const order = [...all.keys()].toSorted(
    (a, b) =>
      (firsts.get(a) ?? 0) - (firsts.get(b) ?? 0) ||
      (indexes.get(a) ?? 0) - (indexes.get(b) ?? 0) ||
      (a < b ? -1 : 1),
  )
  const positions = new Map(order.map((key, index) => [key, index]))
  const testIn = (report: Dated, ownKey: string | undefined) =>
    ownKey === undefined ? undefined : report.message.tests?.[ownKey]
  const entryOf = (report: Dated, key: string) =>
    groups.get(key)?.find((each) => each.report === report)
  return {
    all,
    keyIn(report, ownKey) {
      const test = testIn(report, ownKey)
      return test === undefined ? '' : keyOf(test)
    },
    timeIn: (report, ownKey) => timeOf(report, testIn(report, ownKey)),
    timeOf: (report, key) => timeOf(report, entryOf(report, key)?.test),
    endsBarely(report, key) {
      const entry = entryOf(report, key)
      if (entry === undefined || !['final', 'corrected'].includes(entry.test.status)) return false
      const { results, missing_results: missing } = report.message
      return ![...results, ...missing].some(({ test }) => test === entry.ownKey)
    },
    positionOf: (key) => positions.get(key) ?? -1,
  }
}

function codeOf({ provider_id: code, loinc, name, parent }: ReportedTest): string {
  return JSON.stringify([code ?? loinc ?? slugOf(name), parent?.sub_id ?? null])
}

function timeOf({ order }: Dated, test: ReportedTest | undefined): number {
  return test?.reported_at ? Date.parse(test.reported_at.timestamp) : order.time
}

function orderOf(report: Dated, test: ReportedTest) {
  const rank = STATUS_RANKS[test.status]
  return { ...report.order, isFinal: hasEnd(test), rank, time: timeOf(report, test) }
}
