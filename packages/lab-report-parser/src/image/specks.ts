import type { Raster } from '../pages/page.ts'
import { toGray } from './gray.ts'
import { findShapes, type Shape } from './shapes.ts'

/** Darker than this is ink on paper that was made white. */
const INK = 150
/**
 * Below this number of specks far from letters, for a million pixels, a page is not dusty, and is
 * left unchanged.
 */
const LEAST_SPECKS = 8

/** Letters by position, so that those next to a speck are found quickly. */
class Neighbours {
  readonly #cells = new Map<number, Shape[]>()
  readonly #cell: number

  constructor(letters: readonly Shape[], cell: number) {
    this.#cell = cell
    for (const letter of letters) {
      for (const key of this.#keysOf(letter)) {
        const there = this.#cells.get(key)
        if (there) there.push(letter)
        else this.#cells.set(key, [letter])
      }
    }
  }

  around({ left, top, right, bottom }: Shape): Shape[] {
    const reach = this.#cell
    const box = {
      left: left - reach,
      top: top - reach,
      right: right + reach,
      bottom: bottom + reach,
    }
    return this.#keysOf({ ...box, area: 0 }).flatMap((key) => this.#cells.get(key) ?? [])
  }

  #keysOf({ left, top, right, bottom }: Shape): number[] {
    const keys: number[] = []
    const to = (pixel: number): number => Math.floor(pixel / this.#cell)
    for (let row = to(top); row <= to(bottom); row++) {
      for (let column = to(left); column <= to(right); column++) keys.push(row * 10_000 + column)
    }
    return keys
  }
}

/**
 * Classifies a small dot: isolated dust, dust near letters, or written: a point, the dot of an i, a
 * part of a letter.
 */
function judgeDot(
  dot: Shape,
  others: readonly Shape[],
  letterHeight: number,
): 'alone' | 'dust' | 'written' {
  let [leftGap, rightGap] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let isAlone = true
  for (const other of others) {
    if (other === dot) continue
    const isTall = other.bottom - other.top > 0.4 * letterHeight
    if (isTall) isAlone = false
    const across = Math.max(other.left - dot.right, dot.left - other.right)
    const down = Math.max(other.top - dot.bottom, dot.top - other.bottom)
    if (Math.max(across, down) <= 1) return 'written'
    const isBelow = other.top >= dot.bottom && down < 0.7 * letterHeight
    if (isBelow && across <= 0) return 'written'
    // Commas and tails of letters reach below the line, points do not.
    if (!isTall || Math.abs(other.bottom - dot.bottom) > 0.16 * letterHeight + 1) continue
    if (other.right <= dot.left + 1) leftGap = Math.min(leftGap, across)
    if (other.left >= dot.right - 1) rightGap = Math.min(rightGap, across)
  }
  const isBetween = leftGap < 0.45 * letterHeight && rightGap < 0.6 * letterHeight
  if (isBetween || Math.min(leftGap, rightGap) < 0.25 * letterHeight) return 'written'
  return isAlone ? 'alone' : 'dust'
}

/** Paints over a shape and its rim with the color of the paper around it. */
function paintOver({ width, height, data }: Raster, shape: Shape): void {
  const [left, right] = [Math.max(0, shape.left - 1), Math.min(width, shape.right + 1)]
  const [top, bottom] = [Math.max(0, shape.top - 1), Math.min(height, shape.bottom + 1)]
  const sums = [0, 0, 0]
  let count = 0
  for (const y of [top - 1, bottom]) {
    if (y < 0 || y >= height) continue
    for (let p = (y * width + left) * 3; p < (y * width + right) * 3; p += 3, count++) {
      for (let c = 0; c < 3; c++) sums[c] = (sums[c] as number) + (data[p + c] as number)
    }
  }
  for (let y = top; count > 0 && y < bottom; y++) {
    for (let p = (y * width + left) * 3; p < (y * width + right) * 3; p += 3) {
      for (let c = 0; c < 3; c++) data[p + c] = (sums[c] as number) / count
    }
  }
}

/**
 * Removes dust from a page that has much of it, and keeps decimal points. Returns the same raster
 * if it is clean.
 */
export function removeSpecks(raster: Raster, letterHeight: number): Raster {
  const { width, height } = raster
  const ink = toGray(raster).data.map((level) => (level < INK ? 1 : 0))
  const shapes = findShapes(ink, width, height)
  const most = Math.max(3, 0.22 * letterHeight)
  const isSmall = ({ left, top, right, bottom }: Shape): boolean =>
    right - left <= most && bottom - top <= most
  const small = shapes.filter(isSmall)
  const least = (LEAST_SPECKS * width * height) / 1e6
  if (letterHeight === 0 || small.length < least) return raster
  const near = shapes.filter(({ top, bottom }) => bottom - top < 4 * letterHeight)
  const neighbours = new Neighbours(near, Math.ceil(letterHeight))
  const judged = small.map((dot) => judgeDot(dot, neighbours.around(dot), letterHeight))
  if (judged.filter((what) => what === 'alone').length < least) return raster
  const cleaned = { width, height, data: raster.data.slice() }
  for (const [index, dot] of small.entries()) {
    if (judged[index] !== 'written') paintOver(cleaned, dot)
  }
  return cleaned
}
