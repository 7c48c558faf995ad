import type { Line } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import { textOf } from '../rows/cell-words.ts'
import { plainText, scoreUnit } from '../rows/content.ts'
import { namesAntibiotic } from './antibiotics.ts'

// Reads lines about drugs against an organism.

/**
 * Finding of one drug: a concentration, an interpretation, or both; several of them for several
 * organisms.
 */
export interface Susceptibility {
  concentration: Word[] | null
  unit: Word[] | null
  interpretation: Word[] | null
}

export interface DrugCells {
  drug: Word[]
  tested: Susceptibility[]
  /** Whether there are other words in it. */
  isUnclear: boolean
}

const CONCENTRATION = /^(?:<=|>=|=<|=>|[<>≤≥=])?\s?\d+(?:[.,]\d+)?(?:\/\d+(?:[.,]\d+)?)?$/
const COMPARATOR = /^(?:<=|>=|=<|=>|[<>≤≥=])$/
const LETTERS = /^(?:S|I|R|SDD|NS|SDI)\*?$/
const WORDS =
  /^(?:susceptible|sensitive|resistant|intermediate|nonsusceptible|non-susceptible|sensible|resistente|intermedi[oa]|sensibel|empfindlich|resistent|intermediar|resistant|intermediaire|sens[ií]vel|intermediari[oa]|gevoelig|intermediair)\*?$/

const isInterpretation = (word: Word): boolean =>
  LETTERS.test(word.text) || WORDS.test(plainText(word.text))

/** Splits a concentration or a name from its joined interpretation: `<=4S`, `SulfamethoxazoleI`. */
function splitGlued(word: Word): Word[] {
  const [, start, letter] = /^(.*[\da-z])(SDD|[SIR])$/.exec(word.text) ?? []
  if (start === undefined || letter === undefined) return [word]
  if (!CONCENTRATION.test(start) && !namesAntibiotic(start)) return [word]
  const width = (word.box.width * start.length) / word.text.length
  const box = { ...word.box, x: word.box.x + width, width: word.box.width - width }
  return [
    { ...word, text: start, box: { ...word.box, width } },
    { ...word, text: letter, box },
  ]
}

/** Reads a line as drugs with their findings; empty for any other line. */
export function readDrugs(line: Line): DrugCells[] {
  return readBehindValues(line) ?? readBeforeValues(line)
}

/** One cell of a line in which the drug does not come first. */
interface Token {
  kind: 'drug' | 'concentration' | 'interpretation'
  words: Word[]
  unit: Word[] | null
}

/**
 * Reads a line that begins with a concentration or an interpretation: all drugs have the same
 * number of cells, in one order. Undefined where a drug comes first.
 */
export function readBehindValues(line: Line): DrugCells[] | undefined {
  const tokens: Token[] = []
  let before: Word | undefined
  for (const word of line.words.flatMap(splitGlued)) {
    const gap = before ? word.box.x - before.box.x - before.box.width : Number.POSITIVE_INFINITY
    const isApart = gap > line.height * 0.7
    const last = tokens.at(-1)
    const isOpen = last?.kind === 'concentration' && COMPARATOR.test(textOf(last.words))
    if (isInterpretation(word) && (isApart || last?.kind === 'concentration'))
      tokens.push({ kind: 'interpretation', words: [word], unit: null })
    else if (isOpen && CONCENTRATION.test(word.text)) last?.words.push(word)
    else if (isConcentration(word, before, gap, line.height))
      tokens.push({ kind: 'concentration', words: [word], unit: null })
    else if (last?.kind === 'concentration' && !last.unit && scoreUnit(word.text) >= 0.8)
      last.unit = [word]
    else if (last?.kind === 'drug' && !isApart) last.words.push(word)
    else tokens.push({ kind: 'drug', words: [word], unit: null })
    before = word
  }
  const drugs = tokens.filter(({ kind }) => kind === 'drug')
  if (tokens[0]?.kind === 'drug' || drugs.length === 0) return undefined
  if (!drugs.some(({ words }) => namesAntibiotic(textOf(words)))) return undefined
  const width = tokens.length / drugs.length
  const chunks = drugs.map((_, at) => tokens.slice(at * width, (at + 1) * width))
  const orders = new Set(chunks.map((chunk) => chunk.map(({ kind }) => kind).join(' ')))
  const isRegular = Number.isInteger(width) && width > 1 && width <= 3 && orders.size === 1
  return chunks.map((chunk) => {
    const find = (kind: Token['kind']) => chunk.find((token) => token.kind === kind)
    const [concentration, interpretation] = [find('concentration'), find('interpretation')]
    const isOne = chunk.filter(({ kind }) => kind === 'drug').length === 1
    return {
      drug: find('drug')?.words ?? (drugs[0] as Token).words,
      tested: [
        {
          concentration: concentration?.words ?? null,
          unit: concentration?.unit ?? null,
          interpretation: interpretation?.words ?? null,
        },
      ],
      isUnclear: !isRegular || !isOne || new Set(chunk.map(({ kind }) => kind)).size < width,
    }
  })
}

/** Reads a line in which each drug precedes its finding. */
function readBeforeValues(line: Line): DrugCells[] {
  const drugs: DrugCells[] = []
  let drug: DrugCells | undefined
  let before: Word | undefined
  for (const word of line.words.flatMap(splitGlued)) {
    const gap = before ? word.box.x - before.box.x - before.box.width : 0
    const last = drug?.tested.at(-1)
    const isStarted = drug !== undefined && drug.tested.length > 0
    const isClose = drug !== undefined && namesAntibiotic(textOf(drug.drug))
    if (drug && isInterpretation(word) && (isStarted || isClose || gap > line.height * 0.7)) {
      if (last && !last.interpretation) last.interpretation = [word]
      else drug.tested.push({ concentration: null, unit: null, interpretation: [word] })
    } else if (drug && isConcentration(word, before, gap, line.height)) {
      const isOpen =
        last?.concentration?.length === 1 && COMPARATOR.test(textOf(last.concentration))
      if (isOpen) last?.concentration?.push(word)
      else if (last && !last.concentration && last.interpretation && drug.tested.length === 1)
        // The interpretation stands before the concentration.
        last.concentration = [word]
      else drug.tested.push({ concentration: [word], unit: null, interpretation: null })
    } else if (last?.concentration && !last.unit && scoreUnit(word.text) >= 0.8) last.unit = [word]
    else if (/\p{L}{2}/u.test(word.text) && (!drug || isStarted) && gap >= 0) {
      drug = { drug: [word], tested: [], isUnclear: false }
      drugs.push(drug)
    } else if (drug && !isStarted) drug.drug.push(word)
    else if (drug) drug.isUnclear = true
    before = word
  }
  return drugs
}

function isConcentration(
  word: Word,
  before: Word | undefined,
  gap: number,
  height: number,
): boolean {
  if (COMPARATOR.test(word.text)) return true
  if (!CONCENTRATION.test(word.text)) return false
  // A number close after a word is its own: `Gentamicin 500`.
  return gap > height * 0.7 || (before !== undefined && !/\p{L}/u.test(before.text))
}

export const isTested = ({ tested }: DrugCells): boolean => tested.length > 0

/** Returns whether a line mentions the susceptibility to a drug. */
export function tellsSusceptibility(line: Line): boolean {
  return line.words.some(isInterpretation) && namesAntibiotic(textOf(line.words))
}
