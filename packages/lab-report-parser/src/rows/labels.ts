import type { Word } from '../pages/page.ts'
import type { CellRole } from './content.ts'
import { findColumnRole, plainText } from './content.ts'

/** What a label before words says they are. */
export type Hint = CellRole | 'label' | 'other' | null

/** What labels such as `Reference range:` say of the words after them. */
export function readLabels(words: readonly Word[], label: Hint): Hint[] {
  const hints: Hint[] = words.map(() => null)
  let current = label
  for (let at = 0; at < words.length; ) {
    const found = readLabel(words, at)
    if (found) {
      hints.fill('label', at, at + found.words)
      current = found.role
      at += found.words
    } else {
      hints[at] = current
      at++
    }
  }
  return hints
}

function readLabel(words: readonly Word[], at: number): { role: Hint; words: number } | undefined {
  for (let count = Math.min(5, words.length - at); count > 0; count--) {
    const text = words
      .slice(at, at + count)
      .map((word) => word.text)
      .join(' ')
    const role = /[\p{L}][.)]*\s*:?$/u.test(text) ? findColumnRole(text) : undefined
    if (!role) continue
    const next = words[at + count]
    const before = words[at - 1]
    const start = words[at] as Word
    // `Count:` ends a name; a label stands apart.
    const isInName =
      before &&
      count === 1 &&
      !/:$/.test(before.text) &&
      start.box.x - before.box.x - before.box.width < start.box.height * 0.8
    if (isInName) continue
    const hasColon = /:$/.test(text)
    const isPlain = role === 'range' && plainText(text).includes(' ') && at === 0
    if (!hasColon && !(isPlain && next)) continue
    if (!next && at === 0) return undefined
    return { role: role === 'previous' || role === 'other' ? 'other' : role, words: count }
  }
  return undefined
}
