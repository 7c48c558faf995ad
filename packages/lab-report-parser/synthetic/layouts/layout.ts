import type { Notation } from '../notation.ts'
import type { Painter, TextOptions } from '../painter.ts'
import type { Random } from '../random.ts'
import type { PrintedRow, Report, Section } from '../report.ts'
import { WORDS } from '../words.ts'

/** A report that is drawn, with what draws it and its notation. */
export interface Layout {
  painter: Painter
  random: Random
  report: Report
  notation: Notation
}

/** Returns the value as printed, with its mark and, without a column of units, its unit. */
export function sayValue({ painter, notation }: Layout, row: PrintedRow, hasUnit: boolean): string {
  const { flag: style } = notation
  const hasFlag = row.flag !== null && style.kind === 'text'
  const before = hasFlag && style.place === 'before' ? `${row.flag} ` : ''
  const after = hasFlag && style.place === 'after' ? ` ${row.flag}` : ''
  const needsUnit =
    painter.style.unitPlace === 'value' ||
    (painter.style.unitPlace === 'range' && row.range === null)
  const unit = (hasUnit || needsUnit) && row.unit !== null ? ` ${row.unit}` : ''
  return `${before}${row.value}${unit}${after}`
}

/** Returns how values outside their range are highlighted, besides their mark. */
export function valueOptions({ notation }: Layout, row: PrintedRow): TextOptions {
  if (!row.isAbnormal) return {}
  if (notation.flag.kind === 'color') return { color: '#c00000' }
  return notation.flag.kind === 'bold' ? { cut: 'bold' } : {}
}

/** Returns the text of the column of marks; some reports also mark normal values. */
export function sayFlag({ notation }: Layout, row: PrintedRow): string {
  if (notation.flag.kind !== 'text' || notation.flag.place !== 'column') return ''
  if (row.flag !== null) return row.flag
  return row.position === null ? '' : notation.flag.normal
}

/** Draws a heading above the rows of a panel. */
export function drawHeading(
  { painter, report }: Layout,
  section: Section,
  x = painter.left,
  width = painter.right - painter.left,
): void {
  const { style } = painter
  const text =
    style.heading === 'upper' ? section.heading.toLocaleUpperCase(report.language) : section.heading
  const size = style.size * 1.1
  painter.need(painter.step * 4)
  painter.y += style.size * 0.5
  if (style.heading === 'band') {
    painter.fill(x, painter.y - 2, width, size * 1.5, style.accent)
    painter.text(text, x + 4, painter.y + 1, { cut: 'bold', size, color: '#ffffff' })
  } else if (style.heading === 'centered') {
    painter.text(text, x, painter.y, { cut: 'bold', size, align: 'center', width })
  } else {
    painter.text(text, x, painter.y, { cut: 'bold', size, color: style.accent })
  }
  if (style.heading === 'underlined') {
    painter.line(x, painter.y + size * 1.2, x + width, painter.y + size * 1.2, style.accent)
  }
  painter.y += size * 1.8
}

/** Draws a remark below a row, in small print. */
export function drawComment({ painter }: Layout, row: PrintedRow, x: number, width: number): void {
  if (row.comment === null) return
  const options = { cut: 'italic', size: painter.style.size * 0.85, color: '#444444' } as const
  for (const line of painter.wrap(row.comment, width, options)) {
    painter.text(line, x, painter.y, options)
    painter.y += options.size * 1.3
  }
  painter.y += 2
}

export const wordsOf = ({ report }: Layout) => WORDS[report.language]
