import { escapeLike } from '@salus/kernel/postgres/like-pattern'

/** Longest name that is searched; what follows is not looked into. It has to fit an index. */
const MOST_LETTERS = 200

/** A name as it is stored to be searched by: lower case, composed accents, at most 200 letters. */
export function toSearchedName(name: string): string {
  const text = toSearchedText(name)
  return text.length <= MOST_LETTERS ? text : [...text].slice(0, MOST_LETTERS).join('')
}

/** What someone looks for, in the form in which names are stored. */
export function toSearchedText(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** The pattern of LIKE that finds the text as it stands, anywhere. */
export function toSubstringPattern(text: string): string {
  return `%${escapeLike(text)}%`
}
