type Rgb = readonly [number, number, number]

/** Backgrounds of theme.css with which the color must contrast. */
const BACKGROUNDS: Record<'light' | 'dark', Rgb> = { light: [255, 255, 255], dark: [27, 32, 31] }
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** Colors derived from a team's own. All are CSS colors. */
export interface Accent {
  /** Color of filled buttons: the color of the team. */
  fill: string
  /** Color of their border, which contrasts with the page (3:1, WCAG 1.4.11). */
  fillLine: string
  /** Color of text on the fill (4.5:1, WCAG 1.4.3). */
  onFill: string
  /** Color of text and icons on the page (4.5:1). */
  text: string
}

/** Parses `#abc` or `#aabbcc`; returns undefined for other texts. */
function parseColor(text: string): Rgb | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]
  if (digits === undefined) return undefined
  const size = digits.length / 3
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((index) =>
    Number.parseInt(digits.slice(index * size, (index + 1) * size).repeat(2 / size), 16),
  )
  return [red, green, blue]
}

/** Returns the relative luminance (WCAG 2). */
function luminanceOf(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrastOf(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** Moves the color towards black or white until its contrast suffices. */
function moveUntilSeen(color: Rgb, background: Rgb, ratio: number): Rgb {
  const goal: Rgb = luminanceOf(background) > 0.5 ? BLACK : WHITE
  for (let share = 0; share < 1; share += 0.05) {
    const [red = 0, green = 0, blue = 0] = color.map((value, index) =>
      Math.round(value + ((goal[index] ?? 0) - value) * share),
    )
    if (contrastOf([red, green, blue], background) >= ratio) return [red, green, blue]
  }
  return goal
}

const toCss = (color: Rgb): string => `rgb(${color.join(' ')})`

/** Derives the colors; undefined for a text that is not a color such as `#rrggbb`. */
export function makeAccent(brandColor: string, scheme: 'light' | 'dark'): Accent | undefined {
  const color = parseColor(brandColor)
  if (color === undefined) return undefined
  const background = BACKGROUNDS[scheme]
  const onFill = contrastOf(color, WHITE) >= contrastOf(color, BLACK) ? WHITE : BLACK
  return {
    fill: toCss(color),
    fillLine: toCss(moveUntilSeen(color, background, 3)),
    onFill: toCss(onFill),
    text: toCss(moveUntilSeen(color, background, 4.5)),
  }
}
