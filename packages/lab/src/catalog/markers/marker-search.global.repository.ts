import type { Db } from '@salus/kernel/postgres/database'
import { type RawBuilder, sql } from 'kysely'
import type { SearchQuery } from './search-query.ts'

/** Filters orderable markers. */
export interface MarkerFilter {
  labIds: readonly number[]
  isALaCarte?: boolean | undefined
  /** Codes of the laboratory that are offered; null for all. */
  offeredProviderIds: readonly string[] | null
}

/** A page of ids, and the total number on all pages. */
export interface FoundMarkers {
  ids: number[]
  total: number
}

interface Range {
  offset: number
  limit: number
}

function allows({ labIds, isALaCarte, offeredProviderIds }: MarkerFilter): RawBuilder<boolean> {
  const conditions = [
    sql`is_active and is_orderable`,
    sql`lab_id = any(${[...labIds]}::integer[])`,
    ...(isALaCarte === undefined ? [] : [sql`a_la_carte_enabled = ${isALaCarte}`]),
    ...(offeredProviderIds === null
      ? []
      : [sql`provider_id = any(${[...offeredProviderIds]}::text[])`]),
  ]
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** SQL condition for texts with every word; one or two letters must begin a word. */
export function holdsWords({ words }: SearchQuery): RawBuilder<boolean> {
  const conditions = words.map((spellings) => {
    const patterns = spellings.map((word) => (word.length < 3 ? `% ${word}%` : `%${word}%`))
    // One LIKE uses the trigram index better than an array of one.
    const [only = '', ...others] = patterns
    return others.length === 0
      ? sql`search_text like ${only}`
      : sql`search_text like any(${patterns}::text[])`
  })
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

const LOINC_CODE = /^\d{1,7}-\d$/

/** SQL condition for a marker whose own code, or one of whose LOINC codes, was typed. */
function isCode({ raw }: SearchQuery): RawBuilder<boolean> {
  if (/\s/.test(raw)) return sql<boolean>`false`
  const spellings = [...new Set([raw, raw.toUpperCase(), raw.toLowerCase()])]
  const isOwnCode = sql<boolean>`provider_id = any(${spellings}::text[])`
  return LOINC_CODE.test(raw)
    ? sql<boolean>`(${isOwnCode} or ${raw} = any(loinc_codes))`
    : sql<boolean>`coalesce(${isOwnCode}, false)`
}

/**
 * SQL of the rank: code, name, alias, beginning of the name, words in this order, words in any
 * order, parts of words. It is computed for every match, so it is kept cheap.
 */
export function rankOf(query: SearchQuery): RawBuilder<number> {
  const { phrase, words } = query
  const begun = words.map((spellings) => {
    const [only = '', ...others] = spellings.map((word) => `% ${word}%`)
    return others.length === 0
      ? sql`search_text like ${only}`
      : sql`search_text like any(${[only, ...others]}::text[])`
  })
  return sql<number>`case
    when ${isCode(query)} then 0
    when starts_with(search_text, ${`| ${phrase} |`}) then 1
    when search_text like ${`%| ${phrase} |%`} then 2
    when starts_with(search_text, ${`| ${phrase}`}) then 3
    when search_text like ${`% ${phrase}%`} then 4
    ${words.length === 1 && words[0]?.length === 1 ? sql`` : sql`when ${sql.join(begun, sql` and `)} then 5`}
    else 6
  end`
}

/** Returns markers that match, best first, then by popularity. */
export async function searchMarkers(
  db: Db,
  filter: MarkerFilter,
  query: SearchQuery,
  { offset, limit }: Range,
): Promise<FoundMarkers> {
  const { rows } = await sql<{ total: number; ids: number[] }>`
    with found as materialized (
      select id, name, popularity, ${rankOf(query)} as rank
      from markers where ${allows(filter)} and ${holdsWords(query)}
    )
    select
      (select count(*) from found) as total,
      array(
        select id from found order by rank, popularity desc, name, id
        offset ${offset} limit ${limit}
      ) as ids`.execute(db)
  return rows[0] ?? { total: 0, ids: [] }
}

/** Returns markers by name. */
export async function listMarkerIds(
  db: Db,
  filter: MarkerFilter,
  { offset, limit }: Range,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from markers where ${allows(filter)}
    order by name, id offset ${offset} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function countMarkers(db: Db, filter: MarkerFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from markers where ${allows(filter)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Least trigram similarity of a word to a text. */
const LEAST_SIMILARITY = '0.35'
const MOST_WORDS = 1000

/**
 * Returns words of the markers' search texts that are similar to this one. Runs in its own
 * transaction, because it lowers the threshold of similarity.
 */
export function listSimilarWords(db: Db, filter: MarkerFilter, word: string): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    await sql`select set_config('pg_trgm.word_similarity_threshold', ${LEAST_SIMILARITY}, true)`.execute(
      transaction,
    )
    const { rows } = await sql<{ word: string }>`
      with words as materialized (
        select distinct word
        from markers, string_to_table(search_text, ' ') as word
        where ${allows(filter)} and ${word} <% search_text and length(word) >= ${word.length - 2}
      )
      select word from words where similarity(word, ${word}) > 0.2
      order by word limit ${MOST_WORDS}`.execute(transaction)
    return rows.map((row) => row.word)
  })
}
