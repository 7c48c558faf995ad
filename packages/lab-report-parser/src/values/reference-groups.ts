import { SUPPORTED_LANGUAGES, toPlainWords, WORDS } from '../language/words.ts'
import { toUcum } from './unit.ts'

/** What is known of the person whose results a report has. */
export interface Person {
  sex: 'male' | 'female' | null
  /** The least and the greatest age in years that the head of the report allows. */
  age: { least: number; most: number } | null
}

export const UNKNOWN_PERSON: Person = { sex: null, age: null }

/** Whom an interval of a report is for, as its label says. */
export interface Group {
  sex: 'male' | 'female' | null
  /** One letter that stands for a sex in some language: which sex, only its pair tells. */
  letter: string | null
  /** In years: from, inclusive, to, exclusive. */
  ages: { from: number; to: number } | null
  /** A phase of the cycle, a pregnancy, a stage of puberty: no head of a report tells it. */
  state: 'of women' | 'of anyone' | null
  /** Of `<200 desirable, 200-239 borderline` the first is that of the healthy. */
  category: 'healthy' | 'other' | null
  /** Letters of words that are none of these. */
  otherLetters: number
}

const YEAR_UNIT = String.raw`years?(?: old)?|yrs?|yo|y\/o|[yY](?![\p{L}/])|jahren?|J(?![\p{L}/])\.?|anos?|ans?|anni|anno|jaar`
const MONTH_UNIT = 'months?|mos?|mths?|monaten?|meses|mes|mois|mesi|mese|maanden'
const WEEK_UNIT = 'weeks?|wks?|wochen|semanas?|semaines?|settimane|weken'
const DAY_UNIT = String.raw`days?|d(?![\p{L}/])|tagen?|dias?|jours?|giorni|dagen`
const UNIT = String.raw`(?:(?:${YEAR_UNIT}|${MONTH_UNIT}|${WEEK_UNIT}|${DAY_UNIT})(?!\p{L}))`
const NUMBER = String.raw`\d{1,3}(?:[.,]\d)?`
const TO = String.raw`(?:-|to|bis|until|a|al|hasta|ate|tot|fino a)`
const FROM_WORDS =
  '>=?|over|above|older than|from|ab|uber|alter als|mayor(?:es)? de|desde|a partir de|plus de|des|oltre|maior(?:es)? de|acima de|vanaf|ouder dan'
const UP_TO_WORDS =
  '<=?|under|below|younger than|up to|bis(?: zu)?|unter|menor(?:es)? de|hasta|moins de|jusqu.a|fino a|sotto|ate|tot'
const OR_MORE = String.raw`(?:\+|(?:and|or) (?:older|over|above|up)|und alter|oder alter|et plus|y mas|e oltre|en ouder)`
const AGE_WORDS = 'ages?|aged|alter|edad|eta|idade|leeftijd'

/** An age or a span of ages, in letters without accents. The shorter signs of units only in their usual case. */
const AGE = new RegExp(
  [
    String.raw`(?<from>${NUMBER})\s*(?<fromUnit>${UNIT})?\s*${TO}\s*<?\s*(?<to>${NUMBER})\s*(?<toUnit>${UNIT})`,
    String.raw`(?:${AGE_WORDS})\s*:?\s*(?<bareFrom>${NUMBER})\s*${TO}\s*(?<bareTo>${NUMBER})`,
    String.raw`(?<![\d.,])(?<least>${NUMBER})\s*(?:${OR_MORE}\s*(?<leastUnit>${UNIT})|(?<leastUnitBefore>${UNIT})\s*${OR_MORE})`,
    String.raw`(?<![\p{L}])(?<over>${FROM_WORDS})\s*(?<overAge>${NUMBER})\s*(?<overUnit>${UNIT})`,
    String.raw`(?<![\p{L}])(?<under>${UP_TO_WORDS})\s*(?<underAge>${NUMBER})\s*(?<underUnit>${UNIT})`,
    String.raw`(?<![\d.,-])(?<only>${NUMBER})\s*(?<onlyUnit>${UNIT})(?!\s*\d)`,
  ].join('|'),
  'gu',
)

