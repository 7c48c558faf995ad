import type { Raster } from '../pages/page.ts'
import type { Recognizer } from '../recognition/recognizer.ts'
import { findInk, resizeGray, toGray } from './gray.ts'

/** Smallest improvement of recognition for which a page is turned. */
const LEAST_GAIN = 1.2
const SEARCH_WIDTH = 600

/** Returns the picture turned by 180°. */
export function turnRound({ width, height, data }: Raster): Raster {
  const turned = new Uint8Array(data.length)
  for (let p = 0, q = data.length - 3; q >= 0; p += 3, q -= 3) {
    turned[q] = data[p] as number
    turned[q + 1] = data[p + 1] as number
    turned[q + 2] = data[p + 2] as number
  }
  return { width, height, data: turned }
}

/** Returns the part of a page, over its whole width, with most ink. */
function cropDensest(raster: Raster, height: number): Raster {
  const by = Math.min(1, SEARCH_WIDTH / raster.width)
  const [columns, rows] = [Math.round(raster.width * by), Math.round(raster.height * by)]
  const ink = findInk(resizeGray(toGray(raster), columns, rows), 8)
  const reach = Math.min(rows, Math.round(height * by))
  let [best, bestTop, sum] = [-1, 0, 0]
  for (let row = 0; row < rows; row++) {
    for (let x = 0; x < columns; x++) {
      sum += ink[row * columns + x] as number
      if (row >= reach) sum -= ink[(row - reach) * columns + x] as number
    }
    if (sum > best) [best, bestTop] = [sum, Math.max(0, row - reach + 1)]
  }
  const top = Math.floor(bestTop / by)
  const size = Math.min(height, raster.height - top)
  const line = raster.width * 3
  return {
    width: raster.width,
    height: size,
    data: raster.data.slice(top * line, (top + size) * line),
  }
}

/**
 * Reads a few lines of a page whose lines are level both ways up; returns true if they make more
 * sense the other way.
 */
export async function isUpsideDown(
  raster: Raster,
  letterHeight: number,
  recognizer: Recognizer,
): Promise<boolean> {
  const lines = cropDensest(raster, Math.round(letterHeight * 14))
  const rate = async (picture: Raster): Promise<number> => {
    const words = await recognizer.recognize(picture)
    return words.reduce((sum, { text, confidence }) => sum + text.length * confidence ** 2, 0)
  }
  return (await rate(turnRound(lines))) > LEAST_GAIN * (await rate(lines))
}
