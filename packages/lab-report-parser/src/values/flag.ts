import { SUPPORTED_LANGUAGES, toPlainWords, WORDS } from '../language/words.ts'
import type { Interpretation } from '../report.ts'
import { toPlainSigns } from './number.ts'

/** What a printed flag says. */
export interface Flag {
  interpretation: Exclude<Interpretation, 'unknown'>
  direction: 'high' | 'low' | null
}

const HIGH: Flag = { interpretation: 'abnormal', direction: 'high' }
const LOW: Flag = { interpretation: 'abnormal', direction: 'low' }
const ABNORMAL: Flag = { interpretation: 'abnormal', direction: null }
const NORMAL: Flag = { interpretation: 'normal', direction: null }
const CRITICALLY_HIGH: Flag = { interpretation: 'critical', direction: 'high' }
const CRITICALLY_LOW: Flag = { interpretation: 'critical', direction: 'low' }
const CRITICAL: Flag = { interpretation: 'critical', direction: null }

/** HL7 table 0078 and the signs that reports print for it, in upper case and without spaces. */
const SIGNS: Readonly<Record<string, Flag>> = {
  N: NORMAL,
  H: HIGH,
  HU: HIGH,
  '+': HIGH,
  '↑': HIGH,
  '▲': HIGH,
  '△': HIGH,
  '⬆': HIGH,
  '⇧': HIGH,
  '▴': HIGH,
  '>': HIGH,
  'H*': HIGH,
  '*H': HIGH,
  'H!': HIGH,
  L: LOW,
  LU: LOW,
  '-': LOW,
  '↓': LOW,
  '▼': LOW,
  '▽': LOW,
  '⬇': LOW,
  '⇩': LOW,
  '▾': LOW,
  '<': LOW,
  'L*': LOW,
  '*L': LOW,
  'L!': LOW,
  A: ABNORMAL,
  AB: ABNORMAL,
  '*': ABNORMAL,
  '!': ABNORMAL,
  '**': ABNORMAL,
  HH: CRITICALLY_HIGH,
  CH: CRITICALLY_HIGH,
  HC: CRITICALLY_HIGH,
  'H**': CRITICALLY_HIGH,
  PH: CRITICALLY_HIGH,
  '++': CRITICALLY_HIGH,
  '+++': CRITICALLY_HIGH,
  '↑↑': CRITICALLY_HIGH,
  LL: CRITICALLY_LOW,
  CL: CRITICALLY_LOW,
  LC: CRITICALLY_LOW,
  PL: CRITICALLY_LOW,
  '--': CRITICALLY_LOW,
  '---': CRITICALLY_LOW,
  '↓↓': CRITICALLY_LOW,
  AA: CRITICAL,
  C: CRITICAL,
  '!!': CRITICAL,
  '***': CRITICAL,
}

/** Words of flags in all languages. */
const WORD_FLAGS: ReadonlyMap<string, Flag> = new Map(
  SUPPORTED_LANGUAGES.flatMap((language): [string, Flag][] => {
    const { high, low, normal, abnormal, critical } = WORDS[language]
    return [
      ...high.map((word): [string, Flag] => [word, HIGH]),
      ...low.map((word): [string, Flag] => [word, LOW]),
      ...normal.map((word): [string, Flag] => [word, NORMAL]),
      ...abnormal.map((word): [string, Flag] => [word, toBorderline(word)]),
      ...critical.map((word): [string, Flag] => [word, toCritical(word)]),
    ]
  }),
)

function hasWord(text: string, words: readonly string[]): boolean {
  return words.some((word) => ` ${text} `.includes(` ${word} `))
}

function toBorderline(word: string): Flag {
  if (hasWord(word, ['high'])) return HIGH
  return hasWord(word, ['low']) ? LOW : ABNORMAL
}

function toCritical(word: string): Flag {
  if (hasWord(word, ['high', 'alto', 'hoch'])) return CRITICALLY_HIGH
  return hasWord(word, ['low', 'bajo', 'niedrig']) ? CRITICALLY_LOW : CRITICAL
}

/**
 * Interprets a printed flag: `H`, `(L)`, `*`, `↑`, `High`, `HH`, `erhöht`; null for other texts,
 * and for those without a meaning for normality.
 */
export function readFlag(text: string): Flag | null {
  // `Normal: >= 90`: what ends so announces an interval, and says nothing of this value.
  if (/:\s*$/.test(text)) return null
  const plain = toPlainSigns(text)
    .replace(/^[([{]\s*(.*?)\s*[)\]}]$/, '$1')
    .replace(/[.,;]+$/, '')
  const sign = plain.toUpperCase().replaceAll(' ', '')
  if (Object.hasOwn(SIGNS, sign)) return SIGNS[sign] ?? null
  const words = toPlainWords(plain.replace(/[↑↓▲▼*!]+/g, ' '))
  const known = WORD_FLAGS.get(words)
  if (known) return known
  // `High *`, `H High`, `↑ High`
  const [first = '', second = '', ...rest] = words.split(' ')
  if (rest.length === 0 && first !== '' && second !== '' && first === second[0]) {
    return WORD_FLAGS.get(second) ?? null
  }
  return null
}
