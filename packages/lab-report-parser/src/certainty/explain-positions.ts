import type { Line } from '../layout/lines.ts'
import type { Box } from '../pages/page.ts'
import type { Doubt, Field, ReportRow } from '../report.ts'
import { textOf } from '../rows/cell-words.ts'
import { isNumericValue, isQualitative, scoreName, scoreUnit } from '../rows/content.ts'
import { countFunctionWords, isMethodOrNote, isSpecimen, namesMethod } from '../rows/line-kinds.ts'
import { looksLikeRange } from '../values/reference-range.ts'
import {
  findLine,
  hasLooseFinding,
  hasUnexplainedNumber,
  isInSentence,
  isWithin,
  listPagesOfLostTiters,
  type Surroundings,
} from './surroundings.ts'
import { findTitledColumns } from './titled-columns.ts'

// Decides whether the layout of the report explains the place of each value.

/** Number of other rows with the same arrangement that make it the arrangement of a table. */
const FEWEST_ALIKE = 2

/** Explanation of a row by the layout. */
export interface Position {
  doubts: Set<Doubt>
  /** Whether it stands in a table: under its titles, or arranged like other rows. */
  isInTable: boolean
}

/**
 * Returns the doubts about the place of each row: `place`, where neither a title, nor other rows,
 * nor a label beside it shows that a result stands here; `parts`, where a number of its line has no
 * role, or the line is a sentence; `name`, where it may not be an analyte.
 */
export function explainPositions(rows: readonly ReportRow[], lines: readonly Line[]): Position[] {
  const titles = findTitledColumns(lines)
  const around: Surroundings = { fields: listFields(rows), lines, titles }
  const losesTiters = listPagesOfLostTiters(around)
  const positions = rows.map((row): Position => {
    const doubts = new Set<Doubt>()
    // Its reader has explained every cell of such a table
    // (docs/decisions/0048-kinds-of-regions.md).
    if (row.region) return { doubts, isInTable: true }
    const { page, box } = row.value
    // Texts before the names of a table are the numbers of its rows, or belong to the table beside
    // it.
    const isBehindName = box.x > row.name.box.x - box.height
    const role = titles.findRole(page, box)
    const isArranged = isBehindName && isRepeated(row, rows)
    // A text that follows a name as closely as a word is no cell of a column, unless others stand
    // there as well.
    const isTitled = isBehindName && role === 'value' && (isArranged || !isRunOn(row))
    const isInTable = isTitled || isArranged || isListed(row, rows, around)
    // A table with a column of results has no results under another title.
    const isElsewhere =
      role !== undefined && role !== 'value' && titles.hasValueColumn(page, box) && isOnLine(row)
    if ((!isInTable && !isLabelled(row)) || (isElsewhere && role === 'unknown')) doubts.add('place')
    if (hasUnexplainedNumber(row, around)) doubts.add('parts')
    if (!isArranged && hasTextBetween(row, around)) doubts.add('parts')
    if (goesOn(row, around) || hasOtherName(row, around)) doubts.add('parts')
    if (!isArranged && isInSentence(row, around)) doubts.add('parts')
    if (!isKnownName(row, isInTable)) doubts.add('name')
    // A word in the column of results beside a number that was read as the value may be the result.
    const isWordValue = row.range !== null && isQualitative(row.range.text)
    const isUnderRanges =
      row.range !== null && titles.findRole(row.range.page, row.range.box) === 'range'
    if (isWordValue && !isUnderRanges && isNumericValue(row.value.text)) doubts.add('parts')
    if (isNumericValue(row.value.text) ? false : saysCutoff(row)) doubts.add('parts')
    if (hasLooseUnit(row, around) || hasLooseFinding(row, around)) doubts.add('parts')
    if (losesTiters.has(page) || isQualitative(row.name.text)) doubts.add('name')
    if (hasOtherNameBelow(row, rows)) doubts.add('place')
    if (isNameCut(row, around)) doubts.add('name')
    return { doubts, isInTable }
  })
  // Beside a table, a name with a number close behind it may be a remark on one of its rows.
  const areTabled = positions.filter(({ isInTable }) => isInTable).length > FEWEST_ALIKE
  for (const { doubts, isInTable } of positions) if (areTabled && !isInTable) doubts.add('place')
  return positions
}

/**
 * `Negative  Negative, less than 50 ng/mL`: the amount of the reference is not that of the finding.
 */
