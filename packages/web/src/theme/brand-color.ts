type Rgb = readonly [number, number, number]

/** Backgrounds of theme.css that the color has to be seen on. */
const BACKGROUNDS: Record<'light' | 'dark', Rgb> = { light: [255, 255, 255], dark: [27, 32, 31] }
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

/** Colors made of a team's own. All are CSS colors. */
export interface Accent {
  /** Of filled buttons: the color as it is. */
  fill: string
  /** Of the line around them, which is seen against the page (3:1, WCAG 1.4.11). */
  fillLine: string
  /** Of text on that (4.5:1, WCAG 1.4.3). */
  onFill: string
  /** Of text and signs on the page (4.5:1). */
  text: string
}

/** Reads `#abc` or `#aabbcc`; anything else is undefined. */
function parseColor(text: string): Rgb | undefined {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1]
  if (digits === undefined) return undefined
  const size = digits.length / 3
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((index) =>
    Number.parseInt(digits.slice(index * size, (index + 1) * size).repeat(2 / size), 16),
  )
  return [red, green, blue]
}

/** Relative luminance as of WCAG 2. */
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

/** The color, moved towards black or white until it is seen well enough. */
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

/** Undefined for a text that is no color of the form `#rrggbb`. */
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
