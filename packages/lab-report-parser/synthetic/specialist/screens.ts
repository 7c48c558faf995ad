import { writeNumber } from '../notation.ts'
import { addTruth, drawEntry, type Entry } from './entries.ts'
import {
  drawGrid,
  drawKindHeading,
  drawParagraph,
  type GridColumn,
  type Sheet,
  sayFor,
  titleOf,
} from './sheet.ts'
import { testsOf } from './tests.ts'

/** A column of a table, with its text for each entry. */
interface Column<Row> extends GridColumn {
  say: (row: Row) => string
}

/** Draws the columns in the given order, or all but the first in any order. */
function drawColumns<Row>(sheet: Sheet, columns: readonly Column<Row>[], rows: readonly Row[]) {
  const { random, part } = sheet
  const align =
    part === 'tuned' ? random.pick(['left', 'left', 'center', 'right'] as const) : 'left'
  drawGrid(
    sheet,
    columns.map(({ title, share }, at) => ({ title, share, align: at === 0 ? 'left' : align })),
    rows.map((row) => columns.map(({ say }) => say(row))),
  )
}

function shuffle<Item>({ random }: Sheet, items: readonly Item[]): Item[] {
  const left = [...items]
  return items.map(() => left.splice(random.whole(0, left.length - 1), 1)[0] as Item)
}

interface Screened {
  entry: Entry
  cutoff: string
  /** Result of the confirmation test; empty if it was not done. */
  found: string
}

/** Draws findings beside their cutoffs, which are neither values nor ranges. */
export function drawDrugScreen(sheet: Sheet): void {
  const { part, random } = sheet
  const panel = drawKindHeading(sheet)
  const isConfirmed = part === 'tuned' && random.chance(0.3)
  const drawn = testsOf('drug-screen').map((test): Screened => {
    const entry = drawEntry(sheet, { ...test, unit: '', range: '' })
    const isFound = entry.value === sayFor(sheet, 'positive')
    const amount = Math.round(Number(test.unit) * random.between(1.2, 20))
    return { cutoff: test.unit, entry, found: isConfirmed && isFound ? String(amount) : '' }
  })
  const name = {
    title: titleOf(sheet, 'name'),
    share: 34,
    say: ({ entry }: Screened) => entry.name,
  }
  const value = {
    title: titleOf(sheet, 'value'),
    share: 22,
    say: ({ entry }: Screened) => entry.value,
  }
  const half = ({ cutoff }: Screened) => String(Math.ceil(Number(cutoff) / 2))
  const unitPlace = part === 'tuned' ? random.pick(['title', 'cell', 'column'] as const) : 'cell'
  const amounts = (title: string, say: (row: Screened) => string): Column<Screened> => ({
    title: unitPlace === 'title' ? `${title} ng/mL` : title,
    share: 22,
    say: (row) => (unitPlace === 'cell' && say(row) !== '' ? `${say(row)} ng/mL` : say(row)),
  })
  const cutoff = amounts(sayFor(sheet, 'cutoff'), (row) => row.cutoff)
  const confirm = amounts(sayFor(sheet, 'confirm'), half)
  const found = amounts(sayFor(sheet, 'found'), (row) => row.found)
  const unit = { title: titleOf(sheet, 'unit'), share: 14, say: () => 'ng/mL' }
  const columns =
    part === 'unseen'
      ? [name, cutoff, confirm, value]
      : [
          name,
          ...(isConfirmed
            ? [value, cutoff, found]
            : random.pick([
                [value, cutoff],
                [cutoff, value],
                [value, cutoff, confirm],
              ])),
          ...(unitPlace === 'column' ? [unit] : []),
        ]
  drawColumns(sheet, columns, drawn)
  for (const { entry, found: amount } of drawn) {
    addTruth(sheet, [entry], panel)
    if (amount === '') continue
    const { truth } = entry
    sheet.rows.push({ ...truth, panel, value: amount, unit: 'ng/mL', loinc: null })
  }
}

