import type { LabReport, ParseOutcome, ReportResult } from '../src/report.ts'
import {
  areValuesEqual,
  compareNames,
  normalizeFlag,
  normalizeName,
  normalizeUnit,
  readIntervals,
} from './normalize.ts'
import type { JudgedDocument, TruthHeader, TruthRow } from './truth.ts'

/** How often something is printed, was read, and was read right. */
export interface Count {
  printed: number
  read: number
  right: number
}

export const FIELDS = ['name+value', 'unit', 'range', 'flag', 'interpretation'] as const
export type ScoredField = (typeof FIELDS)[number]

/** What one document, or all together, scored. */
export interface Score {
  fields: Record<ScoredField, Count>
  loinc: {
    /** Rows whose code is certain, that were found. */
    judged: number
    autoMatched: number
    autoRight: number
    inFirst: number
    inFive: number
  }
  header: { printed: number; right: number }
  /** Of results that the parser calls sure, and of those that it does not. */
  certainty: Certainty
}

export interface Certainty {
  read: number
  sure: number
  /** Sure, and a value that is not printed, or that of another row. */
  sureWrongValue: number
  /** Sure, with the right value and a wrong unit, wrong bounds, a wrong interpretation or a wrong code. */
  sureWrongMeaning: number
  /** Not sure, and all right: a look at the page for nothing. */
  doubtfulRight: number
}

/** One thing that was read otherwise than it is printed. */
export interface Difference {
  kind:
    | ScoredField
    | 'missing row'
    | 'extra row'
    | 'loinc'
    | 'header'
    | 'outcome'
    | 'sure and wrong'
    | 'doubtful and right'
  name: string
  printed: string | null
  read: string | null
}

export function createScore(): Score {
  const count = (): Count => ({ printed: 0, read: 0, right: 0 })
  return {
    fields: {
      'name+value': count(),
      unit: count(),
      range: count(),
      flag: count(),
      interpretation: count(),
    },
    loinc: { judged: 0, autoMatched: 0, autoRight: 0, inFirst: 0, inFive: 0 },
    header: { printed: 0, right: 0 },
    certainty: { read: 0, sure: 0, sureWrongValue: 0, sureWrongMeaning: 0, doubtfulRight: 0 },
  }
}

export function addScore(total: Score, score: Score): void {
  for (const field of FIELDS) {
    for (const key of ['printed', 'read', 'right'] as const) {
      total.fields[field][key] += score.fields[field][key]
    }
  }
  for (const key of ['judged', 'autoMatched', 'autoRight', 'inFirst', 'inFive'] as const) {
    total.loinc[key] += score.loinc[key]
  }
  for (const key of Object.keys(total.certainty) as (keyof Certainty)[]) {
    total.certainty[key] += score.certainty[key]
  }
  total.header.printed += score.header.printed
  total.header.right += score.header.right
}

/** Precision, recall and F1; 1 where nothing is printed and nothing was read. */
export function rate({ printed, read, right }: Count) {
  const precision = read === 0 ? (printed === 0 ? 1 : 0) : right / read
  const recall = printed === 0 ? (read === 0 ? 1 : 0) : right / printed
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { precision, recall, f1 }
}

/** Pairs whose likeness is less are different rows. */
const LEAST_LIKENESS = 2

function rateLikeness(row: TruthRow, result: ReportResult): number {
  const name = compareNames(row.name, result.name.text)
  const value = areValuesEqual(row.value, result.value.text)
  const unit = normalizeUnit(row.unit) === normalizeUnit(result.unit?.text ?? null)
  return 4 * name + (value ? 2 : 0) + (unit ? 0.5 : 0) + (isRangeRight(row, result) ? 0.5 : 0)
}

/**
 * Which read row is which printed one: the most alike first, each at most once; of equally alike ones those that
 * stand in the same place in their lists.
 */
export function alignRows(
  rows: readonly TruthRow[],
  results: readonly ReportResult[],
): Map<TruthRow, ReportResult> {
  const pairs = rows.flatMap((row, at) =>
    results.map((result, index) => {
      const distance = Math.abs(at / rows.length - index / results.length)
      return { row, result, likeness: rateLikeness(row, result) - 0.1 * distance }
    }),
  )
  const aligned = new Map<TruthRow, ReportResult>()
  const taken = new Set<ReportResult>()
  for (const { row, result, likeness } of pairs.sort((a, b) => b.likeness - a.likeness)) {
    if (likeness < LEAST_LIKENESS) break
    if (aligned.has(row) || taken.has(result)) continue
    aligned.set(row, result)
    taken.add(result)
  }
  return aligned
}

/** Whether the bounds are those of the printed interval; of a reference in words, whether there are none. */
function isRangeRight(row: TruthRow, { range, low, high }: ReportResult): boolean {
  if (row.reference_range === null) return range === null && low === null && high === null
  const intervals = readIntervals(row.reference_range)
  if (intervals.length > 0) {
    // An interval from nothing up says the same with and without its zero. Of several, none has to be taken.
    const areSeveral = new Set(intervals.map(({ low, high }) => `${low ?? 0} ${high}`)).size > 1
    if (low === null && high === null && areSeveral)
      return normalizeName(range?.text ?? '').includes(normalizeName(row.reference_range))
    return intervals.some((bounds) => bounds.high === high && (bounds.low ?? 0) === (low ?? 0))
  }
  if (low !== null || high !== null) return false
  return normalizeName(range?.text ?? '') === normalizeName(row.reference_range)
}

function readInterpretation(result: ReportResult): TruthRow['interpretation'] {
  if (result.isAboveHigh) return 'high'
  if (result.isBelowLow) return 'low'
  return result.interpretation === 'normal' ? 'normal' : null
}

/** Scores one document; `differences` says everything that is not as printed. */
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
  const aligned = alignRows(document.rows, results)
  for (const row of document.rows) {
    const result = aligned.get(row)
    scoreFields(row, result, score, differences)
    if (result) scoreLoinc(row, result, score, differences)
  }
  scoreCertainty(results, aligned, score, differences)
  const found = new Set(aligned.values())
  for (const result of results) {
    if (found.has(result)) continue
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

/** Names that have less in common are those of different rows: the value belongs to another one. */
const LEAST_NAME_LIKENESS = 0.5

function scoreCertainty(
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

/** What a result with the right value says wrongly of it; to leave something open is not wrong. */
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

const say = ({ value, unit, range }: ReportResult): string =>
  [value.text, unit?.text ?? '', range ? `[${range.text}]` : ''].join(' ').trim()

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
  // Without a printed interval nothing can be computed, and what the parser says is its own.
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
