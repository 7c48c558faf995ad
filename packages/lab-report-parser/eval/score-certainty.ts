import type { LabReport, ReportResult } from '../src/report.ts'
import { isRangeRight } from './align-rows.ts'
import { areValuesEqual, compareNames, normalizeUnit } from './normalize.ts'
import type { Difference, Score } from './score.ts'
import type { TruthRow } from './truth.ts'

/** Names with a smaller similarity are those of different rows. */
const LEAST_NAME_LIKENESS = 0.5

/** Counts sure results, and the wrong ones among them. */
export function scoreCertainty(
  results: readonly ReportResult[],
  aligned: ReadonlyMap<TruthRow, ReportResult>,
  { certainty }: Score,
  differences: Difference[],
): void {
  const rowOf = new Map([...aligned].map(([row, result]) => [result, row]))
  for (const result of results) {
    const row = rowOf.get(result)
    const isSure = result.doubts.length === 0
    const isValueRight =
      row !== undefined &&
      areValuesEqual(row.value, result.value.text) &&
      compareNames(row.name, result.name.text) >= LEAST_NAME_LIKENESS
    const isMeaningRight = row !== undefined && listWrongMeanings(row, result).length === 0
    certainty.read += 1
    if (isSure) certainty.sure += 1
    if (isSure && !isValueRight) certainty.sureWrongValue += 1
    if (isSure && isValueRight && !isMeaningRight) certainty.sureWrongMeaning += 1
    if (!isSure && isValueRight && isMeaningRight) certainty.doubtfulRight += 1
    const isRight = isValueRight && isMeaningRight
    if (isSure !== isRight) {
      const wrong = isValueRight && row ? listWrongMeanings(row, result).join(', ') : 'value'
      differences.push({
        kind: isSure ? 'sure and wrong' : 'doubtful and right',
        name: result.name.text,
        printed: row ? `${row.value} ${row.unit ?? ''} [${row.reference_range ?? ''}]` : null,
        read: `${say(result)} · ${isSure ? wrong : result.doubts.join(', ')}`,
      })
    }
  }
}

/** Counts whether a document waits for a reviewer, and whether it does so in vain. */
export function scoreReview(report: LabReport, isWhole: boolean, { certainty }: Score): void {
  const { read, sure, doubtfulRight } = certainty
  if (read === sure && (report.unread ?? []).length === 0) return
  certainty.reviewed += 1
  if (isWhole && read - sure === doubtfulRight) certainty.reviewedForNothing += 1
}

/** Lists the wrong fields of a result with the correct value; an empty field is not wrong. */
function listWrongMeanings(row: TruthRow, result: ReportResult): string[] {
  const wrong: string[] = []
  const units = [result.unit?.text ?? null, result.ucumUnit].map((unit) => normalizeUnit(unit))
  if (result.unit && !units.includes(normalizeUnit(row.unit))) wrong.push('unit')
  const hasBounds = result.low !== null || result.high !== null
  if (hasBounds && !isRangeRight(row, result)) wrong.push('bounds')
  const read = readInterpretation(result)
  if (row.interpretation !== null && read !== null && read !== row.interpretation)
    wrong.push('interpretation')
  const codes = [row.loinc, ...(row.loinc_also_accept ?? [])]
  const isMatched = row.loinc !== null && result.loincMatchStatus === 'auto_match'
  if (isMatched && !codes.includes(result.loincMatches[0]?.code ?? null)) wrong.push('code')
  return wrong
}

/** Returns the position of the value according to the parser; null if it reports none. */
export function readInterpretation(result: ReportResult): TruthRow['interpretation'] {
  if (result.isAboveHigh) return 'high'
  if (result.isBelowLow) return 'low'
  return result.interpretation === 'normal' ? 'normal' : null
}

/** Formats the value with its unit and interval, as read. */
export const say = ({ value, unit, range }: ReportResult): string =>
  [value.text, unit?.text ?? '', range ? `[${range.text}]` : ''].join(' ').trim()
