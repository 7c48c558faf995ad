import type { TruthHeader, TruthRow } from '../eval/truth.ts'
import { ANALYTES, type Analyte, QUALITATIVE_TESTS, type QualitativeTest } from './analytes.ts'
import { type Notation, type PrintedRange, writeNumber, writeRange, writeUnit } from './notation.ts'
import type { Random } from './random.ts'
import { type Language, WORDS } from './words.ts'

/** A row before it stands anywhere; what is null is not printed. */
export interface PrintedRow {
  name: string
  value: string
  unit: string | null
  range: string | null
  bounds: PrintedRange
  /**
   * Where the value lies between the bounds, below 0 or over 1 outside of them; null without two.
   */
  position: number | null
  direction: 'high' | 'low' | null
  isAbnormal: boolean
  flag: string | null
  previous: string | null
  method: string | null
  comment: string | null
  truth: TruthRow
}

export interface Section {
  panel: string
  heading: string
  sample: string
  rows: PrintedRow[]
}

export interface Person {
  first: string
  last: string
  sex: 'male' | 'female'
  birth: Date
}

export interface Report {
  language: Language
  lab: string
  person: Person
  collected: Date
  reported: Date
  specimen: string
  sections: Section[]
  header: TruthHeader
}

/** What of a row is printed at all. */
export interface RowOptions {
  isUpper: boolean
  hasRanges: boolean
  hasPrevious: boolean
  hasMethod: boolean
  commentShare: number
}

const BLOOD = [
  'cbc',
  'diff',
  'diffabs',
  'inflammation',
  'chem',
  'lytes',
  'liver',
  'muscle',
  'pancreas',
  'lipids',
  'diabetes',
  'thyroid',
  'iron',
  'vitamins',
  'tumor',
  'hormones',
  'coag',
  'immuno',
  'cardiac',
  'serology',
]
const URINE = ['urine', 'sediment', 'urinechem']
const WHOLE_BLOOD = new Set(['cbc', 'diff', 'diffabs', 'diabetes'])

export function drawReport(
  random: Random,
  notation: Notation,
  options: RowOptions,
  panelCount: number,
): Report {
  const { language } = notation
  const words = WORDS[language]
  const person = drawPerson(random, language)
  const collected = new Date(
    Date.UTC(random.whole(2019, 2025), random.whole(0, 11), random.whole(1, 28)),
  )
  const reported = new Date(collected.getTime() + random.whole(0, 4) * 86_400_000)
  const sections = drawPanels(random, panelCount)
    .map((panel) => drawSection(random, panel, notation, options, person))
    .filter(({ rows }) => rows.length > 0)
  return {
    language,
    lab: random.pick(words.labNames),
    person,
    collected,
    reported,
    specimen: random.pick([
      `${random.whole(10, 99)}-${random.whole(100, 999)}-${random.whole(1000, 9999)}-0`,
      `${random.pick(['A', 'L', 'WX', 'H'])}${random.whole(100_000, 999_999)}`,
      String(random.whole(1_000_000_000, 9_999_999_999)),
    ]),
    sections,
    header: {},
  }
}

function drawPerson(random: Random, language: Language): Person {
  const { firstNames, lastNames } = WORDS[language]
  const sex = random.pick(['male', 'female'] as const)
  return {
    first: random.pick(firstNames[sex]),
    last: random.pick(lastNames),
    sex,
    birth: new Date(Date.UTC(random.whole(1935, 2004), random.whole(0, 11), random.whole(1, 28))),
  }
}

/**
 * Distinct panels; blood counts are followed by their differential, the urine strip by its
 * sediment.
 */
function drawPanels(random: Random, count: number): string[] {
  const panels: string[] = []
  const add = (panel: string) => {
    if (!panels.includes(panel)) panels.push(panel)
  }
  while (panels.length < count) {
    const kind = random.next()
    if (kind < 0.2) {
      add('cbc')
      if (random.chance(0.6)) add('diff')
      if (random.chance(0.5)) add('diffabs')
    } else if (kind < 0.3) {
      add('urine')
      if (random.chance(0.4)) add('sediment')
    } else if (kind < 0.34) add('pcr')
    else if (kind < 0.4) add('urinechem')
    else add(random.pick(BLOOD))
  }
  return panels
}

