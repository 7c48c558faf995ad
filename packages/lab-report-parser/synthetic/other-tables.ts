import type { TruthRow } from '../eval/truth.ts'
import type { SyntheticDocument } from './document.ts'
import { drawNotation } from './notation.ts'
import { framePages } from './page-frame.ts'
import { Painter, type TextOptions } from './painter.ts'
import { createRandom, type Random } from './random.ts'
import { drawReport, type PrintedRow, type Report } from './report.ts'
import { drawStyle } from './style.ts'
import { LANGUAGES, type Language } from './words.ts'

/** Layouts in which most of what is printed is no result; they may be looked at while tuning. */
export const OTHER_TABLES = [
  'drug-screen',
  'allergy-panel',
  'antibiogram',
  'cumulative',
  'transposed',
  'card-grid',
] as const
export type OtherTable = (typeof OTHER_TABLES)[number]

interface Sheet {
  painter: Painter
  random: Random
  report: Report
}

/** A cell of a row, and how it is drawn. */
interface Cell extends TextOptions {
  text: string
}

const toCell = (cell: string | Cell): Cell => (typeof cell === 'string' ? { text: cell } : cell)

/** The same seed and kind give the same bytes. Everything in it is invented. */
export async function drawOtherTable(seed: number, kind: OtherTable): Promise<SyntheticDocument> {
  const random = createRandom(seed * 31 + OTHER_TABLES.indexOf(kind))
  const drawn = drawStyle(random, 'tuned')
  const style = {
    ...drawn,
    family: 'table' as const,
    watermark: null,
    size: Math.min(drawn.size, 9),
  }
  const language: Language =
    kind === 'cumulative' && random.chance(0.4) ? random.pick(LANGUAGES.slice(1)) : 'en'
  const notation = drawNotation(random, language, style.font.hasSymbols)
  notation.rangesOfBothSexes = false
  const options = {
    isUpper: false,
    hasRanges: true,
    hasPrevious: false,
    hasMethod: false,
    commentShare: 0,
  }
  const report = drawReport(random, notation, options, random.whole(1, 3))
  const painter = new Painter(style)
  framePages(painter, random, report)
  painter.addPage()
  const rows = DRAW[kind]({ painter, random, report })
  return { name: `${kind}-${language}`, pdf: await painter.finish(), rows, header: report.header }
}

const DRAW: Record<OtherTable, (sheet: Sheet) => TruthRow[]> = {
  'drug-screen': drawDrugScreen,
  'allergy-panel': drawAllergyPanel,
  antibiogram: drawAntibiogram,
  cumulative: drawCumulative,
  transposed: drawTransposed,
  'card-grid': drawCardGrid,
}

const toTruth = (name: string, value: string, more: Partial<TruthRow> = {}): TruthRow => ({
  name,
  value,
  unit: null,
  reference_range: null,
  flag: null,
  interpretation: null,
  loinc: null,
  ...more,
})

/** A table whose first column is as wide as it needs, the others alike. */
function drawGrid(
  { painter, random }: Sheet,
  titles: readonly string[],
  rows: readonly (readonly (string | Cell)[])[],
): void {
  const { size } = painter.style
  const all = [
    titles.map((text): Cell => ({ text, cut: 'bold' })),
    ...rows.map((row) => row.map(toCell)),
  ]
  const first = Math.max(...all.map((row) => painter.measure(row[0]?.text ?? '', row[0]))) + size
  const rest = (painter.right - painter.left - first) / (titles.length - 1)
  const align = random.pick(['left', 'left', 'center', 'right'] as const)
  for (const row of all) {
    painter.need(painter.step)
    for (const [at, { text, ...options }] of row.entries()) {
      const x = at === 0 ? painter.left : painter.left + first + rest * (at - 1)
      // Titles that do not fit are made small, as spreadsheets do.
      const scale = Math.min(1, (rest - 4) / painter.measure(text, options))
      const fitted = at === 0 ? options : { ...options, size: Math.max(6, size * scale) }
      painter.text(text, x, painter.y, {
        ...fitted,
        align: at === 0 ? 'left' : align,
        width: rest - 6,
      })
    }
    painter.y += painter.step
  }
}

