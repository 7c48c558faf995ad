import type { Word } from './page.ts'
import type { Character } from './pdf-characters.ts'
import type { Graphics } from './pdf-graphics.ts'

/** Whether the text layer of a page says what is seen on it. */
export function isTrusted({
  characters,
}: {
  page: { width: number; height: number }
  characters: readonly Character[]
  words: readonly Word[]
  graphics: Graphics
}): boolean {
  return characters.length > 0
}
