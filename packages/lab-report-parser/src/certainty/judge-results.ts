import type { PageText } from '../pages/page.ts'
import type { Doubt, ReportResult } from '../report.ts'
import { checkReading, printsFlags } from './check-reading.ts'
import { explainPositions } from './explain-positions.ts'

/** The most that a field of a doubtful reading is called sure. */
const MOST_CONFIDENCE = 0.5

/**
 * Says of each result whether it can be relied on without a look at the page. It can where the layout explains its place
 * (`explain-positions.ts`) and nothing in it contradicts the rest (`check-reading.ts`). Of others the code is not matched
 * by itself, and what was computed is not called normal (docs/decisions/0047-what-makes-a-reading-sure.md).
 */
export function judgeResults(
  results: readonly Omit<ReportResult, 'doubts'>[],
  pages: readonly PageText[],
): ReportResult[] {
  const positions = explainPositions(results, pages)
  const hasFlags = printsFlags(results)
  const judged = results.map((result, at) => {
    const page = pages.find(({ number }) => number === result.value.page)
    const read = checkReading(result, { page, printsFlags: hasFlags })
    const doubts = [...(positions[at] ?? []), ...read]
    if (isGivenTwice(result, results)) doubts.push('repeated')
    return doubts.length === 0 ? { ...result, doubts } : doubt(result, doubts)
  })
  return judged.filter((result) => !isNothing(result) && !isSummary(result, judged))
}

/** Words about words, such as the name and the address of a laboratory. */
function isNothing({ doubts, unit, number }: ReportResult): boolean {
  return doubts.includes('name') && doubts.includes('value') && unit === null && number === null
}

/** Whether a result of a table is only said once more, as above it in a box of what is critical. */
function isSummary(result: ReportResult, results: readonly ReportResult[]): boolean {
  if (result.range !== null) return false
  const say = ({ name, value, unit }: ReportResult) =>
    `${name.text}|${value.text}|${unit?.text}`.toLowerCase()
  return results.some(
    (other) => other !== result && other.range !== null && say(other) === say(result),
  )
}

/** Whether the report gives another value for the same thing under the same heading. */
function isGivenTwice(
  result: Omit<ReportResult, 'doubts'>,
  results: readonly Omit<ReportResult, 'doubts'>[],
): boolean {
  const say = ({ name, panel, unit }: typeof result) =>
    `${name.text}|${panel?.text}|${panel?.box.y}|${unit?.text}`.toLowerCase()
  return results.some(
    (other) =>
      other !== result && say(other) === say(result) && other.value.text !== result.value.text,
  )
}

function doubt(result: Omit<ReportResult, 'doubts'>, doubts: Doubt[]): ReportResult {
  const { value, loincMatchStatus, interpretation } = result
  return {
    ...result,
    value: { ...value, confidence: Math.min(value.confidence, MOST_CONFIDENCE) },
    loincMatchStatus: loincMatchStatus === 'auto_match' ? 'needs_review' : loincMatchStatus,
    interpretation: interpretation === 'normal' ? 'unknown' : interpretation,
    doubts,
  }
}
