import type {
  MissingResult,
  PerformingLaboratory,
  ReportedResult,
  ResultMessage,
} from '@salus/contracts/lab-gateway'
import type { RequestedTest, ResultDocumentInput } from './document-inputs.ts'
import { addressLines, dateWords, FAILURE_WORDS, filedName, phoneWords } from './document-words.ts'
import {
  flowText,
  renderFooter,
  renderHeading,
  renderRunningHead,
  renderTopBar,
} from './layout/section.ts'
import { closeSheet, LETTER, LETTER_MARGINS, openSheet, type Sheet } from './layout/sheet.ts'
import {
  type Cell,
  type Row,
  type RowGroup,
  renderTable,
  renderTableSection,
} from './layout/table.ts'
import { STYLES } from './layout/text-styles.ts'
import { toPrintedUnit } from './printed-unit.ts'
import { renderCritical, renderDocumentHead, STATUS_WORDS } from './result-document-head.ts'
import { flagOf, type ResultFlag } from './result-flag.ts'
import { groupResults, listUnanswered } from './result-groups.ts'

const TITLE = 'Laboratory report'
const COLUMNS = [
  { title: 'Test', width: 0 },
  { title: 'Result', width: 78 },
  { title: 'Flag', width: 70 },
  { title: 'Unit', width: 72 },
  { title: 'Reference interval', width: 82 },
  { title: 'Lab', width: 28 },
]
const STRONG = { ...STYLES.strong, size: 9, leading: 12.5 }
const QUIET = { ...STYLES.small, size: 9, leading: 12.5 }
/** Longer results are printed below the row instead of in their column. */
const MOST_RESULT_CHARACTERS = 60

/**
 * Renders the results of one specimen as PDF: the parties, the results grouped by ordered test, the
 * missing results with reasons, and the performing laboratories. Times are at their own offsets.
 */
export async function renderResultDocument(input: ResultDocumentInput): Promise<Buffer> {
  const { report } = input
  const number = report.specimen_number ?? report.sample_id ?? ''
  const sheet = openSheet({
    title: `${TITLE} ${number}`.trim(),
    at: input.at,
    size: LETTER,
    margins: LETTER_MARGINS,
  })
  const whose = whoseReport(report)
  const head = `${TITLE}  ·  ${STATUS_WORDS[report.status].plate}`
  sheet.runningHead = () => renderRunningHead(sheet, head, whose)
  renderTopBar(sheet)
  renderDocumentHead(sheet, TITLE, input)
  renderCritical(sheet, report)
  renderResults(sheet, input)
  if (report.notes !== null && report.notes.trim() !== '') {
    renderHeading(sheet, 'Comments')
    flowText(sheet, report.notes)
  }
  renderPerformers(sheet, report)
  return closeSheet(sheet, (page, pages) => renderFooter(sheet, whose, page, pages))
}

function whoseReport({ patient, specimen_number, sample_id }: ResultMessage): string {
  const requisition = sample_id === null ? '' : `Requisition ${sample_id}`
  return [
    specimen_number === null ? requisition : `Specimen ${specimen_number}`,
    patient.dob === null ? '' : `DOB ${dateWords(patient.dob)}`,
    filedName(patient),
  ]
    .filter((part) => part !== '')
    .join('  ·  ')
}

function renderResults(sheet: Sheet, { report, tests }: ResultDocumentInput): void {
  const groups = groupResults(report, tests)
  renderHeading(sheet, 'Results', 70)
  if (groups.length === 0) {
    flowText(sheet, 'There are no results yet.')
    return
  }
  const rowGroups: RowGroup[] = groups.map(({ test, results, missing }) => ({
    title: groupTitle(test, groups.length),
    rows: [...results.map((result) => resultRow(result, report)), ...missing.map(missingRow)],
  }))
  renderTable(sheet, COLUMNS, rowGroups)
  const unanswered = listUnanswered(report, tests).map(({ name }) => name)
  if (unanswered.length === 0) return
  const start = report.status === 'partial' ? 'Pending' : 'No results in this report'
  sheet.y += 8
  flowText(sheet, `${start}: ${unanswered.join('; ')}.`)
}

