import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import { acceptsOrdersOf } from '../labs/labs.global.repository.ts'
import { holdsWords, rankOf } from '../markers/marker-search.global.repository.ts'
import type { SearchQuery } from '../markers/search-query.ts'

/** A canonical test: the markers of all labs with the same set of LOINC codes. */
export interface CanonicalRow {
  loinc_set_hash: string
  /** Name of the most popular marker. */
  name: string
  aliases: string[]
  loinc_codes: string[]
  loinc_components: string[]
  provider_ids: string[]
  cpt_codes: string[]
  popularity: number
}

/** A marker with the data for comparing it. */
export interface CandidateRow {
  id: number
  lab_id: number
  lab_slug: string
  name: string
  aliases: string[]
  provider_id: string | null
  loinc_set_hash: string
  loinc_codes: string[]
  loinc_components: string[]
  cpt_codes: string[]
  result_names: string[]
  popularity: number
}

const isOrderable = (environment: EnvironmentKind) => sql`m.is_active and m.is_orderable
  and m.lab_id in (select labs.id from labs where ${acceptsOrdersOf(environment)})`

const componentsOf = (codes: RawBuilder<unknown>) => sql`array(
  select distinct l.component from loincs l
  where l.code = any(${codes}) and l.component is not null
  order by l.component
)`

const candidateColumns = sql`m.id, m.lab_id,
  (select slug from labs where labs.id = m.lab_id) as lab_slug,
  m.name, m.aliases, m.provider_id, m.loinc_set_hash, m.loinc_codes, m.cpt_codes, m.popularity,
  ${componentsOf(sql`m.loinc_codes`)} as loinc_components,
  array(
    select e.name from expected_results e where e.marker_id = m.id order by e.position
  ) as result_names`

export interface RankedHash {
  loinc_set_hash: string
  /** 0 is a matching code; see the search of markers. */
  rank: number
}

/**
 * Returns the sets of LOINC codes whose markers match a text, best first. With CPT codes, only
 * markers that have one of them.
 */
export async function searchCanonicalHashes(
  db: Db,
  environment: EnvironmentKind,
  query: SearchQuery,
  cptCodes: readonly string[],
  limit: number,
): Promise<RankedHash[]> {
  const hasCode =
    cptCodes.length === 0
      ? sql`true`
      : sql`m.loinc_set_hash in (
          select o.loinc_set_hash from markers o
          where o.cpt_codes && ${[...cptCodes]}::text[] and o.is_active and o.is_orderable
        )`
  const { rows } = await sql<RankedHash>`
    select m.loinc_set_hash, min(${rankOf(query)}) as rank
    from markers m
    where ${isOrderable(environment)} and ${holdsWords(query)} and ${hasCode}
    group by m.loinc_set_hash
    order by rank, max(m.popularity) desc, min(m.name), m.loinc_set_hash
    limit ${limit}`.execute(db)
  return rows
}

/** Returns canonical tests by their sets of codes, in that order; unknown sets are left out. */
export async function listCanonicalRows(
  db: Db,
  environment: EnvironmentKind,
  hashes: readonly string[],
): Promise<CanonicalRow[]> {
  const { rows } = await sql<CanonicalRow>`
    with held as (
      select m.* from markers m
      where m.loinc_set_hash = any(${[...hashes]}::text[]) and ${isOrderable(environment)}
    ), best as (
      select distinct on (loinc_set_hash) * from held
      order by loinc_set_hash, popularity desc, length(name), name, id
    )
    select
      b.loinc_set_hash, b.name, b.popularity, b.loinc_codes,
      ${componentsOf(sql`b.loinc_codes`)} as loinc_components,
      array(
        select distinct alias from held h, unnest(h.aliases || h.name) as alias
        where h.loinc_set_hash = b.loinc_set_hash and alias <> b.name order by alias
      ) as aliases,
      array(
        select distinct h.provider_id from held h
        where h.loinc_set_hash = b.loinc_set_hash and h.provider_id is not null
        order by h.provider_id
      ) as provider_ids,
      array(
        select distinct code from held h, unnest(h.cpt_codes) as code
        where h.loinc_set_hash = b.loinc_set_hash order by code
      ) as cpt_codes
    from best b
    order by array_position(${[...hashes]}::text[], b.loinc_set_hash)`.execute(db)
  return rows
}

