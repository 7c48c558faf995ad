import { renderLines } from './block.ts'
import { ensureRoom, renderArtifact, renderElement, renderGroup, type Sheet } from './sheet.ts'
import { widthOf, wrapText } from './text.ts'
import { COLORS, STYLES } from './text-styles.ts'

const INDENT = 22
const GAP = 4.5
const STYLE = STYLES.read
const NUMBER = { ...STYLES.label, typeface: 'semibold', color: COLORS.paper } as const
const RADIUS = 6.5

/** Renders a list with bullets, or with numbers for steps. An item is never split. */
export function renderList(
  sheet: Sheet,
  items: readonly string[],
  { isNumbered = false } = {},
): void {
  renderGroup(sheet, 'L', () =>
    items.forEach((item, index) => {
      const lines = wrapText(sheet, item, STYLE, sheet.width - INDENT)
      const height = lines.length * STYLE.leading
      ensureRoom(sheet, height)
      const { left, y } = sheet
      renderGroup(sheet, 'LI', () => {
        if (isNumbered) renderNumber(sheet, String(index + 1))
        else renderDot(sheet)
        renderElement(sheet, 'LBody', () =>
          renderLines(sheet, lines, STYLE, left + INDENT, y, sheet.width),
        )
      })
      sheet.y = y + height + GAP
    }),
  )
  sheet.y -= GAP
}

function renderNumber(sheet: Sheet, text: string): void {
  const [x, y] = [sheet.left + RADIUS, sheet.y + STYLE.leading / 2]
  renderArtifact(sheet, () => sheet.doc.circle(x, y, RADIUS).fill(COLORS.accent))
  const left = x - widthOf(sheet, text, NUMBER) / 2
  renderElement(sheet, 'Lbl', () =>
    renderLines(sheet, [text], NUMBER, left, y - NUMBER.leading / 2, RADIUS * 2),
  )
}

function renderDot(sheet: Sheet): void {
  const [x, y] = [sheet.left + RADIUS, sheet.y + STYLE.leading / 2]
  renderArtifact(sheet, () => sheet.doc.circle(x, y, 1.8).fill(COLORS.accent))
}
