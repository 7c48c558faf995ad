import type {
  ReportedResult,
  ReportedTest,
  Requisition,
  RequisitionTest,
  ResultMessage,
} from '@salus/contracts/lab-gateway'
import { makeReport } from '../../lab/believable-report.ts'

/** What tests beside the ordered ones are made from. */
export interface ExtraContext {
  report: ResultMessage
  requisition: Requisition
  collectedAt: Date
  reportedAt: Date
  labName: string
}

type Parent = NonNullable<ReportedTest['parent']>

const result = (name: string, loinc: string, unit: string | null) => ({
  name,
  provider_id: null,
  loinc,
  unit,
  required: true,
})

/** Tests that laboratories run after a result, by the LOINC code of the result. */
const REFLEXES: Readonly<Record<string, RequisitionTest>> = {
  '3016-3': {
    marker_id: 0,
    provider_id: 'RFX-FT4',
    name: 'Free T4',
    expected_results: [result('Free T4', '3024-7', 'ng/dL')],
  },
  '5196-1': {
    marker_id: 0,
    provider_id: 'RFX-HBSC',
    name: 'Hepatitis B surface antigen confirmation',
    expected_results: [result('HBsAg confirmation', '65633-0', null)],
  },
}

/** Adds a test that the first flagged result leads to: a known one, or the same once more. */
export function withReflex(context: ExtraContext): ResultMessage {
  const { report, requisition } = context
  const flagged = report.results.find(({ flag }) => flag !== null && flag !== 'N')
  const cause = flagged ?? report.results[0]
  if (cause === undefined) return report
  const test = REFLEXES[cause.loinc ?? ''] ?? repetitionOf(cause)
  const made = makeReport({
    requisition: { ...requisition, orderId: `${requisition.orderId}|reflex`, tests: [test] },
    status: 'final',
    interpretation: flagged === undefined ? 'normal' : 'abnormal',
    resultTypes: null,
    hasMissingResults: false,
    collectedAt: context.collectedAt,
    reportedAt: context.reportedAt,
    labName: context.labName,
  })
  const parent = parentOf(report, cause)
  const reflex = extraTest(context, { ...test, key: 'R', origin: 'reflex', parent })
  return added(report, { R: reflex }, withTest(made.results, 'R'))
}

function repetitionOf({ name, loinc, unit }: ReportedResult): RequisitionTest {
  const expected = { name: `${name}, repeated`, provider_id: null, loinc, unit, required: true }
  return {
    marker_id: 0,
    provider_id: 'RFX-RPT',
    name: `${name}, repeated`,
    expected_results: [expected],
  }
}

/** Isolates of a culture, with the drugs that were tried: value in ug/mL and S, I or R. */
const ISOLATES = [
  {
    subId: '1',
    organism: 'Escherichia coli',
    drugs: [
      ['Ampicillin', '18864-9', '>=32', 'R'],
      ['Ciprofloxacin', '18906-8', '<=0.25', 'S'],
      ['Nitrofurantoin', '18955-5', '<=16', 'S'],
    ],
  },
  {
    subId: '2',
    organism: 'Klebsiella oxytoca',
    drugs: [
      ['Ampicillin', '18864-9', '16', 'I'],
      ['Ciprofloxacin', '18906-8', '1', 'R'],
    ],
  },
] as const

/** LOINC: Bacteria identified in Urine by Culture. */
const CULTURE_LOINC = '630-4'

/**
 * Adds a culture of two isolates with their susceptibilities. An ordered culture gets the isolates
 * as its results; otherwise the laboratory adds one.
 */
export function withMicrobiology(context: ExtraContext): ResultMessage {
  const { report } = context
  const tests = report.tests ?? {}
  const ordered = Object.entries(tests).find(([, { name }]) => /culture/i.test(name))
  const key = ordered?.[0] ?? 'C'
  const test =
    ordered?.[1] ??
    extraTest(context, {
      key,
      provider_id: 'MICRO',
      name: 'Urine culture',
      origin: 'added',
      parent: null,
    })
  const named = report.results.find((each) => each.test === key)
  const shared = { name: 'Bacteria identified', provider_id: null, loinc: CULTURE_LOINC }
  const code = named === undefined ? shared : { ...shared, ...pickCode(named) }
  const organisms = ISOLATES.map(({ subId, organism }) =>
    wordsOf(report, { ...code, test: key, sub_id: subId, result: organism, flag: 'A' }),
  )
  const others = report.results.filter((each) => each.test !== key)
  const panels = ISOLATES.map(({ subId, organism, drugs }): [string, Panel] => {
    const own = `S${subId}`
    const parent = {
      filler_number: test.filler_number,
      ...{ provider_id: code.provider_id, loinc: code.loinc, sub_id: subId, value: organism },
    }
    const panel = extraTest(context, {
      key: own,
      provider_id: `MICRO-S${subId}`,
      name: `Susceptibility of isolate ${subId}`,
      origin: 'reflex',
      parent,
    })
    const results = drugs.map(([name, loinc, value, flag]) =>
      wordsOf(report, {
        ...{ test: own, sub_id: subId, name, provider_id: null, loinc, result: value, flag },
        unit: 'ug/mL',
      }),
    )
    return [own, { panel, results }]
  })
  return added(
    { ...report, results: [...others, ...organisms], tests: { ...tests, [key]: test } },
    Object.fromEntries(panels.map(([own, { panel }]) => [own, panel])),
    panels.flatMap(([, { results }]) => results),
  )
}

interface Panel {
  panel: ReportedTest
  results: ReportedResult[]
}

const pickCode = ({ name, provider_id, loinc }: ReportedResult) => ({ name, provider_id, loinc })

/** A result in words: neither a number nor a range, and without an interval. */
function wordsOf(
  { results: [first], reported_at: reportedAt }: ResultMessage,
  of: Pick<ReportedResult, 'name' | 'provider_id' | 'loinc' | 'result' | 'flag'> &
    Partial<ReportedResult>,
): ReportedResult {
  return {
    status: 'final',
    type: /^[<>]/.test(of.result) ? 'range' : /^\d/.test(of.result) ? 'numeric' : 'comment',
    unit: null,
    reference_range: null,
    min_range_value: null,
    max_range_value: null,
    notes: null,
    timestamp: reportedAt?.timestamp ?? null,
    performing_laboratory: first?.performing_laboratory ?? null,
    ...of,
  }
}

function extraTest(
  { report }: ExtraContext,
  of: Pick<ReportedTest, 'provider_id' | 'name' | 'origin' | 'parent'> & { key: string },
): ReportedTest {
  const { provider_id, name, origin, parent, key } = of
  return {
    ...{ provider_id, name, origin, parent },
    loinc: null,
    placer_number: null,
    filler_number: `${report.specimen_number}-${key}`,
    status: 'final',
    specimen: null,
    reported_at: report.reported_at,
  }
}

function parentOf({ tests }: ResultMessage, cause: ReportedResult): Parent {
  const test = tests?.[cause.test ?? '']
  return {
    filler_number: test?.filler_number ?? null,
    provider_id: cause.provider_id,
    loinc: cause.loinc,
    sub_id: null,
    value: cause.result,
  }
}

const withTest = (results: readonly ReportedResult[], test: string): ReportedResult[] =>
  results.map((each) => ({ ...each, test, status: 'final' as const }))

const added = (
  report: ResultMessage,
  tests: Record<string, ReportedTest>,
  results: readonly ReportedResult[],
): ResultMessage => ({
  ...report,
  tests: { ...report.tests, ...tests },
  results: [...report.results, ...results],
})
