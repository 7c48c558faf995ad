import {
  type ColumnKind,
  QUALITATIVE_VALUES,
  SUPPORTED_LANGUAGES,
  toPlainWords,
  WORDS,
} from '../language/words.ts'
import { scoreAnalyteName } from '../loinc/analyte-names.ts'
import { readFlag } from '../values/flag.ts'
import { repairDigits, toPlainSigns } from '../values/number.ts'
import { looksLikeRange } from '../values/reference-range.ts'
import { looksLikeUnit } from '../values/unit.ts'
import { looksLikeValue, readValue } from '../values/value.ts'

// How much a piece of text looks like each part of a result, whatever stands around it.

/**
 * Caches a score: words repeat on every line, and every line is read more than once; hostile files
 * have many words.
 */
function memoize(score: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>()
  return (text) => {
    let found = known.get(text)
    if (found === undefined) {
      found = score(text)
      if (known.size > 20_000) known.clear()
      known.set(text, found)
    }
    return found
  }
}

/**
 * Returns how much a text looks like the name of an analyte, or of a finding in a smear, from 0 to
 * 1.
 */
export const scoreName = memoize((text) => {
  const [, subject = ''] = /^(.+?) (?:category|stage|grade|morphology)$/i.exec(text) ?? []
  const known = Math.max(scoreAnalyteName(text), subject ? scoreAnalyteName(subject) * 0.9 : 0)
  return /^h[ae]+mo ?parasites?$/i.test(text) ? 0.8 : known
})

const number = String.raw`[+-]?\d{1,3}(?:[ ,.']\d{3})+(?:[.,]\d+)?|\d{1,2}(?:,\d{2})+,\d{3}|[+-]?\d+(?:[.,]\d+)?|[.,]\d+`
const comparator = String.raw`(?:<=?|>=?|≤|≥|=<|=>|<\s*(?:OR\s*)?=|>\s*(?:OR\s*)?=)`
const interval = new RegExp(
  `^[[(]?\\s*(?:${number})\\s*(?:-|–|—|−|~|to|bis|à|a|al|tot|até|hasta)\\s*(?:${number})\\s*[\\])]?$`,
  'i',
)
const bound = new RegExp(
  `^[[(]?\\s*(?:${comparator}|up ?to|below|above|less than|more than|greater than|lower than|higher than|under|over|hasta|menor(?: que| a| de)?|mayor(?: que| a| de)?|inferiore? (?:a|à|di)|superiore? (?:a|à|di)|inf[eé]rieure? à|sup[eé]rieure? à|bis|unter|über|fino a|até|kleiner(?: als)?|größer als|groter dan|kleiner dan|tot|m[aá]x\\.?|m[ií]n\\.?)\\s*(?:${number})\\s*[\\])]?$`,
  'i',
)
const titre = /^[<>≤≥]?\s?=?\s?1\s?(?::\s?\d{1,5}|\/\s?\d{2,5})$/
const date =
  /^(?:\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/ .]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|abr|ago|dic|janv|fev|avr|mai|juin|juil|aout|okt|dez|gen|mag|giu|lug|set|ott|out)[a-zé]*\.?[-/ .,]{0,2}\d{2,4}|[a-z]{3,9} \d{1,2},? \d{4})$/i

/**
 * Lower case without accents, with one space between words and nothing at the ends but letters and
 * digits.
 */
