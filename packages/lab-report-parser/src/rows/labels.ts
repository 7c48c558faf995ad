import type { Word } from '../pages/page.ts'
import type { CellRole } from './content.ts'
import { findColumnRole, plainText, scoreRange } from './content.ts'

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
    const isAside = at === 0 && isLabelOfCard(words.slice(0, count), next)
    const isBeforeRange = role === 'range' && at === 0 && isRange(words.slice(count))
    if (!hasColon && !(isPlain && next) && !isAside && !isBeforeRange) continue
    if (!next && at === 0) return undefined
    if (isAside && role === 'other') return { role: 'flag', words: count }
    return { role: role === 'previous' || role === 'other' ? 'other' : role, words: count }
  }
  return undefined
}

/** Returns whether words are a range and nothing else: `Range 13.5 - 17.5`. */
function isRange(words: readonly Word[]): boolean {
  return words.length > 0 && scoreRange(words.map(({ text }) => text).join(' ')) >= 0.9
}

/** `Result   212 mg/dL`: the label of a value stands apart from it, as in cards. */
function isLabelOfCard(words: readonly Word[], next: Word | undefined): boolean {
  const last = words.at(-1)
  if (!last || !next) return false
  const gap = next.box.x - last.box.x - last.box.width
  return (
    gap > last.box.height && CARD_LABEL.test(plainText(words.map(({ text }) => text).join(' ')))
  )
}

const CARD_LABEL =
  /^(?:(?:your )?(?:results?|value)|status|flag|units?|range|(?:reference|ref\.?|normal|standard) (?:range|interval|values?)|reference|resultado|valor|estado|referencia|unidad|resultat|valeur|statut|reference|unite|ergebnis|wert|referenz(?:bereich|wert)?|einheit|risultato|valore|riferimento|resultado|unidade|uitslag|referentie(?:waarde)?|eenheid)$/
