import type { Random } from './random.ts'
import { type Language, WORDS } from './words.ts'

/** How a report writes numbers, units, ranges and flags; chosen once for a report. */
export interface Notation {
  language: Language
  isSi: boolean
  decimalComma: boolean
  thousands: '' | ',' | '.' | ' '
  dash: string
  bracket: 'none' | 'round' | 'square'
  below: string
  above: string
  /** Draws digits of powers small and raised. */
  hasRaisedPowers: boolean
  giga: { text: string; factor: number }
  tera: string
  iu: string
  liter: 'L' | 'l'
  micro: string
  flag: FlagStyle
  rangesOfBothSexes: boolean
}

export type FlagStyle =
  | { kind: 'none' | 'color' | 'bold' }
  | {
      kind: 'text'
      place: 'column' | 'after' | 'before'
      high: string
      low: string
      normal: string
    }

const GIGA: Record<Language, [text: string, factor: number][]> = {
  en: [
    ['x10E3/uL', 1],
    ['K/uL', 1],
    ['10^3/µL', 1],
    ['Thousand/uL', 1],
    ['x10^3/uL', 1],
    ['10*3/uL', 1],
    ['cells/cumm', 1000],
    ['/uL', 1000],
  ],
  es: [
    ['x10^3/µL', 1],
    ['10^3/mm3', 1],
    ['/mm3', 1000],
    ['miles/mm3', 1],
    ['mil/mm3', 1],
    ['10^3/µL', 1],
  ],
  fr: [
    ['G/L', 1],
    ['10^9/L', 1],
    ['Giga/L', 1],
    ['/mm3', 1000],
  ],
  de: [
    ['Tsd./µl', 1],
    ['G/l', 1],
    ['/nl', 1],
    ['10^3/µl', 1],
    ['Gpt/l', 1],
  ],
  pt: [
    ['/mm3', 1000],
    ['mil/mm3', 1],
    ['10^3/µL', 1],
    ['/µL', 1000],
  ],
  it: [
    ['10^3/µL', 1],
    ['x10^9/L', 1],
    ['migliaia/µL', 1],
    ['10^3/mm3', 1],
  ],
  nl: [
    ['10^9/L', 1],
    ['x10^9/L', 1],
    ['10*9/L', 1],
  ],
}
const SI_GIGA: [string, number][] = [
  ['x10^9/L', 1],
  ['10^9/L', 1],
  ['10E9/L', 1],
  ['x10*9/L', 1],
]
const TERA: Record<Language, string[]> = {
  en: ['x10E6/uL', 'M/uL', '10^6/µL', 'Million/uL', 'x10^6/uL', 'mill/cumm'],
  es: ['x10^6/µL', '10^6/mm3', 'mill/mm3', 'millones/mm3'],
  fr: ['T/L', '10^12/L', 'Téra/L', 'millions/mm3'],
  de: ['Mio./µl', 'T/l', '/pl', '10^6/µl', 'Tpt/l'],
  pt: ['milhões/mm3', '10^6/µL'],
  it: ['10^6/µL', 'x10^12/L', 'milioni/µL'],
  nl: ['10^12/L', 'x10^12/L'],
}
const SI_SHARE: Record<Language, number> = {
  en: 0.25,
  es: 0.1,
  fr: 0.7,
  de: 0.35,
  pt: 0.05,
  it: 0.1,
  nl: 0.95,
}

/** @param hasSymbols the font has arrows and signs such as ≥ */
export function drawNotation(random: Random, language: Language, hasSymbols: boolean): Notation {
  const words = WORDS[language]
  const isSi = random.chance(SI_SHARE[language])
  const decimalComma = language !== 'en' && (language !== 'es' || random.chance(0.75))
  const separators: Notation['thousands'][] = decimalComma
    ? ['', '.', language === 'fr' ? ' ' : '.']
    : ['', ',', ',']
  const fits = (text: string) => hasSymbols || !/[≤≥]/.test(text)
  const gigas = (isSi && language === 'en' ? SI_GIGA : GIGA[language]).filter(
    ([, factor]) => factor === 1 || !isSi,
  )
  const [text, factor] = random.pick(gigas)
  return {
    language,
    isSi,
    decimalComma,
    thousands: random.pick(separators),
    dash: random.pick(['-', ' - ', ' - ', '–', ' – ', ` ${words.range.to} `]),
    bracket: random.pick(['none', 'none', 'none', 'round', 'square']),
    below: random.pick(words.range.below.filter(fits)),
    above: random.pick(words.range.above.filter(fits)),
    hasRaisedPowers: random.chance(0.35),
    giga: { text, factor },
    tera:
      isSi && language === 'en'
        ? random.pick(['x10^12/L', '10^12/L', '10E12/L'])
        : random.pick(TERA[language]),
    iu:
      language === 'en' || language === 'de' || language === 'nl'
        ? 'IU'
        : random.pick(['UI', 'UI', 'U']),
    liter: language === 'de' && random.chance(0.7) ? 'l' : random.chance(0.08) ? 'l' : 'L',
    micro: random.pick(language === 'en' ? ['u', 'u', 'µ', 'mc'] : ['µ', 'µ', 'u']),
    flag: drawFlagStyle(random, language, hasSymbols),
    rangesOfBothSexes: random.chance(0.12),
  }
}

