import {
  NEGATIVE_WORDS,
  NORMAL_WORDS,
  POSITIVE_WORDS,
  QUALITATIVE_VALUES,
  SUPPORTED_LANGUAGES,
  toPlainWords,
  WORDS,
} from '../language/words.ts'
import {
  type NumberStyle,
  readNumber,
  repairDigits,
  toPlainSigns,
  UNSIGNED_NUMBER,
} from './number.ts'

import type { Range } from './range-position.ts'

export interface RangeOptions extends NumberStyle {
  /** Decides between the intervals of men and women. */
  gender?: 'male' | 'female' | 'other' | null | undefined
}

const NUMBER = UNSIGNED_NUMBER
/** Words between two bounds. */
const TO = String.raw`(?:-\s*-|-|~|÷|\.\.\.?|…|–|\bto\b|\bbis\b|\bhasta\b|\bate\b|\ba\b|\bal\b|\btot\b|\bfino a\b|\band\b|\bund\b|\bet\b|\by\b|\be\b|\bthru\b|\bthrough\b)`
/** Words before an upper and before a lower bound. */
const UP_TO = String.raw`(?:<=|≤|\bup ?to\b|\bhasta\b|\bbis(?: zu)?\b|\bjusqu'?[àa]?\b|\bfino a\b|\bate\b|\btot\b|\bmax(?:imum|imo|\.)?:?\b|\bhochstens\b|\bnot more than\b|\bno more than\b|\bmenor o igual (?:a|que)\b|\binferieur ou egal a\b|\bmenor ou igual a\b)`
const BELOW = String.raw`(?:<|\bless th[ae]n\b|\blower than\b|\bbelow\b|\bunder\b|\bmenor(?:es)? (?:de|que|a)\b|\bmenos de\b|\binferior(?:e|es)? (?:a|al)\b|\binferieure? a\b|\bmoins de\b|\bkleiner(?: als)?\b|\bunter\b|\bweniger als\b|\bmenos (?:de|que)\b|\bminore (?:di|a)\b|\bmeno di\b|\bminder dan\b|\bkleiner dan\b|\bonder\b|\blager dan\b|\bdebajo de\b)`
const AT_LEAST = String.raw`(?:>=|≥|\bat least\b|\bfrom\b|\bmin(?:imum|imo|\.)?:?\b|\bab\b|\bmindestens\b|\bvanaf\b|\bmayor o igual (?:a|que)\b|\bmaior ou igual a\b|\bnot less than\b)`
const ABOVE = String.raw`(?:>|\bmore than\b|\bgreater than\b|\bhigher than\b|\babove\b|\bover\b|\bmayor(?:es)? (?:de|que|a)\b|\bmas de\b|\bsuperior(?:e|es)? (?:a|al)\b|\bsuperieure? a\b|\bplus de\b|\bgrosser(?: als)?\b|\buber\b|\bmehr als\b|\bmaior(?:es)? (?:que|de|do que)\b|\bacima de\b|\bmaggiore (?:di|a)\b|\boltre\b|\bmeer dan\b|\bgroter dan\b|\bboven\b|\bhoger dan\b|\babove\b|\bpiu di\b)`
const OR_LESS = String.raw`(?:or|and) (?:less|lower|below|under)|ou moins|o menos|oder weniger|o meno|of minder`
const OR_MORE = String.raw`(?:or|and) (?:more|greater|higher|above|over)|\+|ou plus|o mas|oder mehr|o piu|ou mais|of meer`
/** What makes two numbers an age and not an interval. */
const AGE_UNIT = String.raw`(?:years?|yrs?|y\b|yo\b|y/o|months?|mos?\b|weeks?|wks?|days?\b|jahre?|monate?|tage?|wochen|anos?|meses|mes\b|dias?\b|semanas?|ans\b|mois|jours|semaines|anni|mesi|giorni|jaar|maanden|dagen|weken|hours? old)`

