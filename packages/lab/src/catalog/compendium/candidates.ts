import type { Db } from '@salus/kernel/postgres/database'
import {
  type CandidateRow,
  type CanonicalRow,
  listMarkersOfIds,
  listNearMarkers,
  type WantedConcept,
} from './compendium.global.repository.ts'
import type { CanonicalCandidate, PerLabCandidate } from './compendium.schema.ts'
import { type Concept, compareConcepts, listConceptNames, type Match } from './relations.ts'

export function toCanonical(row: CanonicalRow, confidence: number): CanonicalCandidate {
  return {
    loinc_set_hash: row.loinc_set_hash,
    display_name: row.name,
    aliases: row.aliases,
    loinc_codes: row.loinc_codes,
    provider_ids: row.provider_ids,
    loinc_components: row.loinc_components,
    loinc_groups: [],
    cpt_codes: row.cpt_codes,
    popularity_score: round(row.popularity),
    confidence,
  }
}

function toPerLab(row: CandidateRow, match: Match): PerLabCandidate {
  return {
    marker_id: row.id,
    lab_id: row.lab_id,
    lab_slug: row.lab_slug,
    name: row.name,
    result_names: row.result_names,
    provider_id: row.provider_id,
    loinc_set_hash: row.loinc_set_hash,
    loinc_codes: row.loinc_codes,
    loinc_components: row.loinc_components,
    loinc_groups: [],
    cpt_codes: row.cpt_codes,
    ...match,
    marker_popularity_score: round(row.popularity),
  }
}

/** Rounds the four-byte float of the column, whose further decimals are noise. */
const round = (popularity: number): number => Math.round(popularity * 10_000) / 10_000

/** With more names, only remotely similar markers would be found. */
const MOST_NAMES = 20

function toWantedConcept(concept: Concept): WantedConcept {
  return { codes: concept.loinc_codes, names: listConceptNames(concept).slice(0, MOST_NAMES) }
}

/** Returns, for each concept in order, the markers of the labs that may match it. */
export async function findCandidates(
  db: Db,
  labIds: readonly number[],
  concepts: readonly Concept[],
  perLab: number,
): Promise<CandidateRow[][]> {
  const near = await listNearMarkers(db, labIds, concepts.map(toWantedConcept), perLab)
  const rows = await listMarkersOfIds(db, [...new Set(near.map(({ id }) => id))])
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const byConcept = Map.groupBy(near, ({ index }) => index)
  return concepts.map((_, index) =>
    (byConcept.get(index) ?? []).flatMap(({ id }) => rowsById.get(id) ?? []),
  )
}

/** Returns the candidates that share something with the concept, best first. */
export function rankCandidates(
  concept: Concept,
  rows: readonly CandidateRow[],
  limit: number,
): PerLabCandidate[] {
  return rows
    .flatMap((row) => {
      const match = compareConcepts(concept, row)
      return match === undefined ? [] : [toPerLab(row, match)]
    })
    .sort(
      (a, b) =>
        b.confidence - a.confidence ||
        b.marker_popularity_score - a.marker_popularity_score ||
        compareTexts(a.name, b.name) ||
        a.marker_id - b.marker_id,
    )
    .slice(0, limit)
}

/** Compares by code units, independent of the locale of the server. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
