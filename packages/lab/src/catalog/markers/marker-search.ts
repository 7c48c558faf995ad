import type { Db } from '@salus/kernel/postgres/database'
import {
  countMarkers,
  type FoundMarkers,
  listMarkerIds,
  listSimilarWords,
  type MarkerFilter,
  searchMarkers,
} from './marker-search.global.repository.ts'
import { readSearchQuery, respellQuery, type SearchQuery } from './search-query.ts'
import { correctSpelling, SHORTEST_CORRECTED } from './spelling.ts'

/**
 * Returns the ids of the markers that match a text, best first. Misspelled words are corrected only
 * when no marker has all words as typed. Without a text, returns all markers by name.
 */
export async function findMarkers(
  db: Db,
  filter: MarkerFilter,
  text: string,
  { page, size }: { page: number; size: number },
): Promise<FoundMarkers> {
  const range = { offset: (page - 1) * size, limit: size }
  if (text.trim() === '') {
    const [ids, total] = await Promise.all([
      listMarkerIds(db, filter, range),
      countMarkers(db, filter),
    ])
    return { ids, total }
  }
  const query = readSearchQuery(text)
  if (query === undefined) return { ids: [], total: 0 }
  const found = await searchMarkers(db, filter, query, range)
  if (found.total > 0) return found
  const corrected = await correctQuery(db, filter, query)
  return corrected === undefined ? found : searchMarkers(db, filter, corrected, range)
}

/** Longer queries are not names of tests, and each corrected word costs a query. */
const MOST_CORRECTED_WORDS = 8

/**
 * Returns the query in the spelling of the catalog; undefined when it is unchanged or a word is
 * unknown.
 */
export async function correctQuery(
  db: Db,
  filter: MarkerFilter,
  query: SearchQuery,
): Promise<SearchQuery | undefined> {
  if (query.words.length > MOST_CORRECTED_WORDS) return undefined
  const words: string[][] = []
  for (const [typed = ''] of query.words) {
    const isShort = typed.length < SHORTEST_CORRECTED
    const known = isShort ? [typed] : await listSimilarWords(db, filter, typed)
    const spellings = isShort ? known : correctSpelling(typed, known)
    if (spellings.length === 0) return undefined
    words.push(spellings)
  }
  const isSame = words.every((spellings, index) => spellings[0] === query.words[index]?.[0])
  return isSame ? undefined : respellQuery(query, words)
}
