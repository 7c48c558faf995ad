import type { LoincMatch, LoincMatchStatus, SampleType } from '../report.ts'
import { readValue } from '../values/value.ts'
import { splitWords } from './analyte-words.ts'
import type { Analyte } from './analytes.ts'
import { type Candidate, type Evidence, rateRows } from './candidates.ts'
import { listSimilarAnalytes, readCounting, readName } from './name-readings.ts'
import { type Quantity, quantitiesOfUnit } from './quantities.ts'
import {
  familyOfPanel,
  familyOfSampleType,
  findFamily,
  findFluid,
  isDayUrine,
  namesOtherSpecimen,
} from './specimen-words.ts'

/** Fields of a row that identify its measurement. */
export interface LoincQuery {
  name: string
  /** As printed. */
  unit: string | null
  ucumUnit: string | null
  sampleType: SampleType
  /** The heading above the row. */
  panel: string | null
  value: string
  /** Bounds of the printed interval, in the printed unit. */
  low: number | null
  high: number | null
}

const mostMatches = 5
/** docs/contract/16-lab-report-parsing.md#objects */
const surePoint = 0.85
const clearBy = 0.05

/**
 * Returns the LOINC codes that a row of a report may be, the best first, and whether the first is
 * reliable: it is not if the name is uncertain, or name, unit, specimen and value leave more than
 * one measurement.
 */
export function matchLoinc(query: LoincQuery): { matches: LoincMatch[]; status: LoincMatchStatus } {
  const evidence = readEvidence(query)
  const candidates = listCandidates(query, evidence)
  const [first, second] = candidates
  if (!first) return { matches: [], status: 'no_match' }
  const isSure = first.score >= surePoint && first.score - (second?.score ?? 0) >= clearBy
  return {
    matches: candidates.slice(0, mostMatches).map(toMatch),
    status: isSure ? 'auto_match' : 'needs_review',
  }
}

function listCandidates(query: LoincQuery, evidence: Evidence): Candidate[] {
  const [variant = ''] = /\b(?:FEU|DDU)\b/i.exec(query.unit ?? '') ?? []
  const reading = readName(`${query.name} ${variant}`)
  const rated = reading
    ? reading.analytes.flatMap((analyte) => rateAll(analyte, evidence, reading.score))
    : listSimilarAnalytes(query.name).flatMap(({ analyte, score }) =>
        rateAll(analyte, evidence, score),
      )
  const best = new Map<string, Candidate>()
  for (const candidate of rated) {
    const known = best.get(candidate.row.code)
    if (!known || known.score < candidate.score) best.set(candidate.row.code, candidate)
  }
  return [...best.values()].filter(({ score }) => score >= 0.3).sort((a, b) => b.score - a.score)
}

function rateAll(analyte: Analyte, evidence: Evidence, score: number): Candidate[] {
  // Without a common name, LOINC has many codes that differ in facts that the report leaves out.
  const ofName = analyte.isCurated ? score : Math.min(score, 0.84)
  return rateRows(analyte, evidence).map((candidate) => ({
    ...candidate,
    score: candidate.score * ofName,
  }))
}

function readEvidence(query: LoincQuery): Evidence {
  const words = splitWords(query.name)
  const context = `${query.name} ${query.panel ?? ''}`
  const isOther = query.sampleType === 'other' || namesOtherSpecimen(query.panel ?? '')
  const isOfBlood = /\bcord\b|sweat|marrow/i.test(query.panel ?? '')
  return {
    quantities: readQuantities(query),
    family: isOfBlood
      ? undefined
      : (findFamily(words) ??
        familyOfSampleType(query.sampleType) ??
        (query.panel === null ? undefined : familyOfPanel(query.panel))),
    vessel: /\bin blood\b/i.test(query.name) ? 'whole' : readVessel(context),
    fluid: findFluid(context),
    isSerum: words.some((word) => /^(?:serum|plasma|suero|soro|siero|seric[ao])$/.test(word)),
    isOther,
    isQuantitative: words.some((word) =>
      /^(?:quant|quantitative|qn|qnt|cuantitativ[ao]|quantitativ[aeo]?)$/.test(word),
    ),
    isDayUrine: isDayUrine(context),
    shape: readShape(query.value),
  }
}

function readQuantities({ name, unit, ucumUnit, value }: LoincQuery): readonly Quantity[] | null {
  if (/^units?$/i.test(unit?.trim() ?? '')) return ['acidity', 'arbitrary', 'index']
  if (ucumUnit !== null) return quantitiesOfUnit(ucumUnit)
  const isPrinted = unit !== null && /[\p{L}\p{N}%]/u.test(unit) && !/^\(?calc/i.test(unit)
  if (isPrinted) return []
  if (/%\s*$/.test(value)) return ['fraction']
  if (/\bti(?:ter|tre|tulo|tolo)\b/i.test(name)) return ['titer']
  const counting = readCounting(name)
  return counting ? [counting] : null
}

function readVessel(context: string): Evidence['vessel'] {
  if (/arteri|\babg\b/i.test(context)) return 'arterial'
  if (/venous blood|venous gas|\bvbg\b|venosa/i.test(context)) return 'venous'
  if (/capillary blood|capilar/i.test(context)) return 'capillary'
  if (/blood gas|gasometr|emogas|blutgas|gaz du sang|bloedgas/i.test(context)) return 'gas'
  return /whole blood/i.test(context) ? 'whole' : undefined
}

function readShape(value: string): Evidence['shape'] {
  if (/^[<>≤≥]?=?\s*1\s*:\s*\d+/.test(value.trim())) return 'titer'
  const read = readValue(value)
  if (read?.type === 'numeric' || read?.type === 'range' || read?.type === 'percentage')
    return 'number'
  return isOrdinal(value) ? 'ordinal' : 'text'
}

const ordinalWords =
  /^(?:\(?\+|-ve|\+ve|[1-4]\s?\+|neg|pos|abs|nil|none|trace|not? |non[ -]?|normal|detect|react|present|se |ausen|prese|trazas|few|rare|many|moderate|occasional|small|large|scant|escas|abund|nachweis|kein|nega|posi|assen|spuren|indet|equiv|border|immun|suscep|sensi|raras|algun|frecuen|no se|n[ãa]o|geen|aucun|absen)/i

function isOrdinal(value: string): boolean {
  return ordinalWords.test(value.trim())
}

function toMatch({ row, analyte, score }: Candidate): LoincMatch {
  return {
    code: row.code,
    name: row.name,
    displayName: analyte.name,
    aliases: analyte.aliases.slice(0, 6),
    score: Math.round(score * 1000) / 1000,
  }
}
