import type { ReportedResult, ReportedTest } from '@salus/contracts/lab-gateway'
import type { ReceivedContent } from '../results.tables.ts'
import { type Claim, claimsOf, identityOf, inDrawOrder } from './claims.ts'
import { mergeDocuments } from './merge-documents.ts'
import { byOrder, type Dated, dateReports, newestOf } from './report-order.ts'
import { knownTests, type TestKeys } from './test-keys.ts'

/** A report as it was received, and when. */
export interface ReceivedReport {
  message: ReceivedContent
  at: Date
}

/**
 * Merges the reports of an order into the one that is shown, the same for any order of arrival
 * (docs/decisions/0099-results-that-come-in-pieces.md). A whole report replaces what was reported
 * before it by the laboratory's time; a part replaces single results. A preliminary value never
 * replaces a final one.
 * @param received in the order of arrival; at least one
 * @returns the merged report, whose status is that of the newest one, and the newest one itself
 */
export function mergeReports(received: readonly ReceivedReport[]): {
  merged: ReceivedContent
  newest: ReceivedContent
} {
  const reports = withoutOutdated(dateReports(received))
  const newest = newestOf(reports)
  if (reports.every(isPlain)) return { merged: newest.message, newest: newest.message }
  const tests = knownTests(reports)
  const claims = claimsOf(reports, tests)
  const winners = winnersOf(reports.filter(isWhole), claims, tests)
    .filter((claim) => !isSuperseded(claim, claims, tests))
    .map((claim) => confirm(claim, reports, tests))
  const shown = inDrawOrder(winners.toSorted((a, b) => comparePosition(a, b, tests)))
  const contributing = contributors(reports, shown)
  const results = shown.flatMap(({ result, testKey }) =>
    result === undefined ? [] : [{ ...result, ...ofTest(testKey) }],
  )
  const documents = mergeDocuments(reports, tests)
  const merged = {
    ...combineHeads(contributing),
    status: newest.message.status,
    results,
    missing_results: shown.flatMap(({ missing, testKey }) =>
      missing === undefined ? [] : [{ ...missing, ...ofTest(testKey) }],
    ),
    ...(tests.all.size > 0 && { tests: shownTests(tests, results) }),
    ...(documents.length > 0 && { documents }),
  }
  return { merged, newest: newest.message }
}

const ofTest = (testKey: string) => (testKey === '' ? {} : { test: testKey })

export const isWhole = ({ message }: Pick<Dated, 'message'>): boolean => message.scope !== 'part'

/** Whether a report is whole and says nothing about single tests or earlier results. */
function isPlain({ message }: Dated): boolean {
  const { tests, withdrawn = [], confirmed = [] } = message
  return isWhole({ message }) && !tests && withdrawn.length === 0 && confirmed.length === 0
}

/** Leaves out partial reports of a laboratory that sends whole ones, once there is a final one. */
function withoutOutdated(reports: readonly Dated[]): Dated[] {
  const isFinal = reports.some((each) => isPlain(each) && each.message.status !== 'partial')
  return reports.filter((each) => !isFinal || !isPlain(each) || each.message.status !== 'partial')
}

/** Returns the claim that counts for each result, without withdrawn and replaced ones. */
function winnersOf(wholes: readonly Dated[], claims: readonly Claim[], tests: TestKeys): Claim[] {
  const winners: Claim[] = []
  for (const same of Map.groupBy(claims, ({ key }) => key).values()) {
    const occurrences = new Set(same.flatMap(({ occurrence }) => occurrence ?? []))
    for (const each of occurrences) {
      const rivals = same.filter(({ occurrence }) => occurrence === each || occurrence === null)
      const best = rivals.toSorted((a, b) => byOrder(b.order, a.order))[0]
      if (best === undefined || best.occurrence === null) continue
      const isReplaced = wholes.some(
        (whole) =>
          !rivals.some(({ report }) => report === whole) &&
          byOrder(
            { ...whole.order, isFinal: true, rank: 0, time: tests.timeOf(whole, best.testKey) },
            { ...best.order, isFinal: true, rank: 0 },
          ) > 0,
      )
      if (!isReplaced) winners.push(best)
    }
  }
  return winners
}

