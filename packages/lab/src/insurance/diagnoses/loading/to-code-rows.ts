import { mapInSlices } from '@salus/kernel/time-slices'
import { FREQUENT_CODES } from '../frequent-codes.registry.ts'
import { searchWordsOf } from '../search-words.ts'
import { MANIFESTATION_TITLE, SECONDARY_CODES } from '../secondary-codes.registry.ts'
import type { CodeRange } from './note-codes.ts'
import type { OrderLine } from './read-order-file.ts'

/** A code as it is stored; `words` with blanks between them, empty for headings. */
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
 * Injuries, external causes, and late effects: half of the codes, and hardly a reason for a
 * laboratory test.
 */
const INJURIES = /^[STVWXY]/

/**
 * Rows in the order of precedence: where codes of one precedence lie together, the common searches
 * touch few pages.
 * @param codeFirst codes that come after their underlying disease, beside those that are known to
 */
export async function toCodeRows(
  lines: readonly OrderLine[],
  codeFirst: readonly CodeRange[],
): Promise<NewCodeRow[]> {
  const secondary = [...SECONDARY_CODES.map((code) => ({ first: code, last: code })), ...codeFirst]
  // By their letter, because each code is held against all that are looked at; no range of these
  // spans two.
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

/** Whether the code begins like one of the ends or like something between them. */
function isWithin(code: string, { first, last }: CodeRange): boolean {
  return code >= first && code.slice(0, last.length) <= last
}

/**
 * A short description is the plain case, and a long one a special one. Told by the code alone, it
 * stays.
 */
function precedenceOf(code: string, description: string): number {
  return 1000 + (INJURIES.test(code) ? 100_000 : 0) + description.length * 10 + code.length
}

/** Words that are likely to be meant by those that are not spelled right. */
export function spellingWordsOf(rows: readonly NewCodeRow[]): string[] {
  const words = new Set<string>()
  for (const row of rows) for (const word of row.words.split(' ')) words.add(word)
  return [...words].filter((word) => /^\p{L}{3,}$/u.test(word))
}
