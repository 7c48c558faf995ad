import type { Character } from './read-lines.ts'

/** Whether a line holds words that the model of the Latin script may read better. */
export function hasWords(characters: readonly Character[]): boolean {
  return /\p{L}{3}/u.test(textOf(characters))
}

/**
 * The better of two readings of a word. Digits and units are the main model's; letters with accents, which it mostly
 * reads without, the Latin model's.
 */
export function chooseReading(
  main: readonly Character[],
  latin: readonly Character[],
): readonly Character[] {
  const mainText = textOf(main)
  const latinText = textOf(latin)
  if (latin.length === 0 || mainText === latinText) return main
  if (!/^[\p{L}.,:;()'’-]+$/u.test(mainText) || !/^[\p{L}.,:;()'’-]+$/u.test(latinText)) return main
  if (withoutAccents(mainText) === withoutAccents(latinText)) {
    return main.map((character, index) => chooseAccent(character, latin[index]!))
  }
  if (latinText.length < 4) return main
  return leastSure(latin) > leastSure(main) ? latin : main
}

/** An accent is seldom seen where there is none. */
function chooseAccent(main: Character, latin: Character): Character {
  const isMainPlain = main.text === withoutAccents(main.text)
  const isLatinPlain = latin.text === withoutAccents(latin.text)
  if (isMainPlain && isLatinPlain) return main
  if (isMainPlain) return { ...latin, x: main.x }
  if (isLatinPlain) return main
  return latin.confidence > main.confidence ? { ...latin, x: main.x } : main
}

function textOf(characters: readonly Character[]): string {
  return characters.map((character) => character.text).join('')
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}

function leastSure(characters: readonly Character[]): number {
  return Math.min(...characters.map((character) => character.confidence))
}
