import { type Line, median, uniteBoxes } from '../layout/lines.ts'
import type { PageText, Word } from '../pages/page.ts'
import type { Field, ReportRow, SampleType } from '../report.ts'
import type { Person } from '../values/choose-alternative.ts'
import { assembleRows } from './assemble-rows.ts'
import { type BoundColumns, findBoundColumns, joinBounds } from './bound-columns.ts'
import { textOf, toField } from './cell-words.ts'
import type { Cell, Cells } from './cells.ts'
import { chooseRange } from './choose-range.ts'
import { addPriors, createHeaderPrior, createRowPrior, findColumn } from './column-prior.ts'
import type { CellRole } from './content.ts'
import { findColumnRole, plainText, scoreName, scoreUnit } from './content.ts'
import type { DraftRow, ReadLine } from './draft.ts'
import { findRepeatedLines, namesMethod } from './line-kinds.ts'
import { parseLine } from './parse-line.ts'
import { findTableHeader, type TableHeader } from './table-header.ts'

/** Lines under the titles of one table, or under none. */
export interface Section {
  header: TableHeader | null
  lines: Line[]
  /** The lines of the header itself. */
  headerLines: Line[]
}

/**
 * Rows as they are printed, of what was gathered from the lines of these pages.
 * @param known What the head says of the patient; intervals of other people are not read.
 */
export function finishRows(
  drafts: readonly DraftRow[],
  pages: readonly PageText[],
  lines: readonly Line[],
  known: Person,
): ReportRow[] {
  const person = { ...known, sex: known.sex ?? findSex(lines) }
  const recognized = new Set(
    pages.filter((page) => page.source === 'recognized').map((page) => page.number),
  )
  return drafts.map((draft) => {
    const row = finishRow(draft, person)
    if (!recognized.has(draft.page)) return row
    return { ...row, name: repairName(row.name), range: row.range && repairRange(row.range) }
  })
}

/** What recognition loses and confuses in names: a bracket at the end, `HbAlc` for `HbA1c`. */
function repairName(field: Field): Field {
  const isOpen = /\([^)]*$/.test(field.text)
  const text = isOpen ? `${field.text})` : field.text
  const variants = [
    text.replace(/(?<=\p{L})l(?=\p{L})/gu, '1'),
    text.replace(/(?<=\p{Lu})[Il]\b/gu, '1'),
    text.replace(/(?<=\p{Lu}{2})1\b/gu, 'I'),
    text.replace(/(?<=\p{L})0(?=\p{L})/gu, 'O'),
    text.replace(/(?<=[BT])l(?=\d)/g, '1'),
  ]
  const known = scoreName(text)
  const better = known < 0.9 ? variants.find((variant) => scoreName(variant) >= 0.95) : undefined
  return { ...field, text: better ?? text }
}

/** Corrects a point of a range that was read as a colon: `11.5-14:5`. */
function repairRange(field: Field): Field {
  const text = field.text
    .replace(/^(\d+\.\d+ ?[-–] ?\d+):(\d+)$/, '$1.$2')
    .replace(/^(\d+):(\d+ ?[-–] ?\d+\.\d+)$/, '$1.$2')
  return { ...field, text }
}

/** What is gathered from lines that nothing else explains. */
export function readDrafts(lines: readonly Line[]): DraftRow[] {
  const repeated = findRepeatedLines(lines)
  return assembleRows(
    divideIntoSections(lines).flatMap((section) => readSection(section, repeated)),
  )
}

const male =
  /^(?:m|male|man|masculino|hombre|varon|masculin|homme|mannlich|maschio|maschile|mr|sr|monsieur|herr|man|mannelijk)$/
const female =
  /^(?:f|female|woman|femenino|mujer|feminin|feminino|femme|weiblich|w|femmina|femminile|mrs|ms|miss|sra|madame|mme|frau|vrouw|vrouwelijk)$/
const sexLabel =
  /^(?:sex|gender|sexo|sexe|geschlecht|sesso|geslacht|genero|age|edad|yrs?|years?|y|anos|ans|jahre|anni|jaar)$/

/**
 * Returns the patient's sex as the head of the report says it: after its label, or after the age.
 */
