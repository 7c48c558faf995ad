import { ensureRoom, renderArtifact, renderElement, type Sheet } from './sheet.ts'
import { limitLines, renderLine, widthOf, wrapText } from './text.ts'
import { COLORS, STYLES, type TextStyle } from './text-styles.ts'

/** A measured element that is rendered as a whole; lengths in points. */
export interface Block {
  height: number
  render(x: number, y: number): void
}

export interface TextOptions {
  align?: 'left' | 'right' | 'center'
  /** Structure type; a paragraph by default. */
  type?: string
  mostLines?: number
}

/** Returns a block of text wrapped to the width. */
export function textBlock(
  sheet: Sheet,
  text: string,
  style: TextStyle,
  width: number,
  { align = 'left', type = 'P', mostLines = Number.POSITIVE_INFINITY }: TextOptions = {},
): Block {
  const lines = limitLines(sheet, wrapText(sheet, text, style, width), mostLines, style, width)
  return {
    height: lines.length * style.leading,
    render: (x, y) =>
      renderElement(sheet, type, () => renderLines(sheet, lines, style, x, y, width, align)),
  }
}

/** Renders lines below each other. */
export function renderLines(
  sheet: Sheet,
  lines: readonly string[],
  style: TextStyle,
  x: number,
  y: number,
  width: number,
  align: 'left' | 'right' | 'center' = 'left',
): void {
  lines.forEach((line, index) => {
    const spare = align === 'left' ? 0 : width - widthOf(sheet, line, style)
    renderLine(
      sheet,
      line,
      x + (align === 'center' ? spare / 2 : spare),
      y + index * style.leading,
      style,
    )
  })
}

/** Returns a block with a label above its value; null without a value. */
export function labelledBlock(
  sheet: Sheet,
  label: string,
  value: string | null | undefined,
  width: number,
  style: TextStyle = STYLES.body,
): Block | null {
  if (value === null || value === undefined || value.trim() === '') return null
  const labelLines = wrapText(sheet, label, STYLES.label, width)
  const lines = wrapText(sheet, value, style, width)
  const labelHeight = labelLines.length * STYLES.label.leading
  return {
    height: labelHeight + lines.length * style.leading,
    render: (x, y) =>
      renderElement(sheet, 'P', () => {
        renderLines(sheet, labelLines, STYLES.label, x, y, width)
        renderLines(sheet, lines, style, x, y + labelHeight, width)
      }),
  }
}

/** Returns blocks below each other with a gap between; null blocks leave no gap. */
export function stackBlock(blocks: readonly (Block | null)[], gap = 0): Block {
  const present = blocks.filter((block) => block !== null)
  return {
    height:
      present.reduce((height, block) => height + block.height, 0) +
      gap * Math.max(0, present.length - 1),
    render: (x, y) => {
      let at = y
      for (const block of present) {
        block.render(x, at)
        at += block.height + gap
      }
    },
  }
}

/** Returns blocks beside each other in columns, which are equally wide unless widths are given. */
export function columnsBlock(
  blocks: readonly (Block | null)[],
  widths: number | readonly number[],
  gap: number,
): Block {
  return {
    height: Math.max(0, ...blocks.map((block) => block?.height ?? 0)),
    render: (x, y) => {
      let at = x
      blocks.forEach((block, index) => {
        block?.render(at, y)
        at += gap + (typeof widths === 'number' ? widths : (widths[index] ?? 0))
      })
    },
  }
}

/** Returns the width of one of several equal columns. */
export function columnWidth(width: number, columns: number, gap: number): number {
  return (width - gap * (columns - 1)) / columns
}

export type Entry = readonly [label: string, value: string | null | undefined, style?: TextStyle]

/** Returns the key facts in one row on a tinted ground; widths in points. */
export function summaryPanel(
  sheet: Sheet,
  entries: readonly Entry[],
  widths: readonly number[],
): Block {
  const used = widths.reduce((sum, width) => sum + width, 0)
  const gap = (sheet.width - 2 * PANEL_PADDING - 2 - used) / (widths.length - 1)
  const blocks = entries.map(([label, value], index) =>
    labelledBlock(sheet, label, value ?? '–', widths[index] ?? 0, STYLES.strong),
  )
  return panelBlock(sheet, columnsBlock(blocks, widths, gap))
}

const PANEL_PADDING = 11

/**
 * Returns a block over the whole width on a tinted ground, with a colored stripe for the most
 * important one.
 */
export function panelBlock(sheet: Sheet, inner: Block, { hasStripe = false } = {}): Block {
  const { width } = sheet
  const height = inner.height + 2 * PANEL_PADDING
  return {
    height,
    render: (x, y) => {
      renderArtifact(sheet, () => {
        sheet.doc.roundedRect(x, y, width, height, hasStripe ? 0 : 5).fill(COLORS.tint)
        if (hasStripe) sheet.doc.rect(x, y, 3, height).fill(COLORS.accent)
      })
      inner.render(x + PANEL_PADDING + 1 + (hasStripe ? 3 : 0), y + PANEL_PADDING)
    },
  }
}

/** Renders a block at the current position, or on the next page when it does not fit. */
export function renderBlock(sheet: Sheet, block: Block, gapAfter = 0): void {
  ensureRoom(sheet, block.height)
  block.render(sheet.left, sheet.y)
  sheet.y += block.height + gapAfter
}
