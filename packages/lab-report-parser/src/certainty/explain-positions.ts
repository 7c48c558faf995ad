import type { Line } from '../layout/lines.ts'
import type { Box, PageText, Word } from '../pages/page.ts'
import type { Doubt, Field, ReportRow } from '../report.ts'
import { splitGlued, textOf } from '../rows/cell-words.ts'
import { isNumericValue, looksLikeDate, scoreName, scoreUnit } from '../rows/content.ts'
import { isMethodOrNote, isSpecimen, namesMethod } from '../rows/line-kinds.ts'
import { findAges } from '../values/age-spans.ts'
import { listAlternatives, looksLikeRange, toPlainText } from '../values/reference-range.ts'
import { findTitledColumns, type TitledColumns } from './titled-columns.ts'

// Whether the layout of the report explains where each value stands.

/** How many other rows have to be arranged like this one for the arrangement to be that of a table. */
const FEWEST_ALIKE = 2

/**
 * What the layout leaves in doubt about each row: `place`, where neither a title, nor other rows, nor a label beside it
 * says that a result stands here; `parts`, where a number of its line has no role; `name`, where it may be no analyte.
 */
export function explainPositions(
  rows: readonly ReportRow[],
  pages: readonly PageText[],
): Set<Doubt>[] {
  const titles = findTitledColumns(pages)
  const fields = listFields(rows)
  return rows.map((row) => {
    const doubts = new Set<Doubt>()
    // Its reader has explained every cell of such a table (docs/decisions/0048-kinds-of-regions.md).
    if (row.region) return doubts
    // What stands before the names of a table are the numbers of its rows, or it is the table beside.
    const isBehindName = row.value.box.x > row.name.box.x - row.value.box.height
    const isTitled = isBehindName && titles.findRole(row.value.page, row.value.box) === 'value'
    const isArranged = isBehindName && isRepeated(row, rows)
    const isTable = isTitled || isArranged
    if (!isTable && !isLabelled(row)) doubts.add('place')
    if (!isTitled && hasUnexplainedNumber(row, fields, titles)) doubts.add('parts')
    if (!isArranged && hasTextBetween(row, fields, titles)) doubts.add('parts')
    if (goesOn(row, fields, titles) || hasOtherName(row, fields, titles)) doubts.add('parts')
    if (!isKnownName(row, isTable)) doubts.add('name')
    return doubts
  })
}

/** Whether other rows have name and value where this one has them. */
function isRepeated(row: ReportRow, rows: readonly ReportRow[]): boolean {
  const down = stepDown(row)
  const height = row.value.box.height
  const alike = rows.filter(
    (other) =>
      other !== row &&
      isAligned(row.value.box, other.value.box) &&
      Math.abs(stepDown(other) - down) < height * 0.7 &&
      Math.abs(other.name.box.x - row.name.box.x) < height * 3,
  )
  return alike.length >= FEWEST_ALIKE
}

/** How far the value stands under the end of its name. */
function stepDown({ name, value }: ReportRow): number {
  if (overlap(name.box, value.box) > 0) return 0
  return value.box.y - (name.box.y + name.box.height - value.box.height)
}

function isAligned(a: Box, b: Box): boolean {
  const tolerance = Math.max(a.height, b.height)
  return (
    Math.abs(a.x - b.x) < tolerance ||
    Math.abs(a.x + a.width - b.x - b.width) < tolerance ||
    Math.abs(a.x + a.width / 2 - b.x - b.width / 2) < tolerance
  )
}

const overlap = (a: Box, b: Box): number =>
  Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)

/**
 * Whether the row reads as a label and what it is of, by itself: a known analyte, its value beside it with unit or
 * interval close by, or its value below it with the unit right behind.
 */
function isLabelled({ name, value, unit, range }: ReportRow): boolean {
  if (scoreName(name.text) < 0.85) return false
  const { height } = value.box
  if (overlap(name.box, value.box) <= height * 0.4) {
    const gap = unit ? unit.box.x - value.box.x - value.box.width : Number.POSITIVE_INFINITY
    const isUnder = value.box.y - name.box.y > 0 && value.box.y - name.box.y < height * 5
    return isUnder && gap < height && overlap(unit?.box ?? name.box, value.box) > 0
  }
  const isClose = (field: Field | null) =>
    field?.page === value.page && Math.abs(field.box.y - value.box.y) < height * 3
  return value.box.x > name.box.x && (isClose(unit) || isClose(range))
}

/** Where the parts of all rows stand, by page. */
function listFields(rows: readonly ReportRow[]): Map<number, Box[]> {
  const boxes = new Map<number, Box[]>()
  for (const { name, value, unit, range, flag, panel } of rows)
    for (const field of [name, value, unit, range, flag, panel]) {
      if (!field) continue
      const known = boxes.get(field.page)
      if (known) known.push(field.box)
      else boxes.set(field.page, [field.box])
    }
  return boxes
}

/**
 * Whether a number stands on the line of the value that is no part of any row, under no title, and no interval: it may as
 * well be the value.
 */