const PIECE = new RegExp(
  [
    String.raw`(?<low>(?<![\p{L}\d.,])-?${NUMBER})\s*(?<lowUnit>%|[\p{L}µ/%]{1,8})??\s*${TO}\s*(?<high>-?${NUMBER})`,
    String.raw`(?<upTo>${UP_TO})\s*(?<atMost>-?${NUMBER})`,
    String.raw`(?<below>${BELOW})\s*(?<less>-?${NUMBER})`,
    String.raw`(?<from>${AT_LEAST})\s*(?<atLeast>-?${NUMBER})`,
    String.raw`(?<above>${ABOVE})\s*(?<more>-?${NUMBER})`,
    String.raw`(?<orLess>-?${NUMBER})\s*(?:${OR_LESS})`,
    String.raw`(?<orMore>-?${NUMBER})\s*(?:${OR_MORE})`,
  ].join('|'),
  'giu',
)

/** One interval of a printed text, with the words before it. */
interface Piece {
  label: string
  after: string
  range: Range
}

const OPEN: Range = { low: null, high: null, isLowInclusive: false, isHighInclusive: false }

/**
 * The bounds of a reference interval in any of the notations of laboratories: `3.5-5.2`, `(3,5 bis 5,2)`, `< 5`,
 * `up to 40`, `>= 60`, `13.0-17.0 g/dL`, `M: 13-17 F: 12-15`. Null where it has none (`Negative`, `1:80`), and where
 * it has several that nothing decides between.
 */
export function readRange(text: string, options: RangeOptions = {}): Range | null {
  const pieces = listPieces(text, options)
  const [only] = pieces
  if (!only) return null
  if (pieces.length === 1 || pieces.every(({ range }) => isSame(range, only.range)))
    return only.range
  return choosePiece(pieces, options.gender)?.range ?? null
}

const isSame = (a: Range, b: Range): boolean => a.low === b.low && a.high === b.high

/** Signs and words as the patterns have them. */
function toPlainText(text: string): string {
  const signs = repairDigits(toPlainSigns(text))
  // Accents go, but µ and such stay.
  const words = signs
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
  return (
    words
      // [3.5;5.2] and 3.5 / 5.2 in brackets
      .replace(/([[(]\s*-?[\d.,]+)\s*[;|]\s*(-?[\d.,]+\s*[\])])/g, '$1 - $2')
      // 10^3, x10E9, 1.73 m2 are no bounds.
      .replace(/[x×*]?\s?10\s?(?:\^|\*{1,2}|e|E)\s?\(?\d{1,2}\)?/g, ' ')
      .replace(/(?<=\/\s?)1[.,]73\s?(?:m(?:2|²|\^2)|sq\.? ?m)?/gi, ' ')
      // Recognition reads a point as a colon; titers have theirs behind a 1.
      .replace(/(?<!\d)(?!1:)(\d{1,4}):(\d)/g, '$1.$2')
      .replace(/\s+/g, ' ')
  )
}

function listPieces(text: string, style: NumberStyle): Piece[] {
  const plain = toPlainText(text)
  const pieces: Piece[] = []
  let end = 0
  for (const match of plain.matchAll(PIECE)) {
    const after = plain.slice(match.index + match[0].length)
    const isAge = new RegExp(String.raw`^\s*\)?\s*${AGE_UNIT}`, 'i').test(after)
    const isTiter = /^\s*:\s*\d/.test(after)
    if (isAge || isTiter) continue
    const range = toRange(match.groups ?? {}, style)
    if (!range) continue
    const previous = pieces.at(-1)
    const label = plain.slice(end, match.index)
    if (previous) previous.after = label
    pieces.push({ label, after, range })
    end = match.index + match[0].length
  }
  // Labels may stand behind: `<200 desirable, 200-239 borderline`.
  const isLabelledBehind = pieces.length > 1 && !/\p{L}/u.test(pieces[0]?.label ?? '')
  return isLabelledBehind ? pieces.map((piece) => ({ ...piece, label: piece.after })) : pieces
}

function toRange(groups: Record<string, string | undefined>, style: NumberStyle): Range | null {
  const read = (text: string | undefined) => (text === undefined ? null : readNumber(text, style))
  if (groups.low !== undefined) {
    const low = read(groups.low)
    const high = read(groups.high)
    if (low === null || high === null || low > high) return null
    return { low, high, isLowInclusive: true, isHighInclusive: true }
  }
  const atMost = read(groups.atMost ?? groups.orLess)
  if (atMost !== null) return { ...OPEN, high: atMost, isHighInclusive: true }
  const less = read(groups.less)
  if (less !== null) return { ...OPEN, high: less }
  const atLeast = read(groups.atLeast ?? groups.orMore)
  if (atLeast !== null) return { ...OPEN, low: atLeast, isLowInclusive: true }
  const more = read(groups.more)
  return more === null ? null : { ...OPEN, low: more }
}

