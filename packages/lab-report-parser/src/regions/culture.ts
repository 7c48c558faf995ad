import type { Line } from '../layout/lines.ts'
import { splitAtGaps } from '../layout/side-by-side.ts'
import type { Word } from '../pages/page.ts'
import { textOf } from '../rows/cell-words.ts'
import { plainText } from '../rows/content.ts'
import type { DraftRow } from '../rows/draft.ts'
import { startsWithOrganism } from './antibiotics.ts'
import { toRow } from './region.ts'

interface Organism {
  words: Word[]
  page: number
  line: Line
}

/** Organisms that grew, read from the lines above the drugs. */
export interface Culture {
  organisms: Organism[]
  /** Their names and counts as results. */
  rows: DraftRow[]
  used: Line[]
  /** Returns the organism of a line of drugs: the last one named before it. */
  above(line: Line): Organism | undefined
}

/** Largest distance of the organisms above the drugs, in lines. */
const MOST_LINES_ABOVE = 14

const COUNT_UNIT = /^\(?(?:cfu|ufc|kbe|kve|col(?:on(?:y|ies|ias))?)(?:\s?\/\s?m?l)?\)?$/i
const CULTURE =
  /\b(?:\w*culture|cult|\w*cultivo|\w*kultur|coltura|\w*coltura|cultura|kweek|organism|isolate|germ|aislado|aislamiento|keim|germe|microorganism\w*|result)\b/

export function findCulture(lines: readonly Line[], from: number, to: number): Culture {
  const page = lines[from]?.page
  const stretch = lines
    .slice(Math.max(0, from - MOST_LINES_ABOVE), to + 1)
    .filter((line) => line.page === page)
  const culture: Culture = {
    organisms: [],
    rows: [],
    used: [],
    above: (line) =>
      culture.organisms.findLast((organism) => lines.indexOf(organism.line) <= lines.indexOf(line)),
  }
  let heading: Line | undefined
  for (const line of stretch) {
    const rows = readOrganism(line, heading, culture) ?? readCount(line)
    if (rows) {
      culture.rows.push(...rows)
      culture.used.push(line)
    } else if (isHeading(line)) heading = line
  }
  return culture
}

function isHeading({ words }: Line): boolean {
  const text = textOf(words)
  return CULTURE.test(plainText(text)) && !/[:\d]/.test(text) && words.length <= 6
}

/** `Organism 1: Escherichia coli  >100,000 CFU/mL`: what grew, and how much of it. */
function readOrganism(
  line: Line,
  heading: Line | undefined,
  culture: Culture,
): DraftRow[] | undefined {
  const at = line.words.findIndex(
    ({ text }, index) =>
      startsWithOrganism(textOf(line.words.slice(index, index + 2))) && /^\p{Lu}/u.test(text),
  )
  const before = line.words.slice(0, Math.max(at, 0))
  const countBefore = findCount(before)
  // `>100,000 CFU/mL Escherichia coli`: the count stands where the label does elsewhere.
  const isCount = countBefore?.from === 0
  const label = isCount ? [] : before
  // Sentences name organisms, too.
  if (at < 0 || at > 5 || line.words.length > 14) return undefined
  const rest = line.words.slice(at)
  const countBehind = findCount(rest)
  const count = isCount ? countBefore : countBehind
  const words = countBehind ? rest.slice(0, countBehind.from) : rest
  const [cell] = splitAtGaps({ ...line, words }, 1.5)
  const name = cell && cutAtLabel(cell)
  if (!name || name.length === 0) return undefined
  const organism = { words: name, page: line.page, line }
  const isLabelled = /\p{L}{3}/u.test(textOf(label))
  if (isLabelled && !CULTURE.test(plainText(textOf(label))) && !/:$/.test(textOf(label)))
    return undefined
  culture.organisms.push(organism)
  const title = isLabelled ? label : (heading?.words ?? null)
  return [
    ...(title ? [toRow(line, title, name, null)] : []),
    ...(count ? [toRow(line, name, count.value, count.unit)] : []),
  ]
}

/** Cuts the name of a germ at a comma, and before a second label: `Escherichia coli, count:`. */
function cutAtLabel(words: Word[]): Word[] {
  const comma = words.findIndex(({ text }) => /[,;]$/.test(text))
  if (comma >= 0) {
    const last = words[comma] as Word
    return [...words.slice(0, comma), { ...last, text: last.text.slice(0, -1) }]
  }
  const colon = words.findIndex(({ text }, at) => at > 1 && /:$/.test(text))
  // `Escherichia coli Colony count:`: a germ has two names.
  return colon > 1 ? words.slice(0, 2) : words
}

/** `Colony count: >100,000 CFU/mL`. */
function readCount(line: Line): DraftRow[] | undefined {
  const count = findCount(line.words)
  if (!count || count.from === 0 || line.words.length > 10) return undefined
  return [toRow(line, line.words.slice(0, count.from), count.value, count.unit)]
}

function findCount(
  words: readonly Word[],
): { from: number; value: Word[]; unit: Word[] } | undefined {
  const end = words.findIndex(
    ({ text }, at) => COUNT_UNIT.test(text) && /\d/.test(words[at - 1]?.text ?? ''),
  )
  if (end < 1) return undefined
  let from = end
  while (from > 0 && /^[<>≤≥=~\d.,^x*-]+$|^(?:to|x)$/i.test(words[from - 1]?.text ?? '')) from--
  return from === end
    ? undefined
    : { from, value: words.slice(from, end), unit: [words[end] as Word] }
}
