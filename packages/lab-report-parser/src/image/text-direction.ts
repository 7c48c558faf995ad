import { findInk, type Gray } from './gray.ts'
import { findShapes, medianOf, type Shape } from './shapes.ts'

/**
 * Direction of lines of text in a picture, after turning it by quarters until they are about level.
 */
export interface TextDirection {
  /** Number of clockwise quarter turns that the picture needs. */
  quarterTurns: 0 | 1 | 2 | 3
  /** Ratio of the evidence for this way up to that for the other; 1 means undecided. */
  upright: number
  lines: LineShape
  /** Median height of letters in pixels; 0 without text. */
  letterHeight: number
  letters: number
}

/**
 * The course of lines of text over a page of width and height, all in pixels: with u from -0.5 to
 * 0.5 across the page and v down it, in heights and from the middle of the text, a line goes
 * through y + slope·u + fan·u·v + bow·4u².
 */
export interface LineShape {
  slope: number
  /** How slope grows from the top to the bottom of the page: perspective. */
  fan: number
  bow: number
  /** Pixels: where v is 0. */
  middle: number
}

const FLAT: LineShape = { slope: 0, fan: 0, bow: 0, middle: 0 }
/** Fewer letters are no evidence about a page. */
const FEWEST_LETTERS = 24
/** Largest slope that is searched, to both sides. */
const MOST_DEGREES = 22

/** Number of letters whose neighbors are checked. */
const MOST_ASKED = 500

/**
 * Returns whether the nearest letter of most letters is above or below it: lines are further apart
 * than letters. Gathering in lines is no evidence, because letters of a typewriter gather in
 * columns as well.
 */
function isSideways(letters: readonly Shape[]): boolean {
  let [level, plumb] = [0, 0]
  const every = Math.max(1, Math.floor(letters.length / MOST_ASKED))
  for (let k = 0; k < letters.length; k += every) {
    const letter = letters[k] as Shape
    let nearest = Number.POSITIVE_INFINITY
    let isAbove = false
    for (const other of letters) {
      if (other === letter) continue
      const dx = Math.abs(other.left + other.right - letter.left - letter.right)
      const dy = Math.abs(other.top + other.bottom - letter.top - letter.bottom)
      const distance = dx * dx + dy * dy
      if (distance >= nearest) continue
      nearest = distance
      isAbove = dy > dx
    }
    if (isAbove) plumb += 1
    else level += 1
  }
  return plumb > 1.5 * level
}

/** One end of each letter (such as the lower one), in a frame in which that is down. */
interface Ends {
  xs: Float32Array
  ys: Float32Array
  width: number
  height: number
}

/** Letters, by and large: what has the size of most shapes, be it a letter or some that touch. */
function pickLetters(shapes: readonly Shape[]): { letters: Shape[]; letterHeight: number } {
  const sizeable = shapes.filter(({ left, top, right, bottom, area }) => {
    const [width, height] = [right - left, bottom - top]
    return Math.max(width, height) >= 5 && area >= 8 && width < 12 * height && height < 12 * width
  })
  const letterHeight = medianOf(
    sizeable.map(({ left, top, right, bottom }) =>
      Math.max(bottom - top, Math.min(right - left, 60)),
    ),
  )
  const letters = sizeable.filter(({ left, top, right, bottom }) => {
    const [width, height] = [right - left, bottom - top]
    return (
      Math.min(width, height) < letterHeight * 2.5 && Math.max(width, height) > letterHeight * 0.35
    )
  })
  return { letters, letterHeight }
}

/** Returns the ends of letters that point down after turning the picture by clockwise quarters. */
function endsOf(letters: readonly Shape[], gray: Gray, quarterTurns: number): Ends {
  const xs = new Float32Array(letters.length)
  const ys = new Float32Array(letters.length)
  for (const [index, { left, top, right, bottom }] of letters.entries()) {
    const [cx, cy] = [(left + right) / 2, (top + bottom) / 2]
    if (quarterTurns === 0) {
      xs[index] = cx
      ys[index] = bottom
    } else if (quarterTurns === 1) {
      xs[index] = gray.height - cy
      ys[index] = right
    } else if (quarterTurns === 2) {
      xs[index] = gray.width - cx
      ys[index] = gray.height - top
    } else {
      xs[index] = cy
      ys[index] = gray.width - left
    }
  }
  const isTurned = quarterTurns % 2 === 1
  return {
    xs,
    ys,
    width: isTurned ? gray.height : gray.width,
    height: isTurned ? gray.width : gray.height,
  }
}

const BIN = 0.5

/**
 * Returns how much ends of letters gather in lines of a shape: pairs of them within about `blur`
 * pixels, for each letter.
 */
