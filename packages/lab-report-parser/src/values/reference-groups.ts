import { SUPPORTED_LANGUAGES, toPlainWords, WORDS } from '../language/words.ts'
import { AGE, type AgeSpan, readAges } from './age-spans.ts'
import { toUcum } from './unit.ts'

/** Group of people of an interval, by its label. */
export interface Group {
  sex: 'male' | 'female' | null
  /** One letter for a sex in some language: only its counterpart decides which sex. */
  letter: string | null
  ages: AgeSpan | null
  /** A phase of the cycle, a pregnancy, a stage of puberty: no header of a report contains it. */
  state: 'of women' | 'of anyone' | null
  /** Of `<200 desirable, 200-239 borderline` the first is that of the healthy. */
  category: 'healthy' | 'other' | null
  /** Letters of words that are none of these. */
  otherLetters: number
}

const toPattern = (words: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<!\p{L})(?:${words.join('|')})(?!\p{L})`, 'giu')

/** Words for ages, from the one year to before the other. */
const AGE_GROUPS: readonly [RegExp, number, number][] = [
  [
    toPattern([
      'newborns?',
      'neonates?',
      'neugeborene',
      'recien nacidos?',
      'nouveaux?.nes?',
      'neonati',
    ]),
    0,
    0.1,
  ],
  [
    toPattern(['infants?', 'sauglinge?', 'lactantes', 'nourrissons?', 'lattanti', 'bab(?:y|ies)']),
    0,
    2,
  ],
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

/** Reads the group of people from the words before or after an interval. */
export function readGroup(label: string): Group {
  let rest = toPlainLetters(label)
  let ages: AgeSpan | null = null
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

/**
 * Letters without accents, in their case, and dashes as one sign; as long as the text wherever that
 * is possible.
 */
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

/** Returns whether a label names a group of people, rather than nothing or something else. */
export function namesGroup({ sex, letter, ages, state, category }: Group): boolean {
  return [sex, letter, ages, state, category].some((fact) => fact !== null)
}
