import type { ReportedTest } from '@salus/contracts/lab-gateway'
import { slugOf } from '../evaluation/expected-results.ts'
import { byOrder, type Dated, type Order } from './report-order.ts'

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
  /** Whether a report says that a test has all its results. */
  ends(report: Dated, key: string): boolean
  /** Whether a report ends a test without any result of it. */
  endsBarely(report: Dated, key: string): boolean
  positionOf(key: string): number
}

/** A test of a report. */
interface Given {
  report: Dated
  ownKey: string
  test: ReportedTest
  index: number
  order: Order
}

const ENDS = new Set<ReportedTest['status']>(['final', 'corrected', 'cancelled'])
const STATUS_RANKS = { pending: 0, preliminary: 1, final: 2, corrected: 3, cancelled: 4 }

/** Whether a test will change no more by itself. */
export const hasEnd = ({ status }: ReportedTest): boolean => ENDS.has(status)

/**
 * Collects the tests of reports. Laboratories may use one filler number for all tests of a
 * specimen, and one code for the panels of two isolates, so the key is made of filler number, code
 * and parent; and of the draw where a report repeats all of them. A report without the filler
 * number means the only test with the code.
 */
export function knownTests(reports: readonly Dated[]): TestKeys {
  const given = reports.flatMap((report) =>
    Object.entries(report.message.tests ?? {}).map(
      ([ownKey, test], index): Given => ({
        report,
        ownKey,
        test,
        index,
        order: orderOf(report, test),
      }),
    ),
  )
  const keyOf = keysOf(given)
  const groups = Map.groupBy(given, (each) => keyOf.get(each) ?? '')
  const all = new Map(
    [...groups].map(([key, same]) => {
      const [newest] = same.toSorted((a, b) => byOrder(b.order, a.order))
      return [key, newest?.test] as [string, ReportedTest]
    }),
  )
  const positions = positionsOf(groups)
  const entries = new Map(
    [...Map.groupBy(given, ({ report }) => report)].map(([report, own]) => [
      report,
      new Map(own.map((each) => [each.ownKey, each])),
    ]),
  )
  const testIn = (report: Dated, ownKey: string | undefined) =>
    ownKey === undefined ? undefined : report.message.tests?.[ownKey]
  const entryOf = (report: Dated, key: string) =>
    groups.get(key)?.find((each) => each.report === report)
  return {
    all,
    keyIn(report, ownKey) {
      const entry = ownKey === undefined ? undefined : entries.get(report)?.get(ownKey)
      return (entry && keyOf.get(entry)) ?? ''
    },
    timeIn: (report, ownKey) => timeOf(report, testIn(report, ownKey)),
    timeOf: (report, key) => timeOf(report, entryOf(report, key)?.test),
    ends: (report, key) => isEnded(entryOf(report, key)),
    endsBarely(report, key) {
      const entry = entryOf(report, key)
      if (entry === undefined || !isEnded(entry)) return false
      const { results, missing_results: missing } = report.message
      return ![...results, ...missing].some(({ test }) => test === entry.ownKey)
    },
    positionOf: (key) => positions.get(key) ?? -1,
  }
}

/** Returns the key of each test: its number, its code, and what else distinguishes it. */
function keysOf(given: readonly Given[]): ReadonlyMap<Given, string> {
  const fillers = Map.groupBy(
    given.filter(({ test }) => test.filler_number !== null),
    ({ test }) => codeOf(test),
  )
  const baseOf = ({ test }: Given): string => {
    const code = codeOf(test)
    if (test.filler_number !== null) return `${test.filler_number} ${code}`
    const numbers = new Set((fillers.get(code) ?? []).map((each) => each.test.filler_number))
    const [only = ''] = numbers
    return numbers.size === 1 ? `${only} ${code}` : ` ${code}`
  }
  const bases = Map.groupBy(given, baseOf)
  return new Map(
    [...bases].flatMap(([base, same]) =>
      same.map((each) => [each, base + distinctionOf(each, same)]),
    ),
  )
}

const isEnded = (entry: Given | undefined): boolean =>
  entry?.test.status === 'final' || entry?.test.status === 'corrected'

/** What distinguishes tests of one number and code in one report, such as timed draws. */
const DISTINCTIONS: readonly ((test: ReportedTest) => string)[] = [
  ({ collected_at: at }) => at?.timestamp ?? '',
  ({ specimen }) => specimen?.number ?? '',
  ({ specimen }) => specimen?.type ?? '',
  ({ placer_number: number }) => number ?? '',
]

/**
 * Returns what a key has beside number and code where a report repeats both: what differs between
 * the repetitions. Without a difference they are one test, as where a laboratory goes on after a
 * page.
 */
function distinctionOf(entry: Given, same: readonly Given[]): string {
  const repeated = [...Map.groupBy(same, ({ report }) => report).values()].filter(
    (each) => each.length > 1,
  )
  if (repeated.length === 0) return ''
  const differing = DISTINCTIONS.filter((read) =>
    repeated.some((each) => new Set(each.map(({ test }) => read(test))).size > 1),
  )
  if (differing.length === 0) return ''
  return ` ${JSON.stringify(differing.map((read) => read(entry.test)))}`
}

/** Positions of tests by the time and position at which they first were in a report. */
function positionsOf(
  groups: ReadonlyMap<string, readonly { index: number; order: Order }[]>,
): ReadonlyMap<string, number> {
  const first = [...groups].map(([key, same]) => {
    const time = Math.min(...same.map(({ order }) => order.time))
    const atThatTime = same.filter(({ order }) => order.time === time)
    return { key, time, index: Math.min(...atThatTime.map(({ index }) => index)) }
  })
  first.sort((a, b) => a.time - b.time || a.index - b.index || (a.key < b.key ? -1 : 1))
  return new Map(first.map(({ key }, position) => [key, position]))
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
