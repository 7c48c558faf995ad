import {
  type HeaderLabel,
  SUPPORTED_LANGUAGES,
  type SupportedLanguage,
  toPlainWords,
  WORDS,
} from '../language/words.ts'
import { buildLines, type Line, uniteBoxes } from '../layout/lines.ts'
import type { PageText, Word } from '../pages/page.ts'
import type { Field } from '../report.ts'

/** A label of the header of a report with the words beside and below it. */
export interface LabelledValue {
  label: HeaderLabel
  /** The label's words in plain form. */
  labelText: string
  /** Whether a colon marks it as a label. */
  hasColon: boolean
  page: number
  /** Words on its line, up to the next label. */
  beside: Word[]
  /** Words on its line before it, if no other label precedes. */
  before: Word[]
  /** Words on the line below, in the same column. */
  below: Word[]
}

interface FoundLabel {
  label: HeaderLabel
  text: string
  start: number
  /** Index after its last word. */
  end: number
  hasColon: boolean
}

const MAX_LABEL_WORDS = 6

function listLabels(language: string): Map<string, HeaderLabel> {
  const labels = new Map<string, HeaderLabel>()
  const own = SUPPORTED_LANGUAGES.find((each) => each === language)
  const languages: SupportedLanguage[] = own && own !== 'en' ? [own, 'en'] : ['en']
  for (const each of languages) {
    for (const [label, words] of Object.entries(WORDS[each].header)) {
      for (const word of words) if (!labels.has(word)) labels.set(word, label as HeaderLabel)
    }
  }
  return labels
}

/** Returns all labels of the pages with their words, in reading order. */
export function findLabelledValues(pages: readonly PageText[], language: string): LabelledValue[] {
  const labels = listLabels(language)
  return pages.flatMap((page) => {
    const lines = buildLines(page).map((line) => ({
      ...line,
      words: line.words.flatMap(splitAtColon),
    }))
    const found = lines.map((line) => findLabels(line, labels))
    return lines.flatMap((line, at) =>
      (found[at] ?? []).map((label, index) => {
        const next = found[at]?.[index + 1]
        const below = lines[at + 1]
        return {
          label: label.label,
          labelText: label.text,
          hasColon: label.hasColon,
          page: page.number,
          beside: takeBeside(line, label, next),
          before: index === 0 ? line.words.slice(0, label.start) : [],
          below: below ? takeBelow(line, label, next, below, found[at + 1] ?? []) : [],
        }
      }),
    )
  })
}

/** Splits `Sex:M` into two words; times keep their colons. */
function splitAtColon(word: Word): Word[] {
  const [, label = '', value = ''] = /^(\p{L}[^:]*:)(\S+)$/u.exec(word.text) ?? []
  if (label === '') return [word]
  const share = label.length / word.text.length
  const { x, y, width, height } = word.box
  return [
    { ...word, text: label, box: { x, y, width: width * share, height } },
    { ...word, text: value, box: { x: x + width * share, y, width: width * (1 - share), height } },
  ]
}

function findLabels(line: Line, labels: ReadonlyMap<string, HeaderLabel>): FoundLabel[] {
  const found: FoundLabel[] = []
  for (let at = 0; at < line.words.length; at++) {
    const label = findLabelAt(line, at, labels)
    if (!label) continue
    found.push(label)
    at = label.end - 1
  }
  return found
}

function findLabelAt(
  line: Line,
  start: number,
  labels: ReadonlyMap<string, HeaderLabel>,
): FoundLabel | undefined {
  for (let end = Math.min(line.words.length, start + MAX_LABEL_WORDS); end > start; end--) {
    const words = line.words.slice(start, end)
    const printed = words.map((word) => word.text).join(' ')
    const text = toPlainWords(printed).replace(/[\s:;.*]+$/, '')
    const label = labels.get(text) ?? labels.get(`${text}.`) ?? findNumberLabel(text, labels)
    if (!label || words.some((word, index) => index < words.length - 1 && /:$/.test(word.text)))
      continue
    const nextText = line.words[end]?.text ?? ''
    const hasColon = /[:;]\s*$/.test(printed) || /^[:;]/.test(nextText)
    if (!hasColon && !startsCell(line, start) && !VALUE_AFTER[label]?.test(nextText)) continue
    return { label, text, start, end: /^[:;]$/.test(nextText) ? end + 1 : end, hasColon }
  }
  return undefined
}

