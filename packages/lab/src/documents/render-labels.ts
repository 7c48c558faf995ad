import type { DocumentTest, LabelsInput } from './document-inputs.ts'
import { dateWords, filedName, localTimeWords, sampleWords, sexWords } from './document-words.ts'
import { renderBarcode } from './layout/barcode.ts'
import { renderLines } from './layout/block.ts'
import { renderPlate } from './layout/section.ts'
import { closeSheet, openSheet, renderElement, type Sheet, startPage } from './layout/sheet.ts'
import { limitLines, truncateToLine, widthOf, wrapText } from './layout/text.ts'
import { STYLES, type TextStyle } from './layout/text-styles.ts'

/** 2.25 by 1.25 inches, which label printers know as 57 by 32 mm. */
const LABEL = [162, 90] as const
/** Margins, because label printers are not exact to the edge. */
const MARGINS = { top: 4, right: 6, bottom: 4, left: 6 }
const NAME: TextStyle = { ...STYLES.strong, size: 10, leading: 12.5 }
const LONG_NAME: TextStyle = { ...NAME, size: 8, leading: 9.5 }
const TEXT: TextStyle = { ...STYLES.body, size: 8, leading: 10 }
const STRONG: TextStyle = { ...TEXT, typeface: 'semibold' }
/** A longer name is cut, so that the barcode stays high enough to scan. */
const MOST_NAME_LINES = 2

/**
 * Renders labels for tubes as PDF, one on each page: patient, number of the requisition and tube,
 * time of collection, kind of specimen and its tests. The kinds follow each other, and begin again
 * when there are more labels. The barcode is the bare number of the requisition, by which a
 * laboratory finds the order.
 */
export async function renderLabels(input: LabelsInput): Promise<Buffer> {
  const sheet = openSheet({
    title: `Labels ${input.sampleId}`,
    at: input.at,
    size: LABEL,
    margins: MARGINS,
  })
  const tubes = tubesOf(input.tests)
  for (let number = 1; number <= input.numberOfLabels; number++) {
    if (number > 1) startPage(sheet)
    const tube = tubes[(number - 1) % tubes.length]
    renderLabel(sheet, input, number, tube ?? { kind: null, tests: [] })
  }
  return closeSheet(sheet)
}

interface Tube {
  /** As printed; null when the kind of specimen is unknown. */
  kind: string | null
  tests: DocumentTest[]
}

/** Returns the kinds of specimens that the tests need, each with its tests. */
function tubesOf(tests: readonly DocumentTest[]): Tube[] {
  const groups = Map.groupBy(tests, ({ sample_type: type }) => type)
  return [...groups].map(([type, members]) => ({
    kind: type === null ? null : sampleWords(type),
    tests: members,
  }))
}

function renderLabel(sheet: Sheet, input: LabelsInput, number: number, tube: Tube): void {
  const { patient, sampleId, priority, accountNumber } = input
  let y = renderName(sheet, filedName(patient) || 'Name not given')
  const who = `DOB ${dateWords(patient.dob)}   ${sexWords(patient.gender)}`
  if (priority) renderStat(sheet, y)
  y = renderPair(sheet, y, [who, TEXT], null)
  const foot = sheet.bottom - 3 * TEXT.leading
  const bars = { x: sheet.left, y: y + 2, width: sheet.width, height: foot - y - 4 }
  renderBarcode(sheet, sampleId, bars)
  const account: Part = [`Acct ${accountNumber}`, TEXT]
  const tubeNumber = `${sampleId}-${number}`
  const isBeside =
    widthOf(sheet, tubeNumber, STRONG) + widthOf(sheet, ...account) + 8 <= sheet.width
  const collected = `Coll ${localTimeWords(input.collectedAt)}`
  y = renderPair(sheet, foot - 1, [tubeNumber, STRONG], isBeside ? account : null)
  y = renderPair(sheet, y, [collected, TEXT], isBeside ? null : [accountNumber, TEXT])
  const count: Part = [`${number} of ${input.numberOfLabels}`, STRONG]
  const room = sheet.width - widthOf(sheet, ...count) - 8
  renderPair(sheet, y, [testsText(sheet, tube, room), TEXT], count)
}

/** Renders the name and returns the position of the next line. */
function renderName(sheet: Sheet, name: string): number {
  const { left, top, width } = sheet
  const style = widthOf(sheet, name, NAME) <= width ? NAME : LONG_NAME
  const wrapped = wrapText(sheet, name, style, width)
  const lines = limitLines(sheet, wrapped, MOST_NAME_LINES, style, width)
  renderElement(sheet, 'P', () => renderLines(sheet, lines, style, left, top, width))
  return top + lines.length * style.leading
}

function renderStat(sheet: Sheet, y: number): void {
  const plate = { ...STRONG, leading: 11 }
  const width = widthOf(sheet, 'STAT', plate)
  renderPlate(sheet, 'STAT', sheet.left + sheet.width - width - plate.size * 1.1, y, plate, width)
}

type Part = readonly [text: string, style: TextStyle]

/**
 * Renders one line with text on the left, cut at the text on the right. Returns the position of the
 * next line.
 */
function renderPair(sheet: Sheet, y: number, [text, style]: Part, right: Part | null): number {
  const rightWidth = right === null ? 0 : widthOf(sheet, ...right) + 6
  const lines = [truncateToLine(sheet, text, style, sheet.width - rightWidth)]
  renderElement(sheet, 'P', () => renderLines(sheet, lines, style, sheet.left, y, sheet.width))
  if (right !== null) {
    const [rightText, rightStyle] = right
    renderElement(sheet, 'P', () =>
      renderLines(sheet, [rightText], rightStyle, sheet.left, y, sheet.width, 'right'),
    )
  }
  return y + TEXT.leading
}

/** Returns the kind of specimen, as many codes of tests as fit, and the number of the others. */
function testsText(sheet: Sheet, { kind, tests }: Tube, width: number): string {
  const codes = tests.map(({ code, name }) => code ?? name)
  const before = kind === null ? '' : `${kind}: `
  for (let count = codes.length; count > 0; count--) {
    const rest = codes.length - count
    const text = before + codes.slice(0, count).join(' ') + (rest > 0 ? ` +${rest}` : '')
    if (widthOf(sheet, text, TEXT) <= width) return text
  }
  return before + (codes.length === 1 ? (codes[0] ?? '') : `${codes.length} tests`)
}