function drawSection(
  random: Random,
  panel: string,
  notation: Notation,
  options: RowOptions,
  person: Person,
): Section {
  const words = WORDS[notation.language]
  const heading = random.pick(words.panels[panel] ?? [panel])
  const sample = URINE.includes(panel)
    ? words.samples.urine
    : WHOLE_BLOOD.has(panel)
      ? words.samples.blood
      : words.samples.serum
  const isAll = panel === 'cbc' || panel === 'diff' || panel === 'urine'
  const keep = () => isAll || random.chance(0.82)
  const rows = [
    ...ANALYTES.filter((analyte) => analyte.panel === panel && analyte[notation.language] !== '')
      .filter(({ id }) => id !== 'psa' || person.sex === 'male')
      .filter(keep)
      .map((analyte) => drawRow(random, analyte, notation, options, person)),
    ...QUALITATIVE_TESTS.filter((test) => test.panel === panel && test[notation.language] !== '')
      .filter(keep)
      .map((test) => drawQualitativeRow(random, test, notation, options)),
  ]
  for (const row of rows) {
    row.truth.panel = heading
    row.truth.sample_type = URINE.includes(panel)
      ? 'urine'
      : panel === 'pcr'
        ? 'other'
        : 'serum_plasma_blood'
  }
  return { panel, heading, sample, rows }
}

interface Measured {
  low: number | null
  high: number | null
  decimals: number
  unit: string
  loinc: string
  also: string
}

/** The analyte in the units of this report, with bounds for this person. */
function measure(analyte: Analyte, notation: Notation, range: string): Measured {
  const [, sign, bound] = /^([<>])(.+)$/.exec(range) ?? []
  const [low, high] = sign
    ? [sign === '>' ? bound : null, sign === '<' ? bound : null]
    : range.split('-')
  const usesSi = notation.isSi && analyte.si_unit !== ''
  const convert = (text: string | null | undefined): number | null => {
    if (text === null || text === undefined) return null
    if (!usesSi) return Number(text)
    return analyte.si_factor === 'a1c'
      ? (Number(text) - 2.15) * 10.929
      : Number(text) * Number(analyte.si_factor)
  }
  const factor = analyte.unit === 'giga' ? notation.giga.factor : 1
  const scale = (value: number | null) => (value === null ? null : value * factor)
  const decimals = factor > 1 ? 0 : Number(usesSi ? analyte.si_decimals : analyte.decimals)
  const round = (value: number | null) => (value === null ? null : Number(value.toFixed(decimals)))
  return {
    low: round(scale(convert(low))),
    high: round(scale(convert(high))),
    decimals,
    unit: usesSi ? analyte.si_unit : analyte.unit,
    loinc: usesSi ? analyte.si_loinc : analyte.loinc,
    also: usesSi ? analyte.si_also : analyte.also,
  }
}

/** A value inside the bounds, in a fifth of cases outside; never below nothing. */
function drawValue(random: Random, { low, high, decimals }: Measured): number {
  const isAbnormal = random.chance(0.22)
  const draw = (): number => {
    if (low !== null && high !== null) {
      const span = high - low
      if (!isAbnormal) return random.between(low + 0.04 * span, high - 0.04 * span)
      return random.chance(0.6) || low === 0
        ? high + span * random.between(0.03, 0.8)
        : low - Math.min(low * 0.6, span * random.between(0.05, 0.5))
    }
    if (high !== null)
      return high * (isAbnormal ? random.between(1.05, 2) : random.between(0.2, 0.95))
    return (low ?? 0) * (isAbnormal ? random.between(0.5, 0.95) : random.between(1.05, 1.8))
  }
  return Number(Math.max(0, draw()).toFixed(decimals))
}

function drawRow(
  random: Random,
  analyte: Analyte,
  notation: Notation,
  options: RowOptions,
  person: Person,
): PrintedRow {
  const isFemale = person.sex === 'female' && analyte.range_female !== ''
  const measured = measure(analyte, notation, isFemale ? analyte.range_female : analyte.range)
  const { low, high, decimals } = measured
  const number = drawValue(random, measured)
  const write = (value: number) => writeNumber(value, decimals, notation)
  const bounds = { low: low === null ? null : write(low), high: high === null ? null : write(high) }
  const unit = writeUnit(measured.unit, notation)
  const isBelowDetection =
    low === null && high !== null && number < high * 0.3 && random.chance(0.5)
  const value = `${isBelowDetection ? '<' : ''}${write(number)}`
  const isHigh = high !== null && number > high
  const isLow = low !== null && number < low
  return finishRow(random, notation, options, {
    name: random.pick(analyte[notation.language].split('|')),
    value,
    unit,
    range: options.hasRanges ? writeRanges(analyte, notation, bounds) : null,
    bounds,
    position: low !== null && high !== null ? (number - low) / (high - low) : null,
    direction: isHigh ? 'high' : isLow ? 'low' : null,
    isAbnormal: isHigh || isLow,
    previous: write(Math.max(0, number * random.between(0.85, 1.15))),
    loinc: measured.loinc,
    also: measured.also,
    interpretation: isHigh ? 'high' : isLow ? 'low' : 'normal',
  })
}

