import { makeAccent } from './brand-color.ts'

/** Tints the page in the color of a team, in light and dark mode. */
export function applyBrandColor(brandColor: string | null | undefined): void {
  const { style } = document.documentElement
  for (const scheme of ['light', 'dark'] as const) {
    const accent = makeAccent(brandColor ?? '', scheme)
    if (accent === undefined) return
    style.setProperty(`--brand-fill-${scheme}`, accent.fill)
    style.setProperty(`--brand-fill-line-${scheme}`, accent.fillLine)
    style.setProperty(`--brand-on-fill-${scheme}`, accent.onFill)
    style.setProperty(`--brand-text-${scheme}`, accent.text)
  }
}