/**
 * Whether a preliminary value gave way to others of its code: a culture that is final names its
 * isolates by other sub-ids than the preliminary one did.
 */
function isSuperseded(
  { result, code, key, testKey, report, order }: Claim,
  claims: readonly Claim[],
  tests: TestKeys,
): boolean {
  if (result?.status !== 'preliminary') return false
  return claims.some(
    (other) =>
      other.report !== report &&
      other.result !== undefined &&
      other.testKey === testKey &&
      other.code === code &&
      other.key !== key &&
      other.order.time >= order.time &&
      tests.ends(other.report, testKey),
  )
}

/**
 * Makes a preliminary value final when a report of the same time or later confirms it, or ends its
 * test without repeating any result.
 */
function confirm(claim: Claim, reports: readonly Dated[], tests: TestKeys): Claim {
  const { result, key, testKey, order } = claim
  if (result?.status !== 'preliminary') return claim
  const isConfirmed = reports.some((report) => {
    const { confirmed = [] } = report.message
    const isNamed = confirmed.some((named) => {
      const ofNamed = tests.keyIn(report, named.test)
      const isSame = identityOf(named, ofNamed === '' ? testKey : ofNamed) === key
      return isSame && tests.timeIn(report, named.test) >= order.time
    })
    return (
      isNamed || (tests.endsBarely(report, testKey) && tests.timeOf(report, testKey) >= order.time)
    )
  })
  return isConfirmed ? { ...claim, result: { ...result, status: 'final' } } : claim
}

/** Orders shown results by their tests, and in each by their report and position. */
function comparePosition(a: Claim, b: Claim, tests: TestKeys): number {
  return (
    tests.positionOf(a.testKey) - tests.positionOf(b.testKey) ||
    a.report.order.time - b.report.order.time ||
    a.index - b.index ||
    (a.key < b.key ? -1 : Number(a.key > b.key))
  )
}

/** Returns the reports with shown results and the newest one, oldest first. */
function contributors(reports: readonly Dated[], shown: readonly Claim[]): Dated[] {
  const sources = new Set([newestOf(reports), ...shown.map(({ report }) => report)])
  return reports.filter((each) => sources.has(each)).toSorted((a, b) => byOrder(a.order, b.order))
}

/** Returns what belongs to no single test or result. */
function headOf(message: ReceivedContent) {
  const {
    withdrawn: _,
    confirmed: __,
    scope: ___,
    tests: ____,
    documents: _____,
    ...head
  } = message
  return head
}

/** Combines patient, times and notes: the newest data, else those of older reports. */
function combineHeads(oldestFirst: readonly Dated[]): ReceivedContent {
  const messages = oldestFirst.map(({ message }) => message)
  const [first] = messages
  if (first === undefined) throw new Error('There is no report to merge.')
  const head = headOf(first)
  for (const message of messages) {
    const next = headOf(message)
    const given = Object.entries(next).filter(([, value]) => value !== null)
    Object.assign(head, Object.fromEntries(given))
  }
  const notes = new Set(messages.flatMap(({ notes: text }) => text ?? []))
  return {
    ...head,
    notes: notes.size === 0 ? null : [...notes].join('\n'),
    fasting: messages.some(({ fasting }) => fasting),
    ordered_provider_ids: [...new Set(messages.flatMap((each) => each.ordered_provider_ids))],
    performing_laboratories: Object.assign({}, ...messages.map((m) => m.performing_laboratories)),
  }
}

/** Returns the tests, each no more complete than its shown results. */
function shownTests(
  tests: TestKeys,
  results: readonly ReportedResult[],
): Record<string, ReportedTest> {
  const open = new Set(
    results.flatMap(({ test, status }) => (status === 'preliminary' ? (test ?? []) : [])),
  )
  return Object.fromEntries(
    [...tests.all]
      .toSorted(([a], [b]) => tests.positionOf(a) - tests.positionOf(b))
      .map(([key, test]) => {
        const isOpen = open.has(key) && (test.status === 'final' || test.status === 'corrected')
        return [key, isOpen ? { ...test, status: 'preliminary' as const } : test]
      }),
  )
}
