import { type Block, renderLines } from './block.ts'
import { ensureRoom, renderArtifact, renderElement, type Sheet, startPage } from './sheet.ts'
import { renderLine, truncateToLine, widthOf, wrapText } from './text.ts'
import { COLORS, STYLES, type TextStyle } from './text-styles.ts'

const GAP_ABOVE = 17
const GAP_BELOW = 5

/** Renders a thin line across the text area, or a part of it. */
export function renderRule(
  sheet: Sheet,
  y: number,
  { x = sheet.left, width = sheet.width, color = COLORS.rule as string, weight = 0.6 } = {},
): void {
  renderArtifact(sheet, () =>
    sheet.doc
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(weight)
      .strokeColor(color)
      .stroke(),
  )
}

/** Renders the title of a section on the same page as at least `keep` points of its content. */
export function renderHeading(sheet: Sheet, title: string, keep = 40): void {
  ensureRoom(sheet, GAP_ABOVE + STYLES.heading.leading + GAP_BELOW + keep)
  if (sheet.y > sheet.textTop) sheet.y += GAP_ABOVE
  renderElement(sheet, 'H2', () => renderLine(sheet, title, sheet.left, sheet.y, STYLES.heading))
  sheet.y += STYLES.heading.leading + GAP_BELOW
}

/** Renders a section as a whole. */
export function renderSection(sheet: Sheet, title: string, block: Block): void {
  renderHeading(sheet, title, block.height)
  block.render(sheet.left, sheet.y)
  sheet.y += block.height
}

/** Renders long text over the whole width, which may span several pages. */
export function flowText(sheet: Sheet, text: string, style: TextStyle = STYLES.body): void {
  const lines = wrapText(sheet, text, style, sheet.width)
  let at = 0
  while (at < lines.length) {
    const fitting = Math.floor((sheet.bottom - sheet.y) / style.leading)
    if (fitting < 1) {
      startPage(sheet)
      continue
    }
    const part = lines.slice(at, at + fitting)
    renderElement(sheet, 'P', () =>
      renderLines(sheet, part, style, sheet.left, sheet.y, sheet.width),
    )
    sheet.y += part.length * style.leading
    at += part.length
  }
}

/** Renders the colored line at the top of a document. */
export function renderTopBar(sheet: Sheet): void {
  renderArtifact(sheet, () =>
    sheet.doc.rect(sheet.left, sheet.top - 12, sheet.width, 2.5).fill(COLORS.accent),
  )
}

/** Renders the head of the following pages: the document's title and the patient. */
export function renderRunningHead(sheet: Sheet, left: string, right: string): void {
  renderTopBar(sheet)
  const style = { ...STYLES.small, color: COLORS.ink }
  const strong = { ...style, typeface: 'semibold' } as const
  renderLines(sheet, [left], strong, sheet.left, sheet.y, sheet.width)
  const room = sheet.width - widthOf(sheet, left, strong) - 16
  const fitting = [truncateToLine(sheet, right, style, room)]
  renderLines(sheet, fitting, style, sheet.left, sheet.y, sheet.width, 'right')
  sheet.y += 26
}

/** Renders a footer with the patient on the left and the page number on the right. */
export function renderFooter(sheet: Sheet, left: string, page: number, pages: number): void {
  const y = sheet.bottom + 16
  renderRule(sheet, y)
  const fitting = [truncateToLine(sheet, left, STYLES.label, sheet.width - 70)]
  renderLines(sheet, fitting, STYLES.label, sheet.left, y + 6, sheet.width)
  const number = `Page ${page} of ${pages}`
  renderLines(sheet, [number], STYLES.label, sheet.left, y + 6, sheet.width, 'right')
}

/** Renders white text on a dark plate, which stands out also in black and white. */
export function renderPlate(
  sheet: Sheet,
  text: string,
  x: number,
  y: number,
  style: TextStyle,
  textWidth: number,
): void {
  const width = textWidth + style.size * 1.1
  renderArtifact(sheet, () => sheet.doc.roundedRect(x, y, width, style.leading, 3).fill(COLORS.ink))
  renderElement(sheet, 'P', () =>
    renderLine(sheet, text, x + style.size * 0.55, y, { ...style, color: COLORS.paper }),
  )
}