function findSex(lines: readonly Line[]): 'male' | 'female' | null {
  for (const line of lines.slice(0, 60)) {
    const words = plainText(
      line.words
        .map((word) => word.text)
        .join(' ')
        .replace(/[/.()|]/g, ' '),
    ).split(' ')
    const at = words.findIndex((word) => sexLabel.test(word))
    if (at < 0) continue
    for (const word of words.slice(at + 1, at + 7)) {
      if (male.test(word)) return 'male'
      if (female.test(word)) return 'female'
    }
  }
  return null
}

export function divideIntoSections(lines: readonly Line[]): Section[] {
  const sections: Section[] = [{ header: null, lines: [], headerLines: [] }]
  let bounds: BoundColumns | null = null
  for (let at = 0; at < lines.length; ) {
    const header = findTableHeader(lines, at)
    if (header) {
      const headerLines = lines.slice(at, at + header.lines)
      sections.push({ header, lines: [], headerLines })
      bounds = findBoundColumns(headerLines)
      at += header.lines
    } else {
      const line = lines[at] as Line
      sections[sections.length - 1]?.lines.push(bounds ? joinBounds(line, bounds) : line)
      at++
    }
  }
  return sections
}

export function readSection(section: Section, repeated: ReadonlySet<Line>): ReadLine[] {
  const height = median(section.lines.map((line) => line.height)) || 1
  const fromHeader = createHeaderPrior(section.header, height)
  const first = section.lines.map((line) => parseLine(line, fromHeader))
  const solid = first.flat().filter((cells) => isSolid(cells))
  const prior = addPriors(fromHeader, createRowPrior(solid, height))
  const hasHeader = section.header !== null
  const { header } = section
  const values = header?.columns.filter((column) => column.role === 'value') ?? []
  const allowsSiblings = values.length > 1
  const nameLimit = findNameLimit(header, solid)
  const findTitleUnit = (value: Cell): Word[] | null => findUnitOfTitle(header, value, height)
  // A drawn table of categories in the notes has no column of results beside one of names, or no
  // header in bars.
  const isDrawn = section.headerLines.some((line) => line.isFramed)
  const left = Math.min(...section.headerLines.map((line) => line.box.x))
  const isCategories = hasHeader && !(isDrawn && values.some((value) => value.left > left + 1))
  const hasMethodLines = section.lines.filter((line) => isMethodLine(line)).length >= 2
  const titles = section.headerLines.map((line) => ({
    line,
    results: [],
    prior,
    isHeader: true,
    isRepeated: false,
    isApart: false,
    hasMethodLines,
    hasHeader,
    nameLimit,
    isLabel: false,
    labelled: null,
    findTitleUnit,
  }))
  const lines = section.lines.map((line, at) => {
    const label = readLoneLabel(section.lines[at - 1], line)
    return {
      line,
      results: parseLine(line, prior, { allowsSiblings }),
      prior,
      isHeader: false,
      isRepeated: repeated.has(line),
      isApart: line.isFramed && isCategories,
      hasMethodLines,
      hasHeader,
      nameLimit,
      isLabel: findLoneLabel(line) !== undefined,
      labelled: label ? parseLine(line, prior, { label }) : null,
      findTitleUnit,
    }
  })
  return [...titles, ...lines]
}

/** Returns whether a line is only a method in brackets. */
function isMethodLine(line: Line): boolean {
  const text = textOf(line.words)
  return /^\([^()]*\)$/.test(text) && namesMethod(text)
}

/** What a line says that is nothing but a title: `Your value`, `Reference range:`. */
function findLoneLabel(line: Line): CellRole | undefined {
  const text = textOf(line.words)
  // A title has no number in brackets behind it, as `Ref: (4.0 - 11.0)` has.
  if (line.words.length > 4 || /\d/.test(text)) return undefined
  const role = findColumnRole(text)
  return role && role !== 'name' && role !== 'previous' && role !== 'other' ? role : undefined
}

function readLoneLabel(above: Line | undefined, line: Line): CellRole | undefined {
  if (!above || above.page !== line.page || line.box.y - above.box.y > line.height * 3.5) return
  return findLoneLabel(above)
}

