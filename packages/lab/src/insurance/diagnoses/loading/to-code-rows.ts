import { mapInSlices } from '@salus/kernel/time-slices'
import { FREQUENT_CODES } from '../frequent-codes.registry.ts'
import { searchWordsOf } from '../search-words.ts'
import { MANIFESTATION_TITLE, SECONDARY_CODES } from '../secondary-codes.registry.ts'
import type { CodeRange } from './note-codes.ts'
import type { OrderLine } from './read-order-file.ts'

/** A code as stored; `words` are separated by blanks, and empty for headings. */
export interface NewCodeRow {
  code: string
  description: string
  is_billable: boolean
  is_secondary: boolean
  precedence: number
  words: string
}

const COMMON = new Map(
  FREQUENT_CODES.map(([code, alsoCalled = ''], index) => [code, { index, alsoCalled }]),
)

/**
 * Injuries, external causes and late effects: half of the codes, but rarely the reason for a
 * laboratory test.
 */
const INJURIES = /^[STVWXY]/

/**
 * Returns rows in the order of precedence, so that codes of one precedence lie together and common
 * searches read few pages.
 * @param codeFirst codes that follow their underlying disease, beside the known ones
 */
export async function toCodeRows(
  lines: readonly OrderLine[],
  codeFirst: readonly CodeRange[],
): Promise<NewCodeRow[]> {
  const secondary = [...SECONDARY_CODES.map((code) => ({ first: code, last: code })), ...codeFirst]
  // Grouped by letter, because each code is compared with all ranges; no range spans two letters.
  const byLetter = Map.groupBy(secondary, ({ first }) => first[0] ?? '')
  const rows = await mapInSlices(lines, ({ code, isBillable, description }) => {
    const common = COMMON.get(code)
    const isSecondary = byLetter.get(code[0] ?? '')?.some((range) => isWithin(code, range)) ?? false
    return {
      code,
      description,
      is_billable: isBillable,
      is_secondary: isSecondary || MANIFESTATION_TITLE.test(description),
      precedence: common?.index ?? precedenceOf(code, description),
      words: isBillable
        ? searchWordsOf(`${code} ${description} ${common?.alsoCalled ?? ''}`).join(' ')
        : '',
    }
  })
  return rows.sort((a, b) => a.precedence - b.precedence)
}

/** Returns whether the code begins with one of the ends or lies between them. */
function isWithin(code: string, { first, last }: CodeRange): boolean {
  return code >= first && code.slice(0, last.length) <= last
}

/**
 * A short description is usually the general case. The precedence depends on the code alone, so it
 * is stable.
 */
function precedenceOf(code: string, description: string): number {
  return 1000 + (INJURIES.test(code) ? 100_000 : 0) + description.length * 10 + code.length
}

/** Returns the words to which misspelled words are corrected. */
export function spellingWordsOf(rows: readonly NewCodeRow[]): string[] {
  const words = new Set<string>()
  for (const row of rows) for (const word of row.words.split(' ')) words.add(word)
  return [...words].filter((word) => /^\p{L}{3,}$/u.test(word))
}