/** Bounds of this person, or those of men and women one after the other. */
function writeRanges(analyte: Analyte, notation: Notation, bounds: PrintedRange): string {
  if (!notation.rangesOfBothSexes || analyte.range_female === '')
    return writeRange(bounds, notation)
  const { men, women } = WORDS[notation.language].range
  const written = [analyte.range, analyte.range_female].map((range) => {
    const { low, high, decimals } = measure(analyte, notation, range)
    const write = (value: number | null) =>
      value === null ? null : writeNumber(value, decimals, notation)
    return writeRange({ low: write(low), high: write(high) }, { ...notation, bracket: 'none' })
  })
  return `${men}: ${written[0]} ${women}: ${written[1]}`
}

function drawQualitativeRow(
  random: Random,
  test: QualitativeTest,
  notation: Notation,
  options: RowOptions,
): PrintedRow {
  const words = WORDS[notation.language].qualitative
  const isAbnormal = random.chance(0.2) && test.abnormal !== ''
  const [, low, high] = /^([\d.]+)-([\d.]+)$/.exec(test.range) ?? []
  const isNumeric = low !== undefined && high !== undefined && test.abnormal === ''
  const decimals = low?.split('.')[1]?.length ?? 0
  const write = (number: number) => writeNumber(number, decimals, notation)
  const bounds = { low: low ? write(Number(low)) : null, high: high ? write(Number(high)) : null }
  const say = (key: string) =>
    words[key] ?? (notation.dash.trim() === '–' ? key.replace('-', '–') : key)
  const value = isNumeric
    ? write(random.between(Number(low), Number(high)))
    : say(random.pick((isAbnormal ? test.abnormal : test.normal).split(' ')))
  return finishRow(random, notation, options, {
    name: random.pick(test[notation.language].split('|')),
    value,
    unit: test.panel === 'sediment' && test.range.includes('-') ? '/hpf' : null,
    range: options.hasRanges ? (low ? writeRange(bounds, notation) : say(test.range)) : null,
    bounds,
    position: null,
    direction: null,
    isAbnormal,
    previous: value,
    loinc: test.loinc,
    also: test.also,
    interpretation: isNumeric ? 'normal' : null,
  })
}

type Drawn = Omit<PrintedRow, 'flag' | 'method' | 'comment' | 'truth'> & {
  loinc: string
  also: string
  interpretation: TruthRow['interpretation']
}

/** Adds what reports print beside a row, and the truth. */
function finishRow(
  random: Random,
  { language, flag: style }: Notation,
  options: RowOptions,
  { loinc, also, interpretation, ...drawn }: Drawn,
): PrintedRow {
  const words = WORDS[language]
  const name = options.isUpper ? drawn.name.toLocaleUpperCase(language) : drawn.name
  const star = style.kind === 'text' && style.high === style.low ? style.high : null
  const flag =
    style.kind !== 'text'
      ? null
      : drawn.direction === null
        ? drawn.isAbnormal
          ? star
          : null
        : style[drawn.direction]
  return {
    ...drawn,
    name,
    flag,
    previous: options.hasPrevious && random.chance(0.8) ? drawn.previous : null,
    method: options.hasMethod ? random.pick(words.methods) : null,
    comment: random.chance(options.commentShare) ? random.pick(words.comments) : null,
    truth: {
      name,
      value: drawn.value,
      unit: drawn.unit,
      reference_range: drawn.range,
      flag,
      interpretation: drawn.range === null ? null : interpretation,
      loinc: loinc === '' ? null : loinc,
      ...(also === '' ? {} : { loinc_also_accept: also.split(' ') }),
    },
  }
}
