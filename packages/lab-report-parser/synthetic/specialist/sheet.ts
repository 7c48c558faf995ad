import type { TruthRow } from '../../eval/truth.ts'
import type { Notation } from '../notation.ts'
import type { Painter, TextOptions } from '../painter.ts'
import type { Random } from '../random.ts'
import type { Person } from '../report.ts'
import type { Align, Part } from '../style.ts'
import { WORDS } from '../words.ts'
import { type SpecialistLanguage, say, sayHeading } from './words.ts'

/** The expected reading of a row, with properties that `TruthRow` does not have. */
export interface SpecialistTruth extends TruthRow {
  /** Bounds for this patient, in the printed unit; null if open, in words, or undecidable. */
  low: number | null
  high: number | null
}

/** A report of a specialist laboratory while it is drawn, and its expected reading. */
export interface Sheet {
  kind: string
  part: Part
  language: SpecialistLanguage
  painter: Painter
  random: Random
  notation: Notation
  person: Person
  collected: Date
  sample: string
  rows: SpecialistTruth[]
}

export interface GridColumn {
  title: string
  /** Share of the width. */
  share: number
  align?: Align
}

export const sayFor = (sheet: Sheet, key: string): string => say(key, sheet.language, sheet.part)

export const wordsFor = (sheet: Sheet) => WORDS[sheet.language]

/** A title of an ordinary column, in one of the wordings of the language. */
export function titleOf(
  sheet: Sheet,
  column: keyof ReturnType<typeof wordsFor>['columns'],
): string {
  return sheet.random.pick(wordsFor(sheet).columns[column])
}

/** Draws the heading of the kind, which is the panel of the rows. @returns its text */
export function drawKindHeading(
  sheet: Sheet,
  text = sayHeading(sheet.kind, sheet.language),
): string {
  const { painter } = sheet
  painter.need(painter.step * 4)
  painter.y += painter.style.size * 0.6
  painter.text(text, painter.left, painter.y, {
    cut: 'bold',
    size: painter.style.size * 1.15,
    color: painter.style.accent,
  })
  painter.y += painter.style.size * 1.9
  return text
}

/** Draws sentences over the whole width, or at a place. */
export function drawParagraph(
  sheet: Sheet,
  text: string,
  options: TextOptions = {},
  place?: GridPlace,
): void {
  const { painter } = sheet
  const { left, width } = place ?? { left: painter.left, width: painter.right - painter.left }
  for (const line of painter.wrap(text, width, options)) {
    painter.need(painter.step)
    painter.text(line, left, painter.y, options)
    painter.y += painter.step * 0.9
  }
  painter.y += painter.style.size * 0.4
}

/** Draws a frame of lines, as laboratories put around urgent results. */
export function drawBox(sheet: Sheet, lines: readonly string[]): void {
  const { painter } = sheet
  const height = lines.length * painter.step + painter.style.size
  painter.need(height + painter.step)
  painter.frame(painter.left, painter.y, painter.right - painter.left, height, '#b00000')
  let y = painter.y + painter.style.size * 0.5
  for (const [at, line] of lines.entries()) {
    painter.text(line, painter.left + 6, y, { cut: at === 0 ? 'bold' : 'regular' })
    y += painter.step
  }
  painter.y += height + painter.style.size
}

/** Place of a grid or a text; by default the whole width. */
export interface GridPlace {
  left: number
  width: number
}

/**
 * Draws a table whose cells wrap at their width and at line ends. The unseen part has other rules.
 */
export function drawGrid(
  sheet: Sheet,
  columns: readonly GridColumn[],
  lines: readonly (readonly string[])[],
  place?: GridPlace,
): void {
  const { painter, part } = sheet
  const { left, width } = place ?? { left: painter.left, width: painter.right - painter.left }
  const total = columns.reduce((sum, { share }) => sum + share, 0)
  const widths = columns.map(({ share }) => (share / total) * width)
  const starts = widths.map((_, at) => left + widths.slice(0, at).reduce((sum, w) => sum + w, 0))
  const drawLine = (cells: readonly string[], options: TextOptions): void => {
    const wrapped = cells.map((cell, at) =>
      cell.split('\n').flatMap((line) => painter.wrap(line, (widths[at] ?? 0) - 5, options)),
    )
    const height = Math.max(...wrapped.map((cell) => cell.length)) * painter.style.size * 1.2
    // The titles are repeated on a new page.
    if (painter.need(height + painter.step * 0.4) && options.cut !== 'bold') drawTitles()
    for (const [at, cell] of wrapped.entries()) {
      for (const [row, text] of cell.entries()) {
        painter.text(text, (starts[at] ?? 0) + 2, painter.y + row * painter.style.size * 1.2, {
          ...options,
          align: columns[at]?.align ?? 'left',
          width: (widths[at] ?? 0) - 5,
        })
      }
    }
    painter.y += height + painter.style.size * (painter.style.lineHeight - 1.2)
    if (part === 'unseen') {
      const y = painter.y - painter.style.size * 0.15
      painter.line(left, y, left + width, y, '#c4c4c4', 0.4)
    }
  }
  const drawTitles = (): void => {
    if (columns.every(({ title }) => title === '')) return
    drawLine(
      columns.map(({ title }) => title),
      { cut: 'bold' },
    )
    if (part === 'unseen') return
    painter.line(left, painter.y - 2, left + width, painter.y - 2)
    painter.y += painter.style.size * 0.4
  }
  painter.need(painter.step * 3)
  drawTitles()
  for (const line of lines) drawLine(line, {})
  painter.y += painter.style.size
}
