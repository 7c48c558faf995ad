import { toPlainSigns } from './number.ts'
import { getUnitSpellings } from './unit-spellings.ts'

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const known = new Map<string, string | null>()

/**
 * Converts a unit to UCUM, from any spelling of laboratories (`x10E3/uL`, `K/uL`, `mcg/dL`,
 * `Lakhs/cumm`, `G/l`, `mL/min/1.73 m²`) and of misreadings; null for other texts.
 */
export function toUcum(text: string): string | null {
  const plain = cleanUnit(text)
  if (plain === '' || plain.length > 40) return null
  let ucum = known.get(plain)
  if (ucum === undefined) {
    ucum = findUcum(plain)
    // Units of all reports are few; a hostile file has many texts.
    if (known.size > 5000) known.clear()
    known.set(plain, ucum)
  }
  return ucum
}

/** Returns whether a text alone, without its column, is likely to be a unit. */
export function looksLikeUnit(text: string): boolean {
  // `(calc)` stands in the column of units, and is none.
  return toUcum(text) !== null || /^\(calc(?:ulated)?\.?\)$/i.test(text.trim())
}

/** Spaces, brackets, superscripts and micro signs in one form. */
function cleanUnit(text: string): string {
  return toPlainSigns(text)
    .replace(
      /[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
      (digits) => `^${[...digits].map((digit) => SUPERSCRIPTS.indexOf(digit)).join('')}`,
    )
    .replace(/[\u00b5\u03bc]/g, 'u')
    .replace(/[\u2044\u2215\u2571]/g, '/')
    .replace(/[×✕✖]/g, 'x')
    .replace(/^[([]([^()[\]]*)[)\]]$/, '$1')
    .replace(/\(?\b(?:calc(?:ulated)?\.?|calc)\)?$/i, '')
    .replace(/^[:,;]+|[:,;]+$/g, '')
    .replace(/\s*([/^*])\s*/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

function findUcum(plain: string): string | null {
  return readUnit(plain) ?? findRepaired(plain)
}

const PERCENT_WITH_WORDS = /^%\s?\(?(?:[\p{L}. ]{1,24})\)?$/u

function readUnit(plain: string): string | null {
  const { units } = getUnitSpellings()
  const whole = units.get(plain) ?? units.get(plain.toLowerCase())
  if (whole !== undefined) return whole
  if (PERCENT_WITH_WORDS.test(plain)) return '%'
  return readCount(plain) ?? readQuotient(plain)
}

const POWER = /^(?:x\s?|\*\s?)?10\s?(?:\^|\*{1,2}|e\+?|\()?\s?(0?[3-9]|1[0-2])\)?\s*/i
/** Reads a number of cells in a volume: `10^3/uL`, `K/uL`, `Mio/µl`, `Lakhs/cumm`, `G/L`. */
function readCount(plain: string): string | null {
  const slash = plain.search(/\/| per /i)
  if (slash < 0) return null
  const volumeText = plain
    .slice(slash)
    .replace(/^\/| per /i, '')
    .toLowerCase()
    .trim()
    .replace(/\.$/, '')
  const count = plain.slice(0, slash).trim()
  const volume = getUnitSpellings().volumes.get(volumeText)
  if (volume === undefined) return null
  const power = toPower(count, volume)
  // A picolitre is a microlitre whose sign was misread: no laboratory counts in one.
  if (power !== null) return volumeText === 'pl' && power < 2 ? null : `10*${power}/${volume}`
  if (volumeText === 'pl') return null
  if (count === '' || count === '#') return `/${volume}`
  return /^(?:cells?|cels?|cel\.?|celulas|células|zellen|cellules|cellule|cellen|leu|leuk|ery|leuco|wbc|rbc|hematies|leucocitos)\.?$/i.test(
    count,
  )
    ? `{cells}/${volume}`
    : null
}

function toPower(count: string, volume: string): number | null {
  const bare = count.replace(/\s*(?:cells?|cel|zellen|leu|ery)\.?$/i, '').trim()
  const exact = POWER.exec(bare)
  if (exact && exact[0].trim() === bare) return Number(exact[1])
  // G and T are prefixes of SI in units such as G/L; g/L is a mass.
  if (bare === 'G' || /^g(?:pt|iga)$/i.test(bare)) return volume === 'L' ? 9 : null
  if (bare === 'T' || /^t(?:pt|era)$/i.test(bare)) return volume === 'L' ? 12 : null
  const power = getUnitSpellings().powers.get(
    bare.toLowerCase().replace(/^x\s?/, '').replace(/\.$/, ''),
  )
  return power !== undefined && volume !== 'L' && volume !== 'dL' ? Number(power) : null
}

/**
 * Parts between slashes, each of the table: `mg/dL`, `mmol/mol`, `ug/g creat`, `mL/min/1.73 m2`.
 */
function readQuotient(plain: string): string | null {
  const text = plain.replace(/ (?:per|por|pro) /gi, '/').replace(/^(?:per|por|pro) /i, '/')
  const parts = text.split('/')
  if (parts.length > 4) return null
  const isFraction = parts.length > 1
  const read = parts.map((part, index) => readPart(part.trim(), isFraction, index))
  if (read.some((part) => part === null)) return null
  if (!isFraction) return null
  return read.join('/')
}

function readPart(part: string, isFraction: boolean, index: number): string | null {
  if (part === '') return index === 0 ? '' : null
  if (!isFraction) return null
  const { parts, annotations } = getUnitSpellings()
  const find = (text: string) => parts.get(text) ?? parts.get(text.toLowerCase())
  const exact = find(part) ?? find(part.replace(/\.$/, ''))
  if (exact !== undefined) return exact
  // `g creatinine`, `mol Hb`, `mg FEU`
  const [, unit = '', of = ''] = /^([\p{L}\d]+)[ .]?\(?([\p{L}]+)\.?\)?$/u.exec(part) ?? []
  const annotation = annotations.get(of.toLowerCase())
  const base = find(unit)
  return annotation !== undefined && base !== undefined ? `${base}{${annotation}}` : null
}

/** What recognition confuses in units, most likely first. */
const CONFUSIONS: readonly [RegExp, string][] = [
  [/1(?=U)|l(?=U\b|U\/)|\|(?=U)|!(?=U)/g, 'I'],
  [/(?<=[dmuMfkn]|\/|mo|mmo|umo|nmo|pmo)[1I|!](?=$|\/|\b)/g, 'L'],
  [/mo[1I|!]/g, 'mol'],
  [/(?<=mm|um|nm|pm|\bm)0(?=l)/gi, 'o'],
  [/\/d[it1]\b/gi, '/dL'],
  [/[\\|]/g, '/'],
  [/^([munp]?g|g|[munp]mol|m?[uU]?IU|U|IU|K|M|mEq|ng|pg)[lI1](?=[dmun]?L$)/gi, '$1/'],
  [/^(?:y|p|j|w|4|H|ji)(?=g\/|mol\/|IU\/)/g, 'u'],
  [/mE[g9]\b/g, 'mEq'],
  [/^f[1I|]$/gi, 'fL'],
  [/9(?=\/)/g, 'g'],
  [/(?<=\/)[ad][Ll1I]$/g, 'dL'],
  [/(?<=\/)(?:y|p|j|4)[Ll1I]$/g, 'uL'],
  [/[.,]+$/g, ''],
  [/ /g, ''],
  [/10[°?'"*%~]{1,2}(?=\/[Ll])/g, '10^9'],
  [/10[°?'"*%~]{1,2}(?=\/u[Ll])/g, '10^3'],
]

/** Returns the unit after one, or several, repairs; null where none gives a unit. */
function findRepaired(plain: string): string | null {
  let repaired = plain
  for (const [confusion, replacement] of CONFUSIONS) {
    const once = readUnit(plain.replace(confusion, replacement))
    if (once !== null) return once
    repaired = repaired.replace(confusion, replacement)
    const together = readUnit(repaired)
    if (together !== null) return together
  }
  return null
}