function findNameLimit(header: TableHeader | null, solid: readonly Cells[]): number {
  const values = solid.flatMap((cells) => cells.value ?? [])
  const fromRows =
    values.length >= 2 ? Math.min(...values.map((cell) => cell.left)) : Number.POSITIVE_INFINITY
  const at = header?.columns.findIndex((column) => column.role === 'name') ?? -1
  const next = header?.columns[at + 1]
  return Math.min(fromRows, at >= 0 && next ? next.left : Number.POSITIVE_INFINITY)
}

/** Returns the unit of a column of results that is titled `%`. */
function findUnitOfTitle(header: TableHeader | null, value: Cell, height: number): Word[] | null {
  const column = header && findColumn(header, value.left, value.right, height)?.column
  if (column?.role !== 'value') return null
  return column.words.every((word) => scoreUnit(word.text) >= 0.8) ? column.words : null
}

function isSolid(cells: Cells): boolean {
  return Boolean(
    cells.name && cells.value && cells.value.content >= 2 && (cells.unit || cells.range),
  )
}

function finishRow(draft: DraftRow, person: Person): ReportRow {
  const range = chooseRange(draft.ranges, person)
  const name = cleanField(toField(draft.name, draft.page), /\s*(?:[:,…]|\.{2,})+$/)
  const panel = isOverRow(draft) ? draft.panel : null
  return {
    // Signs that refer to a remark are no part of the name: `{#} MPV`.
    name: cleanField(name, /^[{[(]\s*[#*†‡]\s*[}\])]\s*/),
    value: toField(draft.value, draft.page),
    unit: draft.unit ? stripBrackets(toField(draft.unit, draft.page)) : null,
    range: range ? stripBrackets(cleanField(toField(range.words, draft.page), /\s*[;,/]$/)) : null,
    flag: draft.flag ? stripBrackets(toField(draft.flag, draft.page)) : null,
    panel: panel ? cleanField(toField(panel.words, panel.page), /\s*:$/) : null,
    sampleType: findSampleType([draft.name, panel?.words ?? []]),
    region: null,
  }
}

/** Returns whether the heading is not that of the column beside. */
function isOverRow({ panel, page, name, value, unit, ranges, flag }: DraftRow): boolean {
  if (!panel || panel.page !== page) return true
  const words = [
    ...value,
    ...(unit ?? []),
    ...(flag ?? []),
    ...ranges.flatMap((each) => each.words),
  ]
  const right = Math.max(...words.map(({ box }) => box.x + box.width))
  const { box: first } = name[0] as Word
  const heading = uniteBoxes(panel.words.map(({ box }) => box))
  return heading.x < right && heading.x + heading.width > first.x - first.height * 3
}

function cleanField(field: Field, sign: RegExp): Field {
  return { ...field, text: field.text.replace(sign, '') }
}

function stripBrackets(field: Field): Field {
  const bracketed = /^[[(]\s*(?!calc)([^()[\]]*?)\s*[\])]$/i.exec(field.text)
  if (bracketed) return { ...field, text: bracketed[1] as string }
  const isOpen = /^[^([]*[)\]]$/.test(field.text)
  return isOpen ? { ...field, text: field.text.slice(0, -1).trim() } : field
}

const sampleWords: readonly (readonly [SampleType, RegExp])[] = [
  ['urine', /\burin|\borina|\bharn\b|\burina/i],
  ['stool', /stool|f[ae]+ces|feces|heces|selles|stuhl|feci|fezes/i],
  ['saliva', /saliva/i],
  ['capillary_blood', /capillary|dried blood|capilar/i],
  [
    'serum_plasma_blood',
    /serum|plasma|whole blood|blood gas|arterial|venous|suero|sangre|serum|sérum|siero|soro|sangue|blut/i,
  ],
]

function findSampleType(sources: readonly (readonly Word[])[]): SampleType {
  for (const words of sources) {
    const text = words.map((word) => word.text).join(' ')
    for (const [type, pattern] of sampleWords) if (pattern.test(text)) return type
  }
  return 'unknown'
}
