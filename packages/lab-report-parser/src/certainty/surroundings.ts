import { NEGATIVE_WORDS, POSITIVE_WORDS } from '../language/words.ts'
import type { Line } from '../layout/lines.ts'
import { splitAtGaps } from '../layout/side-by-side.ts'
import type { Box, Word } from '../pages/page.ts'
import type { Field, ReportRow } from '../report.ts'
import { splitGlued, textOf } from '../rows/cell-words.ts'
import { isNumericValue, isQualitative, looksLikeDate, plainText } from '../rows/content.ts'
import { findAges } from '../values/age-spans.ts'
import { listAlternatives, toPlainText } from '../values/reference-range.ts'
import type { TitledColumns, TitledRole } from './titled-columns.ts'

// Surroundings of a row: words that belong to no row.

export interface Surroundings {
  /** Boxes of the parts of all rows, by page. */
  fields: ReadonlyMap<number, readonly Box[]>
  lines: readonly Line[]
  titles: TitledColumns
}

/** Returns the line of a field. */
export function findLine(lines: readonly Line[], { page, box }: Field): Line | undefined {
  return lines.find(
    (line) =>
      line.page === page &&
      line.words.some((word) => isWithin(box, word.box) || isWithin(word.box, box)),
  )
}

export function isWithin(inner: Box, outer: Box): boolean {
  const middle = { x: inner.x + inner.width / 2, y: inner.y + inner.height / 2 }
  return (
    middle.x >= outer.x &&
    middle.x <= outer.x + outer.width &&
    middle.y >= outer.y &&
    middle.y <= outer.y + outer.height
  )
}

/**
 * Returns whether the line of the value has a number that belongs to no row, title or interval: it
 * may as well be the value.
 */
export function hasUnexplainedNumber(
  row: ReportRow,
  { fields, lines, titles }: Surroundings,
): boolean {
  const { page, box } = row.value
  const line = findLine(lines, row.value)
  if (!line) return true
  const boxes = fields.get(page) ?? []
  const isTitled = titles.findRole(page, box) === 'value'
  // Where no title names the column of results, one with an unknown title may be it.
  const isOpenTitle = (role: TitledRole | undefined): boolean =>
    role === undefined || role === 'value' || (role === 'unknown' && !isTitled)
  const left = line.words
    .flatMap((word) => splitGlued(word))
    .filter(
      (word) =>
        word.box.x > row.name.box.x &&
        !boxes.some((each) => isWithin(word.box, each)) &&
        isOpenTitle(titles.findRole(page, word.box)),
    )
  // The ends of the interval, drawn on a scale.
  const bounds = row.range?.text.split(/[^\d.,]+/) ?? []
  return listNumbers(left).some((number) => !bounds.includes(number))
}

/**
 * Returns the numbers among words that are no bounds of intervals, ages, dates or exponents of
 * units.
 */
function listNumbers(words: readonly Word[]): string[] {
  const texts = words.filter(({ text }) => !looksLikeDate(text)).map(({ text }) => text)
  let plain = toPlainText(texts.join(' '))
  const spans = [...listAlternatives(plain), ...findAges(plain)].sort((a, b) => b.start - a.start)
  for (const { start, end } of spans) plain = `${plain.slice(0, start)} ${plain.slice(end)}`
  return plain.split(' ').filter((word) => isNumericValue(word))
}

/** Largest gap between words of a sentence, in heights of their letters. */
const CLOSE = 0.75
/** This many words of a sentence beside a row are not a remark of its table, such as a method. */
const FEWEST_WORDS = 2

/**
 * Returns whether words without a role follow the name and the value as closely as those of a
 * sentence.
 */
export function isInSentence(
  { name, value, unit, range, flag }: ReportRow,
  { fields, lines, titles }: Surroundings,
): boolean {
  const line = findLine(lines, value)
  const boxes = fields.get(value.page) ?? []
  const own = [name, value, unit, range, flag].flatMap((field) => (field ? [field.box] : []))
  let isTouched = false
  let loose = 0
  let before: Word | undefined
  const isSentence = (): boolean => isTouched && loose >= FEWEST_WORDS
  for (const word of line?.words ?? []) {
    const gap = before ? word.box.x - before.box.x - before.box.width : Number.POSITIVE_INFINITY
    if (gap > word.box.height * CLOSE) {
      if (isSentence()) return true
      isTouched = false
      loose = 0
    }
    if (own.some((box) => isWithin(word.box, box))) isTouched = true
    // The label of a part, such as `Reference range:`.
    else if (/:$/.test(word.text)) loose = 0
    else if (
      /^[(“"]?\p{L}{2,}/u.test(word.text) &&
      !boxes.some((box) => isWithin(word.box, box)) &&
      titles.findRole(value.page, word.box) !== 'other'
    )
      loose += 1
    before = word
  }
  return isSentence()
}

/**
 * Returns whether a finding in words stands beside a number, or an amount beside a finding, and
 * neither belongs to a row.
 */
export function hasLooseFinding(
  { name, value, flag }: ReportRow,
  { fields, lines, titles }: Surroundings,
): boolean {
  const line = findLine(lines, value)
  if (!line) return false
  const boxes = fields.get(value.page) ?? []
  const isNumber = isNumericValue(value.text)
  const isResult = (cell: readonly Word[]): boolean => {
    const [first] = cell
    if (!first || first.box.x < name.box.x + name.box.width) return false
    if (cell.some(({ box }) => boxes.some((each) => isWithin(box, each)))) return false
    const role = titles.findRole(value.page, first.box)
    if (role === 'range' || role === 'previous' || role === 'name') return false
    const plain = plainText(textOf(cell))
    // A flag repeats the word.
    if (isNumber) return !flag && (POSITIVE_WORDS.has(plain) || NEGATIVE_WORDS.has(plain))
    return role !== undefined && isQualitative(value.text) && isNumericValue(textOf(cell))
  }
  return splitAtGaps(line, 0.9).some(isResult)
}

const TITER = /^[<>≤≥]?=?1:\d{1,5}$/
/** This many names with a titer that are no rows are a table that was not read. */
const FEWEST_TITERS = 2

/** Returns the pages on which names with titers are no rows. */
export function listPagesOfLostTiters({ fields, lines }: Surroundings): Set<number> {
  const counts = new Map<number, number>()
  for (const line of lines) {
    const [name = [], ...cells] = splitAtGaps(line, 0.9)
    const boxes = fields.get(line.page) ?? []
    const isLost =
      cells.flat().some(({ text }) => TITER.test(text)) &&
      !line.words.some(({ box }) => boxes.some((each) => isWithin(box, each)))
    if (isLost && /\p{L}{3}/u.test(textOf(name)))
      counts.set(line.page, (counts.get(line.page) ?? 0) + 1)
  }
  return new Set([...counts].flatMap(([page, lost]) => (lost >= FEWEST_TITERS ? [page] : [])))
}