const DRUGS = [
  ['Amphetamines', 500, 250],
  ['Barbiturates', 200, 200],
  ['Benzodiazepines', 200, 50],
  ['Buprenorphine', 5, 2],
  ['Cocaine Metabolite', 150, 100],
  ['Fentanyl', 2, 1],
  ['Marijuana (THC)', 50, 15],
  ['MDMA', 500, 250],
  ['Methadone', 300, 100],
  ['Opiates', 2000, 2000],
  ['Oxycodone', 100, 50],
  ['Phencyclidine (PCP)', 25, 25],
] as const

function drawDrugScreen(sheet: Sheet): TruthRow[] {
  const { painter, random } = sheet
  const truth: TruthRow[] = []
  const shape = random.pick(['screen', 'screen', 'both', 'confirmed'] as const)
  const unitPlace = random.pick(['column', 'cell', 'title'] as const)
  const inTitle = unitPlace === 'title' ? ' (ng/mL)' : ''
  const amount = (number: number) => (unitPlace === 'cell' ? `${number} ng/mL` : String(number))
  const words = random.pick([
    ['POSITIVE', 'NEGATIVE'],
    ['Positive', 'Negative'],
    ['DETECTED', 'NOT DETECTED'],
    ['Presumptive Positive', 'Negative'],
  ] as const)
  const cutoff = random.pick(['Cutoff', 'Cut-off', 'Screen Cutoff', 'Screening Cutoff'])
  const titles = [
    random.pick(['Drug', 'Drug Class', 'Test', 'Analyte', 'Substance', 'Test Name']),
    ...(shape === 'confirmed'
      ? [
          'Screen Result',
          `${cutoff}${inTitle}`,
          `Confirmation Result${inTitle}`,
          `Confirm Cutoff${inTitle}`,
        ]
      : shape === 'both'
        ? [
            random.pick(['Result', 'Screen Result']),
            `Screen Cutoff${inTitle}`,
            `Confirm Cutoff${inTitle}`,
          ]
        : random.chance(0.3)
          ? [`${cutoff}${inTitle}`, 'Result']
          : [random.pick(['Result', 'Outcome', 'Screen']), `${cutoff}${inTitle}`]),
    ...(unitPlace === 'column' ? ['Units'] : []),
  ]
  const rows = DRUGS.filter(() => random.chance(0.75)).map(([name, screen, confirm]) => {
    const isFound = random.chance(0.3)
    const result = words[isFound ? 0 : 1]
    truth.push(toTruth(name, result))
    const found = Math.round(confirm * random.between(1.2, 20))
    if (shape === 'confirmed' && isFound)
      truth.push(toTruth(name, String(found), { unit: 'ng/mL' }))
    const cells: Record<string, string> = {
      [`${cutoff}${inTitle}`]: amount(screen),
      [`Screen Cutoff${inTitle}`]: amount(screen),
      [`Confirm Cutoff${inTitle}`]: amount(confirm),
      [`Confirmation Result${inTitle}`]: isFound ? amount(found) : '',
      Units: 'ng/mL',
    }
    return titles.map((title, at) => (at === 0 ? name : (cells[title] ?? result)))
  })
  painter.text('URINE DRUG SCREEN', painter.left, painter.y, { cut: 'bold' })
  painter.y += painter.step
  drawGrid(sheet, titles, rows)
  return truth
}

const ALLERGENS =
  'd1 D. pteronyssinus|d2 D. farinae|e1 Cat dander|e5 Dog dander|f1 Egg white|f2 Cow milk|f13 Peanut|f14 Soybean|f4 Wheat|g6 Timothy grass|m6 Alternaria alternata|t3 Silver birch|w1 Common ragweed|w6 Mugwort'.split(
    '|',
  )
