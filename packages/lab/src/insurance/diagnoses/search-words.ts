import { normalizeSearchText } from '../../catalog/index.ts'
import { readCode } from './code-form.ts'

/** Words that tell nothing apart. */
const NOISE = new Set('a an and as at by due for from in into is of on or the to with'.split(' '))

/**
 * The words that a description is found by: lower case, without accents and apostrophes (`crohns`),
 * each once.
 */
export function searchWordsOf(description: string): string[] {
  const words = normalizeSearchText(description.replace(/['’]/g, '')).split(' ')
  return [...new Set(words)].filter((word) => word !== '' && !NOISE.has(word))
}

/**
 * The words of what somebody searches, codes without their dot: `E11.9 diabetes` is `e119`,
 * `diabetes`.
 */
export function queryWordsOf(text: string): string[] {
  const parts = text.split(/\s+/).map((part) => (/\d/.test(part) ? (readCode(part) ?? part) : part))
  return searchWordsOf(parts.join(' '))
}
