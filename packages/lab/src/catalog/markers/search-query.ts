import { normalizeSearchText } from './search-text.ts'

/** Words that do not distinguish tests; they are ignored beside other words. */
const NOISE = new Set(['test', 'tests', 'testing', 'level', 'levels', 'lab'])

/** Words to search for, each with its spellings. */
export interface SearchQuery {
  /** The text as typed, for codes. */
  raw: string
  /** All words, normalized like names. */
  phrase: string
  words: string[][]
}

/**
 * Reads a search text. Words joined without a blank stay together: `hs-CRP` is one word of the
 * query, though two of a name. Returns undefined when there is nothing to search for.
 */
export function readSearchQuery(text: string): SearchQuery | undefined {
  const raw = text.trim()
  const words = [...new Set(raw.split(/\s+/).map(normalizeSearchText))].filter(Boolean)
  const significant = words.filter((word) => !NOISE.has(word))
  if (words.length === 0) return undefined
  const wanted = significant.length === 0 ? words : significant
  return { raw, phrase: normalizeSearchText(raw), words: wanted.map((word) => [word]) }
}

/** Returns the same query with words in the spelling of the catalog. */
export function respellQuery(query: SearchQuery, words: string[][]): SearchQuery {
  return { ...query, phrase: words.map(([best]) => best).join(' '), words }
}
