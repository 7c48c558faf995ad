/** A name in a report, an order or a form. */
export interface PatientName {
  first_name: string | null
  last_name: string | null
}

/**
 * Result of comparing data of a person. For names, `partial` is a shortened one, an initial, or one
 * of two family names, and `uncertain` may be a typing error, a middle name, or another script;
 * `not_comparable`: one side is missing.
 */
export const FITS = ['match', 'partial', 'uncertain', 'mismatch', 'not_comparable'] as const
export type Fit = (typeof FITS)[number]
/** Best results first, without `not_comparable`. */
export const BEST_FIRST: readonly Fit[] = ['match', 'partial', 'uncertain', 'mismatch']

export interface NameFits {
  first: Fit
  last: Fit
}

/** Spellings of the same letters; a word of a name has at most a few. */
type Spellings = ReadonlySet<string>

interface Words {
  first: Spellings[]
  last: Spellings[]
}

const TITLES = new Set(
  'mr mrs ms miss mx dr prof sir herr frau mme mlle sr sra srta dott'.split(' '),
)
const SUFFIXES = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'md', 'phd'])
/** Parts of family names that are not distinctive. */
const PARTICLES = new Set(
  'de del della di da do dos du la las le los van von der den zu el al'.split(' '),
)
/** From this length on, one wrong letter counts as a typing error. */
const LEAST_LETTERS_OF_TYPO = 4

/** Letters without a decomposition into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
/** Spellings of letters where only plain ones are available. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
}

/**
 * Compares two names of people. Case, accents, marks, titles and the order of the parts make no
 * difference, and `ü` equals both `u` and `ue`. The comparison is symmetric.
 */
export function compareNames(one: PatientName, other: PatientName): NameFits {
  const [words, others] = [toWords(one), toWords(other)]
  if (isSameBag([...words.first, ...words.last], [...others.first, ...others.last])) {
    const isWhole = [words, others].every(({ first, last }) => first.length + last.length > 1)
    if (isWhole) return { first: 'match', last: 'match' }
  }
  // `Moreau Ada`, with the family name first and no comma.
  const [turned, otherTurned] = [turn(words), turn(others)]
  const readings = [compareParts(words, others)]
  if (turned !== undefined && otherTurned !== undefined) {
    readings.push(compareParts(turned, others), compareParts(words, otherTurned))
  }
  return readings.reduce((best, fits) => (rank(fits) > rank(best) ? fits : best))
}

/** Combines the results of both names. */
export function toNameFit({ first, last }: NameFits): Fit {
  const both = [first, last]
  if (both.every((fit) => fit === 'not_comparable')) return 'not_comparable'
  const worst = (['mismatch', 'uncertain', 'partial'] as const).find((fit) => both.includes(fit))
  return worst ?? (both.includes('not_comparable') ? 'partial' : 'match')
}

function turn({ first, last }: Words): Words | undefined {
  return first.length > 0 && last.length > 0 ? { first: last, last: first } : undefined
}

const compareParts = (one: Words, other: Words): NameFits => ({
  first: compareFirst(one.first, other.first),
  last: compareLast(one.last, other.last),
})

const RANKS: Record<Fit, number> = {
  match: 4,
  partial: 3,
  uncertain: 2,
  not_comparable: 1,
  mismatch: 0,
}
/** The worse part ranks first, because neither of two names may differ; then the family name. */
const rank = ({ first, last }: NameFits): number =>
  100 * Math.min(RANKS[first], RANKS[last]) + 10 * RANKS[last] + RANKS[first]

function toWords({ first_name: first, last_name: last }: PatientName): Words {
  return { first: wordsOf(first), last: wordsOf(last) }
}

/** Returns the words of a name without marks, titles and suffixes, each with its spellings. */
function wordsOf(name: string | null): Spellings[] {
  const words = (name ?? '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/['\u2019.`]/g, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '' && !SUFFIXES.has(word))
  const isNamed = words.some((word) => !TITLES.has(word))
  return words.filter((word) => !isNamed || !TITLES.has(word)).map(spellingsOf)
}

function spellingsOf(word: string): Spellings {
  const spelledOut = word.replaceAll(/[äöüøå]/g, (letter) => SPELLED_OUT[letter] ?? letter)
  return new Set([word, spelledOut].map(toPlain))
}

const toPlain = (word: string): string =>
  word
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')

const isSame = (one: Spellings, other: Spellings): boolean => !one.isDisjointFrom(other)

const isSameBag = (one: readonly Spellings[], other: readonly Spellings[]): boolean =>
  one.length === other.length && one.length > 0 && isPartOf(one, other)

/** Returns whether each of the words matches one of the others, none of them twice. */
function isPartOf(words: readonly Spellings[], others: readonly Spellings[]): boolean {
  const left = [...others]
  return words.every((word) => {
    const at = left.findIndex((other) => isSame(word, other))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** Joins the words: `Smith Jones` and `SmithJones` are one name. */
function joined(words: readonly Spellings[]): Spellings {
  const [plain, spelledOut] = [0, -1].map((at) => words.map((word) => [...word].at(at)).join(''))
  return new Set([plain ?? '', spelledOut ?? ''])
}

function compareLast(one: readonly Spellings[], other: readonly Spellings[]): Fit {
  if (one.length === 0 || other.length === 0) return 'not_comparable'
  const [whole, otherWhole] = [joined(one), joined(other)]
  if (isSame(whole, otherWhole)) return 'match'
  const [fewer, more] = [one, other].toSorted((a, b) => a.length - b.length) as [
    Spellings[],
    Spellings[],
  ]
  const says = fewer.some((word) =>
    [...word].every((text) => text.length > 1 && !PARTICLES.has(text)),
  )
  if (says && isPartOf(fewer, more)) return 'partial'
  return isPerhaps(whole, otherWhole) ? 'uncertain' : 'mismatch'
}

/**
 * Compares first names, which laboratories shorten, extend by middle names, or reduce to an
 * initial.
 */
function compareFirst(one: readonly Spellings[], other: readonly Spellings[]): Fit {
  const [first, second] = [one[0], other[0]]
  if (first === undefined || second === undefined) return 'not_comparable'
  if (isSame(first, second) || isSame(joined(one), joined(other))) return 'match'
  const isShort = [...first].some((text) =>
    [...second].some((otherText) => text.startsWith(otherText) || otherText.startsWith(text)),
  )
  if (isShort) return 'partial'
  const isMiddle =
    one.some((word) => isSame(word, second)) || other.some((word) => isSame(word, first))
  return isMiddle || isPerhaps(first, second) ? 'uncertain' : 'mismatch'
}

/** Returns whether the names differ by one letter, or by scripts that cannot be compared here. */
function isPerhaps(one: Spellings, other: Spellings): boolean {
  return [...one].some((text) =>
    [...other].some((otherText) => {
      if (isLatin(text) !== isLatin(otherText)) return true
      const isLong = Math.min(text.length, otherText.length) >= LEAST_LETTERS_OF_TYPO
      return isLong && differsByOneLetter(text, otherText)
    }),
  )
}

const isLatin = (text: string): boolean => /^[\p{Script=Latin}\p{N}]*$/u.test(text)

/** Returns whether one letter was changed, added, left out, or swapped with its neighbor. */
function differsByOneLetter(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [rest, otherRest] = [one.slice(start), other.slice(start)]
  const isSwapped =
    rest[0] === otherRest[1] && rest[1] === otherRest[0] && rest.slice(2) === otherRest.slice(2)
  return (
    isSwapped ||
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1)
  )
}