const CLASSES = [0, 0.35, 0.7, 3.5, 17.5, 50, 100]

function drawAllergyPanel(sheet: Sheet): TruthRow[] {
  const { painter, random } = sheet
  const truth: TruthRow[] = []
  const hasUnits = random.chance(0.5)
  const hasRange = random.chance(0.5)
  const isClassFirst = random.chance(0.4)
  const value = hasUnits
    ? random.pick(['Result', 'Value'])
    : random.pick(['kU/L', 'Result (kU/L)', 'IgE (kU/L)'])
  const withCode = random.chance(0.6)
  const titles = [
    random.pick(['Allergen', 'Allergen', 'Test', 'Component']),
    ...(isClassFirst ? ['Class', value] : [value, ...(hasUnits ? ['Units'] : []), 'Class']),
    ...(isClassFirst && hasUnits ? ['Units'] : []),
    ...(hasRange ? ['Reference Range'] : []),
  ]
  const rows = ALLERGENS.filter(() => random.chance(0.7)).map((full) => {
    const name = withCode ? full : full.replace(/^\S+ /, '')
    const number = random.chance(0.4) ? 0.05 : Number(Math.exp(random.between(-2, 4.8)).toFixed(2))
    const written = number < 0.1 ? '<0.10' : number.toFixed(2)
    truth.push(toTruth(name, written, { unit: 'kU/L', reference_range: hasRange ? '<0.35' : null }))
    const level = CLASSES.findLastIndex((bound) => number >= bound)
    const cells: Record<string, string> = {
      [value]: written,
      Units: 'kU/L',
      Class: String(level),
      'Reference Range': '<0.35',
    }
    return titles.map((title, at) => (at === 0 ? name : (cells[title] ?? '')))
  })
  painter.text('ALLERGEN SPECIFIC IgE', painter.left, painter.y, { cut: 'bold' })
  painter.y += painter.step
  drawGrid(sheet, titles, rows)
  painter.y += painter.step
  const says = ['Absent', 'Low', 'Moderate', 'High', 'Very high', 'Very high', 'Extremely high']
  const bounds = CLASSES.map((bound, at) =>
    at === 0
      ? '<0.35'
      : at === 6
        ? '>=100'
        : `${bound.toFixed(2)} - ${((CLASSES[at + 1] ?? 0) - 0.01).toFixed(2)}`,
  )
  if (random.chance(0.5)) {
    drawGrid(
      sheet,
      ['Class', 'kU/L', 'Level of specific IgE'],
      says.map((word, at) => [String(at), bounds[at] ?? '', word]),
    )
  } else {
    for (const [at, word] of says.entries()) {
      painter.text(`Class ${at}: ${bounds[at]} kU/L ${word}`, painter.left, painter.y)
      painter.y += painter.step
    }
  }
  return truth
}

const ANTIBIOTICS =
  'Amikacin|Amoxicillin/Clavulanate|Ampicillin|Ampicillin/Sulbactam|Aztreonam|Cefazolin|Cefepime|Ceftazidime|Ceftriaxone|Ciprofloxacin|Ertapenem|Gentamicin|Levofloxacin|Meropenem|Nitrofurantoin|Piperacillin/Tazobactam|Tobramycin|Trimethoprim/Sulfamethoxazole'.split(
    '|',
  )