/** Where a text without accents speaks of ages: such numbers are no bounds of an interval. */
export function findAges(plain: string): { start: number; end: number }[] {
  return [...plain.matchAll(AGE)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** How many years a unit of age is. */
function yearsOf(unit: string | undefined): number {
  if (unit === undefined) return 1
  const is = (pattern: string) => new RegExp(`^(?:${pattern})$`, 'u').test(unit)
  if (is(MONTH_UNIT)) return 1 / 12
  if (is(WEEK_UNIT)) return 7 / 365.25
  return is(DAY_UNIT) ? 1 / 365.25 : 1
}

function readAges(groups: Record<string, string | undefined>): Group['ages'] {
  const read = (text = '') => Number(text.replace(',', '.'))
  const { from, to, toUnit, fromUnit, bareFrom, bareTo } = groups
  if (to !== undefined) {
    const unit = yearsOf(toUnit)
    // `18-29 years` ends with the thirtieth birthday.
    return { from: read(from) * yearsOf(fromUnit ?? toUnit), to: (read(to) + 1) * unit }
  }
  if (bareTo !== undefined) return { from: read(bareFrom), to: read(bareTo) + 1 }
  if (groups.least !== undefined) {
    const unit = yearsOf(groups.leastUnit ?? groups.leastUnitBefore)
    return { from: read(groups.least) * unit, to: Number.POSITIVE_INFINITY }
  }
  if (groups.over !== undefined)
    return {
      from: read(groups.overAge) * yearsOf(groups.overUnit),
      to: Number.POSITIVE_INFINITY,
    }
  if (groups.under !== undefined) {
    const isInclusive = !/^(?:<|under|below|younger|unter|menor|moins|sotto)$/.test(groups.under)
    return { from: 0, to: (read(groups.underAge) + Number(isInclusive)) * yearsOf(groups.underUnit) }
  }
  const unit = yearsOf(groups.onlyUnit)
  return { from: read(groups.only) * unit, to: (read(groups.only) + 1) * unit }
}

const toPattern = (words: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<!\p{L})(?:${words.join('|')})(?!\p{L})`, 'giu')

/** Words for ages, from the one year to before the other. */
const AGE_GROUPS: readonly [RegExp, number, number][] = [
  [
    toPattern(['newborns?', 'neonates?', 'neugeborene', 'recien nacidos?', 'nouveaux?.nes?', 'neonati']),
    0,
    0.1,
  ],
  [toPattern(['infants?', 'sauglinge?', 'lactantes', 'nourrissons?', 'lattanti', 'bab(?:y|ies)']), 0, 2],
  [
    toPattern([
      'child(?:ren)?',
      'p(?:a)?ediatric',
      'kind(?:er)?',
      'kinderen',
      'nin[oa]s?',
      'enfants?',
      'bambini',
      'criancas?',
    ]),
    1,
    18,
  ],
  [
    toPattern(['adults?', 'erwachsene', 'adult[oaei]s?', 'adultes?', 'volwassenen']),
    18,
    Number.POSITIVE_INFINITY,
  ],
]

const WOMENS_STATES = toPattern([
  'follic\\w*',
  'folic\\w*',
  'follikel\\w*',
  'ovulat\\w*',
  'ovulac\\w*',
  'ovulazione',
  'mid.?cycle',
  'zyklus\\w*',
  'lut[ae]\\w*',
  'menstru\\w*',
  '(?:\\w+ )?trimest\\w*',
  'trimenon',
  '(?:non.?)?pregnan\\w*',
  'gestation\\w*',
  'schwanger\\w*',
  'embaraz\\w*',
  'gravid\\w*',
  'enceinte\\w*',
  'grossesse',
  'zwanger\\w*',
  '(?:pre|post|peri)?.?menopaus\\w*',
  'contracept\\w*',
  'lactating',
])
const STATES = toPattern(['tanner', '(?:pre|post)?.?pubert\\w*', 'prepubescent', 'puberal\\w*'])
const HEALTHY = toPattern([
  'normale?n?s?',
  'near optimal',
  'optim(?:al|um|o)',
  'desirable',
  'non.?diabeti[ck]\\w*',
  'no diabetic\\w*',
  'sufficien\\w*',
  'suficien\\w*',
  'suffizient',
  'healthy',
  'euthyroid',
  'negati[vf]\\w*',
  'low risk',
  'ideal',
  'recommended',
  'non.?reactive',
  'deseables?',
  'souhaitable',
  'desejavel',
  'ottimale',
])
const UNHEALTHY = toPattern([
  'above optimal',
  'border.?line(?: high| low)?',
  'very high',
  'very low',
  'high(?: risk)?',
  'low',
  'moderate(?:ly)?(?: risk)?',
  'increased',
  'decreased',
  'elevated',
  'mild(?:ly)?',
  'severe(?:ly)?',
  'pr[ae].?diab\\w*',
  'diabet\\w*(?: mellitus| sucre)?',
  'deficien\\w*',
  'insufficien\\w*',
  'insuficien\\w*',
  'toxi\\w*',
  'potential',
  'abnormal',
  'equivocal',
  'indeterminate',
  'gray zone',
  'grey zone',
  'positi[vf]\\w*',
  'reactive',
  'average risk',
  'glycemic',
  'goals?',
  'target',
  'stage \\d\\w?',
  'kidney failure',
  'alto',
  'alta',
  'bajo',
  'riesgo',
  'limite',
  'erhoht',
  'grenzwertig',
  'hypothyroid\\w*',
  'hyperthyroid\\w*',
  'overt',
  'impaired',
])
const wordsOf = (kind: 'male' | 'female'): string[] =>
  SUPPORTED_LANGUAGES.flatMap((language) => [...WORDS[language][kind]])
    .filter((word) => word.length > 1 && word !== 'ninos')
    .map((word) => word.replaceAll('.', '\\.'))
const MALE = toPattern([...wordsOf('male'), 'maschi', 'uomo', 'mannl', 'varones'])
const FEMALE = toPattern([...wordsOf('female'), 'hembras?', 'weibl'])
const BOTH = /(?<![\p{L}/])(?:m\s?[/&]\s?[fw]|[fw]\s?[/&]\s?m)(?![\p{L}/])/giu
const LETTER = /(?<![\p{L}\d/.])([mfwhvud])(?![\p{L}\d/'’])/iu
/** Words that say nothing of whom. */
const FILLERS = toPattern([
  'ref(?:erence)?',
  'range',
  'ranges',
  'intervals?',
  'values?',
  'referenz\\w*',
  'valores?',
  'valeurs?',
  'valori',
  'ages?',
  'aged',
  'alter',
  'edad',
  'eta',
  'idade',
  'years?',
  'old',
  'older',
  'phase',
  'fase',
  'phasen',
  'and',
  'or',
  'of',
  'for',
  'to',
  'than',
  'less',
  'greater',
  'more',
  'up',
  'the',
  'de',
  'y',
  'und',
  'et',
  'e',
  'o',
  'with',
  'in',
  'std',
  'standard',
  'expected',
  'therapeutic',
  'limits?',
  'group',
  'sex',
  'gender',
  'n',
  'to',
  'bis',
  'hasta',
  'a',
])

/** Whom the words before or behind an interval say that it is for. */
export function readGroup(label: string): Group {
  let rest = toPlainLetters(label)
  let ages: Group['ages'] = null
  rest = rest.replace(AGE, (...found) => {
    ages ??= readAges(found.at(-1) as Record<string, string | undefined>)
    return ' '
  })
  const take = (pattern: RegExp): boolean => {
    const before = rest
    rest = rest.replace(pattern, ' ')
    return rest !== before
  }
  const state = take(WOMENS_STATES) ? 'of women' : take(STATES) ? 'of anyone' : null
  for (const [words, from, to] of AGE_GROUPS) if (take(words)) ages ??= { from, to }
  const isHealthy = take(HEALTHY)
  const isUnhealthy = take(UNHEALTHY)
  const [isFemale, isMale] = [take(FEMALE), take(MALE)]
  const isBoth = take(BOTH)
  rest = rest.replace(/\S*[/%^]\S*/g, ' ')
  const [, letter = null] = LETTER.exec(rest) ?? []
  if (letter !== null) rest = rest.replace(LETTER, ' ')
  take(FILLERS)
  const others = rest.split(/[^\p{L}\p{N}]+/u).filter((word) => /\p{L}/u.test(word))
  return {
    sex: isBoth || isFemale === isMale ? null : isFemale ? 'female' : 'male',
    letter: letter?.toLowerCase() ?? null,
    ages,
    state,
    category: isUnhealthy ? 'other' : isHealthy ? 'healthy' : null,
    otherLetters: others
      .filter((word) => toUcum(word) === null)
      .reduce((sum, word) => sum + word.length, 0),
  }
}

/** Letters without accents, in their case, and dashes as one sign; as long as the text wherever that is possible. */
export function toPlainLetters(text: string): string {
  return text
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\u2264/g, '<=')
    .replace(/\u2265/g, '>=')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/\p{Lu}\p{L}+/gu, (word) => toPlainWords(word))
}

/** Whether a label names a group of people, rather than nothing or something else. */
export function namesGroup({ sex, letter, ages, state, category }: Group): boolean {
  return [sex, letter, ages, state, category].some((fact) => fact !== null)
}

/** Which sex the letters stand for: `M` is a man beside `F` or `W`, and a woman (mujer) beside `H`. */
function readLetters(groups: readonly Group[]): Map<string, 'male' | 'female'> {
  const letters = new Set(groups.map(({ letter }) => letter))
  const pairs: [male: string, female: string][] = [
    ['m', 'f'],
    ['h', 'f'],
    ['m', 'w'],
    ['h', 'm'],
    ['u', 'd'],
  ]
  const pair = pairs.find(([male, female]) => letters.has(male) && letters.has(female))
  if (pair) return new Map([[pair[0], 'male'], [pair[1], 'female']])
  return letters.has('v') || letters.has('h')
    ? new Map()
    : new Map([['m', 'male'], ['f', 'female'], ['w', 'female']])
}

type Verdict = 'yes' | 'maybe' | 'no'

function judge(group: Group, person: Person, letters: ReadonlyMap<string, string>): Verdict {
  if (group.category === 'other') return 'no'
  const verdicts: Verdict[] = []
  const sex = group.sex ?? (group.letter === null ? null : (letters.get(group.letter) ?? 'unclear'))
  if (sex !== null) verdicts.push(sex === 'unclear' || person.sex === null ? 'maybe' : sex === person.sex ? 'yes' : 'no')
  if (group.state !== null)
    verdicts.push(group.state === 'of women' && person.sex === 'male' ? 'no' : 'maybe')
  if (group.ages !== null) verdicts.push(judgeAge(group.ages, person.age))
  if (verdicts.includes('no')) return 'no'
  return verdicts.includes('maybe') ? 'maybe' : 'yes'
}

function judgeAge(ages: { from: number; to: number }, age: Person['age']): Verdict {
  if (age === null) return 'maybe'
  if (age.most < ages.from || age.least >= ages.to) return 'no'
  return age.least >= ages.from && age.most < ages.to ? 'yes' : 'maybe'
}

/**
 * Which of the intervals of a report is for this person; undefined where the report leaves it open: the person's sex or
 * age is not known, or the interval is that of a state, such as a phase of the cycle, that no report tells.
 */
export function chooseAlternative<T extends { group: Group }>(
  alternatives: readonly T[],
  person: Person,
): T | undefined {
  const groups = alternatives.map(({ group }) => group)
  const letters = readLetters(groups)
  const rate = ({ sex, letter, ages }: Group) => Number((sex ?? letter) !== null) + Number(ages !== null)
  const [only] = alternatives
  if (only && alternatives.length === 1) {
    const { ages } = only.group
    // What the report prints alone for an adult is for its patient, unless the head says that it is a child.
    const isAdult = ages?.from === 18 && ages.to === Number.POSITIVE_INFINITY && person.age === null
    const group = isAdult ? { ...only.group, ages: null } : only.group
    return judge(group, person, letters) === 'yes' ? only : undefined
  }
  const judged = alternatives.map((alternative, at) => {
    const { group } = alternative
    const isBare = !namesGroup(group)
    // What stands unexplained behind others, or beside a word that is not understood, may be for anyone.
    const isOpen = isBare && (at > 0 || group.otherLetters > 2)
    return { alternative, isBare, rate: rate(group), verdict: isOpen ? 'maybe' : judge(group, person, letters) }
  })
  const fitting = judged.filter(({ verdict }) => verdict === 'yes')
  const most = Math.max(...fitting.map((each) => each.rate))
  const best = fitting.filter((each) => each.rate === most)
  // What stands without a label in the row itself comes before the words of any list.
  const first = best.find(({ isBare }) => isBare) ?? best[0]
  if (!first || (best.length > 1 && !first.isBare)) {
    const healthy = best.filter(({ alternative }) => alternative.group.category === 'healthy')
    return healthy.length === 1 && !judged.some(({ verdict }) => verdict === 'maybe')
      ? healthy[0]?.alternative
      : undefined
  }
  const mayBeOther = judged.some(({ verdict }) => verdict === 'maybe')
  return mayBeOther && !first.isBare ? undefined : first.alternative
}
