import { writeNumber } from '../notation.ts'
import { addTruth, drawEntry, type Entry } from './entries.ts'
import { drawGrid, drawKindHeading, drawParagraph, type Sheet, sayFor, titleOf } from './sheet.ts'
import { testsOf } from './tests.ts'

/** Answers beside their cutoffs, which are neither values nor ranges. */
export function drawDrugScreen(sheet: Sheet): void {
  const panel = drawKindHeading(sheet)
  const drawn = testsOf('drug-screen').map((test) => ({
    cutoff: test.unit,
    entry: drawEntry(sheet, { ...test, unit: '', range: '' }),
  }))
  const name = { title: titleOf(sheet, 'name'), share: 34 }
  const value = { title: titleOf(sheet, 'value'), share: 22 }
  const cutoff = { title: `${sayFor(sheet, 'cutoff')} ng/mL`, share: 22 }
  const confirm = { title: sayFor(sheet, 'confirm'), share: 22 }
  if (sheet.part === 'tuned') {
    drawGrid(
      sheet,
      [name, value, cutoff],
      drawn.map(({ entry, cutoff }) => [entry.name, entry.value, cutoff]),
    )
  } else {
    drawGrid(
      sheet,
      [name, { ...cutoff, title: sayFor(sheet, 'cutoff') }, confirm, value],
      drawn.map(({ entry, cutoff }) => [
        entry.name,
        `${cutoff} ng/mL`,
        `${Math.ceil(Number(cutoff) / 2)} ng/mL`,
        entry.value,
      ]),
    )
  }
  addTruth(
    sheet,
    drawn.map(({ entry }) => entry),
    panel,
  )
}

const CLASSES = [0.35, 0.7, 3.5, 17.5, 50, 100]

const classOf = ({ number }: Entry): number =>
  CLASSES.filter((from) => (number ?? 0) >= from).length

/** Concentrations with their classes, and what the classes mean. */
export function drawAllergens(sheet: Sheet): void {
  const { part } = sheet
  const panel = drawKindHeading(sheet)
  const entries = testsOf('allergy').map((test) => drawEntry(sheet, test))
  // The reference is said by the classes, not in the rows.
  for (const { truth } of entries) {
    Object.assign(truth, { reference_range: null, interpretation: null, low: null, high: null })
  }
  const name = { title: titleOf(sheet, 'name'), share: 34 }
  const value = { title: titleOf(sheet, 'value'), share: 20 }
  const unit = { title: titleOf(sheet, 'unit'), share: 14 }
  const level = { title: sayFor(sheet, 'class'), share: 16 }
  const write = (bound: number) => writeNumber(bound, bound % 1 === 0 ? 0 : 2, sheet.notation)
  const legend = CLASSES.map((from, at) => {
    const to = CLASSES[at + 1]
    return to === undefined
      ? `${at + 1}: > ${write(from)}`
      : `${at + 1}: ${write(from)} - ${write(to)}`
  })
  if (part === 'unseen') {
    drawParagraph(sheet, `${sayFor(sheet, 'class')} 0: < ${write(0.35)}; ${legend.join('; ')} kU/L`)
  }
  drawGrid(
    sheet,
    part === 'tuned' ? [name, level, value, unit] : [name, value, level, { ...level, title: '' }],
    entries.map((entry) => {
      const found = classOf(entry)
      const said = `${entry.value} ${entry.unit ?? ''}`
      return part === 'tuned'
        ? [entry.name, String(found), entry.value, entry.unit ?? '']
        : [entry.name, said, String(found), '+'.repeat(found)]
    }),
  )
  if (part === 'tuned') {
    drawParagraph(sheet, sayFor(sheet, 'legend'), { cut: 'bold' })
    drawGrid(
      sheet,
      [
        { title: sayFor(sheet, 'class'), share: 1 },
        { title: 'kU/L', share: 2 },
      ],
      legend.map((line) => line.split(': ')),
      { left: sheet.painter.left, width: (sheet.painter.right - sheet.painter.left) * 0.4 },
    )
  }
  addTruth(sheet, entries, panel)
}
