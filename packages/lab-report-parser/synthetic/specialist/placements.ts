import { writeNumber } from '../notation.ts'
import { addTruth, drawEntry, drawMarks, type Entry } from './entries.ts'
import { drawGrid, drawKindHeading, type Sheet, sayFor, titleOf, wordsFor } from './sheet.ts'
import { testsOf } from './tests.ts'

const drawPlain = (sheet: Sheet, share: number, hasMarks = true): Entry[] => {
  const marks = hasMarks ? drawMarks(sheet) : null
  return testsOf('plain')
    .filter(() => sheet.random.chance(share))
    .map((test) => drawEntry(sheet, test, marks))
}

/**
 * Draws a card for each result: two or three in a row, most of them with frames; in the unseen part
 * three, with the value on top.
 */
export function drawCardsOfResults(sheet: Sheet): void {
  const { painter, part } = sheet
  const panel = drawKindHeading(sheet)
  const entries = drawPlain(sheet, 0.75)
  const label = sheet.random.pick(wordsFor(sheet).range.label)
  const across = part === 'tuned' && sheet.random.chance(0.6) ? 2 : 3
  const width = (painter.right - painter.left) / across
  const { size } = painter.style
  const hasFrames = part === 'tuned' && sheet.random.chance(0.6)
  const pitch = part === 'tuned' ? sheet.random.between(1.3, 2) : 1.4
  const height = part === 'tuned' ? 4 + size * (2.4 + 2 * pitch) : size * 5.8
  for (const [at, entry] of entries.entries()) {
    if (at % across === 0 && at > 0) painter.y += height + 6
    if (at % across === 0) painter.need(height + 8)
    const x = painter.left + (at % across) * width
    const value = [entry.value, entry.unit, entry.flag].filter((text) => text !== null).join(' ')
    const range = entry.range === null ? '' : `${label} ${entry.range}`
    if (part === 'tuned') {
      if (hasFrames) painter.frame(x, painter.y, width - 8, height, '#b9c3cf')
      painter.text(entry.name, x + 6, painter.y + 4, { cut: 'bold' })
      painter.text(value, x + 6, painter.y + 4 + size * pitch, { size: size * 1.3 })
      painter.text(range, x + 6, painter.y + 4 + size * (0.4 + 2 * pitch), { size: size * 0.85 })
    } else {
      painter.line(x, painter.y, x + width - 10, painter.y, painter.style.accent, 1.5)
      painter.text(value, x, painter.y + 4, { cut: 'bold', size: size * 1.2 })
      painter.text(entry.name, x, painter.y + 4 + size * 1.7)
      painter.text(range, x, painter.y + 4 + size * 3.1, { size: size * 0.8 })
    }
  }
  painter.y += height + 10
  addTruth(sheet, entries, panel)
}

/** Draws two tables side by side; those of the unseen part differ in columns and lengths. */
export function drawHalfPages(sheet: Sheet): void {
  const { painter, part } = sheet
  const panel = drawKindHeading(sheet)
  const entries = drawPlain(sheet, 0.9)
  const middle = Math.ceil(entries.length * (part === 'tuned' ? 0.5 : 0.65))
  const gap = part === 'tuned' ? 16 : 28
  const width = (painter.right - painter.left - gap) / 2
  const titles = (['name', 'value', 'unit', 'range'] as const).map((column) =>
    titleOf(sheet, column),
  )
  const top = painter.y
  let bottom = top
  for (const [side, half] of [entries.slice(0, middle), entries.slice(middle)].entries()) {
    painter.y = top
    const lines = half.map(({ name, value, flag, unit, range }) => {
      const marked = flag === null ? value : `${value} ${flag}`
      return part === 'tuned'
        ? [name, marked, unit ?? '', range ?? '']
        : [name, range ?? '', marked, unit ?? '']
    })
    const [name = '', value = '', unit = '', range = ''] = titles
    const columns =
      part === 'tuned'
        ? [
            { title: name, share: 34 },
            { title: value, share: 20 },
            { title: unit, share: 20 },
            { title: range, share: 26 },
          ]
        : [
            { title: name, share: 36 },
            { title: range, share: 26 },
            { title: value, share: 20 },
            { title: unit, share: 18 },
          ]
    drawGrid(sheet, columns, lines, { left: painter.left + side * (width + gap), width })
    bottom = Math.max(bottom, painter.y)
  }
  painter.y = bottom
  addTruth(sheet, entries, panel)
}

/**
 * Draws a column for each test, below its unit and reference, with a line for each of several
 * dates. In the unseen part the reference is the last line and the unit is beside the name.
 */
export function drawTransposed(sheet: Sheet): void {
  const panel = drawKindHeading(sheet)
  const entries = drawPlain(sheet, 0.45, false).slice(0, 6)
  const words = wordsFor(sheet).columns
  const isTuned = sheet.part === 'tuned'
  const days = isTuned
    ? drawDays(sheet, sheet.random.whole(1, 3))
    : [sheet.collected.toISOString().slice(0, 10)]
  const values = entries.map((entry) => drawValues(sheet, entry, days.length))
  const isReversed = isTuned && sheet.random.chance(0.5)
  const dated = days.map((day, at) => [day, ...values.map((each) => each[at] ?? '')])
  if (isReversed) dated.reverse()
  const columns = [
    { title: '', share: 1.4 },
    ...entries.map(({ name, unit }) => ({
      title: isTuned || unit === null ? name : `${name} ${unit}`,
      share: 1,
    })),
  ]
  const units = [words.unit[0] ?? '', ...entries.map(({ unit }) => unit ?? '')]
  const ranges = [words.range[0] ?? '', ...entries.map(({ range }) => range ?? '')]
  drawGrid(sheet, columns, isTuned ? [units, ranges, ...dated] : [...dated, ranges])
  addTruth(sheet, entries, panel)
}

