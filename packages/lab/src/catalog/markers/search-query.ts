import { normalizeSearchText } from './search-text.ts'

/** Words that say nothing about which test is meant, left out beside others. */
const NOISE = new Set(['test', 'tests', 'testing', 'level', 'levels', 'lab'])

/** What to look for: every word, by one of its spellings. */
export interface SearchQuery {
  /** As it was typed, for codes. */
  raw: string
  /** All words, as names are normalized. */
  phrase: string
  words: string[][]
}

/**
 * Reads what somebody typed. What holds together without a blank stays together: `hs-CRP` is one
 * word of the query, though two of a name. Returns undefined when there is nothing to look for.
 */
export function readSearchQuery(text: string): SearchQuery | undefined {
  const raw = text.trim()
  const words = [...new Set(raw.split(/\s+/).map(normalizeSearchText))].filter(Boolean)
  const significant = words.filter((word) => !NOISE.has(word))
  if (words.length === 0) return undefined
  const wanted = significant.length === 0 ? words : significant
  return { raw, phrase: normalizeSearchText(raw), words: wanted.map((word) => [word]) }
}

/** The same query with the words as the catalog spells them. */
export function respell(query: SearchQuery, words: string[][]): SearchQuery {
  return { ...query, phrase: words.map(([best]) => best).join(' '), words }
}
