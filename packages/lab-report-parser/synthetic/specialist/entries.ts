import { type PrintedRange, writeNumber, writeRange, writeUnit } from '../notation.ts'
import { type Sheet, type SpecialistTruth, sayFor, wordsFor } from './sheet.ts'
import { type SpecialistTest, testsOf } from './tests.ts'

/** A result as printed, and its expected reading. */
export interface Entry {
  name: string
  value: string
  unit: string | null
  /** Contains the ranges of all groups if there are several. */
  range: string | null
  flag: string | null
  number: number | null
  decimals: number
  truth: SpecialistTruth
}

interface Bounds {
  low: number | null
  high: number | null
}

/** Signs that a report uses as marks; null for none. */
export type Marks = { high: string; low: string } | null

export function drawMarks(sheet: Sheet): Marks {
  if (sheet.random.chance(0.3)) return null
  const [high, low] = sheet.random.pick(wordsFor(sheet).flags.letters)
  return { high, low }
}

const NUMBERS = /^(-?[\d.]+)-(-?[\d.]+)$/

/** @returns undefined for a reference in words */
export function readBounds(range: string): Bounds | undefined {
  if (range === '') return { low: null, high: null }
  const [, low, high] = NUMBERS.exec(range) ?? []
  if (low !== undefined && high !== undefined) return { low: Number(low), high: Number(high) }
  const [, sign, bound] = /^([<>])([\d.]+)$/.exec(range) ?? []
  if (bound === undefined) return undefined
  return sign === '<' ? { low: null, high: Number(bound) } : { low: Number(bound), high: null }
}

/** Formats an interval in the notation of this report; a reference in words is unchanged. */
export function writeReference(sheet: Sheet, range: string): string | null {
  if (range === '') return null
  const bounds = readBounds(range)
  if (bounds === undefined) return localize(sheet, sayFor(sheet, range))
  const decimals = /\.(\d+)/.exec(range)?.[1]?.length ?? 0
  const write = (bound: number | null) =>
    bound === null ? null : writeNumber(bound, decimals, sheet.notation)
  const printed: PrintedRange = { low: write(bounds.low), high: write(bounds.high) }
  return writeRange(printed, sheet.notation)
}

function localize({ notation }: Sheet, text: string): string {
  return notation.decimalComma ? text.replace(/(\d)\.(\d)/g, '$1,$2') : text
}

/** Returns the position of a value; null if undecidable, such as `<5` with a bound of 3. */
function interpretValue(text: string, { low, high }: Bounds): SpecialistTruth['interpretation'] {
  const [, sign, figure] = /^([<>]?)(-?[\d.]+)$/.exec(text) ?? []
  if (figure === undefined || (low === null && high === null)) return null
  const number = Number(figure)
  // Laboratories differ in whether a value on its only bound is inside.
  if (number === low && high === null) return null
  if (number === high && low === null) return null
  if (sign === '>') return high !== null && number >= high ? 'high' : null
  if (sign === '<') return low !== null && number <= low ? 'low' : null
  if (high !== null && number > high) return 'high'
  return low !== null && number < low ? 'low' : 'normal'
}

/** Draws a value of the test with the marks of the report, and adds its reading to the truth. */
export function drawEntry(sheet: Sheet, test: SpecialistTest, marks: Marks = null): Entry {
  const { random, notation, language } = sheet
  const decimals = Number(test.decimals)
  const [, from, to] = NUMBERS.exec(test.decimals === '' ? '' : test.draw) ?? []
  const number =
    from !== undefined && to !== undefined
      ? Number(random.between(Number(from), Number(to)).toFixed(decimals))
      : null
  const drawn = number === null ? random.pick(test.draw.split('|')) : String(number)
  const value =
    number === null
      ? localize(sheet, sayFor(sheet, drawn))
      : writeNumber(number, decimals, notation)
  const range = writeReference(sheet, test.range)
  const bounds = readBounds(test.range) ?? { low: null, high: null }
  return makeEntry(sheet, test, {
    name: test[language],
    value,
    unit: writeUnit(test.unit, notation),
    range,
    bounds,
    interpretation: interpretValue(drawn, bounds),
    marks,
    number,
    decimals,
  })
}

interface Printed extends Pick<Entry, 'name' | 'value' | 'unit' | 'range' | 'number' | 'decimals'> {
  bounds: Bounds
  interpretation: SpecialistTruth['interpretation']
  marks: Marks
}

function makeEntry(sheet: Sheet, test: SpecialistTest, printed: Printed): Entry {
  const { bounds, interpretation, marks, ...entry } = printed
  const flag =
    interpretation === 'high' || interpretation === 'low' ? (marks?.[interpretation] ?? null) : null
  return {
    ...entry,
    flag,
    truth: {
      name: entry.name,
      value: entry.value,
      unit: entry.unit,
      reference_range: entry.range,
      flag,
      interpretation,
      loinc: test.loinc === '' ? null : test.loinc,
      ...(test.also === '' ? {} : { loinc_also_accept: test.also.split(' ') }),
      sample_type: sheet.sample,
      low: bounds.low,
      high: bounds.high,
    },
  }
}

/** Ranges of several groups, of which one applies to the patient, if that is known. */
export interface Groups {
  /** All ranges, as printed. */
  text: string
  /** Index of the test's range that applies; null if the report does not name it. */
  applies: number | null
}

/** Draws a value whose reference is printed for several groups. */
export function drawGroupedEntry(
  sheet: Sheet,
  test: SpecialistTest,
  marks: Marks,
  { text, applies }: Groups,
): Entry {
  const range = applies === null ? '' : (test.range.split('/')[applies] ?? '')
  const entry = drawEntry(sheet, { ...test, range }, applies === null ? null : marks)
  entry.range = text
  entry.truth.reference_range =
    applies === null ? text.replaceAll('\n', ' ') : writeReference(sheet, range)
  return entry
}

/** Chooses some of the tests that every kind may use. */
export function drawPlainEntries(sheet: Sheet, marks: Marks): Entry[] {
  return testsOf('plain')
    .filter(() => sheet.random.chance(0.7))
    .map((test) => drawEntry(sheet, test, marks))
}

/** Adds the rows to the truth in the order in which they are printed. */
export function addTruth(sheet: Sheet, entries: readonly Entry[], panel: string): void {
  for (const { truth } of entries) sheet.rows.push({ ...truth, panel })
}
