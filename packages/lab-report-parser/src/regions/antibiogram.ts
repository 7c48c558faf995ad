import { NEGATIVE_WORDS, POSITIVE_WORDS } from '../language/words.ts'
import type { Line } from '../layout/lines.ts'
import { splitAtGaps } from '../layout/side-by-side.ts'
import type { Word } from '../pages/page.ts'
import { textOf } from '../rows/cell-words.ts'
import { plainText, scoreUnit } from '../rows/content.ts'
import type { DraftRow } from '../rows/draft.ts'
import { isProse } from '../rows/line-kinds.ts'
import { namesAntibiotic } from './antibiotics.ts'
import { type Culture, findCulture } from './culture.ts'
import {
  type DrugCells,
  isTested,
  readBehindValues,
  readDrugs,
  type Susceptibility,
} from './drug-lines.ts'
import { type Region, toRow } from './region.ts'

/** Lines between those of drugs, such as the name of the next germ. */
const MOST_BETWEEN = 5

/**
 * Reads the susceptibility of germs to drugs. All of it or nothing: where one line cannot be
 * explained, the whole is left unread, because the drugs that are left would look like all that
 * were tested.
 */
export function findAntibiograms(lines: readonly Line[]): Region[] {
  const regions: Region[] = []
  for (let at = 0; at < lines.length; at++) {
    if (!isDrugLine(lines[at])) continue
    let to = at
    for (let next = at; next < lines.length && next - to <= MOST_BETWEEN; next++)
      if (isDrugLine(lines[next])) to = next
    let from = at
    while (continuesDrugs(lines, from, from - 1)) from--
    while (continuesDrugs(lines, to, to + 1)) to++
    const region = readStretch(lines, from, to)
    if (region) regions.push(region)
    at = to
  }
  return regions
}

function isDrugLine(line: Line | undefined): boolean {
  return (
    line !== undefined &&
    readDrugs(line).some((cells) => isTested(cells) && namesAntibiotic(textOf(cells.drug)))
  )
}

/**
 * Returns whether a line beside one of drugs has the interpretation of a drug that is not known, in
 * the same place.
 */
function continuesDrugs(lines: readonly Line[], at: number, next: number): boolean {
  const [line, other] = [lines[at], lines[next]]
  if (!line || !other || other.page !== line.page) return false
  if (Math.abs(other.box.y - line.box.y) > line.height * 3) return false
  const positions = [line, other].map((each) =>
    readDrugs(each).flatMap(({ tested }) =>
      tested.flatMap(({ interpretation }) => interpretation?.[0]?.box.x ?? []),
    ),
  )
  const [own = [], its = []] = positions
  return its.length > 0 && its.every((x) => own.some((known) => Math.abs(known - x) < line.height))
}

interface DrugLine {
  line: Line
  drugs: DrugCells[]
}

function readStretch(lines: readonly Line[], from: number, to: number): Region | undefined {
  const stretch = lines.slice(from, to + 1).filter((line) => !isRemark(line))
  const tested = stretch
    .map((line) => ({ line, drugs: readDrugs(line).filter(isTested) }))
    .filter((line) => line.drugs.length > 0)
  const drugs = tested.flatMap((line) => line.drugs)
  const known = drugs.filter(({ drug }) => namesAntibiotic(textOf(drug)))
  const interpreted = drugs.flatMap((cells) => cells.tested).filter((each) => each.interpretation)
  // A single drug with its concentration is one that is given, and watched.
  if (known.length < 2 || known.length * 2 < drugs.length || interpreted.length < 2)
    return undefined
  const culture = findCulture(lines, from, to)
  const titles = findTitles(lines, from)
  const names = joinWrapped(stretch, tested)
  const markers = listMarkers(lines.slice(Math.max(0, from - 2), to + 3))
  const used = new Set([
    ...titles,
    ...culture.used,
    ...tested.map(({ line }) => line),
    ...names,
    ...markers.map(({ line }) => line),
  ])
  const region = { kind: 'antibiogram' as const, start: lines[from] as Line, used }
  // Where all others say it, a drug without an interpretation was not read in full.
  const isPartial = interpreted.length < drugs.flatMap((cells) => cells.tested).length
  // Where some lines begin with the drug and others with what was found, pairs are not known.
  const orders = new Set(tested.map(({ line }) => readBehindValues(line) === undefined))
  // Without the germ that was tested nothing says what the rows are of.
  const isLost =
    culture.organisms.length === 0 ||
    isPartial ||
    orders.size > 1 ||
    stretch.some((line) => !used.has(line) && namesUntested(line))
  const rows = isLost ? undefined : toRows(tested, culture, findTitledUnit(titles))
  return rows
    ? { ...region, rows: [...culture.rows, ...rows, ...markers] }
    : { ...region, unread: [{ kind: 'antibiogram', page: region.start.page }] }
}

/**
 * Names that were broken in two: the part on a line of its own goes to the drug that is tested
 * beside it.
 * @returns the lines of these parts
 */
