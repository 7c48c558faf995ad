import { normalizeSearchText } from '../markers/search-text.ts'
import type { ReasonCode, Relation } from './compendium.schema.ts'

/** The analytes of a test by LOINC codes, and its names. */
export interface Concept {
  name: string
  aliases: readonly string[]
  loinc_codes: readonly string[]
}

/** How a candidate relates to a concept. */
export interface Match {
  relation: Relation
  /** From 0 to 1; 1 for the same set of LOINC codes. */
  confidence: number
  reason_codes: ReasonCode[]
}

type SetRelation = Exclude<Relation, 'suggested' | 'exact'>

const REASONS: Record<SetRelation, ReasonCode> = {
  subset: 'SUBSET',
  superset: 'SUPERSET',
  overlap: 'OVERLAP',
}

/**
 * Orderables are compared by the share of common codes among all codes of both. One that reports
 * more than requested is preferred over one that reports less.
 */
const WEIGHTS: Record<SetRelation, number> = { superset: 0.95, subset: 0.9, overlap: 0.8 }
const NAME_ALONE = 0.5
const SYNONYM_ALONE = 0.4
/** Share by which a matching name moves a partial match towards certainty. */
const NAME_BONUS = 0.1

/** Compares a candidate with a concept. Returns undefined when they have nothing in common. */
export function compareConcepts(concept: Concept, candidate: Concept): Match | undefined {
  const words = compareNames(concept, candidate)
  const wanted = new Set(concept.loinc_codes)
  const shared = candidate.loinc_codes.filter((code) => wanted.has(code)).length
  if (shared === 0) return suggestByName(words)
  const all = wanted.size + candidate.loinc_codes.length - shared
  if (shared === all) {
    return { relation: 'exact', confidence: 1, reason_codes: ['EXACT_LOINC_SET', ...words] }
  }
  const relation =
    shared === candidate.loinc_codes.length
      ? 'subset'
      : shared === wanted.size
        ? 'superset'
        : 'overlap'
  const bySets = (shared / all) * WEIGHTS[relation]
  const bonus = words.length === 0 ? 0 : (1 - bySets) * NAME_BONUS
  return {
    relation,
    confidence: round(bySets + bonus),
    reason_codes: [REASONS[relation], ...words],
  }
}

function suggestByName([word]: ReasonCode[]): Match | undefined {
  if (word === undefined) return undefined
  const confidence = word === 'NAME_MATCH' ? NAME_ALONE : SYNONYM_ALONE
  return { relation: 'suggested', confidence, reason_codes: [word] }
}

function compareNames(concept: Concept, candidate: Concept): ReasonCode[] {
  if (normalizeSearchText(concept.name) === normalizeSearchText(candidate.name)) {
    return ['NAME_MATCH']
  }
  const known = new Set(listConceptNames(concept))
  return listConceptNames(candidate).some((name) => known.has(name)) ? ['SYNONYM_MATCH'] : []
}

/** Returns the name and aliases, normalized. */
export function listConceptNames({ name, aliases }: Concept): string[] {
  return [...new Set([name, ...aliases].map(normalizeSearchText))].filter(Boolean)
}

const round = (value: number): number => Math.round(value * 1000) / 1000