const NUMBER_OF =
  /^(?:n[o°º]?\.?[°º]?|nr\.?|nro\.?|num(?:ero|ber|mer)?\.?)(?: d[eu'] ?| of )? ?(?=\p{L}{3})|[ .-]+(?:n[o°º]\.?|n|nr\.?|nro\.?|id|num(?:ero|ber|mer)?\.?|#)$/gu

/** `Nº Laboratorio`, `Dossier n°`: the number of a specimen or of a laboratory. */
function findNumberLabel(
  text: string,
  labels: ReadonlyMap<string, HeaderLabel>,
): HeaderLabel | undefined {
  const bare = text.replace(NUMBER_OF, '').trim()
  const label = bare === text ? undefined : labels.get(bare)
  return label === 'specimenNumber' || label === 'laboratory' ? 'specimenNumber' : undefined
}

/** Returns whether a word is the first of its line, or has a gap before it. */
function startsCell({ words, height }: Line, start: number): boolean {
  const [before, first] = [words[start - 1], words[start]]
  return !before || !first || first.box.x - (before.box.x + before.box.width) > height * 0.9
}

/** Pattern of a value after a label without a mark. */
const VALUE_AFTER: Readonly<Partial<Record<HeaderLabel, RegExp>>> = {
  dateOfBirth: /\d/,
  collected: /\d/,
  received: /\d/,
  reported: /\d/,
  specimenNumber: /\d{3}/,
  patientNumber: /\d{3}/,
}

function takeBeside(line: Line, label: FoundLabel, next: FoundLabel | undefined): Word[] {
  const words = line.words.slice(label.end, next?.start ?? line.words.length)
  const taken: Word[] = []
  for (const word of words) {
    const last = taken.at(-1)
    // A wide gap ends a value; the words after it belong to a column without a label.
    if (last && word.box.x - (last.box.x + last.box.width) > line.height * 2.5) break
    taken.push(word)
  }
  return taken
    .map((word, index) =>
      index === 0 ? { ...word, text: word.text.replace(/^[:;]\s*/, '') } : word,
    )
    .filter((word) => word.text !== '')
}

function takeBelow(
  line: Line,
  label: FoundLabel,
  next: FoundLabel | undefined,
  below: Line,
  belowLabels: readonly FoundLabel[],
): Word[] {
  const first = line.words[label.start]
  if (!first || below.box.y - (line.box.y + line.box.height) > line.height * 2.5) return []
  const left = first.box.x - line.height
  const right = next
    ? (line.words[next.start]?.box.x ?? 0) - line.height * 0.5
    : Number.POSITIVE_INFINITY
  const isLabel = (index: number) =>
    belowLabels.some(({ start, end }) => index >= start && index < end)
  const taken: Word[] = []
  for (const [index, word] of below.words.entries()) {
    if (word.box.x < left || word.box.x >= right) continue
    if (isLabel(index)) break
    const last = taken.at(-1)
    if (last && word.box.x - (last.box.x + last.box.width) > line.height * 2) break
    taken.push(word)
  }
  // Words far to the right belong to another column.
  const [start] = taken
  const labelEnd = line.words[label.end - 1] ?? first
  return start && start.box.x > labelEnd.box.x + labelEnd.box.width + line.height ? [] : taken
}

/** Returns words as a field of the report; the text may be a part of theirs. */
export function toHeaderField(words: readonly Word[], page: number, text?: string): Field {
  return {
    text: (text ?? words.map((word) => word.text).join(' ')).replace(/\s+/g, ' ').trim(),
    page,
    box: uniteBoxes(words.map((word) => word.box)),
    confidence: words.reduce((sum, word) => sum + word.confidence, 0) / words.length,
  }
}
