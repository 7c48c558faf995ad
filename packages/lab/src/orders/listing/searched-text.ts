import { escapeLike } from '@salus/kernel/postgres/like-pattern'

/**
 * Longest searchable name, limited by the size of an index entry; further letters are not searched.
 */
const MOST_LETTERS = 200

/** Returns a name as stored for searching: lower case, composed accents, at most 200 letters. */
export function toSearchedName(name: string): string {
  const text = toSearchedText(name)
  return text.length <= MOST_LETTERS ? text : [...text].slice(0, MOST_LETTERS).join('')
}

/** Returns a search text in the form of the stored names. */
export function toSearchedText(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** Returns the LIKE pattern that finds the literal text anywhere. */
export function toSubstringPattern(text: string): string {
  return `%${escapeLike(text)}%`
}
