import { invalidInput } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { listOpenLabs } from '../labs/labs.global.repository.ts'
import { correctQuery } from '../markers/marker-search.ts'
import { readSearchQuery } from '../markers/search-query.ts'
import { compareTexts, findCandidates, rankCandidates, toCanonical } from './candidates.ts'
import * as repository from './compendium.global.repository.ts'
import {
  type CanonicalCandidate,
  COMPENDIUM_LABS,
  type CompendiumAnswer,
  type CompendiumSearch,
  MOST_CANONICAL,
  type PerLabCandidate,
  type RelatedCandidate,
} from './compendium.schema.ts'
import { compareConcepts } from './relations.ts'

/**
 * Confidence by the rank of the search: code, name, alias, beginning of the name, phrase, words,
 * parts.
 */
const CONFIDENCE = [1, 1, 0.95, 0.85, 0.75, 0.65, 0.5]
/** Factor for a match that needed corrected spelling. */
const MISTYPED = 0.8
/** Number of candidates to compare, so that names count beside codes. */
const LOOKED_AT = 100

/**
 * Finds tests independent of a laboratory and, in a crosswalk, what each lab offers for the best of
 * them.
 * @throws InputError 422 when the search breaks the rules of its mode
 *   (docs/contract/10-labs-and-tests.md#post-v3compendiumsearch)
 */
export async function searchCompendium(
  db: Db,
  environment: EnvironmentKind,
  search: CompendiumSearch,
): Promise<CompendiumAnswer> {
  checkMode(search)
  const { mode, limit } = search
  const found = await findCanonical(db, environment, search)
  const answer = {
    mode,
    selected_canonical: found[0] ?? null,
    canonical_candidates: found,
    per_lab: {},
    related: [],
  }
  if (mode === 'canonical') return answer
  const [selected] = found
  const perLab = await listPerLab(db, environment, selected, search)
  const isWanted = selected !== undefined && search.include_related
  const related = isWanted ? await listRelated(db, environment, selected, limit) : []
  return { ...answer, per_lab: perLab, related }
}

function checkMode({ mode, query, loinc_set_hash: hash, limit }: CompendiumSearch): void {
  const hasQuery = query != null && query.trim() !== ''
  const hasHash = hash != null && hash !== ''
  if (mode === 'canonical') {
    if (!hasQuery) throw invalidInput(['body', 'query'], 'Field required', 'missing')
    if (hasHash) {
      const msg = 'Not allowed in canonical mode'
      throw invalidInput(['body', 'loinc_set_hash'], msg, 'extra_forbidden')
    }
    if (limit > MOST_CANONICAL) {
      const msg = `Input should be at most ${MOST_CANONICAL}`
      throw invalidInput(['body', 'limit'], msg, 'less_than_equal')
    }
  } else if (hasQuery === hasHash) {
    throw invalidInput(['body', 'query'], 'Give query or loinc_set_hash', 'one_of')
  }
}

async function findCanonical(
  db: Db,
  environment: EnvironmentKind,
  search: CompendiumSearch,
): Promise<CanonicalCandidate[]> {
  const { loinc_set_hash: hash, query: text, cpt_codes: cptCodes, limit } = search
  if (hash) {
    const rows = await repository.listCanonicalRows(db, environment, [hash])
    return rows
      .filter((row) => cptCodes.length === 0 || row.cpt_codes.some((it) => cptCodes.includes(it)))
      .map((row) => toCanonical(row, 1))
  }
  const ranked = await findHashes(db, environment, text ?? '', cptCodes, limit)
  const hashes = ranked.map((item) => item.loinc_set_hash)
  const rows = await repository.listCanonicalRows(db, environment, hashes)
  const confidences = new Map(ranked.map((item) => [item.loinc_set_hash, item.confidence]))
  return rows.map((row) => toCanonical(row, confidences.get(row.loinc_set_hash) ?? 0))
}

async function findHashes(
  db: Db,
  environment: EnvironmentKind,
  text: string,
  cptCodes: readonly string[],
  limit: number,
): Promise<{ loinc_set_hash: string; confidence: number }[]> {
  const query = readSearchQuery(text)
  if (query === undefined) return []
  const withConfidence = (rows: repository.RankedHash[], factor: number) =>
    rows.map(({ loinc_set_hash, rank }) => ({
      loinc_set_hash,
      confidence: (CONFIDENCE[rank] ?? 0) * factor,
    }))
  const found = await repository.searchCanonicalHashes(db, environment, query, cptCodes, limit)
  if (found.length > 0) return withConfidence(found, 1)
  const labIds = (await listOpenLabs(db, environment)).map(({ id }) => id)
  const corrected = await correctQuery(db, { labIds, offeredProviderIds: null }, query)
  if (corrected === undefined) return []
  const again = await repository.searchCanonicalHashes(db, environment, corrected, cptCodes, limit)
  return withConfidence(again, MISTYPED)
}

/** Returns a canonical candidate as a concept to compare with. */
const toConcept = ({ display_name: name, aliases, loinc_codes }: CanonicalCandidate) => ({
  name,
  aliases,
  loinc_codes,
})

async function listPerLab(
  db: Db,
  environment: EnvironmentKind,
  selected: CanonicalCandidate | undefined,
  { labs: wanted, limit }: CompendiumSearch,
): Promise<Record<string, PerLabCandidate[]>> {
  const slugs: readonly string[] = wanted ?? COMPENDIUM_LABS
  const none = Object.fromEntries(slugs.map((slug) => [slug, []]))
  if (selected === undefined) return none
  const labs = (await listOpenLabs(db, environment)).filter(({ slug }) => slugs.includes(slug))
  const labIds = labs.map(({ id }) => id)
  const concept = toConcept(selected)
  const [rows = []] = await findCandidates(db, labIds, [concept], LOOKED_AT)
  const byLab = Map.groupBy(rows, (row) => row.lab_slug)
  const found = [...byLab].map(([slug, ofLab]) => [slug, rankCandidates(concept, ofLab, limit)])
  return { ...none, ...Object.fromEntries(found) }
}

/** Returns other canonical tests that measure some of the same analytes. */
async function listRelated(
  db: Db,
  environment: EnvironmentKind,
  selected: CanonicalCandidate,
  limit: number,
): Promise<RelatedCandidate[]> {
  const { loinc_codes: codes, loinc_set_hash: hash } = selected
  const hashes = await repository.listRelatedHashes(db, environment, codes, hash, LOOKED_AT)
  const rows = await repository.listCanonicalRows(db, environment, hashes)
  return rows
    .flatMap((row) => {
      const match = compareConcepts(toConcept(selected), row)
      if (match === undefined) return []
      return [{ canonical: toCanonical(row, match.confidence), ...match }]
    })
    .sort(
      (a, b) =>
        b.confidence - a.confidence ||
        b.canonical.popularity_score - a.canonical.popularity_score ||
        compareTexts(a.canonical.loinc_set_hash, b.canonical.loinc_set_hash),
    )
    .slice(0, limit)
}
