import type { MissingResult, ReportedResult } from '@salus/contracts/lab-gateway'
import { areTimed, codeOfResult, type NamedOfTest, sentSubId } from '../evaluation/timed-results.ts'
import type { Dated, Order } from './report-order.ts'
import type { TestKeys } from './test-keys.ts'

/** What one report says about one result. */
export interface Claim {
  /** Test, code and sub-id of the result, and its time among timed draws. */
  key: string
  testKey: string
  code: string
  /** Test, code and sub-id as sent of one of several timed draws; null for any other result. */
  timed: string | null
  /** Position among results with the same key in one report; null for all of them. */
  occurrence: number | null
  report: Dated
  /** Position in the report. */
  index: number
  order: Order
  result?: ReportedResult
  missing?: MissingResult
}

const RANKS = { preliminary: 0, final: 1, corrected: 2 }
const WITHDRAWN = 3

/**
 * Returns what reports say about each result: its value, its absence, or its withdrawal. A
 * withdrawal beside a new value of the same report is only the end of the old one.
 */
export function claimsOf(reports: readonly Dated[], tests: TestKeys): Claim[] {
  const timed = timedResults(reports, tests)
  const claims = reports.flatMap((report) => {
    const said = claimsOfReport(report, tests, timed)
    const values = new Set(said.flatMap(({ result, key }) => (result === undefined ? [] : key)))
    return said.filter(({ occurrence, key }) => occurrence !== null || !values.has(key))
  })
  return withOneTest(claims.flatMap((claim) => forAllDraws(claim, claims)))
}

function claimsOfReport(report: Dated, tests: TestKeys, timed: ReadonlySet<string>): Claim[] {
  const { results, missing_results: missing, withdrawn = [] } = report.message
  const seen = new Map<string, number>()
  const claim = (
    named: NamedOfTest,
    index: number,
    standing: { isFinal: boolean; rank: number },
  ): Claim & { drawn: { observed_at?: string } } => {
    const testKey = tests.keyIn(report, named.test)
    const sent = baseOf(named, testKey)
    const isTimed = timed.has(sent)
    const drawn = isTimed ? drawOf(report, named) : ''
    const key = isTimed ? `${sent} ${drawn}` : identityOf(named, testKey)
    const occurrence = seen.get(key) ?? 0
    seen.set(key, occurrence + 1)
    return {
      ...{ key, testKey, occurrence, report, index, code: codeOfResult(named) },
      timed: isTimed ? sent : null,
      order: { ...report.order, ...standing, time: tests.timeIn(report, named.test) },
      drawn: drawn === '' ? {} : { observed_at: drawn },
    }
  }
  const values = results.map((result, index) => {
    const { status = 'final' } = result
    const standing = { isFinal: status !== 'preliminary', rank: RANKS[status] }
    const { drawn, ...own } = claim(result, index, standing)
    return { ...own, result: { ...result, ...drawn } }
  })
  const absent = missing.map((each, index) => {
    const standing = { isFinal: true, rank: RANKS.final }
    const { drawn, ...own } = claim(each, results.length + index, standing)
    return { ...own, missing: { ...each, ...drawn } }
  })
  const gone = withdrawn.map((each) => {
    const { drawn: _, ...own } = claim(each, 0, { isFinal: true, rank: WITHDRAWN })
    const isOfAll = own.timed !== null && each.observed_at === undefined
    return { ...own, ...(isOfAll && { key: ALL_DRAWS }), occurrence: null }
  })
  return [...values, ...absent, ...gone]
}

const ALL_DRAWS = 'all draws'

/** A withdrawal without a time is one of each draw. */
function forAllDraws(claim: Claim, all: readonly Claim[]): Claim[] {
  if (claim.key !== ALL_DRAWS) return [claim]
  const keys = all.flatMap(({ timed, key }) =>
    timed === claim.timed && key !== ALL_DRAWS ? [key] : [],
  )
  return [...new Set(keys)].map((key) => ({ ...claim, key }))
}

/** Returns the results that some report has several times, each of another draw. */
function timedResults(reports: readonly Dated[], tests: TestKeys): Set<string> {
  const found = reports.flatMap((report) => {
    const { results, missing_results: missing } = report.message
    const named: NamedOfTest[] = [...results, ...missing]
    const groups = Map.groupBy(named, (each) => baseOf(each, tests.keyIn(report, each.test)))
    return [...groups].flatMap(([sent, same]) => {
      const drawn = same.map((each) => ({ ...each, observed_at: drawOf(report, each) }))
      return same.some(({ observed_at: at }) => at !== undefined) && areTimed(drawn) ? [sent] : []
    })
  })
  return new Set(found)
}

/** Returns the time of the draw: that of the result, else that of its test. */
function drawOf(
  { message: { tests = {} } }: Dated,
  { observed_at: own, test }: NamedOfTest,
): string {
  return own ?? (test === undefined ? undefined : tests[test]?.collected_at?.timestamp) ?? ''
}

const baseOf = (named: NamedOfTest, testKey: string): string =>
  JSON.stringify([testKey, codeOfResult(named), sentSubId(named)])

/** Returns the key of a result: its test, code and sub-id. */
export const identityOf = (named: NamedOfTest, testKey: string): string =>
  JSON.stringify([testKey, codeOfResult(named), named.sub_id ?? null])

/**
 * Moves claims without a test to the test in which other reports have the same result, when there
 * is only one such test.
 */
function withOneTest(claims: readonly Claim[]): Claim[] {
  const rest = ({ key }: Claim): string => JSON.stringify(JSON.parse(key).slice(1))
  const plain = claims.filter(({ timed }) => timed === null)
  const known = Map.groupBy(
    plain.filter(({ testKey }) => testKey !== ''),
    rest,
  )
  return claims.map((claim) => {
    const isLoose = claim.timed === null && claim.testKey === ''
    const others = isLoose ? (known.get(rest(claim)) ?? []) : []
    const [only, ...more] = new Set(others.map(({ testKey }) => testKey))
    if (only === undefined || more.length > 0) return claim
    return { ...claim, testKey: only, key: others[0]?.key ?? claim.key }
  })
}

/**
 * Returns shown results with those of timed draws in the order of their times, numbered by it:
 * their sub-ids distinguish them, also when a later report repeated only one of them.
 */
export function inDrawOrder(shown: readonly Claim[]): Claim[] {
  const ordered = [...shown]
  const draws = Map.groupBy(
    shown.flatMap((claim, position) => (claim.timed === null ? [] : { claim, position })),
    ({ claim }) => claim.timed,
  )
  for (const same of draws.values()) {
    const byTime = same.map(({ claim }) => claim).toSorted((a, b) => (a.key < b.key ? -1 : 1))
    for (const [index, claim] of byTime.entries()) {
      const { position } = same[index] as (typeof same)[number]
      ordered[position] = numbered(claim, index + 1)
    }
  }
  return ordered
}

function numbered(claim: Claim, number: number): Claim {
  const renumber = <Named extends NamedOfTest>({ sub_id: _, ...named }: Named): Named => {
    const sent = sentSubId({ sub_id: _ })
    const subId = number === 1 ? sent : `${sent ?? ''}#${number}`
    return { ...named, ...(subId !== null && { sub_id: subId }) } as Named
  }
  return {
    ...claim,
    ...(claim.result && { result: renumber(claim.result) }),
    ...(claim.missing && { missing: renumber(claim.missing) }),
  }
}