const DAY = 86_400_000

/** Returns the day of the report and earlier ones, newest first, in one notation. */
function drawDays({ random, collected, part, language }: Sheet, count: number): string[] {
  const write = random.pick([
    (date: Date) => date.toISOString().slice(0, 10),
    (date: Date) => date.toISOString().slice(0, 10).split('-').reverse().join('.'),
    (date: Date) =>
      date
        .toLocaleDateString('en-GB', { day: '2-digit', month: 'short', year: 'numeric' })
        .replaceAll(' ', '-'),
  ])
  return Array.from({ length: count }, (_, at) => {
    const ago = at === 0 ? 0 : random.whole(60 * at - 40, 60 * at)
    const date = new Date(collected.getTime() - ago * DAY)
    const isWritten = part === 'tuned' && language === 'en'
    return isWritten ? write(date) : date.toISOString().slice(0, 10)
  })
}

/** Returns the value of the newest day and of earlier ones, some of which are missing. */
function drawValues({ random, notation }: Sheet, entry: Entry, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    if (at === 0) return entry.value
    if (entry.number === null || random.chance(0.15)) return ''
    return writeNumber(entry.number * random.between(0.8, 1.25), entry.decimals, notation)
  })
}

/**
 * Draws a column for each of several days; results are the values of the newest day, if any.
 */
export function drawCumulative(sheet: Sheet): void {
  const { random, part } = sheet
  const panel = drawKindHeading(sheet)
  const entries = drawPlain(sheet, 0.8, false)
  const isTuned = part === 'tuned'
  const days = drawDays(sheet, isTuned ? random.whole(2, 4) : 3)
  const words = wordsFor(sheet).columns
  const column = (title: string, share: number) => ({ title, share })
  const [name, unit, range] = [
    column(words.name[0] ?? '', 26),
    column(words.unit[0] ?? '', 12),
    column(words.range[0] ?? '', 20),
  ]
  const dates = days.map((day) => column(day, 16))
  const isFirst = isTuned && random.chance(0.4)
  const isReversed = isTuned ? random.chance(0.5) : true
  if (isReversed) dates.reverse()
  const measured: Entry[] = []
  const lines = entries.map((entry) => {
    const values = drawValues(sheet, entry, days.length)
    if (isTuned && random.chance(0.1)) values[0] = ''
    else measured.push(entry)
    if (isReversed) values.reverse()
    const sides = [entry.unit ?? '', entry.range ?? '']
    return [entry.name, ...(isFirst || !isTuned ? [...sides, ...values] : [...values, ...sides])]
  })
  drawGrid(
    sheet,
    isFirst || !isTuned ? [name, unit, range, ...dates] : [name, ...dates, unit, range],
    lines,
  )
  addTruth(sheet, measured, panel)
}

/** Draws shares and counts of white cells side by side; in the unseen part one below the other. */
export function drawDifferential(sheet: Sheet): void {
  const { random, part, notation } = sheet
  const panel = drawKindHeading(sheet)
  const marks = drawMarks(sheet)
  const leukocytes = random.between(3, 16)
  const pairs = testsOf('differential').map((test) => {
    const share = drawEntry(sheet, test, marks)
    const count = Number((((share.number ?? 0) * leukocytes) / 100).toFixed(2))
    const unit = sayFor(sheet, 'absolute').includes('10^9') ? '10^9/L' : '10^3/uL'
    const drawn = drawEntry(sheet, { ...test, unit, decimals: '2', range: '', loinc: '', also: '' })
    const value = writeNumber(count, 2, notation)
    const absolute: Entry = { ...drawn, value, truth: { ...drawn.truth, value, unit } }
    absolute.unit = unit
    return { share, absolute }
  })
  const words = wordsFor(sheet).columns
  const cells = ({ value, flag }: Entry) => (flag === null ? value : `${value} ${flag}`)
  if (part === 'tuned') {
    drawGrid(
      sheet,
      [
        { title: panel, share: 36 },
        { title: sayFor(sheet, 'percent'), share: 20 },
        { title: words.range[0] ?? '', share: 24 },
        { title: sayFor(sheet, 'absolute'), share: 24 },
      ],
      pairs.map(({ share, absolute }) => [
        share.name,
        cells(share),
        share.range ?? '',
        absolute.value,
      ]),
    )
  } else {
    const titles = [words.name[0], words.value[0], words.unit[0], words.range[0]]
    const entries = pairs.flatMap(({ share, absolute }) => {
      const name = `${absolute.name}, abs.`
      return [share, { ...absolute, name, truth: { ...absolute.truth, name } }]
    })
    drawGrid(
      sheet,
      titles.map((title = '', at) => ({ title, share: at === 0 ? 3 : 2 })),
      entries.map((entry) => [entry.name, cells(entry), entry.unit ?? '', entry.range ?? '']),
    )
    addTruth(sheet, entries, panel)
    return
  }
  addTruth(
    sheet,
    pairs.flatMap(({ share, absolute }) => [share, absolute]),
    panel,
  )
}