const CLASSES = [0.35, 0.7, 3.5, 17.5, 50, 100]

const classOf = ({ number }: Entry): number =>
  CLASSES.filter((from) => (number ?? 0) >= from).length

/** Draws concentrations with their classes, and a legend of the classes. */
export function drawAllergens(sheet: Sheet): void {
  const { part, random } = sheet
  const panel = drawKindHeading(sheet)
  const hasRange = part === 'tuned' && random.chance(0.5)
  const entries = testsOf('allergy').map((test) => drawEntry(sheet, test))
  // In other reports the classes are the reference, and the rows have none.
  for (const { truth } of hasRange ? [] : entries) {
    Object.assign(truth, { reference_range: null, interpretation: null, low: null, high: null })
  }
  const write = (bound: number) => writeNumber(bound, bound % 1 === 0 ? 0 : 2, sheet.notation)
  const legend = CLASSES.map((from, at) => {
    const to = CLASSES[at + 1]
    return to === undefined
      ? `${at + 1}: > ${write(from)}`
      : `${at + 1}: ${write(from)} - ${write(to)}`
  })
  const level = sayFor(sheet, 'class')
  const name = { title: titleOf(sheet, 'name'), share: 34, say: (entry: Entry) => entry.name }
  if (part === 'unseen') {
    drawParagraph(sheet, `${level} 0: < ${write(0.35)}; ${legend.join('; ')} kU/L`)
    drawColumns(
      sheet,
      [
        name,
        {
          title: titleOf(sheet, 'value'),
          share: 20,
          say: ({ value, unit }) => `${value} ${unit ?? ''}`,
        },
        { title: level, share: 16, say: (entry) => String(classOf(entry)) },
        { title: '', share: 16, say: (entry) => '+'.repeat(classOf(entry)) },
      ],
      entries,
    )
  } else {
    drawColumns(sheet, [name, ...listTunedColumns(sheet, hasRange)], entries)
    drawClassTable(sheet, level, legend)
  }
  addTruth(sheet, entries, panel)
}

/** Draws value, class and reference in any order; the unit is in title, cell or column. */
function listTunedColumns(sheet: Sheet, hasRange: boolean): Column<Entry>[] {
  const { random } = sheet
  const unitPlace = random.pick(['title', 'cell', 'column', 'column'] as const)
  const title = titleOf(sheet, 'value')
  const columns: Column<Entry>[] = [
    {
      title: unitPlace === 'title' ? random.pick([`${title} kU/L`, 'kU/L', 'IgE (kU/L)']) : title,
      share: 20,
      say: ({ value, unit }) => (unitPlace === 'cell' ? `${value} ${unit ?? ''}` : value),
    },
    {
      title: random.pick([sayFor(sheet, 'class'), sayFor(sheet, 'class'), '']),
      share: 12,
      say: random.pick([
        (entry) => String(classOf(entry)),
        (entry) => `${sayFor(sheet, 'class')} ${classOf(entry)}`,
      ]),
    },
  ]
  if (unitPlace === 'column')
    columns.push({ title: titleOf(sheet, 'unit'), share: 12, say: ({ unit }) => unit ?? '' })
  if (hasRange)
    columns.push({ title: titleOf(sheet, 'range'), share: 16, say: ({ range }) => range ?? '' })
  return shuffle(sheet, columns)
}

function drawClassTable(sheet: Sheet, level: string, legend: readonly string[]): void {
  const { random, painter } = sheet
  if (random.chance(0.3)) {
    for (const line of legend) drawParagraph(sheet, `${level} ${line} kU/L`)
    return
  }
  drawParagraph(sheet, sayFor(sheet, 'legend'), { cut: 'bold' })
  drawGrid(
    sheet,
    [
      { title: level, share: 1 },
      { title: 'kU/L', share: 2 },
    ],
    legend.map((line) => line.split(': ')),
    { left: painter.left, width: (painter.right - painter.left) * 0.4 },
  )
}