function drawAntibiogram(sheet: Sheet): TruthRow[] {
  const { painter, random } = sheet
  const organism = random.pick(['Escherichia coli', 'Klebsiella pneumoniae', 'Proteus mirabilis'])
  const truth = [toTruth('Organism', organism)]
  painter.text('URINE CULTURE', painter.left, painter.y, { cut: 'bold' })
  painter.y += painter.step
  painter.text(`Organism: ${organism}`, painter.left, painter.y)
  painter.y += painter.step
  if (random.chance(0.6)) {
    truth.push(toTruth('Colony count', '>100,000', { unit: 'CFU/mL' }))
    painter.text('Colony count: >100,000 CFU/mL', painter.left, painter.y)
    painter.y += painter.step
  }
  painter.y += painter.step * 0.5
  const hasConcentrations = random.chance(0.75)
  const isWords = random.chance(0.4)
  const unitInTitle = random.chance(0.6)
  const isTwofold = random.chance(0.3)
  const isLetterFirst = random.chance(0.25)
  const drugs = ANTIBIOTICS.filter(() => random.chance(0.7))
  const cells = drugs.map((name) => {
    const at = random.whole(0, 2)
    const says =
      (isWords ? ['Susceptible', 'Intermediate', 'Resistant'] : ['S', 'I', 'R'])[at] ?? ''
    const mic =
      [
        random.pick(['<=1', '<=4', '<=0.25', '<=16']),
        '16',
        random.pick(['>=32', '>=64', '>=4', '>=320']),
      ][at] ?? ''
    truth.push(
      hasConcentrations
        ? toTruth(name, mic, { unit: unitInTitle ? 'ug/mL' : null, flag: says })
        : toTruth(name, says),
    )
    const found = isLetterFirst ? [says, mic] : [mic, says]
    return hasConcentrations ? [name, ...found] : [name, says]
  })
  const mic = `MIC${unitInTitle ? ' (ug/mL)' : ''}`
  const found = random.pick(['Interpretation', 'Interp', 'S/I/R', 'Susceptibility'])
  const titles = [
    random.pick(['Antibiotic', 'Antimicrobial', 'Drug', 'Antimicrobial Agent']),
    ...(hasConcentrations ? (isLetterFirst ? [found, mic] : [mic, found]) : [found]),
  ]
  if (isTwofold) {
    const half = Math.ceil(cells.length / 2)
    const blank = titles.map(() => '')
    drawGrid(
      sheet,
      [...titles, ...titles],
      cells.slice(0, half).map((row, at) => [...row, ...(cells[half + at] ?? blank)]),
    )
  } else drawGrid(sheet, titles, cells)
  painter.y += painter.step * 0.5
  painter.text('S = Susceptible, I = Intermediate, R = Resistant', painter.left, painter.y)
  return truth
}

const rowsOf = ({ report }: Sheet): PrintedRow[] => {
  const names = new Set<string>()
  return report.sections
    .flatMap(({ rows }) => rows)
    .filter(
      ({ name, value }) => /^[<>]?\d[\d.,]*$/.test(value) && !names.has(name) && names.add(name),
    )
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

function drawDates(random: Random, count: number): { texts: string[]; newest: number } {
  const first = Date.UTC(random.whole(2019, 2023), random.whole(0, 11), random.whole(1, 28))
  const times = Array.from(
    { length: count },
    (_, at) => first + at * random.whole(60, 200) * 86_400_000,
  )
  if (random.chance(0.5)) times.reverse()
  const style = random.whole(0, 3)
  const two = (number: number) => String(number).padStart(2, '0')
  const texts = times.map((time) => {
    const date = new Date(time)
    const [day, month, year] = [two(date.getUTCDate()), date.getUTCMonth(), date.getUTCFullYear()]
    if (style === 0) return `${year}-${two(month + 1)}-${day}`
    if (style === 1) return `${day}.${two(month + 1)}.${year}`
    return style === 2 ? `${day} ${MONTHS[month]} ${year}` : `${day}-${MONTHS[month]}-${year}`
  })
  return { texts, newest: times.indexOf(Math.max(...times)) }
}

/** Values of several dates of one analyte; some are not measured at each. */
function drawValues(random: Random, row: PrintedRow, count: number, newest: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    if (at === newest) return random.chance(0.12) ? '' : row.value
    const number = Number(row.value.replace(/[<>]/, '').replace(',', '.'))
    if (random.chance(0.15)) return ''
    const other = (number * random.between(0.7, 1.3)).toFixed(
      row.value.split(/[.,]/)[1]?.length ?? 0,
    )
    return row.value.includes(',') ? other.replace('.', ',') : other
  })
}

