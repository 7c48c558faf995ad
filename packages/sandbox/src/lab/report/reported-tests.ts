import type {
  MissingResult,
  ReportedResult,
  ReportedTest,
  Requisition,
  ResultMessage,
} from '@salus/contracts/lab-gateway'

type Named = Pick<MissingResult, 'name' | 'provider_id'>

const isSame = (one: Named, other: Named): boolean =>
  one.name === other.name && one.provider_id === other.provider_id

/**
 * Returns a report as laboratories send it: under the ordered tests, each with its number, status
 * and time. A partial report becomes a part with what `previous` does not have.
 */
export function reportByTest(
  report: ResultMessage,
  { tests: ordered, sampleId }: Requisition,
  previous: ResultMessage | undefined,
): ResultMessage {
  const keyOf = (named: Named): string | undefined => {
    const index = ordered.findIndex(({ expected_results: expected, name }) =>
      expected.length === 0 ? named.name === name : expected.some((each) => isSame(each, named)),
    )
    return index === -1 ? undefined : String(index + 1)
  }
  const under = <R extends Named & { test?: string }>({ test: _, ...rest }: R) => {
    const key = keyOf(rest)
    return { ...rest, ...(key !== undefined && { test: key }) } as R
  }
  const results = report.results.map((result) => ({
    ...under(result),
    status: isCorrected(result, report, previous) ? ('corrected' as const) : ('final' as const),
  }))
  const missing = report.missing_results.map(under)
  const tests = ordered.map((test, index): [string, ReportedTest] => {
    const key = String(index + 1)
    const own = results.filter((result) => result.test === key)
    const lacking = missing.filter((each) => each.test === key)
    return [
      key,
      {
        provider_id: test.provider_id,
        name: test.name,
        loinc: null,
        placer_number: null,
        filler_number: `${sampleId ?? report.sample_id}-${key}`,
        status: statusOf(report, test.expected_results, own, lacking),
        origin: 'ordered',
        parent: null,
        specimen: null,
        reported_at: newestTime(report, own),
      },
    ]
  })
  if (report.status !== 'partial') {
    return { ...report, results, missing_results: missing, tests: Object.fromEntries(tests) }
  }
  const known = previous?.results ?? []
  const isNew = (result: ReportedResult) =>
    !known.some((each) => isSame(each, result) && each.result === result.result)
  return {
    ...report,
    scope: 'part',
    results: results.filter(isNew),
    missing_results: missing,
    tests: Object.fromEntries(withOneOpen(tests)),
  }
}

function isCorrected(
  result: ReportedResult,
  { status }: ResultMessage,
  previous: ResultMessage | undefined,
): boolean {
  const before = previous?.results.find((each) => isSame(each, result))
  return status === 'corrected' && before !== undefined && before.result !== result.result
}

function statusOf(
  { status }: ResultMessage,
  expected: readonly Named[],
  own: readonly ReportedResult[],
  lacking: readonly Named[],
): ReportedTest['status'] {
  if (status === 'partial') {
    const isDone = expected.every((each) =>
      [...own, ...lacking].some((reported) => isSame(reported, each)),
    )
    if (own.length === 0 && lacking.length === 0) return 'pending'
    if (!isDone) return 'preliminary'
  }
  if (own.length === 0 && lacking.length > 0) return 'cancelled'
  return own.some((result) => result.status === 'corrected') ? 'corrected' : 'final'
}

/** Returns the time of the newest result of a test, with the offset of the report. */
function newestTime(
  { reported_at: reportedAt }: ResultMessage,
  own: readonly ReportedResult[],
): ReportedTest['reported_at'] {
  const times = own.flatMap(({ timestamp }) => timestamp ?? []).toSorted()
  const newest = times.at(-1)
  return newest === undefined || reportedAt === null
    ? reportedAt
    : { ...reportedAt, timestamp: newest }
}

/** Keeps the last test open where all have an end: a partial report announces more. */
function withOneOpen(tests: readonly [string, ReportedTest][]): [string, ReportedTest][] {
  const areAllDone = tests.every(([, { status }]) => status === 'final' || status === 'cancelled')
  return tests.map(([key, test], index) => {
    const isLast = index === tests.length - 1
    return [key, areAllDone && isLast ? { ...test, status: 'preliminary' as const } : test]
  })
}
