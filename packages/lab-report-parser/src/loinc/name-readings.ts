import { toUcum } from '../values/unit.ts'
import { keyWithoutSpaces, splitWords } from './analyte-words.ts'
import { type Analyte, getAnalyteIndex } from './analytes.ts'
import { quantitiesOfUnit } from './quantities.ts'
import { familyOfWord } from './specimen-words.ts'
import { repairWords } from './spelling.ts'

/** Analytes that a printed name may be, with the certainty. */
export interface NameReading {
  analytes: readonly Analyte[]
  /** 0 to 1. */
  score: number
}

/** Words about methods: a name means the same analyte without them. */
const methodWords = new Set(
  `abs absolute absolut absoluta absolutas absolutos absolus absolute assay auto automated automatizado calc calcd calculado calculada
  calculation calculated calcule calcolata calcolato berechnet clia cmia cliae chemiluminescence count conteo recuento
  numeration estimation eclia elfa elisa eia enzymatic enzymatico enzymatique enzimatico fluorometric hplc hexokinase ifcc immunoassay
  immunoturbidimetric immunoturbidimetry turbidimetric turbidimetry turbidimetria inmunoturbidimetria nephelometry nefelometria
  ecl ia naa ise jaffe kinetic cinetico latex lc ms lcms level levels manual patient measured method methode metodo microscopy microscopic
  nivel niveles number numero percent percentage porcentaje photometry quant quantitative qn quantification result resultado relative relativ
  relativos relativo spectrophotometry test tests uv total value valor wert westergren with god pod modified
  the of in de del la el le du des im by determination dosage dosaje determinacion dosagem titulo
  biuret bcg bcp bromocresol cedia emit fia rapid card reflectance spectro potentiometric vitros roche abbott
  cobas architect siemens beckman automatic analyser analyzer friedewald sampson uricase urease gldh p5p pnpp gpo chod pap
  diazo colorimetric colorimetrico colorimetry ferrozine tptz arsenazo moderate complexity reflex rflx w wrfx flowcytometry flow cytometry
  sysmex random spot coulter impedance vcs optical electrical ion selective electrode integra vidas advia centaur`
    .split(/\s+/)
    .filter(Boolean),
)

/** Words for counts of cells instead of shares, and vice versa. */
const countWords = /^(?:#|abs|absolute?|absolut[ao]s?|absolus?|assolut[oi]|absoluut|absolutwert)$/
const shareWords = /^(?:%|percent|percentage|porcentaje|prozent|pourcentage|relativ\w*|relative)$/

/** Returns whether a name says that it is a count or a share. */
export function readCounting(name: string): 'count' | 'fraction' | undefined {
  const words = splitWords(name.replace(/#\s*\d+\s*$/, ''))
  if (words.some((word) => shareWords.test(word))) return 'fraction'
  return words.some((word) => countWords.test(word)) ? 'count' : undefined
}

/**
 * Returns the analytes of a printed name: of the name itself, without brackets and words of no
 * analyte, and with corrected spelling.
 */
export function readName(name: string): NameReading | undefined {
  const plain = name
    .replace(/[*†‡§]+/g, ' ')
    .replace(/\s0[1-9]$/, '')
    .trim()
  const words = splitWords(plain)
  if (words.length === 0 || words.length > 20) return undefined
  return (
    findWhole(words, 0.98) ?? findReduced(words, 0.95) ?? findParts(plain) ?? findRepaired(words)
  )
}

function findWhole(words: readonly string[], score: number): NameReading | undefined {
  const analytes = getAnalyteIndex().find(words)
  return analytes.length > 0 ? { analytes, score } : undefined
}

/** Removes specimens (also as the first letter: `S. Creatinine`), then methods, too. */
function findReduced(words: readonly string[], score: number): NameReading | undefined {
  const withoutSpecimen = words.filter((word) => familyOfWord(word) === undefined)
  const firstIsSpecimen = /^(?:s|p|b|u|sr|fs|fp|du)$/.test(words[0] ?? '')
  const readings = [
    withoutSpecimen,
    words.filter((word) => !isSaying(word)),
    withoutSpecimen.filter((word) => !isSaying(word)),
    ...(firstIsSpecimen
      ? [words.slice(1), withoutSpecimen.slice(1).filter((word) => !isSaying(word))]
      : []),
  ]
  for (const reading of readings) {
    if (reading.length === 0 || reading.length === words.length) continue
    const found = findWhole(reading, score)
    if (found) return found
  }
  return undefined
}

function isSaying(word: string): boolean {
  return methodWords.has(word) || countWords.test(word) || shareWords.test(word)
}

/** Reads a name with a synonym: `GPT (ALT)`, `AST / SGOT`. All known parts must be one analyte. */
function findParts(name: string): NameReading | undefined {
  const parts = name
    .split(/[()[\]{}]|\s[-–—:|]\s|[,;/]|\s-|-\s/)
    .map((part) => part.trim())
    .filter((part) => /[\p{L}\p{N}%#]/u.test(part))
  if (parts.length < 2) return undefined
  let common: readonly Analyte[] | undefined
  let isSure = true
  for (const part of parts) {
    const words = splitWords(part)
    const found = (findWhole(words, 1) ?? findReduced(words, 1))?.analytes
    if (found && !isOnlySaying(words)) {
      const shared: readonly Analyte[] = common
        ? common.filter((analyte) => found.includes(analyte))
        : found
      if (shared.length === 0) return { analytes: [...(common ?? []), ...found], score: 0.6 }
      common = shared
    } else if (!isOnlySaying(words) && !isUnit(part)) {
      isSure = false
    }
  }
  return common && { analytes: common, score: isSure ? 0.93 : 0.75 }
}

function isOnlySaying(words: readonly string[]): boolean {
  return words.every(
    (word) => isSaying(word) || familyOfWord(word) !== undefined || /^\d$/.test(word),
  )
}

function isUnit(text: string): boolean {
  const ucum = toUcum(text)
  return ucum !== null && quantitiesOfUnit(ucum).length > 0
}

function findRepaired(words: readonly string[]): NameReading | undefined {
  const repaired = repairWords(words, getAnalyteIndex().words)
  if (!repaired) return undefined
  const found = findWhole(repaired.words, 1) ?? findReduced(repaired.words, 1)
  return found && { analytes: found.analytes, score: repaired.score }
}

/** Returns analytes whose names share words with this one, to show where none is certain. */
export function listSimilarAnalytes(name: string): { analyte: Analyte; score: number }[] {
  const words = new Set(
    splitWords(name).filter((word) => !isSaying(word) && familyOfWord(word) === undefined),
  )
  const weight = keyWithoutSpaces([...words]).length
  if (weight < 3 || ![...words].some((word) => /[a-z]{2}/.test(word))) return []
  const scores = new Map<Analyte, number>()
  for (const { analyte, words: nameWords } of getAnalyteIndex().listSharing(words)) {
    const shared = nameWords.filter((word) => words.has(word)).join('').length
    const score = (2 * shared) / (weight + nameWords.join('').length)
    if (score >= 0.5 && score > (scores.get(analyte) ?? 0)) scores.set(analyte, score)
  }
  return [...scores]
    .map(([analyte, score]) => ({ analyte, score: score * 0.75 }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 3)
}