function joinWrapped(stretch: readonly Line[], tested: readonly DrugLine[]): Line[] {
  const used: Line[] = []
  for (const { line, drugs } of tested) {
    const [drug] = drugs
    const at = stretch.indexOf(line)
    const [above, below] = [stretch[at - 1], stretch[at + 1]]
    if (!drug) continue
    const isPart = (part: Line | undefined): part is Line =>
      part !== undefined && splitAtGaps(part, 0.9).length === 1 && part.words.length < 4
    if (isPart(above) && /[/-]$/.test(textOf(above.words))) {
      drug.drug.unshift(...above.words)
      used.push(above)
    } else if (isPart(below) && /[/-]$/.test(textOf(drug.drug))) {
      drug.drug.push(...below.words)
      used.push(below)
    }
  }
  return used
}

/**
 * Returns whether a line names a drug beside something that is no finding: what it says is not
 * known.
 */
function namesUntested(line: Line): boolean {
  return splitAtGaps(line, 0.9).length > 1 && namesAntibiotic(textOf(line.words))
}

/** Further findings beside the drugs: `Cefoxitin screen  Positive`. */
function listMarkers(lines: readonly Line[]): DraftRow[] {
  return lines.flatMap((line) => {
    const cells = splitAtGaps(line, 0.9)
    const [name = [], value = []] = cells
    const text = plainText(textOf(value))
    const isMarker = MARKER.test(textOf(name)) || namesAntibiotic(textOf(name))
    const isFound = POSITIVE_WORDS.has(text) || NEGATIVE_WORDS.has(text)
    return cells.length === 2 && isMarker && isFound ? [toRow(line, name, value, null)] : []
  })
}

const MARKER =
  /\b(?:screen|esbl|blee|inducible|beta ?-?lactamase|d-? ?test|carbapenemase|mrsa|vre)\b/i

/** Returns whether a line is a sentence, or explains the letters. */
function isRemark(line: Line): boolean {
  const text = textOf(line.words)
  return isProse(text) || /=/.test(text.replace(/[<>]\s?=|=\s?[<>]/g, ''))
}

/** Titles over the drugs. */
function findTitles(lines: readonly Line[], from: number): Line[] {
  const above = lines.slice(Math.max(0, from - 3), from)
  return above.filter(({ words }) => {
    const text = plainText(textOf(words))
    return /\b(?:mic|cmi|mhk|interp\w*|int\.?|antibiot\w*|antimicrob\w*|drugs?|s\/i\/r|rsi|sir|result|susceptib\w*|sensib\w*|zone)\b/.test(
      text,
    )
  })
}

function findTitledUnit(titles: readonly Line[]): Word[] | null {
  const isUnit = ({ text }: Word): boolean =>
    /^\(?[^()]*\/[^()]*\)?$/.test(text) && scoreUnit(text.replace(/^\(|\)$/g, '')) >= 0.8
  const units = titles.flatMap(({ words }) => words.filter(isUnit))
  return units[0] && units.every(({ text }) => text === units[0]?.text) ? [units[0]] : null
}

/** Returns a row for each drug and germ; undefined where something is not clear. */
function toRows(
  tested: readonly DrugLine[],
  culture: Culture,
  titledUnit: Word[] | null,
): DraftRow[] | undefined {
  const columns = tested.some(({ drugs }) => drugs.some((cells) => cells.tested.length > 1))
    ? findGermColumns(tested)
    : []
  // As many germs as columns of them, or it is not known which one is meant.
  if (columns.length > 0 && columns.length !== culture.organisms.length) return undefined
  const rows: DraftRow[] = []
  for (const { line, drugs } of tested)
    for (const cells of drugs) {
      const name = textOf(cells.drug)
      if (cells.isUnclear || !/\p{L}{3}/u.test(name)) return undefined
      for (const each of cells.tested) {
        const words = each.concentration ?? each.interpretation
        const column = findNearestColumn(columns, positionOf(each))
        const germ = columns.length > 0 ? culture.organisms[column] : culture.above(line)
        if (!words || (columns.length > 0 && !each.interpretation)) return undefined
        const unit = each.concentration ? (each.unit ?? titledUnit) : null
        rows.push({
          ...toRow(line, cells.drug, words, unit),
          flag: each.concentration ? each.interpretation : null,
          panel: germ ? { words: germ.words, page: germ.page } : null,
        })
      }
    }
  return rows
}

const middle = ({ box }: Word): number => box.x + box.width / 2

function positionOf({ interpretation, concentration }: Susceptibility): number {
  return middle((interpretation ?? concentration)?.[0] as Word)
}

/** Where the columns of several germs stand: the middles of their interpretations. */
function findGermColumns(tested: readonly DrugLine[]): number[] {
  const columns: number[] = []
  for (const { line, drugs } of tested)
    for (const each of drugs.flatMap((cells) => cells.tested)) {
      const x = positionOf(each)
      if (!columns.some((known) => Math.abs(known - x) < line.height * 2)) columns.push(x)
    }
  return columns.sort((a, b) => a - b)
}

function findNearestColumn(columns: readonly number[], x: number): number {
  const distances = columns.map((column) => Math.abs(column - x))
  return distances.indexOf(Math.min(...distances))
}
