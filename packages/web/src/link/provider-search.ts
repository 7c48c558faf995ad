import { appWordsOf } from './app-providers.registry.ts'

/** Removes accents, case and signs, so that any spelling is found. */
const normalizeText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}|[^\p{L}\p{N}\s]/gu, '')
    .toLowerCase()

/** Returns the words that must all be found; one word may be a part of a name. */
export function toSearchWords(text: string): string[] {
  return normalizeText(text)
    .split(/\s+/)
    .filter((word) => word !== '')
}

/**
 * Returns the text in which words are searched: the names with and without their spaces, because
 * people write `freestyle libre` and `free style` and `myfitnesspal`.
 */
export function searchTextOf(slug: string, names: string): string {
  const normalized = normalizeText(`${names} ${slug.replaceAll('_', ' ')} ${appWordsOf(slug)}`)
  return `${normalized} ${normalized.replaceAll(/\s+/g, '')}`
}
