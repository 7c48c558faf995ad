import type { Word } from '../pages/page.ts'
import { textOf } from './cell-words.ts'
import { plainText, scoreRange } from './content.ts'
import type { DraftRange } from './draft.ts'

/** The range for the patient's sex, where the report gives several; else the first. */
export function chooseRange(
  stretches: readonly DraftRange[],
  sex: 'male' | 'female' | null,
): { words: Word[] } | null {
  const found = stretches.flatMap(({ context }) => listIntervals(context))
  const fitting = found.find(({ label }) => sex && labelSex(label) === sex)
  const general = found.find(({ label }) => labelSex(label) === null)
  const first = stretches[0]
  return fitting ?? general ?? found[0] ?? (first ? { words: first.words } : null)
}

/** Every stretch of words that is an interval, with the words that stand before it. */
function listIntervals(words: readonly Word[]): { label: string; words: Word[] }[] {
  const found: { label: string; words: Word[] }[] = []
  let labelFrom = 0
  for (let from = 0; from < words.length; from++)
    for (let to = words.length; to > from; to--) {
      const taken = words.slice(from, to)
      if (scoreRange(textOf(taken)) < 0.9) continue
      found.push({ label: textOf(words.slice(labelFrom, from)), words: taken })
      labelFrom = to
      from = to - 1
      break
    }
  return found
}

function labelSex(label: string): 'male' | 'female' | null {
  const plain = plainText(label.replace(/[/().]/g, ' '))
  if (
    /^(?:f|w|females?|wom[ae]n|mujer(?:es)?|femmes?|femmine|frauen|frau|donne|donna|mulher(?:es)?|vrouw(?:en)?|girls?)\b/.test(
      plain,
    )
  )
    return 'female'
  return /^(?:m|males?|m[ae]n|hombres?|varones|varon|hommes?|maschi|manner|mann|uomini|uomo|homens?|homem|mannen|boys?)\b/.test(
    plain,
  )
    ? 'male'
    : null
}
