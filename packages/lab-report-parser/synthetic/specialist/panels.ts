import { addTruth, drawEntry, drawMarks, type Entry, type Marks } from './entries.ts'
import {
  drawBox,
  drawGrid,
  drawKindHeading,
  drawParagraph,
  type GridColumn,
  type Sheet,
  sayFor,
  titleOf,
} from './sheet.ts'
import { testsOf } from './tests.ts'
import { REMARKS, sayHeading } from './words.ts'

type PanelColumn = 'name' | 'value' | 'flag' | 'unit' | 'range'

/** Orders of columns; in the unseen part the mark stands with the value where it has no column. */
const ORDERS: Record<Sheet['part'], PanelColumn[][]> = {
  tuned: [
    ['name', 'value', 'flag', 'unit', 'range'],
    ['name', 'value', 'unit', 'range', 'flag'],
  ],
  unseen: [
    ['name', 'range', 'value', 'unit'],
    ['name', 'flag', 'value', 'range', 'unit'],
    ['name', 'unit', 'value', 'range'],
  ],
}
const SHARES: Record<PanelColumn, number> = { name: 34, value: 17, flag: 11, unit: 16, range: 25 }

/** A table of the entries in one of the orders of the part. */
export function drawEntries(sheet: Sheet, entries: readonly Entry[]): void {
  const order = sheet.random.pick(ORDERS[sheet.part])
  const hasFlags = order.includes('flag')
  const columns: GridColumn[] = order.map((column) => ({
    title: titleOf(sheet, column),
    share: SHARES[column],
  }))
  const say = (entry: Entry, column: PanelColumn): string =>
    column === 'value' && !hasFlags && entry.flag !== null
      ? `${entry.value} ${entry.flag}`
      : (entry[column] ?? '')
  drawGrid(
    sheet,
    columns,
    entries.map((entry) => order.map((column) => say(entry, column))),
  )
}

/** The tests of the kind, one after the other. */
export function drawPanel(sheet: Sheet): void {
  const panel = drawKindHeading(sheet)
  const marks = drawMarks(sheet)
  const entries = testsOf(sheet.kind).map((test) => drawEntry(sheet, test, marks))
  drawEntries(sheet, entries)
  addTruth(sheet, entries, panel)
}

function drawPlainEntries(sheet: Sheet, marks: Marks): Entry[] {
  return testsOf('plain')
    .filter(() => sheet.random.chance(0.7))
    .map((test) => drawEntry(sheet, test, marks))
}

/** Marks that are arrows, with what they mean below. */
export function drawArrows(sheet: Sheet): void {
  const panel = drawKindHeading(sheet)
  const marks =
    sheet.part === 'tuned'
      ? { high: '↑', low: '↓' }
      : sheet.random.pick([
          { high: '▲', low: '▼' },
          { high: '↑', low: '↓' },
        ])
  const entries = drawPlainEntries(sheet, marks)
  drawEntries(sheet, entries)
  addTruth(sheet, entries, panel)
  const [high, low] = sheet.painter.style.font.hasSymbols ? [marks.high, marks.low] : ['H', 'L']
  drawParagraph(sheet, `${high} > 100 %, ${low} < 100 %`, { size: sheet.painter.style.size * 0.8 })
}

/** Sentences with figures under rows and at the end. */
export function drawRemarks(sheet: Sheet): void {
  const { random, language, part } = sheet
  const panel = drawKindHeading(sheet)
  const entries = drawPlainEntries(sheet, drawMarks(sheet))
  const remarks = REMARKS[part][language]
  let from = 0
  while (from < entries.length) {
    const count = random.whole(1, 4)
    const group = entries.slice(from, from + count)
    drawEntries(sheet, group)
    const value = group.at(-1)?.value ?? ''
    sheet.painter.y -= sheet.painter.style.size * 0.6
    drawParagraph(sheet, random.pick(remarks).replace('#', value), {
      cut: 'italic',
      size: sheet.painter.style.size * 0.88,
    })
    from += count
  }
  addTruth(sheet, entries, panel)
}

/** Urgent results that are said once more in a box: above the rows, in the unseen part below. */
export function drawCritical(sheet: Sheet): void {
  const { part, random } = sheet
  const entries = drawPlainEntries(sheet, { high: 'HH', low: 'LL' })
  const urgent = entries.filter(({ flag }) => flag !== null).slice(0, 2)
  const lines = urgent.map(({ name, value, unit, number, flag }) =>
    part === 'tuned'
      ? `${name} ${value} ${unit ?? ''} (${flag === 'HH' ? '>' : '<'} ${Math.round((number ?? 0) * (flag === 'HH' ? 0.9 : 1.1))})`
      : `${name}: ${value} ${unit ?? ''}`,
  )
  const call =
    part === 'tuned'
      ? `RN ${random.whole(1000, 9999)} 04:48`
      : `Dr. ${random.whole(10, 23)}:17, 2 x`
  const box = () => {
    if (lines.length > 0) drawBox(sheet, [`*** ${sayFor(sheet, 'critical')} ***`, ...lines, call])
  }
  if (part === 'tuned') box()
  const panel = drawKindHeading(sheet)
  drawEntries(sheet, entries)
  addTruth(sheet, entries, panel)
  if (part === 'unseen') box()
}

/** Classes and what they mean, of rows above. */
const LEGENDS: Record<Sheet['part'], string[][][]> = {
  tuned: [
    [
      ['HbA1c %', ''],
      ['< 5.7', 'normal'],
      ['5.7 - 6.4', 'prediabetes'],
      ['>= 6.5', 'diabetes'],
    ],
    [
      ['25-OH-D', 'ng/mL'],
      ['< 10', '1'],
      ['10 - 30', '2'],
      ['30 - 100', '3'],
      ['> 100', '4'],
    ],
  ],
  unseen: [
    [
      ['', 'LDL mg/dL', 'TG mg/dL', 'HDL mg/dL'],
      ['A', '< 100', '< 150', '> 60'],
      ['B', '100-129', '150-199', '40-59'],
      ['C', '160-189', '200-499', '< 40'],
      ['D', '>= 190', '>= 500', '-'],
    ],
    [
      ['G1', '> 90', 'mL/min'],
      ['G2', '60 - 89', 'mL/min'],
      ['G3a', '45 - 59', 'mL/min'],
      ['G4', '15 - 29', 'mL/min'],
    ],
  ],
}

/** A table of classes below the rows. */
export function drawLegend(sheet: Sheet): void {
  const panel = drawKindHeading(sheet, sayHeading('plain', sheet.language))
  const entries = drawPlainEntries(sheet, drawMarks(sheet))
  drawEntries(sheet, entries)
  addTruth(sheet, entries, panel)
  const [titles = [], ...lines] = sheet.random.pick(LEGENDS[sheet.part])
  drawParagraph(sheet, sayFor(sheet, 'legend'), { cut: 'bold' })
  const width = (sheet.painter.right - sheet.painter.left) * (sheet.part === 'tuned' ? 0.5 : 0.8)
  drawGrid(
    sheet,
    titles.map((title) => ({ title, share: 1 })),
    lines,
    { left: sheet.painter.left, width },
  )
}
