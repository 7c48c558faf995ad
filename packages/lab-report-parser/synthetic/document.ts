import type { TruthHeader, TruthRow } from '../eval/truth.ts'
import {
  drawBars,
  drawBlocks,
  drawCards,
  drawLeaders,
  drawLines,
  drawMono,
  drawStacked,
} from './layouts/free.ts'
import type { Layout } from './layouts/layout.ts'
import { drawTable, drawTwoTables } from './layouts/table.ts'
import { drawNegative, NEGATIVES } from './negatives.ts'
import { drawNotation, type Notation } from './notation.ts'
import { framePages } from './page-frame.ts'
import { Painter } from './painter.ts'
import { createRandom, type Random } from './random.ts'
import { drawReport } from './report.ts'
import { type Column, drawStyle, type Part, type Style } from './style.ts'
import { LANGUAGES, type Language } from './words.ts'

/** A document with its truth; a document without rows is not a laboratory report. */
export interface SyntheticDocument {
  /** Layout and language, such as `table-es`. */
  name: string
  pdf: Uint8Array
  rows: TruthRow[]
  header: TruthHeader
}

/** Share of documents that are not laboratory reports. */
const NEGATIVE_SHARE = 0.08
/** Share of documents in English; all other languages have equal shares of the rest. */
const ENGLISH_SHARE = 0.5

/**
 * Draws a document; the same seed and part give the same bytes. All people, laboratories and values
 * are invented.
 */
export async function drawDocument(seed: number, part: Part): Promise<SyntheticDocument> {
  const random = createRandom(seed * 2 + (part === 'unseen' ? 1 : 0))
  if (random.chance(NEGATIVE_SHARE)) {
    const kind = random.pick(NEGATIVES)
    return {
      name: `no-report-${kind}`,
      pdf: await drawNegative(random, kind),
      rows: [],
      header: {},
    }
  }
  const language: Language = random.chance(ENGLISH_SHARE) ? 'en' : random.pick(LANGUAGES.slice(1))
  const drawn = drawStyle(random, part)
  const notation = drawNotation(random, language, drawn.font.hasSymbols)
  const style = fitStyle(random, drawn, notation)
  const columns = columnsOf(style)
  const isTable = columns !== null
  const hasRanges = isTable
    ? columns.some((column) => column === 'range' || column === 'minimum')
    : random.chance(0.95)
  const panels =
    style.family === 'cards' || style.family === 'blocks' ? random.whole(1, 3) : random.whole(1, 6)
  const report = drawReport(
    random,
    notation,
    {
      isUpper: style.isNameUpper,
      hasRanges,
      hasPrevious: columns?.includes('previous') ?? false,
      hasMethod: style.hasMethodBelow || style.family === 'blocks',
      commentShare: style.commentShare,
    },
    panels,
  )
  const painter = new Painter(style)
  framePages(painter, random, report)
  painter.addPage()
  const layout: Layout = { painter, random, report, notation }
  drawRows(layout, columns)
  const rows = report.sections.flatMap((section) => section.rows)
  const truths = rows.map(({ truth, bounds }) =>
    style.family === 'min-max' ? withBounds(truth, bounds) : truth,
  )
  return {
    name: `${style.family}-${language}`,
    pdf: await painter.finish(),
    rows: truths,
    header: report.header,
  }
}

/** Makes choices compatible: marks need a place, and ranges of both sexes no columns of bounds. */
function fitStyle(random: Random, style: Style, notation: Notation): Style {
  const { flag } = notation
  const isApart = ['split-values', 'min-max'].includes(style.family)
  if (isApart) notation.rangesOfBothSexes = false
  if (style.family === 'split-values') notation.flag = { kind: 'none' }
  const isTable = style.family === 'table' || style.family === 'two-columns'
  const hasColumn = isTable
    ? style.columns.includes('flag')
    : style.family !== 'lines' || random.chance(0.5)
  if (flag.kind === 'text' && flag.place === 'column' && !hasColumn) flag.place = 'after'
  const isWithoutFlags = flag.kind !== 'text' || flag.place !== 'column'
  const unitPlace = isApart ? 'column' : style.unitPlace
  // Most reports that write units elsewhere have no column for them; some leave it empty.
  const hasUnitColumn = unitPlace === 'column' || random.chance(0.15)
  return {
    ...style,
    unitPlace,
    columns: style.columns
      .filter((column) => column !== 'flag' || !isWithoutFlags)
      .filter((column) => column !== 'unit' || hasUnitColumn)
      // Half a page only has room for few columns.
      .filter(
        (column) =>
          style.family !== 'two-columns' || (column !== 'previous' && column !== 'method'),
      ),
  }
}

/** Chooses the columns of layouts that are tables. */
function columnsOf({ family, columns }: Style): Column[] | null {
  switch (family) {
    case 'table':
    case 'two-columns':
      return columns
    case 'split-values':
      return ['name', 'in-range', 'out-of-range', 'unit', 'range']
    case 'min-max':
      return ['name', 'value', 'unit', 'minimum', 'maximum', 'flag']
    case 'numbered':
      return ['number', 'name', 'method', 'value', 'unit', 'range', 'flag']
    default:
      return null
  }
}

function drawRows(layout: Layout, columns: readonly Column[] | null): void {
  const { family } = layout.painter.style
  const draw = {
    stacked: drawStacked,
    lines: drawLines,
    mono: drawMono,
    cards: drawCards,
    bars: drawBars,
    blocks: drawBlocks,
    leaders: drawLeaders,
  }
  if (family === 'two-columns' && fitsOnePage(layout)) drawTwoTables(layout)
  else if (columns !== null) drawTable(layout, columns)
  else draw[family as keyof typeof draw](layout)
}

function fitsOnePage({ painter, report }: Layout): boolean {
  const rows = report.sections.reduce((sum, section) => sum + section.rows.length + 3, 0)
  return painter.y + (rows * 0.6 + 8) * painter.step * 1.3 < painter.bottom
}

/** Bounds in two columns have no notation of their own. */
function withBounds(
  truth: TruthRow,
  { low, high }: { low: string | null; high: string | null },
): TruthRow {
  if (truth.reference_range === null || (low === null && high === null)) {
    return { ...truth, reference_range: null, interpretation: null }
  }
  const range = low === null ? `< ${high}` : high === null ? `> ${low}` : `${low} - ${high}`
  return { ...truth, reference_range: range }
}
