import { matchLoinc } from './loinc/match.ts'
import type {
  Interpretation,
  MeasurementKind,
  ReportResult,
  ReportRow,
  SampleType,
  Sensitivity,
} from './report.ts'
import { findPosition, interpretResult } from './values/interpretation.ts'
import { type RangeOptions, readRange } from './values/reference-range.ts'
import { toUcum } from './values/unit.ts'
import { readValue } from './values/value.ts'

/**
 * Describes a printed row: the shape of its value, its unit in UCUM, its bounds and its
 * interpretation.
 */
export function describeRow(row: ReportRow, options: RangeOptions): Omit<ReportResult, 'doubts'> {
  const value = readValue(row.value.text, options) ?? {
    type: 'comment' as const,
    number: null,
    comparator: null,
    bounds: null,
  }
  const reference = row.range ? readRange(row.range.text, options) : null
  const position = findPosition(value, reference)
  const isNumber =
    value.comparator === null && (value.type === 'numeric' || value.type === 'percentage')
  const ucumUnit = row.unit ? toUcum(row.unit.text) : value.type === 'percentage' ? '%' : null
  const [low, high] = [reference?.low ?? null, reference?.high ?? null]
  const loinc = matchRow({
    region: row.region ?? null,
    name: row.name.text,
    unit: row.unit?.text ?? (value.type === 'percentage' ? '%' : null),
    ucumUnit,
    sampleType: row.sampleType,
    panel: row.panel?.text ?? null,
    value: row.value.text,
    low,
    high,
  })
  return {
    ...row,
    sampleType: row.sampleType === 'unknown' ? findSampleType(loinc) : row.sampleType,
    type: value.type,
    ucumUnit,
    number: isNumber ? value.number : null,
    low,
    high,
    measurementKind: findMeasurementKind(row, value.number !== null),
    sensitivity: findSensitivity(row),
    interpretation:
      interpretSusceptibility(row) ??
      interpretResult({
        flag: row.flag?.text ?? null,
        value: row.value.text,
        range: row.range?.text ?? null,
        position,
        reference,
      }),
    isAboveHigh: position.isAboveMax,
    isBelowLow: position.isBelowMin,
    loincMatches: loinc.matches,
    loincMatchStatus: loinc.status,
  }
}

/**
 * Returns the codes of a row. Tests with a germ have none in the table, and their names are also
 * those of drugs in blood; the codes of genotypes and confirmations depend on the method, which the
 * row does not name.
 */
function matchRow({
  region,
  ...row
}: Parameters<typeof matchLoinc>[0] & Pick<ReportRow, 'region'>): ReturnType<typeof matchLoinc> {
  if (region === 'antibiogram') return { matches: [], status: 'no_match' }
  const found = matchLoinc(row)
  const isOpen =
    region === 'genotypes' || (region === 'drug_screen' && /^[<>]?=?\s?\d/.test(row.value))
  return isOpen && found.status === 'auto_match' ? { ...found, status: 'needs_review' } : found
}

/** Returns abnormal for a germ that a drug does not stop; null for other rows. */
function interpretSusceptibility(row: ReportRow): Interpretation | null {
  if (row.region !== 'antibiogram') return null
  const { text } = row.flag ?? row.value
  if (RESISTANT.test(text)) return 'abnormal'
  return SUSCEPTIBLE.test(text) ? 'normal' : null
}

const SUSCEPTIBLE =
  /^(?:S|sensitive|susceptible|sensible|sensibel|empfindlich|sens[ií]vel|gevoelig)\*?$/i
const RESISTANT =
  /^(?:[RI]|NS|SDD|(?:resistant|resistente?|r[ée]sistante?|insensitive|non-?susceptible|intermediate|intermedi[oaä]r?[oae]?|interm[ée]diaire)\*?)$/i

/** Returns the specimen of a certain code, where the report does not name it. */
function findSampleType({ matches: [first], status }: ReturnType<typeof matchLoinc>): SampleType {
  if (!first || status !== 'auto_match') return 'unknown'
  const [, specimen = ''] =
    / in ((?:Capillary|Serum|Plasma|Blood|Red Blood|Platelet|Urine|Stool|Saliva).*)$/.exec(
      first.name,
    ) ?? []
  if (/^Capillary/.test(specimen)) return 'capillary_blood'
  if (/^(?:Serum|Plasma|Blood|Red Blood|Platelet)/.test(specimen)) return 'serum_plasma_blood'
  if (/^Urine/.test(specimen)) return 'urine'
  if (/^Stool/.test(specimen)) return 'stool'
  return /^Saliva/.test(specimen) ? 'saliva' : 'unknown'
}

const RATIO_NAME =
  /\b(?:ratio|quotient|rapport|rapporto|relaci[oó]n|raz[aã]o|verh[aä]ltnis|cociente|[íi]ndice de castelli|verhouding)\b|\bA\/G\b/i
const CALCULATED =
  /\bcalc(?:ul\w*|\.)?\b|\bber(?:echnet|\.)|\bcalcul[ée]\b|\be-?gfr\b|\bestimated\b|\b(?:gfr|dfg|fge|tfg)\b|\bestimad\w+|\bestim[ée]e?\b|\bv-?ldl\b|\bnon[- ]hdl\b|\banion gap\b|\bhoma\b|\beag\b|\bosmolality,? calc|\bcorrected\b|\bfriedewald\b|\bckd-?epi\b|\bmdrd\b|\bhiato ani[oô]nico\b|\bgeschätzt\w*/i

/** Returns whether a value was measured or calculated, where the report says so. */
function findMeasurementKind({ name, unit }: ReportRow, isNumber: boolean): MeasurementKind {
  if (RATIO_NAME.test(name.text)) return 'ratio'
  if (CALCULATED.test(`${name.text} ${unit?.text ?? ''}`)) return 'calculated'
  return isNumber ? 'direct' : 'unknown'
}

const SENSITIVE_ASSAY =
  /\b(?:hs|high(?:ly)?[- ]sensitiv\w*|ultra-?sensitiv\w*|hochsensitiv\w*|ultrasensible|alta sensibilidad\w*|alta sensibilidade|haute sensibilit[ée]|alta sensibilit[àa]|hooggevoelig\w*|[34]rd generation|[34](?:th|rd) gen)\b/i

/**
 * Returns the sensitivity of a row: of an assay that is called high-sensitivity or ultrasensitive,
 * or of an organism to an antibiotic.
 */
function findSensitivity({ name, value, panel, flag, region }: ReportRow): Sensitivity {
  if (SENSITIVE_ASSAY.test(name.text)) return 'sensitive'
  const isSusceptibility =
    region === 'antibiogram' ||
    /suscept|antibiogram|sensitivit|antimicrob|antibiot/i.test(panel?.text ?? '')
  if (/^(?:sensitive|susceptible|sensible|sensibel|sens[ií]vel|gevoelig)$/i.test(value.text))
    return 'sensitive'
  if (/^(?:resistant|insensitive|resistente|r[ée]sistant|resistent)$/i.test(value.text))
    return 'insensitive'
  if (region === 'antibiogram' && flag) return toSensitivity(flag.text)
  if (isSusceptibility && /^S$/.test(value.text)) return 'sensitive'
  return isSusceptibility && /^R$/.test(value.text) ? 'insensitive' : 'unknown'
}

/** Returns the sensitivity of an interpretation; an intermediate one, such as `I`, is neither. */
function toSensitivity(interpretation: string): Sensitivity {
  if (SUSCEPTIBLE.test(interpretation)) return 'sensitive'
  return /^(?:R|NS|r)/i.test(interpretation) ? 'insensitive' : 'unknown'
}
