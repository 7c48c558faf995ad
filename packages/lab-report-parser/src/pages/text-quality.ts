import type { Word } from './page.ts'

// Rates text without a dictionary, for all languages in Latin letters, by the form of its words.

/** Origin of a text layer: the program that printed the page, or one that recognized a scan. */
type Origin = 'printed' | 'recognized'

/** Shares above which a layer is rejected. A printed one is wrong as a whole or not at all. */
const MAX_STRANGE_WORDS: Record<Origin, number> = { printed: 0.3, recognized: 0.06 }
const MAX_ODD_CHARACTERS: Record<Origin, number> = { printed: 0.1, recognized: 0.015 }
/** Fewer words are no evidence: enough for a printed layer, too little for a recognized one. */
const MIN_LETTER_WORDS = 8
const MIN_LENGTH = 4
/** Shortest mean of words, below which letters are spaced out. */
const MIN_MEAN_LENGTH = 2
const MAX_MEAN_LENGTH = 16
/**
 * Share of vowels: languages in Latin letters have some 0.4. A font with wrong mappings has fewer.
 */
const MIN_VOWELS = 0.27
const MAX_VOWELS = 0.65
const MIN_LETTERS = 60

const USUAL = /[\p{L}\p{N}\p{M}.,:;%/()<>=+\-*'"’“”&#@[\]_?!°µ‐–—•·±×≤≥↑↓®™²³⁰-⁹⁺⁻]/u
/** A vowel without its accents; `y`, and what some languages write for one. */
const VOWEL = /[aeiouyæøœı]/g

/** Digits and signs among the letters of a word, as poor recognition puts them. */
const MIXED = /\p{Ll}[\d|!$~\\{}]\p{Ll}/u

/**
 * Returns whether words look like those of a report, and not like a wrong font or poor recognition.
 */
export function looksLikeText(words: readonly Word[], origin: Origin): boolean {
  const text = words.map((word) => word.text).join('')
  const characters = [...text]
  const odd = characters.filter((character) => !USUAL.test(character)).length
  if (odd > MAX_ODD_CHARACTERS[origin] * characters.length) return false
  const meanLength = characters.length / words.length
  if (
    words.length >= MIN_LETTER_WORDS &&
    (meanLength < MIN_MEAN_LENGTH || meanLength > MAX_MEAN_LENGTH)
  )
    return false
  const letterWords = words
    .map((word) => readLetters(word.text))
    .filter((letters) => letters !== undefined)
  if (letterWords.length < MIN_LETTER_WORDS) return origin === 'printed'
  const strange = letterWords.filter(isStrange).length
  return (
    strange <= MAX_STRANGE_WORDS[origin] * letterWords.length &&
    hasUsualVowels(letterWords.join(''))
  )
}

function hasUsualVowels(letters: string): boolean {
  const share = countVowels(letters) / letters.length
  return letters.length < MIN_LETTERS || (share >= MIN_VOWELS && share <= MAX_VOWELS)
}

function countVowels(letters: string): number {
  return letters.toLowerCase().match(VOWEL)?.length ?? 0
}

/**
 * Returns letters without accents; undefined for numbers, short words, abbreviations and other
 * scripts.
 */
function readLetters(text: string): string | undefined {
  const word = text.normalize('NFD').replace(/\p{M}/gu, '')
  if (MIXED.test(word)) return word
  const letters = word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  if (!/^\p{Script=Latin}+$/u.test(letters) || letters.length < MIN_LENGTH) return undefined
  return letters === letters.toUpperCase() && letters.length < 6 ? undefined : letters
}

function isStrange(word: string): boolean {
  const small = word.toLowerCase()
  const turns = word.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0
  return (
    MIXED.test(word) ||
    countVowels(small) === 0 ||
    /[bcdfghjklmnpqrstvwxz]{6}|(.)\1\1/.test(small) ||
    turns > 1
  )
}