function groupTitle(test: RequestedTest | null, groups: number): string | null {
  if (test === null) return groups > 1 ? 'Other results' : null
  return test.provider_id === null ? test.name : `${test.name} (${test.provider_id})`
}

/** Returns what distinguishes results with one name: the isolate, and the result that led to it. */
function isolateOf(
  { test: key, sub_id: subId }: ReportedResult,
  { tests = {} }: ResultMessage,
): { number: string; parent: string } {
  const parent = key === undefined ? null : (tests[key]?.parent ?? null)
  return { number: subId ?? parent?.sub_id ?? '', parent: parent?.value ?? '' }
}

const STANDINGS: Partial<Record<NonNullable<ReportedResult['status']>, string>> = {
  preliminary: 'Preliminary result',
  corrected: 'Corrected result',
}

function resultRow(result: ReportedResult, report: ResultMessage): Row {
  const isolate = isolateOf(result, report)
  const standing = STANDINGS[result.status ?? 'final'] ?? ''
  const flag = flagOf(result)
  const style = flag.severity === 'none' ? undefined : STRONG
  const text = result.result.trim()
  const isLong = text.length > MOST_RESULT_CHARACTERS || text.includes('\n')
  const notes = (result.notes ?? '').trim()
  const below = [standing, isolate.parent, isLong ? text : '', notes === text ? '' : notes].filter(
    (line) => line !== '',
  )
  return {
    cells: [
      { text: isolate.number === '' ? result.name : `${result.name} [${isolate.number}]`, style },
      { text: isLong ? 'See below' : text || '–', style },
      flagCell(flag),
      toPrintedUnit(result.unit),
      intervalText(result),
      { text: result.performing_laboratory ?? '', style: QUIET },
    ],
    note: below.length === 0 ? null : below.join('\n'),
  }
}

function flagCell({ text, severity }: ResultFlag): Cell {
  return severity === 'critical' ? { text, style: STRONG, isPlate: true } : { text, style: STRONG }
}

/** Returns the reference interval as printed by the laboratory, or composed of its bounds. */
function intervalText(result: ReportedResult): string {
  const { reference_range, min_range_value: least, max_range_value: most } = result
  if (reference_range !== null && reference_range.trim() !== '') return reference_range
  if (least !== null && most !== null) return `${least}–${most}`
  if (most !== null) return `≤ ${most}`
  return least === null ? '' : `≥ ${least}`
}

function missingRow({ name, failure_type, note }: MissingResult): Row {
  const reason = failure_type === null ? null : FAILURE_WORDS[failure_type]
  const lines = [reason, note?.trim() ?? ''].filter((line) => line !== null && line !== '')
  return {
    cells: [name, { text: 'No result', style: QUIET }, '', '', '', ''],
    note: lines.length === 0 ? 'The laboratory gave no reason.' : lines.join('\n'),
  }
}

function renderPerformers(sheet: Sheet, { performing_laboratories }: ResultMessage): void {
  const rows = Object.entries(performing_laboratories).map(([code, laboratory]) => ({
    cells: [{ text: code, style: STRONG }, ...performerCells(laboratory)],
  }))
  if (rows.length === 0) return
  const columns = [
    { title: 'Lab', width: 40 },
    { title: 'Name', width: 0 },
    { title: 'Address', width: 180 },
    { title: 'Medical director', width: 110 },
  ]
  renderTableSection(sheet, 'Performing laboratories', columns, rows)
}

function performerCells(laboratory: PerformingLaboratory): string[] {
  const phone = laboratory.phone_number === null ? '' : phoneWords(laboratory.phone_number)
  return [
    [laboratory.name, phone].filter((line) => line !== '').join('\n'),
    laboratory.address === null ? '–' : addressLines(laboratory.address).join('\n'),
    laboratory.medical_director ?? '–',
  ]
}
