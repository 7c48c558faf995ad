import { addTruth, drawMarks, drawPlainEntries, type Entry } from './entries.ts'
import { drawEntries } from './panels.ts'
import { drawBox, drawGrid, drawKindHeading, type Sheet, sayFor } from './sheet.ts'
import { sayHeading } from './words.ts'

const CALLED = { en: 'called to', de: 'telefonisch an', es: 'comunicado a', fr: 'téléphoné à' }
const PEOPLE = ['J. Weber, MD', 'Dr. M. Ortiz', 'RN 2214', 'Dr. Lindqvist', 'A. Moreau']

/** Wordings in which a box repeats a result, some with the person who was notified. */
const WORDINGS: ((entry: Entry, call: string, limit: string) => string[])[] = [
  ({ name, value, unit }, _, limit) => [`${name} ${value} ${unit ?? ''} (${limit})`],
  ({ name, value, unit }, call) => [`${name}: ${value} ${unit ?? ''}`, call],
  ({ name, value, unit, flag }, call) => [`${name} = ${value} ${unit ?? ''} ${flag} ${call}`],
  ({ name, value, unit }, call) => [`${name.toUpperCase()} ${value} ${unit ?? ''}, ${call}`],
  ({ name, value, unit, range }, call) => [`${name}  ${value} ${unit ?? ''}  ${range}`, call],
  ({ name, value, unit }, call) => [`${name.split(/[ ,(]/)[0]} ${value} ${unit ?? ''} - ${call}`],
]

interface Box {
  title: string
  lines: string[]
  /** Cells of a table in the box, instead of lines. */
  cells: string[][]
}

/** Draws a box that repeats urgent results: above, below or beside the rows. */
export function drawCritical(sheet: Sheet): void {
  const { part, random } = sheet
  const entries = drawPlainEntries(sheet, { high: 'HH', low: 'LL' })
  const urgent = entries.filter(({ flag }) => flag !== null).slice(0, 2)
  const place = part === 'unseen' ? 'below' : random.pick(['above', 'above', 'below', 'beside'])
  const box = describeBox(sheet, urgent)
  const draw = () => {
    if (urgent.length === 0) return
    if (box.cells.length === 0) drawBox(sheet, [box.title, ...box.lines])
    else drawTableBox(sheet, box)
  }
  if (place === 'above') draw()
  const panel = drawKindHeading(sheet)
  if (place === 'beside') drawBeside(sheet, entries, urgent.length > 0 ? box : undefined)
  else drawEntries(sheet, entries)
  addTruth(sheet, entries, panel)
  if (place === 'below') draw()
}

function describeBox(sheet: Sheet, urgent: readonly Entry[]): Box {
  const { part, random, language } = sheet
  const title = `*** ${sayFor(sheet, 'critical')} ***`
  if (part === 'unseen') {
    const lines = urgent.map(({ name, value, unit }) => `${name}: ${value} ${unit ?? ''}`)
    return { title, lines: [...lines, `Dr. ${random.whole(10, 23)}:17, 2 x`], cells: [] }
  }
  const person = random.pick(PEOPLE)
  const time = `${random.whole(10, 23)}:${random.whole(10, 59)}`
  const call = `${CALLED[language]} ${person} ${time}`
  const write = random.pick(WORDINGS)
  const lines = urgent.flatMap((entry) => {
    const isHigh = entry.flag === 'HH'
    const limit = `${isHigh ? '>' : '<'} ${Math.round((entry.number ?? 0) * (isHigh ? 0.9 : 1.1))}`
    return write(entry, call, limit)
  })
  const isTable = random.chance(0.25)
  const cells = urgent.map(({ name, value, unit }) => [
    name,
    `${value} ${unit ?? ''}`,
    person,
    time,
  ])
  return { title, lines, cells: isTable ? cells : [] }
}

function drawTableBox(sheet: Sheet, { title, cells }: Box): void {
  const { painter } = sheet
  const top = painter.y
  painter.y += painter.style.size * 0.5
  painter.text(title, painter.left + 6, painter.y, { cut: 'bold' })
  painter.y += painter.step
  const width = painter.right - painter.left
  const columns = [3, 2, 2, 1].map((share) => ({ title: '', share }))
  drawGrid(sheet, columns, cells, { left: painter.left + 6, width: width - 12 })
  painter.frame(painter.left, top, width, painter.y - top, '#b00000')
  painter.y += painter.style.size
}

/** Draws the rows on the left of the page, and the box on the right. */
function drawBeside(sheet: Sheet, entries: readonly Entry[], box: Box | undefined): void {
  const { painter } = sheet
  const full = painter.right - painter.left
  const top = painter.y
  const page = painter.pages
  drawEntries(sheet, entries, { left: painter.left, width: full * 0.66 })
  if (!box || painter.pages !== page) return
  const [left, width] = [painter.left + full * 0.69, full * 0.31]
  const size = painter.style.size * 0.9
  const lines = [box.title, ...box.lines].flatMap((line) =>
    painter.wrap(line, width - 10, { size }),
  )
  const height = lines.length * painter.step + painter.style.size
  painter.frame(left, top, width, height, '#b00000')
  for (const [at, line] of lines.entries())
    painter.text(line, left + 5, top + painter.style.size * 0.5 + at * painter.step, { size })
  painter.y = Math.max(painter.y, top + height + painter.style.size)
}