const wordsOf = (kind: 'male' | 'female'): string[] =>
  SUPPORTED_LANGUAGES.flatMap((language) => [...WORDS[language][kind]])
const toPattern = (words: readonly string[]): RegExp =>
  new RegExp(
    String.raw`(?<!\p{L})(?:${words.map((word) => word.replaceAll('.', '\\.')).join('|')})(?!\p{L})`,
    'iu',
  )
// H is a man in Spanish and French, V a woman in Dutch: too short to tell without the language.
const MALE = toPattern(wordsOf('male').filter((word) => word === 'm' || word.length > 1))
const FEMALE = toPattern(
  wordsOf('female').filter((word) => ['f', 'w'].includes(word) || word.length > 1),
)
/** The interval of a healthy adult, among those of other states and ages. */
const HEALTHY = toPattern([
  'normal',
  'normals',
  'optimal',
  'optimum',
  'desirable',
  'adult',
  'adults',
  'non diabetic',
  'non-diabetic',
  'nondiabetic',
  'sufficient',
  'sufficiency',
  'healthy',
  'reference',
  'euthyroid',
  'negative',
  'low risk',
  'ideal',
  'recommended',
  'standard',
  'non reactive',
  'nonreactive',
  'normale',
  'normales',
  'deseable',
  'optimo',
  'adulto',
  'adultos',
  'no diabetico',
  'suficiente',
  'adulte',
  'adultes',
  'souhaitable',
  'erwachsene',
  'adulti',
  'desejavel',
  'ottimale',
  'volwassenen',
  'suffizient',
  'negativo',
  'negatif',
  'negativ',
  'no diabeticos',
  'suficiencia',
])

/** Which of several intervals is that of the person; undefined where nothing tells. */
function choosePiece(pieces: readonly Piece[], gender: RangeOptions['gender']): Piece | undefined {
  const bySex = pieces.filter(({ label }) => MALE.test(label) || FEMALE.test(label))
  if (bySex.length > 0) {
    if (gender !== 'male' && gender !== 'female') return undefined
    const fitting = bySex.filter(({ label }) =>
      gender === 'male' ? MALE.test(label) && !/female/i.test(label) : FEMALE.test(label),
    )
    return fitting.length === 1 ? fitting[0] : fitting.find(({ label }) => HEALTHY.test(label))
  }
  const labelled = pieces.filter(({ label }) => HEALTHY.test(label))
  return labelled.length === 1 ? labelled[0] : undefined
}

const LABEL_WORDS =
  /\b(?:ref(?:erence)?|range|ranges|interval|normal|value|values|std|standard|adult|adults|expected|vn|vr|n)\b|[()[\]{}.:;,]/gi

/** Whether a text alone, without its column, is likely to be a reference interval. */
export function looksLikeRange(text: string): boolean {
  const plain = toPlainText(text)
    .replace(LABEL_WORDS, (sign) => (/[.,:;]/.test(sign) ? sign : ' '))
    .trim()
  if (/^[<>]?=?\s*1\s*:\s*\d+$/.test(plain)) return true
  const word = toPlainWords(text)
    .replace(/[()[\]]/g, '')
    .replaceAll('-', ' ')
  if (
    NEGATIVE_WORDS.has(word) ||
    POSITIVE_WORDS.has(word) ||
    NORMAL_WORDS.has(word) ||
    QUALITATIVE_VALUES.has(word)
  )
    return true
  const pieces = listPieces(text, {})
  if (pieces.length === 0) return false
  // Words beside the numbers are those of categories and units: not a sentence, not a name.
  const rest = plain.replace(PIECE, ' ').replace(/[\p{L}%µ]+\/[\p{L}\d²³.]+/gu, ' ')
  const letters = rest.replace(/[^\p{L}]/gu, '').length
  return pieces.length > 1 ? letters <= 30 * pieces.length : letters <= 14
}
