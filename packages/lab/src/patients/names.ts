/** A name as a report, an order or a form has it. */
export interface PatientName {
  first_name: string | null
  last_name: string | null
}

/**
 * How what two sides say of a person fits. Of names `partial` is a shortened one, an initial, or
 * one of two family names, and `uncertain` may be a typing error, a middle name, or another script;
 * `not_comparable` is what a side does not say.
 */
export const FITS = ['match', 'partial', 'uncertain', 'mismatch', 'not_comparable'] as const
export type Fit = (typeof FITS)[number]
/** Of what can be compared. */
export const BEST_FIRST: readonly Fit[] = ['match', 'partial', 'uncertain', 'mismatch']

export interface NameFits {
  first: Fit
  last: Fit
}

/** The same letters in the spellings that they have; a word of a name has at most a few. */
type Spellings = ReadonlySet<string>

interface Words {
  first: Spellings[]
  last: Spellings[]
}

const TITLES = new Set(
  'mr mrs ms miss mx dr prof sir herr frau mme mlle sr sra srta dott'.split(' '),
)
const SUFFIXES = new Set(['jr', 'sr', 'ii', 'iii', 'iv', 'md', 'phd'])
/** Parts of family names that say nothing by themselves. */
const PARTICLES = new Set(
  'de del della di da do dos du la las le los van von der den zu el al'.split(' '),
)
/** From this length on one wrong letter is taken for a typing error. */
const LEAST_LETTERS_OF_TYPO = 4

/** Letters that do not come apart into a plain one and a sign. */
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
/** How letters are also written where there are none but plain ones. */
const SPELLED_OUT: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
}

/**
 * How two names of people fit: case, accents, signs, titles and the order of the parts make no
 * difference, and `ü` is `u` as well as `ue`. The same whichever comes first.
 */
export function compareNames(one: PatientName, other: PatientName): NameFits {
  const [words, others] = [toWords(one), toWords(other)]
  if (isSameBag([...words.first, ...words.last], [...others.first, ...others.last])) {
    const isWhole = [words, others].every(({ first, last }) => first.length + last.length > 1)
    if (isWhole) return { first: 'match', last: 'match' }
  }
  // `Moreau Ada` where the family name comes first, and nothing says so.
  const [turned, otherTurned] = [turn(words), turn(others)]
  const readings = [compareParts(words, others)]
  if (turned !== undefined && otherTurned !== undefined) {
    readings.push(compareParts(turned, others), compareParts(words, otherTurned))
  }
  return readings.reduce((best, fits) => (rank(fits) > rank(best) ? fits : best))
}

/** Both names as one outcome. */
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
/**
 * The worse part counts most, as neither of two names should be another one; then the family name.
 */
const rank = ({ first, last }: NameFits): number =>
  100 * Math.min(RANKS[first], RANKS[last]) + 10 * RANKS[last] + RANKS[first]

function toWords({ first_name: first, last_name: last }: PatientName): Words {
  return { first: wordsOf(first), last: wordsOf(last) }
}

/** Words of a name without signs, titles and suffixes, each with its spellings. */
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

/** Whether each of the words is one of the others, none of them twice. */
function isPartOf(words: readonly Spellings[], others: readonly Spellings[]): boolean {
  const left = [...others]
  return words.every((word) => {
    const at = left.findIndex((other) => isSame(word, other))
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}

/** `Smith Jones` and `SmithJones` are one name. */
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

/** Laboratories cut first names, add middle ones, or know an initial only. */
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

/** One wrong letter, or two scripts that nobody can hold against each other here. */
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

/** One letter changed, added, left out, or two neighbours swapped. */
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
