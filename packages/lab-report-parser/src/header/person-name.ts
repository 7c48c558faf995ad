import { toPlainWords } from '../language/words.ts'

const TITLES = new Set(
  'mr mrs ms miss master mstr dr prof sir sr sra srta don dona herr frau hr fr m mme mlle mons monsieur madame mademoiselle sig sigra dott dhr mevr mw smt shri baby kum kumari jr mast'.split(
    ' ',
  ),
)
/** Particles that belong to the family name after them. */
const PARTICLES = new Set(
  'de del la las los da do dos das di van von der den zu ter ten le du des el al bin'.split(' '),
)

export interface PersonName {
  first: string | null
  last: string | null
}

/**
 * Returns first and last names of a printed name: `Doe, John`, `Mrs. Jane A. Doe`, `DUPONT Marie`.
 * @param order Order of names without a comma by the label, such as `Apellidos y nombre`
 */
export function readPersonName(
  text: string,
  { lastFirst = false, doubleLast = false }: { lastFirst?: boolean; doubleLast?: boolean } = {},
): PersonName | null {
  const clean = text
    .replace(/\(.*?\)|\[.*?\]/g, ' ')
    .replace(/\b\d.*$/, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (!/^\p{L}[\p{L}\p{M}\s.,'’`-]*$/u.test(clean) || clean.length > 60) return null
  const [before = '', after] = clean.split(/\s*,\s*/)
  if (after)
    return {
      last: stripTitles(before.split(' ')).join(' ') || null,
      first: stripTitles(after.split(' ')).join(' ') || null,
    }
  const words = stripTitles(before.replace(/^(\p{L}{1,5})\./u, '$1. ').split(/\s+/))
  if (words.length === 0 || words.length > 6) return null
  if (words.length === 1) {
    // Recognition loses the space of `JaneDoe`.
    const [, first, last] = /^(\p{Lu}\p{Ll}{2,})(\p{Lu}\p{Ll}{2,})$/u.exec(words[0] ?? '') ?? []
    return { first: first ?? null, last: last ?? words[0] ?? null }
  }
  const at = lastFirst ? endOfLast(words, doubleLast) : startOfLast(words, doubleLast)
  const [head, tail] = [words.slice(0, at).join(' '), words.slice(at).join(' ')]
  return byCase(words) ?? (lastFirst ? { last: head, first: tail } : { first: head, last: tail })
}

function stripTitles(words: readonly string[]): string[] {
  const rest = words.filter((word) => word !== '')
  while (rest.length > 1 && TITLES.has(toPlainWords(rest[0] ?? '').replace(/[./]/g, '')))
    rest.shift()
  return rest
}

/** Returns the start of the family name. */
function startOfLast(words: readonly string[], doubleLast: boolean): number {
  let at = words.length - (doubleLast && words.length > 2 ? 2 : 1)
  while (at > 1 && PARTICLES.has(toPlainWords(words[at - 1] ?? ''))) at--
  return at
}

/** Returns the end of a family name at the beginning. */
function endOfLast(words: readonly string[], doubleLast: boolean): number {
  let at = doubleLast && words.length > 2 ? 2 : 1
  while (at < words.length - 1 && PARTICLES.has(toPlainWords(words[at - 1] ?? ''))) at++
  return at
}

/** `DUPONT Marie`: the capitals are the family name. */
function byCase(words: readonly string[]): PersonName | null {
  const isUpper = (word: string) => word.length > 2 && word === word.toUpperCase()
  const upper = words.filter(isUpper)
  const others = words.filter((word) => !isUpper(word) && word.length > 2)
  if (upper.length === 0 || others.length === 0 || upper.length + others.length !== words.length)
    return null
  return { last: upper.join(' '), first: others.join(' ') }
}
