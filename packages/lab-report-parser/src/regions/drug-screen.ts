import { NEGATIVE_WORDS } from '../language/words.ts'
import type { Line } from '../layout/lines.ts'
import { splitAtGaps } from '../layout/side-by-side.ts'
import type { UnreadRegion } from '../report.ts'
import { textOf } from '../rows/cell-words.ts'
import { isNumericValue, plainText, scoreRange } from '../rows/content.ts'
import type { DraftRow } from '../rows/draft.ts'
import type { TitledColumn, TitleRole } from './column-titles.ts'
import type { GridRow } from './grid.ts'
import { type Region, spanOf, toRow } from './region.ts'
import {
  findTitledTable,
  gatherRows,
  looksLikeLostRow,
  readGridRows,
  toCellRow,
} from './titled-table.ts'

const isResult = (role: TitleRole | undefined): boolean => role === 'value' || role === 'confirmed'

function isDrugScreen(columns: readonly TitledColumn[]): boolean {
  return (
    columns.some(({ role }) => role === 'cutoff') &&
    columns.some(({ role }, at) => at > 0 && isResult(role))
  )
}

/** What columns with these titles hold is no number. */
const NO_AMOUNTS: ReadonlySet<TitleRole> = new Set<TitleRole>(['unit', 'flag'])

/** Why a drug has no second result. */
const NOT_DONE =
  /^(?:[-–—.]+|n\/?a|none|not (?:tested|performed|done|indicated|required|applicable))$/i

/**
 * Reads a table with a column of cut-offs, as drug screens have: the cut-off is not a value.
 * Screening and confirmation are separate results.
 */
export function findDrugScreen(lines: readonly Line[], at: number): Region | undefined {
  const table = findTitledTable(lines, at, isDrugScreen)
  if (!table) return undefined
  const { columns } = table
  const rows = [...readGridRows(table)]
  const hasCutoffs = rows.some(
    (row) =>
      'cells' in row &&
      columns.some(({ role }, column) => role === 'cutoff' && isBareNumber(row, column)),
  )
  if (!hasCutoffs) return undefined
  const unread: UnreadRegion[] = rows
    .filter((row): row is Line => !('cells' in row) && looksLikeLostRow(row))
    .map(({ page }) => ({ kind: 'drug_screen', page }))
  // Amounts without a title may be those that were found.
  const isOpen = columns.some(
    ({ role }, at) =>
      at > 0 &&
      (role === undefined || NO_AMOUNTS.has(role)) &&
      rows.some((row) => 'cells' in row && isBareNumber(row, at)),
  )
  const [first] = table.titleLines
  if (isOpen && first) unread.push({ kind: 'drug_screen', page: first.page })
  const limits = listLimits(rows, columns)
  const named = columns.map((column, at) =>
    limits.has(at) ? { ...column, role: 'cutoff' as const } : column,
  )
  const drafts = gatherRows(rows, (row) => takeResults(row, named))
  const span = spanOf([...table.titleLines, ...table.body])
  return { kind: 'drug_screen', ...span, rows: drafts, unread }
}

/**
 * Returns columns of results with an amount even if nothing was found: that is the limit of
 * detection.
 */
function listLimits(
  rows: readonly (GridRow | Line)[],
  columns: readonly TitledColumn[],
): ReadonlySet<number> {
  const cells = rows.flatMap((row) => ('cells' in row ? [row.cells] : []))
  const results = columns.flatMap(({ role }, at) => (at > 0 && isResult(role) ? [at] : []))
  const isNegative = (row: GridRow['cells']): boolean =>
    results.some((at) => NEGATIVE_WORDS.has(plainText(textOf(row[at] ?? []))))
  const limits = results.filter((at) =>
    // `<25` and `0` are amounts of a drug that was not found.
    cells.some((row) => isNegative(row) && /^[1-9]|^0[.,]0*[1-9]/.test(row[at]?.[0]?.text ?? '')),
  )
  return new Set(limits)
}

function isBareNumber({ cells }: GridRow, at: number): boolean {
  return isNumericValue(cells[at]?.[0]?.text ?? '')
}

/** Returns the results of a row: of the screening, and of its confirmation. */
function takeResults(row: GridRow, columns: readonly TitledColumn[]): DraftRow[] {
  const { cells } = row
  const at = (role: TitleRole): number[] =>
    columns.flatMap((column, index) => (column.role === role ? [index] : []))
  const names = [...new Set([0, ...at('name')])]
  const results = columns.flatMap(({ role }, index) => {
    const text = textOf(cells[index] ?? [])
    return index > 0 && isResult(role) && text !== '' && !NOT_DONE.test(text) ? [index] : []
  })
  return results.flatMap((value, index) => {
    // A cut-off that is a bound is the interval of a measurement, such as creatinine.
    const isMeasured = /\d/.test(textOf(cells[value] ?? []))
    const bounds = at('cutoff').filter((column) => scoreRange(textOf(cells[column] ?? [])) >= 0.9)
    const ranges = isMeasured ? [...at('range'), ...bounds] : []
    const flags = index === 0 ? at('flag') : []
    return toCellRow(row, columns, { names, value, unit: at('unit'), ranges, flags }) ?? []
  })
}

/** Words of documents that list cut-offs without titles. */
const DRUGS =
  /\bcut-?\s?offs?\b|\bdrugs? (?:screen|test|of abuse|panel)|\btoxicology\b|\bdrogen|\bdrogas\b/i
const SCREENED =
  /^(?:(?:presumptive(?:ly)? |none |not |non-?)?(?:positive|negative|detected|positiv[eo]?|negativ[eo]?|positif|n[eé]gatif|negatief|reactive))$/i

/**
 * Reads a list of drugs without titles: the amount after `NEGATIVE` is the cut-off, if every line
 * has one.
 */
export function findDrugList(lines: readonly Line[], at: number): Region | undefined {
  const page = lines[at]?.page
  const rows: DraftRow[] = []
  for (const line of lines.slice(at)) {
    const row = line.page === page ? readListed(line) : undefined
    if (!row) break
    rows.push(row)
  }
  if (rows.length < 2) return undefined
  if (!lines.some((line) => line.page === page && DRUGS.test(textOf(line.words)))) return undefined
  return { kind: 'drug_screen', ...spanOf(rows.map(({ line }) => line)), rows }
}

/** `Cocaine  NEGATIVE  300 ng/mL` as far as the finding; undefined for any other line. */
function readListed(line: Line): DraftRow | undefined {
  const [name, ...others] = splitAtGaps(line, 0.9)
  const found = others.find((cell) => SCREENED.test(textOf(cell)))
  if (!name || !found || !/\p{L}{2}/u.test(textOf(name))) return undefined
  const rest = others.filter((cell) => cell !== found)
  const amount = textOf(rest.flat()).replace(/^\(|\)$/g, '')
  const isCutoff =
    /^(?:cut-?\s?off:?\s*)?[<>≥]?=?\s?[\d.,]+(?:\s?(?:ng|mcg|µg|ug|mg|g)\/(?:mL|dL|L))?(?:\s?cut-?\s?off)?$/i
  return isCutoff.test(amount) ? toRow(line, name, found, null) : undefined
}