function saysCutoff({ value, range, unit }: ReportRow): boolean {
  const [, word = ''] =
    /^(\p{L}[\p{L} -]*?)[\s,;:(]+(?:\p{L}+\s)*[<>≤≥]?\s?\d/u.exec(range?.text ?? '') ?? []
  return (
    isQualitative(value.text) &&
    (isQualitative(word) || (unit !== null && range !== null && unit.box.x > range.box.x))
  )
}

/** Returns whether the value follows its name on the line as words follow each other. */
function isRunOn({ name, value }: ReportRow): boolean {
  const gap = value.box.x - name.box.x - name.box.width
  return isOnLine({ name, value }) && gap < value.box.height * 0.75
}

/**
 * Returns whether a word in the column of units was not read as a unit, such as the rest of a
 * longer one.
 */
function hasLooseUnit(
  { value, unit }: ReportRow,
  { fields, lines, titles }: Surroundings,
): boolean {
  if (unit !== null) return false
  const boxes = fields.get(value.page) ?? []
  return (findLine(lines, value)?.words ?? []).some(
    ({ text, box }) =>
      box.x > value.box.x &&
      /\p{L}|%/u.test(text) &&
      titles.findRole(value.page, box) === 'unit' &&
      !boxes.some((each) => isWithin(box, each)),
  )
}

/**
 * Returns whether the name of another row is closer below a value than its own name above it, as on
 * cards with the value on top.
 */
function hasOtherNameBelow(row: ReportRow, rows: readonly ReportRow[]): boolean {
  const { name, value } = row
  if (name.page !== value.page || isOnLine(row)) return false
  const above = value.box.y - name.box.y - name.box.height
  return rows.some((other) => {
    const below = other.name.box.y - value.box.y - value.box.height
    const isUnder = Math.abs(other.name.box.x - value.box.x) < value.box.height * 3
    return other.name.page === value.page && isUnder && below >= -1 && below < above
  })
}

/** Returns whether the line below a name continues it, and was not read as its end. */
function isNameCut({ name }: ReportRow, { fields, lines, titles }: Surroundings): boolean {
  const { box, page } = name
  const bottom = box.y + box.height
  const boxes = fields.get(page) ?? []
  return lines.some(({ page: its, words, height, box: { y } }) => {
    const [first] = words
    if (its !== page || !first || words.length > 3) return false
    const isBelow = y > bottom - height * 0.5 && y - bottom < height * 0.9
    const isUnder = first.box.x > box.x - height * 0.5 && first.box.x < box.x + height * 1.6
    if (!isBelow || !isUnder || boxes.some((each) => isWithin(first.box, each))) return false
    const text = textOf(words)
    if (/\d|:$/.test(text) || isMethodOrNote(text) || titles.findRole(page, first.box) === 'other')
      return false
    return /^\p{Ll}/u.test(text) || scoreName(`${name.text} ${text}`) >= 0.95
  })
}

/**
 * Returns whether name and value stand on one line, as in a table, rather than below each other.
 */
const isOnLine = ({ name, value }: Pick<ReportRow, 'name' | 'value'>): boolean =>
  overlap(name.box, value.box) > 0

/** Returns whether other rows have name and value at the same places. */
function isRepeated(row: ReportRow, rows: readonly ReportRow[]): boolean {
  const down = stepDown(row)
  const height = row.value.box.height
  const alike = rows.filter(
    (other) =>
      other !== row &&
      isAligned(row.value.box, other.value.box) &&
      (Math.abs(stepDown(other) - down) < height * 0.7 || sharesColumn(row, other)) &&
      Math.abs(other.name.box.x - row.name.box.x) < height * 3,
  )
  return alike.length >= FEWEST_ALIKE
}

/**
 * Returns whether the row is a line of a list: it begins with its name, and the value follows as
 * closely as in other rows.
 */
function isListed(row: ReportRow, rows: readonly ReportRow[], around: Surroundings): boolean {
  const { height } = row.value.box
  const gap = ({ name, value }: ReportRow) => value.box.x - name.box.x - name.box.width
  const isTitled = ({ value }: ReportRow) =>
    around.titles.findRole(value.page, value.box) === 'value'
  const alike = rows.filter(
    (other) =>
      other !== row &&
      isOnLine(other) &&
      // Rows of a titled table say nothing about a row whose value is in none of its columns.
      (isAligned(row.value.box, other.value.box) || !isTitled(other)) &&
      Math.abs(gap(other) - gap(row)) < height * 0.5 &&
      Math.abs(other.name.box.x - row.name.box.x) < height * 1.5,
  )
  if (!isOnLine(row) || alike.length < FEWEST_ALIKE) return false
  const first = findLine(around.lines, row.name)?.words[0]
  return first !== undefined && isWithin(first.box, row.name.box) && !isInSentence(row, around)
}

/** Returns whether unit or interval stand in one column, as in rows whose name takes two lines. */
function sharesColumn(row: ReportRow, other: ReportRow): boolean {
  const areClose = Math.abs(stepDown(row) - stepDown(other)) < row.value.box.height * 2
  return (['unit', 'range'] as const).some((part) => {
    const [own, its] = [row[part], other[part]]
    return areClose && own !== null && its !== null && isAligned(own.box, its.box)
  })
}

/** Returns how far the value stands below the end of its name. */
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
 * Returns whether the row is a label with its value, by itself: a known analyte, its value beside
 * it with unit or interval close by, or its value below it followed by the unit.
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

/** Returns the boxes of the parts of all rows, by page. */
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
 * Returns whether words without a role stand between a name and a value below it: they may be the
 * name.
 */
function hasTextBetween({ name, value }: ReportRow, { fields, lines }: Surroundings): boolean {
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

/**
 * Returns whether the name of another analyte stands between a name and its value, which may belong
 * to that one.
 */
function hasOtherName(
  { name, value }: ReportRow,
  { fields, lines, titles }: Surroundings,
): boolean {
  const boxes = fields.get(value.page) ?? []
  const line = findLine(lines, value)
  return (line?.words ?? []).some(
    ({ text, box }) =>
      box.x > name.box.x + name.box.width &&
      box.x < value.box.x &&
      scoreName(text) >= 0.9 &&
      !isSpecimen(text) &&
      titles.findRole(value.page, box) !== 'other' &&
      !boxes.some((each) => isWithin(box, each)),
  )
}

/**
 * Returns whether a value in words is the beginning of a longer text: `No` of `No result, sample
 * clotted`.
 */
function goesOn({ value }: ReportRow, { fields, lines }: Surroundings): boolean {
  if (!/^\p{L}/u.test(value.text)) return false
  const right = value.box.x + value.box.width
  const line = findLine(lines, value)
  const next = line?.words.find(({ box }) => box.x > right - value.box.height * 0.2)
  if (!next || next.box.x - right > value.box.height * 0.6 || !/^\p{L}/u.test(next.text))
    return false
  return !(fields.get(value.page) ?? []).some((each) => isWithin(next.box, each))
}

/**
 * Returns whether a name is that of a measurement: a known one, or one of a table with further
 * parts of a result.
 */
function isKnownName({ name, value, unit, range }: ReportRow, isTable: boolean): boolean {
  // A specimen is not a name, except with a value in words (blood is looked for in urine) or as a
  // part of a known name (`Serum creatinine`). A text with a semicolon, or a number after a colon,
  // is a sentence. `1 mg/dL =` is a conversion.
  if (/ ?; |: ?\d|^\d+(?:[.,]\d+)? \S+.*=|=$/.test(name.text)) return false
  const known = scoreName(name.text)
  const isMethod = namesMethod(name.text) && known < 0.9
  if (isNumericValue(value.text) && (isSpecimen(name.text) || isMethod)) return false
  // A value with its unit, such as an earlier result, is not a name.
  const [, behindNumber = ''] = /^[<>≤≥]?\s?\d[\d.,]*\s+(.+)$/.exec(name.text) ?? []
  if (scoreUnit(behindNumber) > 0) return false
  // A text that ends with `of` or `with` continues with the number of a sentence.
  if (known >= 0.6) return countFunctionWords(name.text.split(' ').slice(-1).join(' ')) === 0
  const isSentence =
    name.text.split(' ').length > 7 ||
    /[.!?]$|: /.test(name.text) ||
    countFunctionWords(name.text) > 1
  const hasUnit = unit !== null && scoreUnit(unit.text) >= 0.7
  const hasRange = range !== null && looksLikeRange(range.text)
  return isTable && !isSentence && (hasUnit || hasRange)
}