function hasUnexplainedNumber(
  row: ReportRow,
  fields: ReadonlyMap<number, readonly Box[]>,
  { lines, findRole }: TitledColumns,
): boolean {
  const { page, box } = row.value
  const line = lines.find((each) => each.page === page && holds(each, box))
  if (!line) return true
  const boxes = fields.get(page) ?? []
  const left = line.words
    .flatMap((word) => splitGlued(word))
    .filter(
      (word) =>
        word.box.x > row.name.box.x &&
        !boxes.some((each) => isWithin(word.box, each)) &&
        (findRole(page, word.box) ?? 'value') === 'value',
    )
  // The ends of the interval, drawn on a scale.
  const bounds = row.range?.text.split(/[^\d.,]+/) ?? []
  return listNumbers(left).some((number) => !bounds.includes(number))
}

/** Whether words that are no part of any row stand between a name and a value below it: they may be the name. */
function hasTextBetween(
  { name, value }: ReportRow,
  fields: ReadonlyMap<number, readonly Box[]>,
  { lines }: TitledColumns,
): boolean {
  const [from, to] = [name.box.y + name.box.height, value.box.y + value.box.height]
  if (name.page !== value.page || to - from < value.box.height) return false
  const boxes = fields.get(value.page) ?? []
  return lines.some(({ page, words }) => {
    if (page !== value.page) return false
    const between = words.filter(({ text, box }) => {
      const middle = box.y + box.height / 2
      const isUnder = Math.abs(box.x - name.box.x) < value.box.height * 3
      return isUnder && middle > from && middle < to && /\p{L}{2}/u.test(text)
    })
    const isNote = isMethodOrNote(textOf(words))
    return !isNote && between.some(({ box }) => !boxes.some((each) => isWithin(box, each)))
  })
}

/** Whether the name of another analyte stands between a name and its value: then the value may be of that one. */
function hasOtherName(
  { name, value }: ReportRow,
  fields: ReadonlyMap<number, readonly Box[]>,
  { lines, findRole }: TitledColumns,
): boolean {
  const boxes = fields.get(value.page) ?? []
  const line = lines.find(({ page, words }) => page === value.page && holds({ words }, value.box))
  return (line?.words ?? []).some(
    ({ text, box }) =>
      box.x > name.box.x + name.box.width &&
      box.x < value.box.x &&
      scoreName(text) >= 0.9 &&
      findRole(value.page, box) !== 'other' &&
      !boxes.some((each) => isWithin(box, each)),
  )
}

/** Whether a value in words is the beginning of a longer text: `No` of `No result, sample clotted`. */
function goesOn(
  { value }: ReportRow,
  fields: ReadonlyMap<number, readonly Box[]>,
  { lines }: TitledColumns,
): boolean {
  if (!/^\p{L}/u.test(value.text)) return false
  const right = value.box.x + value.box.width
  const line = lines.find(({ page, words }) => page === value.page && holds({ words }, value.box))
  const next = line?.words.find(({ box }) => box.x > right - value.box.height * 0.2)
  if (!next || next.box.x - right > value.box.height * 0.6 || !/^\p{L}/u.test(next.text))
    return false
  return !(fields.get(value.page) ?? []).some((each) => isWithin(next.box, each))
}

function holds({ words }: Pick<Line, 'words'>, box: Box): boolean {
  return words.some((word) => isWithin(box, word.box) || isWithin(word.box, box))
}

function isWithin(inner: Box, outer: Box): boolean {
  const middle = { x: inner.x + inner.width / 2, y: inner.y + inner.height / 2 }
  return (
    middle.x >= outer.x &&
    middle.x <= outer.x + outer.width &&
    middle.y >= outer.y &&
    middle.y <= outer.y + outer.height
  )
}

/** The numbers among words that are no bounds of intervals, no ages, no dates and no exponents of units. */
function listNumbers(words: readonly Word[]): string[] {
  const texts = words.filter(({ text }) => !looksLikeDate(text)).map(({ text }) => text)
  let plain = toPlainText(texts.join(' '))
  const spans = [...listAlternatives(plain), ...findAges(plain)].sort((a, b) => b.start - a.start)
  for (const { start, end } of spans) plain = `${plain.slice(0, start)} ${plain.slice(end)}`
  return plain.split(' ').filter((word) => isNumericValue(word))
}

/** Whether a name is that of something that is measured: known as such, or one of a table with what belongs to a result. */
function isKnownName({ name, value, unit, range }: ReportRow, isTable: boolean): boolean {
  // Of words blood is looked for in urine, of numbers it is what was examined.
  // `Serum creatinine` names its specimen and is known all the same.
  const known = scoreName(name.text)
  const isMethod = namesMethod(name.text) && known < 0.9
  if (isNumericValue(value.text) && (isSpecimen(name.text) || isMethod)) return false
  // A value and its unit, such as those of an earlier result, are no name.
  const [, behindNumber = ''] = /^[<>≤≥]?\s?\d[\d.,]*\s+(.+)$/.exec(name.text) ?? []
  if (scoreUnit(behindNumber) > 0) return false
  if (known >= 0.6) return true
  const isSentence = name.text.split(' ').length > 7 || /[.!?]$/.test(name.text)
  const hasUnit = unit !== null && scoreUnit(unit.text) >= 0.7
  const hasRange = range !== null && looksLikeRange(range.text)
  return isTable && !isSentence && (hasUnit || hasRange)
}