/** Codes and names to find candidates by; one common code or name suffices. */
export interface WantedConcept {
  codes: readonly string[]
  /** Normalized. */
  names: readonly string[]
}

/**
 * A marker that is similar to a wanted concept, which is identified by its position in the list.
 */
export interface NearMarker {
  index: number
  id: number
}

/**
 * Returns, for each wanted concept, the closest `perLab` markers of each lab with a common code or
 * name, unsorted.
 */
export async function listNearMarkers(
  db: Db,
  labIds: readonly number[],
  concepts: readonly WantedConcept[],
  perLab: number,
): Promise<NearMarker[]> {
  const columns = sql`o.id, o.lab_id, o.popularity, o.name, o.loinc_codes`
  const isOfLabs = sql`o.is_active and o.is_orderable
    and o.lab_id = any(${[...labIds]}::integer[])`
  const { rows } = await sql<NearMarker>`
    with concepts as materialized (
      select w.position::integer - 1 as index,
        array(select jsonb_array_elements_text(w.item -> 'codes')) as codes,
        array(select jsonb_array_elements_text(w.item -> 'patterns')) as patterns
      from jsonb_array_elements(${writeConcepts(concepts)}::jsonb) with ordinality as w (item, position)
    )
    select w.index, near.id
    from concepts w
    cross join lateral (
      select found.id, row_number() over (
        partition by found.lab_id
        order by
          (select count(*) from unnest(found.loinc_codes) as code where code = any(w.codes))::float8
            / greatest(cardinality(found.loinc_codes), cardinality(w.codes), 1) desc,
          found.popularity desc, found.name, found.id
      ) as place
      from (
        select ${columns} from markers o where o.loinc_codes && w.codes and ${isOfLabs}
        union
        select ${columns} from markers o where o.search_text like any(w.patterns) and ${isOfLabs}
      ) found
    ) near
    where near.place <= ${perLab}`.execute(db)
  return rows
}

/** Writes the wanted names as search texts have them, between bars. */
function writeConcepts(concepts: readonly WantedConcept[]): string {
  return JSON.stringify(
    concepts.map(({ codes, names }) => ({
      codes,
      patterns: names.map((name) => `%| ${name} |%`),
    })),
  )
}

/** Returns the sets of codes of all labs that share a code with these, the closest first. */
export async function listRelatedHashes(
  db: Db,
  environment: EnvironmentKind,
  codes: readonly string[],
  exceptHash: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ loinc_set_hash: string }>`
    select m.loinc_set_hash
    from markers m
    where m.loinc_codes && ${[...codes]}::text[] and m.loinc_set_hash <> ${exceptHash}
      and ${isOrderable(environment)}
    group by m.loinc_set_hash, m.loinc_codes
    order by
      (select count(*) from unnest(m.loinc_codes) as code where code = any(${[...codes]}::text[]))
        ::float8 / greatest(cardinality(m.loinc_codes), ${codes.length}::integer) desc,
      max(m.popularity) desc, m.loinc_set_hash
    limit ${limit}`.execute(db)
  return rows.map((row) => row.loinc_set_hash)
}

/** Returns orderable markers by the laboratories' codes, the most popular first. */
export async function listMarkersByCode(
  db: Db,
  environment: EnvironmentKind,
  providerIds: readonly string[],
): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    select ${candidateColumns} from markers m
    where m.provider_id = any(${[...providerIds]}::text[]) and ${isOrderable(environment)}
    order by m.popularity desc, m.lab_id, m.id`.execute(db)
  return rows
}

/** Returns markers in the order of the ids. */
export async function listMarkersOfIds(
  db: Db,
  markerIds: readonly number[],
): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    select ${candidateColumns} from markers m
    where m.id = any(${[...markerIds]}::integer[])
    order by array_position(${[...markerIds]}::integer[], m.id)`.execute(db)
  return rows
}