function measureGathering({ xs, ys, width, height }: Ends, lines: LineShape, blur: number): number {
  const margin = Math.abs(lines.slope) + Math.abs(lines.fan) + Math.abs(lines.bow)
  const counts = new Float32Array(Math.ceil((height + 2 * margin) / BIN) + 4)
  for (let k = 0; k < xs.length; k++) {
    const u = (xs[k] as number) / width - 0.5
    const v = ((ys[k] as number) - lines.middle) / height
    const place = (ys[k] as number) - lines.slope * u - lines.fan * u * v - lines.bow * 4 * u * u
    const at = (place + margin) / BIN
    const bin = Math.max(0, Math.floor(at))
    const part = at - bin
    counts[bin] = (counts[bin] as number) + 1 - part
    counts[bin + 1] = (counts[bin + 1] as number) + part
  }
  const reach = Math.max(1, Math.round(blur / BIN))
  let score = 0
  let sum = 0
  for (let k = 0; k < counts.length; k++) {
    sum += counts[k] as number
    if (k >= reach) sum -= counts[k - reach] as number
    score += sum * sum
  }
  return score / reach / Math.max(1, xs.length)
}

/** Returns the slope, in steps of a quarter of a degree, at which ends of letters gather most. */
function findSlope(ends: Ends, blur: number): number {
  let best = { slope: 0, score: 0 }
  for (let step = 0; step <= MOST_DEGREES * 4; step++) {
    for (const degrees of step === 0 ? [0] : [step / 4, -step / 4]) {
      const slope = Math.tan((degrees * Math.PI) / 180) * ends.width
      const score = measureGathering(ends, { ...FLAT, slope }, blur)
      if (score > best.score) best = { slope, score }
    }
  }
  return best.slope
}

/** Refines the shape of lines, one number after the other, in decreasing steps. */
function refineLines(ends: Ends, slope: number, letterHeight: number): LineShape {
  const level: LineShape = { ...FLAT, slope, middle: medianOf([...ends.ys]) }
  const straight = refine(ends, level, letterHeight, ['slope'])
  const curved = refine(ends, straight, letterHeight, ['slope', 'fan', 'bow'])
  const blur = Math.max(1, letterHeight * 0.15)
  // A page usually has one slope; a fan or a bow needs evidence.
  return measureGathering(ends, curved, blur) > 1.06 * measureGathering(ends, straight, blur)
    ? curved
    : straight
}

function refine(
  ends: Ends,
  from: LineShape,
  letterHeight: number,
  keys: readonly ('slope' | 'fan' | 'bow')[],
): LineShape {
  let lines = from
  const step = ends.width * 0.005
  for (const { size, blur } of [
    { size: step, blur: letterHeight * 0.4 },
    { size: step / 2, blur: letterHeight * 0.3 },
    { size: step / 4, blur: letterHeight * 0.2 },
    { size: step / 8, blur: letterHeight * 0.15 },
    { size: step / 16, blur: letterHeight * 0.15 },
  ]) {
    const fewest = Math.max(1, blur)
    let score = measureGathering(ends, lines, fewest)
    for (let round = 0; round < 3; round++) {
      const before = lines
      for (const key of keys) {
        for (let k = -4; k <= 4; k++) {
          const by = k * size * (key === 'fan' ? 2 : key === 'bow' ? 0.5 : 1)
          const tried = { ...lines, [key]: before[key] + by }
          const found = measureGathering(ends, tried, fewest)
          if (found > score) {
            lines = tried
            score = found
          }
        }
      }
      if (lines === before) break
    }
  }
  return lines
}

/** Finds the way up and the direction of lines of text, in a picture of some 1600 pixels. */
export function findTextDirection(gray: Gray): TextDirection {
  const reach = Math.max(8, Math.round(Math.min(gray.width, gray.height) / 60))
  const shapes = findShapes(findInk(gray, reach), gray.width, gray.height)
  const { letters, letterHeight } = pickLetters(shapes)
  if (letters.length < FEWEST_LETTERS) {
    return { quarterTurns: 0, upright: 1, lines: FLAT, letterHeight: 0, letters: letters.length }
  }
  const blur = Math.max(1, letterHeight * 0.25)
  const ways = (isSideways(letters) ? ([1, 3] as const) : ([0, 2] as const)).map((quarterTurns) => {
    const ends = endsOf(letters, gray, quarterTurns)
    const slope = findSlope(ends, Math.max(1.5, letterHeight * 0.4))
    const lines = refineLines(ends, slope, letterHeight)
    return { quarterTurns, lines, score: measureGathering(ends, lines, blur) }
  })
  ways.sort((one, other) => other.score - one.score)
  const best = ways[0] as (typeof ways)[number]
  return {
    quarterTurns: best.quarterTurns,
    upright: best.score / (ways[1]?.score ?? best.score),
    lines: best.lines,
    letterHeight,
    letters: letters.length,
  }
}
