import {
  NEGATIVE_WORDS,
  NORMAL_WORDS,
  POSITIVE_WORDS,
  QUALITATIVE_VALUES,
  toPlainWords,
} from '../language/words.ts'
import { findAges } from './age-spans.ts'
import { chooseAlternative, type Person, UNKNOWN_PERSON } from './choose-alternative.ts'
import {
  type NumberStyle,
  readNumber,
  repairDigits,
  toPlainSigns,
  UNSIGNED_NUMBER,
} from './number.ts'
import type { Range } from './range-position.ts'
import { type Group, namesGroup, readGroup, toPlainLetters } from './reference-groups.ts'

export interface RangeOptions extends NumberStyle {
  /** Decides between the intervals of men, women and ages. */
  person?: Person | undefined
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
/** `6.5 % or higher` */
const UNIT_WORD = String.raw`(?:(?:%|[\p{L}µ]{1,6}\/[\p{L}]{1,5})\s*)?`
const PIECE = new RegExp(
  [
    String.raw`(?<low>(?<![\p{L}\d.,])-?${NUMBER})\s*(?<lowUnit>%|[\p{L}µ/%]{1,8})??\s*${TO}\s*(?<high>-?${NUMBER})`,
    String.raw`(?<upTo>${UP_TO})\s*(?<atMost>-?${NUMBER})`,
    String.raw`(?<below>${BELOW})\s*(?<less>-?${NUMBER})`,
    String.raw`(?<from>${AT_LEAST})\s*(?<atLeast>-?${NUMBER})`,
    String.raw`(?<above>${ABOVE})\s*(?<more>-?${NUMBER})`,
    String.raw`(?<orLess>-?${NUMBER})\s*${UNIT_WORD}(?:${OR_LESS})`,
    String.raw`(?<orMore>-?${NUMBER})\s*${UNIT_WORD}(?:${OR_MORE})`,
  ].join('|'),
  'giu',
)

/** One interval of a printed text. */
export interface Alternative {
  range: Range
  /** Whom it is for. */
  group: Group
  /** Where it stands in the text. */
  start: number
  end: number
}

const OPEN: Range = { low: null, high: null, isLowInclusive: false, isHighInclusive: false }

/**
 * Reads the bounds of a reference interval in any notation of laboratories: `3.5-5.2`, `(3,5 bis
 * 5,2)`, `< 5`, `up to 40`, `>= 60`, `13.0-17.0 g/dL`, `M: 13-17 F: 12-15`. Null without bounds
 * (`Negative`, `1:80`), and where it is undecided whether an interval is for this person.
 */
export function readRange(text: string, options: RangeOptions = {}): Range | null {
  return chooseInterval(listAlternatives(toPlainText(text), options), options)?.range ?? null
}

/** Returns the interval for this person; undefined without one, or if it is undecided. */
export function chooseInterval<T extends Alternative>(
  all: readonly T[],
  { person = UNKNOWN_PERSON }: RangeOptions,
): T | undefined {
  // The same interval for both sexes is one.
  const alternatives = all.filter(({ range, group }, at) => {
    const before = all[at - 1]
    const isOfSexes = [before?.group, group].every((each) => each?.ages === null && !each.state)
    return !isSame(range, before?.range) || (!isOfSexes && namesGroup(group))
  })
  const [first] = alternatives
  const isOne = alternatives.length === 1 && all.length > 1 && first?.group.ages === null
  return isOne && first.group.state === null ? first : chooseAlternative(alternatives, person)
}

const isSame = (a: Range, b: Range | undefined): boolean => a.low === b?.low && a.high === b.high

/** The gap between two intervals, which is none within a number such as `150 000`. */
const TWO_INTERVALS = /(\d-\d+(?:[.,]\d+)?) (?=\d+(?:[.,]\d+)?-\d)/g

/** Signs and words as the patterns have them. */
export function toPlainText(text: string): string {
  const signs = repairDigits(toPlainSigns(text))
  // Accents go, but µ and such stay.
  const words = toPlainLetters(signs)
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
      // `1-335 142-335` are two intervals, and no 335142.
      .replace(TWO_INTERVALS, '$1  ')
  )
}

/** Returns every interval of a text that is written plainly; ages are none. */
export function listAlternatives(plain: string, style: NumberStyle = {}): Alternative[] {
  let masked = plain
  for (const { start, end } of findAges(plain))
    masked = masked.slice(0, start) + '¦'.repeat(end - start) + masked.slice(end)
  const found: { range: Range; start: number; end: number }[] = []
  for (const match of masked.matchAll(PIECE)) {
    const end = match.index + match[0].length
    const isTiter = /^\s*:\s*\d/.test(masked.slice(end))
    const range = isTiter ? null : toRange(match.groups ?? {}, style)
    if (range) found.push({ range, start: match.index, end })
  }
  const before = found.map(({ start }, at) => plain.slice(found[at - 1]?.end ?? 0, start))
  const behind = found.map(({ end }, at) => plain.slice(end, found[at + 1]?.start))
  // Labels may stand behind: `<200 desirable, 200-239 borderline`, `13-17 (M)`.
  const isLabelledBehind = !/\p{L}/u.test(before[0] ?? '') && findAges(before[0] ?? '').length === 0
  const isGeneral = isLabelledBehind && namesNext(behind, found.length)
  return found.map((each, at) => ({
    ...each,
    group: readGroup((isLabelledBehind && !isGeneral ? behind[at] : before[at]) ?? ''),
  }))
}

/**
 * Returns whether the first interval has no label, and later ones have theirs before them: `4.0-5.6
 * Prediabetes: 5.7-6.4`. A label after the last interval, or a colon before an interval, decides.
 */
function namesNext(behind: readonly string[], count: number): boolean {
  if (count < 2) return false
  const last = behind[count - 1] ?? ''
  if (namesGroup(readGroup(last))) return false
  return namesGroup(readGroup(behind[0] ?? ''))
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

const LABEL_WORDS =
  /\b(?:ref(?:erence)?|range|ranges|interval|normal|value|values|std|standard|adult|adults|expected|vn|vr|n)\b|[()[\]{}.:;,]/gi

/** Returns whether a text alone, without its column, is likely to be a reference interval. */
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
  const pieces = listAlternatives(toPlainText(text))
  if (pieces.length === 0) return false
  // Words beside the numbers are those of categories and units: not a sentence, not a name.
  const rest = plain.replace(PIECE, ' ').replace(/[\p{L}%µ]+\/[\p{L}\d²³.]+/gu, ' ')
  const letters = rest.replace(/[^\p{L}]/gu, '').length
  return pieces.length > 1 ? letters <= 30 * pieces.length : letters <= 14
}