export function plainText(text: string): string {
  return toPlainWords(text)
    .replace(/[^\p{L}\p{N}%#*/.+]+/gu, ' ')
    .replace(/^[ .]+|[ .]+$/g, '')
}

export function looksLikeDate(text: string): boolean {
  return date.test(text.trim())
}

export function isQualitative(text: string): boolean {
  const plain = plainText(text)
  return QUALITATIVE_VALUES.has(plain) || resultWords.has(plain)
}

/** Further words that stand for a result, or for why there is none. */
const resultWords = new Set(
  'pending|see note|see below|see comment|see report|tnp|not performed|test not performed|not calculated|not applicable|n/a|no growth|within normal limits|normocytic normochromic|no se observa|no se observan|giallo paglierino'.split(
    '|',
  ),
)

/** How much a text looks like a result, from 0 to 1. */
export const scoreValue = memoize((text: string): number => {
  const clean = toPlainSigns(text).trim()
  if (looksLikeDate(clean) || /^\d{1,2}:\d{2}(?::\d{2})?$/.test(clean))
    return titre.test(clean) ? 1 : 0
  if (/^\d{7,}$/.test(clean) || /%$|\p{L}\s*[([]\p{L}/u.test(clean)) return 0
  if (titre.test(clean)) return 1
  // Numbers of sites and methods beside a name.
  if (/^0\d+$/.test(clean)) return 0.2
  const read = readValue(clean)
  if (!read) return 0
  if (read.number !== null && (read.type === 'numeric' || read.type === 'range')) return 1
  if (read.bounds) return 0.4
  if (/^\d{1,3}(?:,\d{2})+,\d{3}$/.test(clean)) return 1
  if (/^(?:[1-5]\s?\+|\+{1,4})$/.test(clean)) return 0.9
  if (/^[([]\D*$/.test(clean)) return 0
  if (isQualitative(clean)) return 0.8
  if (read.type === 'ratio' || read.type === 'duration' || read.type === 'percentage') return 0
  if (looksLikeValue(clean)) return 0.8
  const [, word = ''] = /^(\p{L}[\p{L} -]*?) ?\([\d.,+<> -]+\)$/u.exec(clean) ?? []
  return word !== '' && isQualitative(word) ? 0.8 : 0
})

export function isNumericValue(text: string): boolean {
  const read = readValue(text)
  return read !== null && read.number !== null && read.type === 'numeric'
}

/** Units that are also words of names and of sentences. */
const wordyUnits =
  /^\(?(?:ratio|index|units?|calc\.?|count|cells?|score|titer|titre|min|day|days|[a-z])\)?$/i

/** Returns whether the end of a unit may stand on the line below: `cells/cum`, `10^3/mm`. */
export function isCutUnit(text: string): boolean {
  return /^(?:\p{L}{2,6}|(?:x ?)?10\^\d{1,2})\/(?:cum?|mm\^?|m)$/iu.test(text)
}

/** How much a text looks like a unit, from 0 to 1. */
export const scoreUnit = memoize((text: string): number => {
  const clean = text.trim()
  if (/^[\d.,]+$/.test(clean) || clean.length > 30 || /:$/.test(clean)) return 0
  if (
    !looksLikeUnit(clean) &&
    !looksLikeUnit(clean.normalize('NFD').replace(/\p{M}/gu, '')) &&
    !/^\(calc\.?\)$/i.test(clean)
  ) {
    if (isCutUnit(clean)) return 0.8
    const bare = clean.replace(/\s*\(?calc(?:ulated)?\.?\)?$/i, '')
    if (
      /^(?:t[ií]tulo|titre|titer|milh[õo]es\/mm³|index|(?:\p{L}+\/)(?:hpf|lpf|campo|[mµuμ]l|mm³|mm3|mmc|l))$/iu.test(
        bare,
      )
    )
      return 0.8
    return bare !== clean && bare !== '' && looksLikeUnit(bare) ? 0.9 : 0
  }
  if (/^% ?\p{L}/u.test(clean) && !/^% (?:of|de|der|des|do|dei|van)\b/i.test(clean)) return 0
  if (/^[a-z]$/i.test(clean)) return /^[g%sLhU]$/.test(clean) ? 0.3 : 0.1
  if (wordyUnits.test(clean)) return 0.7
  return /[/%]/.test(clean) ? 1 : 0.85
})

/** How much a text looks like a reference interval and nothing beside it, from 0 to 1. */
export const scoreRange = memoize((text: string): number => {
  const clean = repairDigits(toPlainSigns(text)).trim()
  if (looksLikeDate(clean)) return 0
  if (interval.test(clean)) {
    const [low = '', high = ''] = clean.split(
      /\s*(?:-|–|~|to|bis|à|al|a|tot|até|hasta)\s*(?=[\d.,])/i,
    )
    const read = (part: string, separators: RegExp): number =>
      Number(
        part
          .replace(separators, '')
          .replace(/[^\d]+/g, '.')
          .replace(/^\.+|\.+$/g, ''),
      )
    const isUpward = [/[^\d.,]/g, /[.,' ](?=\d{3}\b)/g].some((s) => read(low, s) <= read(high, s))
    if (!isUpward) return 0
    return /^0\d{3}|-0\d{3}/.test(clean) ? 0 : 1
  }
  if (bound.test(clean) || titre.test(clean)) return 0.9
  if (isQualitative(clean)) return /^[([]/.test(clean) ? 0.5 : 0.3
  if (/^(?:not estab|none estab|no ref|see note|see below|n\/a)/i.test(clean)) return 0.6
  return /\d/.test(clean) && looksLikeRange(clean) ? 0.3 : 0
})

/** How much a text looks like a flag, from 0 to 1. */
export const scoreFlag = memoize((text: string): number => {
  const clean = text.trim()
  // Not `PH`, panic high.
  if (clean === 'pH') return 0
  if (/^(?:\([HLAN]\)|\[[HLA]\]|HI|LO|ABN|CRIT|H\*|L\*)$/.test(clean)) return 1
  if (clean === 'B') return 0.3
  if (!readFlag(clean) || /^(?:[a-z]|[<>]|[A-Z][a-z])$/.test(clean))
    return /^(?:Hi|Lo)$/.test(clean) ? 0.8 : 0
  if (/^[<>CN]$|^[A-Z]{2}$/.test(clean)) return /^(?:HH|LL)$/.test(clean) ? 1 : 0.3
  return /^(?:[HLA]|[*!]+|[↑↓▲▼⬆⬇]+)$/u.test(clean) ? 1 : /^[a-z]+$/.test(clean) ? 0.5 : 0.8
})

/** The parts of a result. */
export type CellRole = 'name' | 'value' | 'unit' | 'range' | 'flag'
export type ColumnRole = CellRole | 'previous' | 'other'

/** Titles beyond those of `language/words.ts`. */
const columnWords: Record<ColumnRole, string> = {
  name: 'test|tests|test name|test description|name|analyte|component|investigation|investigations|parameter|parameters|examination|examinations|procedure|description|prueba|pruebas|determinacion|determinaciones|analisis|examen|examenes|parametro|parametros|estudio|analyse|analyses|examens|parametre|parametres|untersuchung|untersuchungen|messgrosse|analyt|esame|esami|prova|analisi|determinazione|determinazioni|exame|exames|ensaio|bepaling|bepalingen|onderzoek|tests ordered|biomarker|marker|assay|laboratory test|lab test|test parameter|s no test',
  value:
    '%|abs|absolute|absolute count|abs count|count|percent|percentage|result|results|your value|value|values|your result|observed value|observed values|current result|current result and flag|result value|test result|in range|resultado|resultados|valor|valores|valor obtenido|resultat|resultats|ergebnis|ergebnisse|wert|messwert|befund|risultato|risultati|valore|esito|uitslag|uitslagen|resultaat|resultaten|waarde|current|observation|result status|patient value|latest result|out of range',
  unit: 'unit|units|uom|unit of measure|unidad|unidades|unite|unites|einheit|einheiten|dimension|unita|u.m|um|u. m|unita di misura|unita misura|unidade|eenheid|eenheden|uds|ud|measure',
  range:
    'reference range|reference ranges|reference interval|reference intervals|ref range|ref. range|ref interval|ref. interval|normal range|normal ranges|reference|bio ref interval|bio. ref. interval|bio. ref. int|bio ref range|bio. ref. range|biological reference interval|biological reference intervals|biological reference range|biological ref interval|biological ref range|biological ref. interval|biological ref. range|standard range|normal values|normal value|reference value|reference values|ref value|ref. value|ref values|valores de referencia|valor de referencia|intervalo de referencia|intervalos de referencia|rango de referencia|rangos de referencia|intervalo biologico de referencia|rango|referencia|referencias|val. referencia|val. ref|valores normales|valeurs de reference|valeur de reference|valeurs usuelles|intervalle de reference|intervalles de reference|normes|norme|valeurs normales|referenzbereich|referenzbereiche|referenzwert|referenzwerte|referenzintervall|normbereich|normwert|normwerte|ref. bereich|ref.bereich|ref.-bereich|intervalli di riferimento|intervallo di riferimento|valori di riferimento|valori riferimento|val. di riferimento|riferimento|referentiewaarden|referentiewaarde|referentie interval|referentie|referentiegebied|referentiebereik|ref|ref.|expected values|expected value|range|ranges|limits|min|max|minimum|maximum|minimo|maximo|massimo|lower limit|upper limit|ref low|ref high|untergrenze|obergrenze|ondergrens|bovengrens|normal|healthy range|optimal range|desired range|target range|reference limits|interval',
  flag: 'flag|flags|abn|abnormal|h/l|alert|abnormal flag|indicador|alarma|kennzeichen|bewertung|indicator|flagge|marca|*',
  previous:
    'previous|previous result|previous results|prior|prior result|prior results|last result|last|historical|history|historico|anterior|anteriores|resultado anterior|resultados anteriores|resultat anterieur|anterieur|anteriorite|anteriorites|antecedents|vorwert|vorwerte|vorbefund|vorbefunde|precedente|precedenti|risultato precedente|vorige|vorige uitslag|previous value|previous date|previous result and date|past result|trend|graph',
  other:
    'lab|site|performing lab|performing site|code|laboratory|sample|specimen|specimen type|sample type|date|status|time|collected|method|methodology|technique|technology|metodo|tecnica|methode|methodik|verfahren|metodica|remarks|comments|comment|notes|note|s no|sr no|sl no|s.no|sr.no|sl.no|no|loinc|verified|muestra|material|interpretation|interpretacion|date collected|reported',
}

const roleOfKind: Record<ColumnKind, ColumnRole> = {
  test: 'name',
  result: 'value',
  unit: 'unit',
  reference: 'range',
  flag: 'flag',
  method: 'other',
  previous: 'previous',
}

const roleOfWords = new Map<string, ColumnRole>()
for (const language of SUPPORTED_LANGUAGES)
  for (const [kind, words] of Object.entries(WORDS[language].columns))
    for (const word of words)
      if (!roleOfWords.has(plainText(word)))
        roleOfWords.set(plainText(word), roleOfKind[kind as ColumnKind])
for (const [role, words] of Object.entries(columnWords))
  for (const phrase of words.split('|')) roleOfWords.set(phrase, role as ColumnRole)

/** What a column with this title holds; undefined for what is no title of a column. */
export function findColumnRole(title: string): ColumnRole | undefined {
  const plain = plainText(title.replace(/\(.*?\)/g, ' ').replace(/[:\-–]/g, ' '))
  return (
    roleOfWords.get(plain) ??
    roleOfWords.get(plain.replace(/ (?:%|abs|absolute|& units|units)$/, ''))
  )
}
