import { normalizeSearchText } from '../../catalog/index.ts'
import { parseCode } from './code-form.ts'

/** Words that do not distinguish descriptions. */
const NOISE = new Set('a an and as at by due for from in into is of on or the to with'.split(' '))

/**
 * Returns the search words of a description: lower case, without accents and apostrophes
 * (`crohns`), without duplicates.
 */
export function searchWordsOf(description: string): string[] {
  const words = normalizeSearchText(description.replace(/['’]/g, '')).split(' ')
  return [...new Set(words)].filter((word) => word !== '' && !NOISE.has(word))
}

/**
 * Returns the words of a query, with codes without their dot: `E11.9 diabetes` is `e119`,
 * `diabetes`.
 */
export function queryWordsOf(text: string): string[] {
  const parts = text
    .split(/\s+/)
    .map((part) => (/\d/.test(part) ? (parseCode(part) ?? part) : part))
  return searchWordsOf(parts.join(' '))
}