function drawCumulative(sheet: Sheet): TruthRow[] {
  const { random } = sheet
  const count = random.whole(2, 4)
  const { texts, newest } = drawDates(random, count)
  const isUnitFirst = random.chance(0.4)
  const around = ['Units', 'Reference Range']
  const titles = [
    random.pick(['Test', 'Analyte', 'Date']),
    ...(isUnitFirst ? [...around, ...texts] : [...texts, ...around]),
  ]
  const truth: TruthRow[] = []
  const rows = rowsOf(sheet).map((row) => {
    const values = drawValues(random, row, count, newest)
    if (values[newest] !== '')
      truth.push({ ...row.truth, value: row.value, flag: null, loinc: null })
    const sides = [row.unit ?? '', row.range ?? '']
    return [row.name, ...(isUnitFirst ? [...sides, ...values] : [...values, ...sides])]
  })
  drawGrid(sheet, titles, rows)
  return truth
}

function drawTransposed(sheet: Sheet): TruthRow[] {
  const { random } = sheet
  const rows = rowsOf(sheet)
    .filter(({ name }) => name.length < 16)
    .slice(0, random.whole(3, 5))
  const count = random.whole(1, 4)
  const { texts, newest } = drawDates(random, count)
  const values = rows.map((row) => drawValues(random, row, count, newest))
  const hasUnits = random.chance(0.8)
  const hasRanges = random.chance(0.7)
  drawGrid(
    sheet,
    [random.pick(['Date', 'Date', 'Collected']), ...rows.map(({ name }) => name)],
    [
      ...(hasUnits ? [[random.pick(['', 'Units']), ...rows.map(({ unit }) => unit ?? '')]] : []),
      ...(hasRanges ? [['Reference', ...rows.map(({ range }) => range ?? '')]] : []),
      ...texts.map((text, at) => [text, ...values.map((each) => each[at] ?? '')]),
    ],
  )
  return rows.flatMap((row, at) =>
    values[at]?.[newest] === ''
      ? []
      : [
          {
            ...row.truth,
            value: row.value,
            unit: hasUnits ? row.unit : null,
            reference_range: hasRanges ? row.range : null,
            interpretation: hasRanges ? row.truth.interpretation : null,
            flag: null,
            loinc: null,
          },
        ],
  )
}

/** Cards of one row of the page each, name, value and interval under each other, with uneven gaps. */
function drawCardGrid(sheet: Sheet): TruthRow[] {
  const { painter, random } = sheet
  const columns = random.whole(2, 3)
  const rows = rowsOf(sheet).filter(({ name }) => name.length < 24)
  const width = (painter.right - painter.left) / columns
  const label = random.pick(['Reference', 'Range', 'Reference range:', 'Normal range:', 'Ref:'])
  const big = random.pick([1, 1.3, 1.7])
  const gaps = [random.between(1.2, 2.2), random.between(1.2, 2.2), random.between(1.6, 3.5)]
  const { size } = painter.style
  const hasLabels = random.chance(0.3)
  for (let at = 0; at < rows.length; at += columns) {
    const band = rows.slice(at, at + columns)
    painter.need(size * 9)
    const lines: ((row: PrintedRow) => Cell)[] = [
      ({ name }) => ({ text: name, cut: 'bold' }),
      ({ value, unit }) => ({
        text: `${hasLabels ? 'Result: ' : ''}${value}${unit ? ` ${unit}` : ''}`,
        size: size * big,
      }),
      ({ range }) => ({ text: range === null ? '' : `${label} ${range}`, size: size * 0.9 }),
    ]
    for (const [line, say] of lines.entries()) {
      for (const [column, row] of band.entries()) {
        const { text, ...options } = say(row)
        painter.text(text, painter.left + column * width, painter.y, options)
      }
      painter.y += size * (gaps[line] ?? 1.5) * (line === 0 ? big : 1)
    }
  }
  return rows.map(({ truth, value }) => ({ ...truth, value, flag: null, loinc: null }))
}