/** Classes of an analyte: lower bound and name of each. */
interface Scale {
  analyte: string
  unit: string
  bounds: number[]
  names: string[]
}

const SCALES: Scale[] = [
  {
    analyte: 'HbA1c',
    unit: '%',
    bounds: [5.7, 6.5],
    names: ['normal', 'prediabetes', 'diabetes'],
  },
  {
    analyte: '25-OH-D',
    unit: 'ng/mL',
    bounds: [10, 30, 100],
    names: ['1', '2', '3', '4'],
  },
  {
    analyte: 'LDL',
    unit: 'mg/dL',
    bounds: [100, 130, 160],
    names: ['optimal', 'near optimal', 'borderline', 'high'],
  },
  {
    analyte: 'eGFR',
    unit: 'mL/min',
    bounds: [15, 30, 60, 90],
    names: ['G5', 'G4', 'G3', 'G2', 'G1'],
  },
  {
    analyte: 'CRP (cardiac)',
    unit: 'mg/L',
    bounds: [1, 3],
    names: ['low risk', 'average risk', 'high risk'],
  },
]

const intervalOf = ({ bounds }: Scale, at: number): string => {
  const [from, to] = [bounds[at - 1], bounds[at]]
  if (from === undefined) return `< ${to}`
  return to === undefined ? `>= ${from}` : `${from} - ${to}`
}

/** Tables and lines of classes, in the arrangements that reports have. */
const LEGENDS: ((scale: Scale) => { titles: string[]; lines: string[][] })[] = [
  (scale) => ({
    titles: [`${scale.analyte} ${scale.unit}`, ''],
    lines: scale.names.map((name, at) => [intervalOf(scale, at), name]),
  }),
  (scale) => ({
    titles: [scale.analyte, scale.unit],
    lines: scale.names.map((name, at) => [intervalOf(scale, at), name]),
  }),
  (scale) => ({
    titles: ['', `${scale.analyte} (${scale.unit})`],
    lines: scale.names.map((name, at) => [name, intervalOf(scale, at)]),
  }),
  (scale) => ({
    titles: ['Level', 'Range', 'Unit'],
    lines: scale.names.map((name, at) => [name, intervalOf(scale, at), scale.unit]),
  }),
  (scale) => ({
    titles: ['', '', '', ''],
    lines: scale.names.map((name, at) => [scale.analyte, name, intervalOf(scale, at), scale.unit]),
  }),
  (scale) => ({
    titles: ['', ''],
    lines: scale.bounds.map((bound, at) => [
      `${scale.analyte}, ${scale.names[at]}`,
      `< ${bound} ${scale.unit}`,
    ]),
  }),
  (scale) => ({
    titles: ['', ''],
    lines: scale.bounds.map((bound, at) => [
      `${scale.analyte} ${scale.names[at + 1]}`,
      `${bound} ${scale.unit}`,
    ]),
  }),
]

/** Legends of the unseen part, each in one arrangement. */
const UNSEEN: string[][][] = [
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
]

/** Draws a table of classes below the rows, or between them. */
export function drawLegend(sheet: Sheet): void {
  const { part, random } = sheet
  const panel = drawKindHeading(sheet, sayHeading('plain', sheet.language))
  const entries = drawPlainEntries(sheet, drawMarks(sheet))
  const isBetween = part === 'tuned' && random.chance(0.3)
  const middle = isBetween ? Math.ceil(entries.length / 2) : entries.length
  drawEntries(sheet, entries.slice(0, middle))
  drawClasses(sheet)
  if (isBetween) drawEntries(sheet, entries.slice(middle))
  addTruth(sheet, entries, panel)
}

function drawClasses(sheet: Sheet): void {
  const { part, random, painter } = sheet
  const full = painter.right - painter.left
  if (part === 'unseen') {
    const [titles = [], ...lines] = random.pick(UNSEEN)
    drawTable(sheet, titles, lines, full * 0.8)
    return
  }
  const scale = random.pick(SCALES)
  if (random.chance(0.25)) {
    const said = scale.names.map((name, at) => `${name}: ${intervalOf(scale, at)}`)
    drawTable(sheet, [''], [[`${scale.analyte} (${scale.unit}) ${said.join('; ')}`]], full)
    return
  }
  const { titles, lines } = random.pick(LEGENDS)(scale)
  drawTable(sheet, titles, lines, full * random.pick([0.5, 0.7, 1]))
}

function drawTable(sheet: Sheet, titles: string[], lines: string[][], width: number): void {
  const { painter, part, random } = sheet
  if (part === 'unseen' || random.chance(0.7)) {
    painter.text(sayFor(sheet, 'legend'), painter.left, painter.y, { cut: 'bold' })
    painter.y += painter.step * 0.9 + painter.style.size * 0.4
  }
  drawGrid(
    sheet,
    titles.map((title) => ({ title, share: 1 })),
    lines,
    { left: painter.left, width },
  )
}
