import { buildLines, type Line, median } from '../layout/lines.ts'
import type { PageText, Word } from '../pages/page.ts'
import type { Field, ReportRow, SampleType } from '../report.ts'
import { assembleRows, type DraftRow, type ReadLine } from './assemble-rows.ts'
import { addPriors, createHeaderPrior, createRowPrior } from './column-prior.ts'
import { scoreRange } from './content.ts'
import { findRepeatedLines } from './line-kinds.ts'
import { type Cells, parseLine, toField } from './parse-line.ts'
import { findTableHeader, type TableHeader } from './table-header.ts'

interface Section {
  header: TableHeader | null
  lines: Line[]
  /** The lines of the header itself. */
  headerLines: Line[]
}

/**
 * Reads the results of a report in reading order, as printed.
 *
 * @param language ISO 639-1
 */
export function readRows(pages: readonly PageText[], _language: string): ReportRow[] {
  const lines = pages.flatMap((page) => buildLines(page))
  const repeated = findRepeatedLines(lines)
  const read = divideIntoSections(lines).flatMap((section) => readSection(section, repeated))
  return assembleRows(read).map((draft) => finishRow(draft))
}

function divideIntoSections(lines: readonly Line[]): Section[] {
  const sections: Section[] = [{ header: null, lines: [], headerLines: [] }]
  for (let at = 0; at < lines.length; ) {
    const header = findTableHeader(lines, at)
    if (header) {
      const headerLines = lines.slice(at, at + header.lines)
      sections.push({ header, lines: [], headerLines })
      at += header.lines
    } else {
      sections[sections.length - 1]?.lines.push(lines[at] as Line)
      at++
    }
  }
  return sections
}

function readSection(section: Section, repeated: ReadonlySet<Line>): ReadLine[] {
  const height = median(section.lines.map((line) => line.height)) || 1
  const fromHeader = createHeaderPrior(section.header, height)
  const first = section.lines.map((line) => parseLine(line, fromHeader))
  const solid = first.flat().filter((cells) => isSolid(cells))
  const prior = addPriors(fromHeader, createRowPrior(solid, height))
  const hasHeader = section.header !== null
  const titles = section.headerLines.map((line) => ({
    line,
    results: [],
    prior,
    isHeader: true,
    isRepeated: false,
    hasHeader,
  }))
  const lines = section.lines.map((line) => ({
    line,
    results: parseLine(line, prior),
    prior,
    isHeader: false,
    isRepeated: repeated.has(line),
    hasHeader,
  }))
  return [...titles, ...lines]
}

function isSolid(cells: Cells): boolean {
  return Boolean(
    cells.name && cells.value && cells.value.content >= 2 && (cells.unit || cells.range),
  )
}

function finishRow(draft: DraftRow): ReportRow {
  const range = chooseRange(draft.ranges)
  const unit = draft.unit ?? range?.unit ?? null
  return {
    name: cleanField(toField(draft.name, draft.page), /\s*[:.…]+$/),
    value: toField(draft.value, draft.page),
    unit: unit ? toField(unit, draft.page) : null,
    range: range ? stripBrackets(toField(range.words, draft.page)) : null,
    flag: draft.flag ? toField(draft.flag, draft.page) : null,
    panel: draft.panel ? cleanField(toField(draft.panel.words, draft.panel.page), /\s*:$/) : null,
    sampleType: findSampleType([draft.name, draft.panel?.words ?? []]),
  }
}

function cleanField(field: Field, end: RegExp): Field {
  return { ...field, text: field.text.replace(end, '') }
}

function stripBrackets(field: Field): Field {
  const bracketed = /^[[(]\s*(.*?)\s*[\])]$/.exec(field.text)
  return bracketed ? { ...field, text: bracketed[1] as string } : field
}

interface ChosenRange {
  words: Word[]
  unit: Word[] | null
}

function chooseRange(stretches: readonly Word[][]): ChosenRange | null {
  for (const words of stretches) {
    for (let from = 0; from < words.length; from++)
      for (let to = words.length; to > from; to--) {
        const taken = words.slice(from, to)
        if (scoreRange(taken.map((word) => word.text).join(' ')) >= 0.9)
          return { words: taken, unit: null }
      }
  }
  const first = stretches[0]
  return first && first.length > 0 ? { words: [...first], unit: null } : null
}

const sampleWords: readonly (readonly [SampleType, RegExp])[] = [
  ['urine', /\burin|\borina|\bharn\b|\burina/i],
  ['stool', /stool|f[ae]+ces|feces|heces|selles|stuhl|feci|fezes/i],
  ['saliva', /saliva/i],
  ['capillary_blood', /capillary|dried blood|capilar/i],
  [
    'serum_plasma_blood',
    /serum|plasma|whole blood|suero|sangre|serum|sérum|siero|soro|sangue|blut/i,
  ],
]

function findSampleType(places: readonly (readonly Word[])[]): SampleType {
  for (const words of places) {
    const text = words.map((word) => word.text).join(' ')
    for (const [type, pattern] of sampleWords) if (pattern.test(text)) return type
  }
  return 'unknown'
}
