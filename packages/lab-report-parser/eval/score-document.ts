import type { LabReport, ParseOutcome, ReportResult } from '../src/report.ts'
import { acceptWording, alignRows, isRangeRight } from './align-rows.ts'
import { areValuesEqual, normalizeFlag, normalizeName, normalizeUnit } from './normalize.ts'
import { createScore, type Difference, type Score, type ScoredField } from './score.ts'
import { readInterpretation, say, scoreCertainty, scoreReview } from './score-certainty.ts'
import type { JudgedDocument, TruthHeader, TruthRow } from './truth.ts'

/** Scores one document; `differences` lists all readings that differ from the print. */
export function scoreDocument(
  document: JudgedDocument,
  outcome: ParseOutcome,
): { score: Score; differences: Difference[] } {
  const score = createScore()
  const differences: Difference[] = []
  const results = outcome.status === 'parsed' ? outcome.report.results : []
  if ((document.rows.length === 0) !== (outcome.status === 'failed')) {
    const printed = document.rows.length === 0 ? 'invalid_input' : 'parsed'
    const read = outcome.status === 'failed' ? `${outcome.reason}: ${outcome.detail}` : 'parsed'
    differences.push({ kind: 'outcome', name: '', printed, read })
  }
  const aligned = new Map<TruthRow, ReportResult>()
  const found = alignRows(document.rows, results)
  for (const printed of document.rows) {
    const result = found.get(printed)
    if (!result && printed.optional) continue
    const row = result ? acceptWording(printed, result) : printed
    if (result) aligned.set(row, result)
    scoreFields(row, result, score, differences)
    if (result) scoreLoinc(row, result, score, differences)
  }
  scoreCertainty(results, aligned, score, differences)
  if (outcome.status === 'parsed') {
    const isWhole = document.rows.every((row) => row.optional || found.has(row))
    scoreReview(outcome.report, isWhole, score)
  }
  const judged = new Set(aligned.values())
  for (const result of results) {
    if (judged.has(result)) continue
    score.fields['name+value'].read += 1
    if (result.unit) score.fields.unit.read += 1
    if (result.range) score.fields.range.read += 1
    if (result.flag) score.fields.flag.read += 1
    differences.push({
      kind: 'extra row',
      name: result.name.text,
      printed: null,
      read: say(result),
    })
  }
  if (outcome.status === 'parsed') scoreHeader(document.header, outcome.report, score, differences)
  return { score, differences }
}

function scoreFields(
  row: TruthRow,
  result: ReportResult | undefined,
  score: Score,
  differences: Difference[],
): void {
  const add = (
    kind: ScoredField,
    printed: string | null,
    read: string | null,
    isRight: boolean,
  ) => {
    const count = score.fields[kind]
    if (printed !== null) count.printed += 1
    if (read !== null) count.read += 1
    if (isRight && printed !== null && read !== null) count.right += 1
    if (!isRight && result) differences.push({ kind, name: row.name, printed, read })
  }
  const unit = normalizeUnit(result?.unit?.text ?? null)
  const printedUnit = normalizeUnit(row.unit)
  const ucumUnit = normalizeUnit(result?.ucumUnit ?? null)
  const isUnitRight = unit === printedUnit || (unit !== '' && ucumUnit === printedUnit)
  const flag = normalizeFlag(result?.flag?.text ?? '') || null
  const printedFlag = normalizeFlag(row.flag ?? '') || null
  const printed = `${row.name} = ${row.value}`
  const read = result ? `${result.name.text} = ${result.value.text}` : null
  const isNameRight = !!result && normalizeName(row.name) === normalizeName(result.name.text)
  const isValueRight = !!result && areValuesEqual(row.value, result.value.text)
  add('name+value', printed, read, isNameRight && isValueRight)
  const range = result?.range?.text ?? null
  const bounds = result ? `${range ?? ''} (${result.low}, ${result.high})` : null
  add(
    'unit',
    printedUnit === '' ? null : row.unit,
    unit === '' ? null : (result?.unit?.text ?? null),
    isUnitRight,
  )
  add(
    'range',
    row.reference_range,
    range === null ? null : bounds,
    !!result && isRangeRight(row, result),
  )
  add('flag', printedFlag, flag, flag === printedFlag)
  // Without a printed interval there is no expected interpretation to compare with.
  if (row.interpretation !== null) {
    const interpretation = result ? readInterpretation(result) : null
    add('interpretation', row.interpretation, interpretation, interpretation === row.interpretation)
  }
  if (!result) differences.push({ kind: 'missing row', name: row.name, printed: row.value, read })
}

function scoreLoinc(
  row: TruthRow,
  { loincMatches, loincMatchStatus }: ReportResult,
  score: Score,
  differences: Difference[],
): void {
  if (row.loinc === null) return
  const right = new Set([row.loinc, ...(row.loinc_also_accept ?? [])])
  const at = loincMatches.slice(0, 5).findIndex(({ code }) => right.has(code))
  const isAuto = loincMatchStatus === 'auto_match'
  score.loinc.judged += 1
  if (at === 0) score.loinc.inFirst += 1
  if (at >= 0) score.loinc.inFive += 1
  if (isAuto) score.loinc.autoMatched += 1
  if (isAuto && at === 0) score.loinc.autoRight += 1
  if (isAuto && at === 0) return
  const candidates = loincMatches.map(({ code, score }) => `${code} (${score.toFixed(2)})`)
  const read = `${loincMatchStatus} ${candidates.join(', ')}`
  differences.push({ kind: 'loinc', name: row.name, printed: row.loinc, read })
}

function scoreHeader(
  printed: TruthHeader,
  { header }: LabReport,
  score: Score,
  differences: Difference[],
): void {
  const read: Record<keyof TruthHeader, string | null> = {
    patient_first_name: header.patientFirstName?.text ?? null,
    patient_last_name: header.patientLastName?.text ?? null,
    dob: header.dateOfBirth?.text ?? null,
    gender: header.gender?.value ?? null,
    lab_name: header.labName?.text ?? null,
    date_reported: header.dateReported?.text ?? null,
    date_collected: header.dateCollected?.text ?? null,
    specimen_number: header.specimenNumber?.text ?? null,
  }
  for (const key of Object.keys(printed) as (keyof TruthHeader)[]) {
    const wanted = printed[key] ?? null
    if (wanted !== null) score.header.printed += 1
    const isRight = normalizeName(wanted ?? '') === normalizeName(read[key] ?? '')
    if (isRight && wanted !== null) score.header.right += 1
    if (!isRight) differences.push({ kind: 'header', name: key, printed: wanted, read: read[key] })
  }
}
