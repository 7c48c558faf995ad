import { addTruth, drawEntry, drawMarks, drawPlainEntries, type Entry } from './entries.ts'
import {
  drawGrid,
  drawKindHeading,
  drawParagraph,
  type GridColumn,
  type GridPlace,
  type Sheet,
  sayFor,
  titleOf,
} from './sheet.ts'
import { testsOf } from './tests.ts'
import { REMARKS } from './words.ts'

type PanelColumn = 'name' | 'value' | 'flag' | 'unit' | 'range'

/** Orders of columns; in the unseen part a mark without a column is printed beside the value. */
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

/** Draws a table of the entries in one of the part's orders of columns. */
export function drawEntries(sheet: Sheet, entries: readonly Entry[], place?: GridPlace): void {
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
    place,
  )
}

/** Draws the tests of the kind one after the other. */
export function drawPanel(sheet: Sheet): void {
  const { kind, part, random } = sheet
  const panel = drawKindHeading(sheet)
  const marks = drawMarks(sheet)
  const entries = testsOf(kind).map((test) => drawEntry(sheet, test, marks))
  if (part === 'tuned' && kind in FURTHER && random.chance(0.6)) drawFurther(sheet, entries)
  else drawEntries(sheet, entries)
  addTruth(sheet, entries, panel)
}

/** Columns that only tables of one kind have, with their texts. */
const FURTHER: Record<string, { title: string; say: (entry: Entry, sheet: Sheet) => string }[]> = {
  semen: [
    { title: 'WHO 2010', say: ({ truth }) => (truth.low === null ? '' : `>= ${truth.low}`) },
    { title: 'P50', say: ({ truth }, { random }) => sayNumber(truth.low, random.between(1.5, 3)) },
    { title: 'WHO 5 %', say: ({ truth }) => sayNumber(truth.low, 1) },
  ],
  'serology-index': [
    {
      title: 'Interpretation',
      say: ({ truth }, sheet) =>
        truth.high === null ? '' : sayFor(sheet, readsAbove(truth) ? 'positive' : 'negative'),
    },
    { title: 'Cut-off', say: ({ truth }) => sayNumber(truth.high ?? truth.low, 1) },
    { title: 'Grey zone', say: ({ truth }) => zoneOf(truth.high ?? truth.low) },
  ],
  titers: [
    { title: 'Dilution', say: () => '1:40' },
    { title: 'Cut-off', say: ({ range }) => range ?? '' },
    { title: 'Method', say: () => 'IFA' },
  ],
}

const sayNumber = (number: number | null, factor: number): string =>
  number === null ? '' : String(Number((number * factor).toFixed(2)))

const zoneOf = (bound: number | null): string =>
  bound === null ? '' : `${(bound * 0.9).toFixed(2)} - ${(bound * 1.1).toFixed(2)}`

const readsAbove = ({ value, high }: Entry['truth']): boolean =>
  Number(value.replace(',', '.')) > (high ?? 0)

/** Draws a table of the kind, with a column of that kind between the others. */
function drawFurther(sheet: Sheet, entries: readonly Entry[]): void {
  const { random, kind } = sheet
  const order = random.pick(ORDERS.tuned)
  const further = random.pick(FURTHER[kind] ?? [])
  const narrow = random.chance(0.4) ? 0.5 : 1
  const columns: GridColumn[] = order.map((column) => ({
    title: titleOf(sheet, column),
    share: SHARES[column] * (column === 'name' ? narrow : 1),
  }))
  const lines = entries.map((entry) => order.map((column) => entry[column] ?? ''))
  const at = random.whole(2, order.length)
  columns.splice(at, 0, { title: further.title, share: 16 })
  for (const [row, line] of lines.entries())
    line.splice(at, 0, further.say(entries[row] as Entry, sheet))
  drawGrid(sheet, columns, lines)
}

/** Draws marks that are arrows, with a legend below. */
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

/**
 * Draws sentences with numbers under rows and at the end: over the whole width, in the width of the
 * column of names, or in that of all other columns.
 */
export function drawRemarks(sheet: Sheet): void {
  const { random, language, part, painter } = sheet
  const panel = drawKindHeading(sheet)
  const entries = drawPlainEntries(sheet, drawMarks(sheet))
  const remarks = REMARKS[part][language]
  const shape =
    part === 'tuned' ? random.pick(['wide', 'names', 'indented', 'rows'] as const) : 'wide'
  if (shape === 'rows') {
    drawEntriesWithRemarks(sheet, entries, remarks)
    addTruth(sheet, entries, panel)
    return
  }
  let from = 0
  while (from < entries.length) {
    const count = random.whole(1, 4)
    const group = entries.slice(from, from + count)
    drawEntries(sheet, group)
    const value = group.at(-1)?.value ?? ''
    painter.y -= painter.style.size * 0.6
    const text = random.pick(remarks).replace('#', value)
    const options = { cut: 'italic' as const, size: painter.style.size * 0.88 }
    if (shape === 'wide') drawParagraph(sheet, text, options)
    else {
      const full = painter.right - painter.left
      const left = painter.left + (shape === 'names' ? 0 : full * 0.32)
      const width = full * (shape === 'names' ? 0.45 : 0.68)
      drawParagraph(sheet, text, options, { left, width })
    }
    from += count
  }
  addTruth(sheet, entries, panel)
}

/** Draws one table, with remarks under some of its rows. */
function drawEntriesWithRemarks(
  sheet: Sheet,
  entries: readonly Entry[],
  remarks: readonly string[],
): void {
  const { random, painter } = sheet
  const order = random.pick(ORDERS.tuned)
  const columns = order.map((column) => ({ title: titleOf(sheet, column), share: SHARES[column] }))
  const indent = random.pick([0, painter.style.size * 1.5])
  entries.forEach((entry, at) => {
    const titled = columns.map(({ title, share }) => ({ title: at === 0 ? title : '', share }))
    drawGrid(sheet, titled, [order.map((column) => entry[column] ?? '')])
    painter.y -= painter.style.size
    if (!random.chance(0.4)) return
    const text = random.pick(remarks).replace('#', entry.value)
    const left = painter.left + indent
    drawParagraph(sheet, text, {}, { left, width: painter.right - left })
  })
}
