/**
 * Compares printed texts with readings in the evaluation. It shares no code with the parser: a
 * mistake in shared code would not show.
 */

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Normalizes widths, dashes, quotes, superscripts (to `^3`) and spaces, and lowers the case. */
function fold(text: string): string {
  return text
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (run) => `^${[...run].map((c) => SUPERSCRIPTS.indexOf(c)).join('')}`)
    .normalize('NFKC')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/[’‘´`]/g, "'")
    .replace(/[×✕]/g, 'x')
    .replace(/[≤⩽]/g, '<=')
    .replace(/[≥⩾]/g, '>=')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** Normalizes a name: case, spaces, accents, and leaders or marks at its ends do not count. */
export function normalizeName(text: string): string {
  return fold(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/^[\s*•·.:-]+|[\s*•·.:]+$/g, '')
    .replace(/\s/g, '')
}

/** Returns the share of pairs of letters that two names have in common, from 0 to 1. */
export function compareNames(one: string, other: string): number {
  const [a, b] = [normalizeName(one), normalizeName(other)]
  if (a === b) return 1
  const pairs = (text: string) => Array.from(text.slice(1), (letter, at) => text[at] + letter)
  const left = pairs(a)
  const right = pairs(b)
  const total = left.length + right.length
  let shared = 0
  for (const pair of left) {
    const at = right.indexOf(pair)
    if (at < 0) continue
    right.splice(at, 1)
    shared += 1
  }
  return total === 0 ? 0 : (2 * shared) / total
}

/** Lists the numbers that a text may mean: `1,234` may be 1.234 or 1234. */
function readNumbers(text: string): number[] {
  const figure = text.replace(/(?<=\d)[ '](?=\d{3}(\D|$))/g, '')
  if (!/^[+-]?[\d.,]*\d([ex]|$)/.test(figure)) return []
  const readings = [
    figure.replace(',', '.'),
    ...(/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(figure) ? [figure.replaceAll(',', '')] : []),
    ...(/^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$/.test(figure)
      ? [figure.replaceAll('.', '').replace(',', '.')]
      : []),
    ...(/^[+-]?\d{1,2}(,\d{2})+,\d{3}$/.test(figure) ? [figure.replaceAll(',', '')] : []),
  ]
  return readings.map(Number).filter((number) => !Number.isNaN(number))
}

/** Writes comparators and intervals in one form, without spaces. */
function normalizeFigure(text: string): string {
  return fold(text)
    .replace(/^(<|>) ?(or|o|ou|oder)? ?= ?/, '$1=')
    .replace(/\s*([<>=/-])\s*/g, '$1')
}

/** Returns whether values are equal: as numbers with their comparators, otherwise as words. */
export function areValuesEqual(one: string, other: string): boolean {
  const [a, b] = [normalizeFigure(one), normalizeFigure(other)]
  const comparator = (text: string) => /^[<>]=?/.exec(text)?.[0] ?? ''
  if (comparator(a) !== comparator(b)) return false
  const left = readNumbers(a.slice(comparator(a).length).replace(/%$/, ''))
  const right = readNumbers(b.slice(comparator(b).length).replace(/%$/, ''))
  if (left.length > 0 && right.length > 0) return left.some((number) => right.includes(number))
  return normalizeName(a) === normalizeName(b)
}

/** Units that mean the same, by their notation after the steps of `normalizeUnit`. */
const SAME_UNITS: [RegExp, string][] = [
  [
    /^(10\^3|k|th|thou|thousand|tsd|mil|mila|milhares|mille)\/(ul|mm3)$|^(10\^9|g|giga|gpt)\/l$|^\/nl$/,
    'giga/l',
  ],
  [
    /^(10\^6|m|mill?|million|millions|millones|milhoes|millions|mio|milioni|mln)\/(ul|mm3)$|^(10\^12|t|tera|tpt)\/l$|^\/pl$/,
    'tera/l',
  ],
  [/^(cells?|cel|zellen|cellules|elementi|el|celulas)?\/(ul|mm3)$|^10\^6\/l$/, 'mega/l'],
  [/^(lakhs?|10\^5)\/(ul|mm3)$/, 'lakh/ul'],
  [/^uu\/ml$|^mu\/l$/, 'mu/l'],
  [/^u\/ml$|^ku\/l$/, 'ku/l'],
  [/^g\/100ml$|^g%$/, 'g/dl'],
  [/^mg\/100ml$|^mg%$/, 'mg/dl'],
  [/^mm\/?(1\.?)?(h|hr|hour|hora|std|ora|heure|1)$|^mm\(1h\)$/, 'mm/h'],
  [/^ml\/min(\/1\.73)?(m\^?2|sqm)?(\/1\.73)?(m\^?2)?$/, 'ml/min/1.73m2'],
  [/^(s|sec|secs|seg|sek|second|seconds|segundos|secondes|secondi|sekunden)$/, 's'],
  [/^(%|percent|pct)$/, '%'],
  [/^(ratio|index|indice|calc)$/, ''],
]

/** Returns a form that is the same for units with the same meaning; empty for none. */
export function normalizeUnit(text: string | null): string {
  if (text === null) return ''
  const plain = fold(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/µ|μ|\bmc(?=g|l|mol)/g, 'u')
    .replace(/\(?\bcalc(ulated)?\b\.?\)?/g, '')
    .replace(/[[\]{}()_\s]/g, '')
    .replace(/,/g, '.')
    .replace(/^\.+|\.+$|(?<=[a-z])\.(?=\/)/g, '')
    .replace(/^x?10(\^|\*|\*\*|e)?0?(3|5|6|9|12)(?=\D|$)/, '10^$2')
    .replace(/cumm|cmm|mm\^3|cu\.mm/, 'mm3')
    .replace(/^gms?\b/, 'g')
    .replace(/(ui|iu|ie)(?=\/|$)/, 'u')
    .replace(/\/hr$/, '/h')
    .replace(/\/(lit(er|re)|ltr?)$/, '/l')
  return SAME_UNITS.find(([pattern]) => pattern.test(plain))?.[1] ?? plain
}

/** Bounds of a printed interval. */
export interface Bounds {
  low: number | null
  high: number | null
}

const FIGURE = String.raw`\d[\d.,']*(?: \d{3}(?!\d))*`
const BELOW =
  /^(?:<=?|<? ?or = ?|up to|less than|hasta|menor (?:de|que|a)|inferior a|inf\.? a|bis|unter|jusqu'a|jusqu’à|fino a|inferiore a|ate|ate a|inferieur a|tot|lager dan|kleiner(?: als)?|max\.?)\s*/
const ABOVE =
  /^(?:>=?|over|greater than|more than|mayor (?:de|que|a)|superior a|sup\.? a|uber|superieur a|maior que|superiore a|meer dan|hoger dan|grosser(?: als)?|min\.?)\s*/

/**
 * Lists the intervals that a text may mean, with each reading of its numbers; none for a reference
 * in words. If it has intervals of several groups (men and women), all are returned.
 */
export function readIntervals(text: string): Bounds[] {
  const plain = fold(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[[\]()]/g, ' ')
    .trim()
  const intervals: Bounds[] = []
  const pattern = new RegExp(
    String.raw`(${FIGURE})\s*%?\s*(?:-|\.\.+|to|bis|tot|a|ad|at?e|and|y|et|und|~)\s*(${FIGURE})`,
    'g',
  )
  for (const [, low = '', high = ''] of plain.matchAll(pattern)) {
    for (const from of readNumbers(low)) {
      for (const to of readNumbers(high)) intervals.push({ low: from, high: to })
    }
  }
  if (intervals.length > 0) return intervals
  for (const part of plain.split(/[;|]|(?<=[a-z]) ?:/)) {
    const words = part.trim().replace(/^(<|>) ?(or|o|ou|oder|ou egal a)? ?= ?/, '$1=')
    for (const [bound, pattern] of [
      ['high', BELOW],
      ['low', ABOVE],
    ] as const) {
      if (!pattern.test(words)) continue
      const figure = new RegExp(`^${FIGURE}`).exec(words.replace(pattern, ''))?.[0] ?? ''
      for (const number of readNumbers(figure)) {
        intervals.push({ low: null, high: null, [bound]: number })
      }
    }
  }
  return intervals
}

const FLAGS: [RegExp, string][] = [
  [
    /^(h+|high|hi|\++|↑+|▲|⬆|\^|alto|alta|a|eleve|haut|erhoht|hoch|elevado|elevada|hoog|abnormal high|above( range)?|h ?\*|\*? ?h)$/,
    'high',
  ],
  [
    /^(l+|low|lo|-+|↓+|▼|⬇|bajo|baja|b|bas|erniedrigt|niedrig|tief|basso|bassa|baixo|baixa|laag|abnormal low|below( range)?|l ?\*|\*? ?l|v)$/,
    'low',
  ],
]

/** Words for a missing flag. */
const NORMAL = /^(normal|normale|normaal|within range|ok|n)$/

/** Returns `high`, `low`, or the normalized flag; empty for none, for which some print a word. */
export function normalizeFlag(text: string): string {
  const plain = fold(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[[\]()!]/g, '')
    .trim()
  if (NORMAL.test(plain)) return ''
  return FLAGS.find(([pattern]) => pattern.test(plain))?.[1] ?? plain
}
