import { buildLines, type Line } from '../layout/lines.ts'
import { findFurtherColumns, orderColumns } from '../layout/side-by-side.ts'
import type { PageText } from '../pages/page.ts'
import type { RegionKind, ReportRow, UnreadRegion } from '../report.ts'
import { assembleRows } from '../rows/assemble-rows.ts'
import { textOf } from '../rows/cell-words.ts'
import {
  findColumnRole,
  isNumericValue,
  scoreName,
  scoreRange,
  scoreUnit,
  scoreValue,
} from '../rows/content.ts'
import type { DraftRow, ReadLine } from '../rows/draft.ts'
import { findRepeatedLines, namesPanel } from '../rows/line-kinds.ts'
import { divideIntoSections, finishRows, readDrafts, readSection } from '../rows/read-rows.ts'
import { findTableHeader } from '../rows/table-header.ts'
import { type Person, UNKNOWN_PERSON } from '../values/choose-alternative.ts'
import { findDate } from '../values/dates.ts'
import { findAllergyPanel } from './allergy-panel.ts'
import { findAntibiograms } from './antibiogram.ts'
import { namesAntibiotic } from './antibiotics.ts'
import { findCumulativeTable } from './cumulative-table.ts'
import { tellsSusceptibility } from './drug-lines.ts'
import { findDrugList, findDrugScreen } from './drug-screen.ts'
import { findGenotypes, hasVariant } from './genotypes.ts'
import { findLegends, findNarrative } from './legends.ts'
import { leaveUnread, type Region, spanOf } from './region.ts'
import { findTransposedTable } from './transposed-table.ts'

/** The results of a report in reading order, and the regions of results that were not read. */
export interface ReadResults {
  rows: ReportRow[]
  unread: UnreadRegion[]
  /** All lines of the pages. */
  lines: Line[]
}

/**
 * Reads the results of a report as printed. First each region of its pages is classified: special
 * tables, legends and accounts have readers of their own, and the rest is read line by line.
 * @param known Facts about the patient from the header; intervals of other people are not read.
 */
export function readResults(
  pages: readonly PageText[],
  known: Person = UNKNOWN_PERSON,
): ReadResults {
  const all = pages.flatMap((page) => buildLines(page))
  const regions = findRegions(all)
  const used = new Set(regions.flatMap((region) => [...region.used]))
  const parts = pages.flatMap(({ number }) => {
    const ofPage = all.filter((line) => line.page === number)
    const rest = orderLines(ofPage.filter((line) => !used.has(line)))
    return mergeParts(
      ofPage,
      rest,
      regions.filter(({ start }) => start.page === number),
    )
  })
  const { drafts, unread } = readParts(parts, findRepeatedLines(all))
  const kinds = new Map(regions.flatMap(listKinds))
  const rows = finishRows(drafts, pages, all, known).map((row, at) => ({
    ...row,
    region: kinds.get((drafts[at] as DraftRow).line) ?? null,
  }))
  return { rows, unread: withoutDoubles(unread), lines: all }
}

/**
 * Orders lines for reading: on a page with columns of results the left one first, if that reads
 * more.
 */
function orderLines(lines: Line[]): Line[] {
  const isName = (text: string): boolean =>
    (scoreName(text) >= 0.7 && scoreUnit(text) < 0.7) || findColumnRole(text) === 'name'
  const columns = findFurtherColumns(lines, isName)
  if (!columns) return lines
  const ordered = orderColumns(
    lines,
    columns.starts,
    (text) => isName(text) || looksLikeTitle(text),
  )
  if (columns.areSure) return ordered
  const weigh = (drafts: readonly DraftRow[]): number =>
    drafts.reduce((sum, draft) => sum + (isPairedAcross(draft) ? -draft.score : draft.score), 0)
  return weigh(readDrafts(ordered)) >= weigh(readDrafts(lines)) ? ordered : lines
}

/**
 * Returns whether a row is paired wrongly, with a value for its name or a name for its value, as of
 * cards that are read across.
 */
function isPairedAcross({ name, value }: DraftRow): boolean {
  const text = textOf(value)
  return /^[<>]?\d/.test(textOf(name)) || (scoreName(text) >= 0.9 && scoreValue(text) === 0)
}

/** Returns whether words begin a result or stand above several of them. */
function looksLikeTitle(text: string): boolean {
  const isPart = scoreValue(text) > 0 || scoreUnit(text) >= 0.7 || scoreRange(text) > 0
  return /^\p{L}[^:]*$/u.test(text) && !isPart && findColumnRole(text) === undefined
}

/** Returns the kinds of the lines of a region. */
function listKinds({ kind, section, rows = [] }: Region): [Line, RegionKind][] {
  const lines = [...(section?.lines ?? []), ...rows.map(({ line }) => line)]
  return lines.map((line) => [line, kind])
}