function drawFlagStyle(random: Random, language: Language, hasSymbols: boolean): FlagStyle {
  const { words, letters, normal } = WORDS[language].flags
  const kind = random.pick([
    'letter',
    'letter',
    'letter',
    'word',
    'star',
    'star',
    'arrow',
    'none',
    'color',
    'bold',
  ])
  if (kind === 'none' || kind === 'color' || kind === 'bold') return { kind }
  const [high, low] =
    kind === 'letter'
      ? random.pick(letters)
      : kind === 'word'
        ? random.pick(words)
        : kind === 'arrow' && hasSymbols
          ? random.pick([
              ['↑', '↓'],
              ['▲', '▼'],
            ] as [string, string][])
          : ([
              ['*', '*'],
              ['H*', 'L*'],
            ][Number(random.chance(0.15))] as [string, string])
  const place =
    kind === 'word' ? 'column' : random.pick(['column', 'column', 'after', 'before'] as const)
  return {
    kind: 'text',
    // Signs and words stand behind a value or in a column; only a star stands before one.
    place: place === 'before' && !/^\*$/.test(high) ? 'after' : place,
    high,
    low,
    normal: kind === 'word' && random.chance(0.25) ? normal : '',
  }
}

/** A number with the decimal sign and the separators of the report. */
export function writeNumber(value: number, decimals: number, notation: Notation): string {
  const [whole = '', part] = value.toFixed(decimals).split('.')
  const grouped =
    whole.replace('-', '').length > 3 && notation.thousands !== ''
      ? whole.replace(/\B(?=(\d{3})+$)/g, notation.thousands)
      : whole
  return part === undefined ? grouped : `${grouped}${notation.decimalComma ? ',' : '.'}${part}`
}

/** A unit of the table as this report writes it; null where it has none. */
export function writeUnit(unit: string, notation: Notation): string | null {
  const { language, liter, micro, iu } = notation
  const written = (() => {
    if (unit === 'none' || (unit === 'ratio' && language !== 'en')) return ''
    if (unit === 'giga') return notation.giga.text
    if (unit === 'tera') return notation.tera
    if (unit === 'ratio') return ''
    if (unit === 's')
      return { en: 'sec', es: 's', fr: 's', de: 's', pt: 's', it: 'sec', nl: 's' }[language]
    if (unit === 'mm/h') return language === 'en' && notation.micro === 'u' ? 'mm/hr' : 'mm/h'
    if (unit === 'mU/L')
      return notation.isSi ? `m${iu}/L` : `${micro === 'mc' ? 'u' : micro}${iu}/mL`
    if (unit === 'U/L') return iu === 'UI' || micro === 'u' ? `${iu}/L` : 'U/L'
    if (unit.startsWith('mL/min')) {
      const area = notation.decimalComma ? '1,73' : '1.73'
      return notation.bracket === 'none'
        ? `mL/min/${area} m²`
        : `mL/min/${area}${notation.micro === 'mc' ? '' : 'm2'}`
    }
    return unit
      .replace('IU', iu)
      .replace('µg', `${micro}g`)
      .replace('µmol', `${micro === 'mc' ? 'u' : micro}mol`)
  })()
  const cased = liter === 'l' ? written.replace(/L\b/g, 'l') : written
  if (cased === '') return null
  return notation.hasRaisedPowers ? raise(cased) : cased
}

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

function raise(unit: string): string {
  return unit
    .replace(
      /10[\^*E](\d+)/,
      (_, power: string) => `10${[...power].map((digit) => SUPERSCRIPTS[Number(digit)]).join('')}`,
    )
    .replace(/mm3/, 'mm³')
    .replace(/m2$/, 'm²')
}

/** Bounds as printed; either may be absent. */
export interface PrintedRange {
  low: string | null
  high: string | null
}

export function writeRange({ low, high }: PrintedRange, notation: Notation): string {
  const text =
    low !== null && high !== null
      ? `${low}${notation.dash}${high}`
      : high !== null
        ? `${notation.below}${high}`
        : `${notation.above}${low}`
  if (notation.bracket === 'round') return `(${text})`
  return notation.bracket === 'square' ? `[${text}]` : text
}
