import type { Line } from '../layout/lines.ts'
import type { Word } from '../pages/page.ts'
import { findAges } from '../values/age-spans.ts'
import type { Person } from '../values/choose-alternative.ts'
import { namesGroup, readGroup } from '../values/reference-groups.ts'
import {
  type Alternative,
  chooseInterval,
  listAlternatives,
  toPlainText,
} from '../values/reference-range.ts'
import { textOf } from './cell-words.ts'
import { isQualitative } from './content.ts'
import type { DraftRange } from './draft.ts'

/** An interval and the words that it is. */
interface LocatedAlternative extends Alternative {
  words: Word[]
}

/**
 * Returns the range for this person, if the report has several; the whole text if it is undecided:
 * no bounds are read from such a text.
 */
export function chooseRange(
  stretches: readonly DraftRange[],
  person: Person,
): { words: Word[] } | null {
  const [first] = stretches
  if (!first) return null
  if (isQualitative(textOf(first.words))) return { words: first.words }
  const alternatives = listPlaced(stretches.map(({ context }) => context))
  if (alternatives.length === 0) return { words: first.words }
  const chosen = chooseInterval(alternatives, { person })
  const all = stretches.flatMap(({ context }) => context)
  return { words: chosen?.words ?? [...new Set(all)] }
}

/** Returns the intervals of each line; a line of words alone is the label of the line under it. */
function listPlaced(lines: readonly (readonly Word[])[]): LocatedAlternative[] {
  const placed: LocatedAlternative[] = []
  let label: readonly Word[] = []
  for (const line of lines) {
    const words = [...label, ...line]
    const { plain, starts } = joinPlainly(words)
    const found = listAlternatives(plain)
    for (const alternative of found) {
      const own = words.filter((_, at) => {
        const end = (starts[at + 1] ?? plain.length + 1) - 1
        return (starts[at] as number) < alternative.end && end > alternative.start
      })
      placed.push({ ...alternative, words: own })
    }
    label = found.length === 0 ? words : openLabel(words)
  }
  return placed
}

/** What stands behind the last interval of a line and is open: `M: 13-17 F:`. */
function openLabel(words: readonly Word[]): readonly Word[] {
  return /:$/.test(words.at(-1)?.text ?? '') ? words.slice(-1) : []
}

/** Returns the words as one text in plain letters, and where each begins in it. */
function joinPlainly(words: readonly Word[]): { plain: string; starts: number[] } {
  const starts: number[] = []
  let plain = ''
  for (const word of words) {
    const text = toPlainText(word.text)
    // Two intervals beside each other are no number with a space in it.
    if (plain !== '') plain += /\d-\d\S*$/.test(plain) && /^\d\S*-/.test(text) ? '  ' : ' '
    starts.push(plain.length)
    plain += text
  }
  const compared = plain.replace(/([<>]) ?(?:or )?=/g, (sign, way) => `${way}=`.padEnd(sign.length))
  return { plain: compared, starts }
}

/**
 * Returns whether a line lists intervals by group or state: `Male: 13.5-17.5`, `<200 desirable`,
 * `1-9 y`. It belongs to the result above it, and is none.
 */
export function isReferenceLine({ words }: Pick<Line, 'words'>): boolean {
  const plain = toPlainText(textOf(words))
  const alternatives = listAlternatives(plain)
  let label = ''
  let end = 0
  for (const alternative of alternatives) {
    label += ` ${plain.slice(end, alternative.start)}`
    end = alternative.end
  }
  label += ` ${plain.slice(end)}`
  const group = readGroup(label)
  if (!namesGroup(group) || group.otherLetters > 1) return false
  // A number that is no bound and no age is a value.
  if (/(?<![\p{L}\d.,])\d+(?:[.,]\d+)?(?![\p{L}\d])/u.test(withoutAges(label))) return false
  if (alternatives.length > 0) return words.some(({ text }) => /\p{L}/u.test(text))
  // `Males`, `1-9 y`: the interval stands below. `Normal` alone may be a result.
  return words.length <= 5 && (group.sex !== null || group.ages !== null || group.state !== null)
}

function withoutAges(label: string): string {
  const ages = findAges(label)
  return ages
    .reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), label)
    .replace(/stage \d\w?/g, '')
}

/**
 * Returns whether a line is the head of a legend: only names of states, such as `Desirable
 * Borderline  High`.
 */
export function startsLegend({ words }: Pick<Line, 'words'>): boolean {
  const groups = words.map(({ text }) => readGroup(text))
  const named = groups.filter(
    ({ category, otherLetters }) => category !== null && otherLetters === 0,
  )
  const isBare = words.every(({ text }) => !/\d/.test(text))
  return isBare && named.length >= 2 && groups.every(({ otherLetters }) => otherLetters === 0)
}