/** Finds the regions of a report that are not read line by line. */
function findRegions(all: readonly Line[]): Region[] {
  const legends = findLegends(all)
  let lines = all.filter((line) => !legends.has(line))
  const account = findNarrative(lines, (at) => findTableHeader(lines, at) !== undefined)
  const antibiograms = findAntibiograms(lines)
  const taken = new Set([...account, ...antibiograms.flatMap(({ used }) => [...used])])
  lines = lines.filter((line) => !taken.has(line))
  const explained = [...antibiograms, ...findTables(lines)]
  if (legends.size > 0) explained.push({ kind: 'legend', ...spanOf([...legends]) })
  if (account.size > 0) explained.push(leaveUnread('narrative', [...account]))
  return explained
}

function findTables(lines: readonly Line[]): Region[] {
  const dates = lines.flatMap(({ words }) => findDate(textOf(words)) ?? [])
  const finders = [
    findDrugScreen,
    findDrugList,
    findAllergyPanel,
    findGenotypes,
    (all: readonly Line[], at: number) => findCumulativeTable(all, at, dates),
    (all: readonly Line[], at: number) => findTransposedTable(all, at, dates),
  ]
  const regions: Region[] = []
  for (let at = 0; at < lines.length; ) {
    const region = finders.map((find) => find(lines, at)).find((found) => found !== undefined)
    if (region) regions.push(region)
    at += region?.used.size ?? 1
  }
  return regions
}

/** Returns lines and regions of a page, in reading order. */
function mergeParts(
  ofPage: readonly Line[],
  rest: readonly Line[],
  regions: readonly Region[],
): (Line | Region)[] {
  const positionOf = (line: Line): number => ofPage.findIndex(({ box }) => box.y >= line.box.y)
  const parts: (Line | Region)[] = [...rest]
  for (const region of regions) {
    const position = positionOf(region.start)
    const at = parts.findIndex((part) => !('kind' in part) && positionOf(part) > position)
    parts.splice(at < 0 ? parts.length : at, 0, region)
  }
  return parts
}

/** Reads the parts in order; headings continue over parts that are read line by line. */
function readParts(parts: readonly (Line | Region)[], repeated: ReadonlySet<Line>) {
  const drafts: DraftRow[] = []
  const unread: UnreadRegion[] = []
  let lines: Line[] = []
  let read: ReadLine[] = []
  const readLines = (): void => {
    const sections = lines.length > 0 ? divideIntoSections(lines) : []
    read.push(...sections.flatMap((section) => readSection(section, repeated)))
    lines = []
  }
  const finish = (): void => {
    readLines()
    drafts.push(...assembleRows(read))
    read = []
  }
  for (const [at, part] of parts.entries()) {
    if (!('kind' in part)) {
      lines.push(part)
      continue
    }
    unread.push(...(part.unread ?? []))
    if (part.section) {
      readLines()
      read.push(...readSection(part.section, repeated))
    } else if (part.rows) {
      finish()
      const heading = findHeading(parts.slice(0, at))
      for (const row of part.rows) drafts.push({ ...row, panel: row.panel ?? heading })
    }
  }
  finish()
  return leaveOutUnsure(drafts, parts, unread)
}

/** Returns the heading over a table: the last of a few lines that names a panel. */
function findHeading(above: readonly (Line | Region)[]): DraftRow['panel'] {
  const heading = above.slice(-6).findLast((part): part is Line => {
    const text = 'kind' in part ? '' : textOf(part.words)
    return namesPanel(text) && !/[:\d]/.test(text) && text.split(' ').length <= 8
  })
  return heading ? { words: heading.words, page: heading.page } : null
}

/** Removes results of these kinds without a reader: their numbers have another meaning. */
function leaveOutUnsure(
  drafts: readonly DraftRow[],
  parts: readonly (Line | Region)[],
  unread: UnreadRegion[],
): { drafts: DraftRow[]; unread: UnreadRegion[] } {
  const susceptible = parts.filter(
    (part): part is Line => !('kind' in part) && tellsSusceptibility(part),
  )
  unread.push(...susceptible.map(({ page }) => ({ kind: 'antibiogram' as const, page })))
  const pages = new Set(susceptible.map(({ page }) => page))
  const explained = new Set(
    parts.flatMap((part) => ('kind' in part ? (part.rows ?? []).map(({ name }) => name) : [])),
  )
  const kept = drafts.filter((draft) => {
    if (explained.has(draft.name)) return true
    if (pages.has(draft.page) && namesAntibiotic(textOf(draft.name))) return false
    const isVariant = hasVariant(textOf(draft.line.words)) && isNumericValue(textOf(draft.value))
    if (isVariant) unread.push({ kind: 'genotypes', page: draft.page })
    return !isVariant
  })
  return { drafts: kept, unread }
}

function withoutDoubles(unread: readonly UnreadRegion[]): UnreadRegion[] {
  const byPosition = new Map(unread.map((region) => [`${region.kind} ${region.page}`, region]))
  return [...byPosition.values()].sort((a, b) => a.page - b.page)
}
