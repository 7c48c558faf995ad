import type { Homography, Raster } from '../pages/page.ts'

/** A picture of one number for each pixel. */
export interface Gray {
  width: number
  height: number
  data: Uint8Array
}

/** Luminance, after Rec. 601. */
export function toGray({ width, height, data }: Raster): Gray {
  const gray = new Uint8Array(width * height)
  for (let p = 0, q = 0; p < gray.length; p++, q += 3) {
    gray[p] =
      ((data[q] as number) * 77 + (data[q + 1] as number) * 150 + (data[q + 2] as number) * 29) >> 8
  }
  return { width, height, data: gray }
}

/** Returns the smallest of the three colors: paper has much of each, its surroundings seldom. */
export function toWhiteness({ width, height, data }: Raster): Gray {
  const gray = new Uint8Array(width * height)
  for (let p = 0, q = 0; p < gray.length; p++, q += 3) {
    gray[p] = Math.min(data[q] as number, data[q + 1] as number, data[q + 2] as number)
  }
  return { width, height, data: gray }
}

/** Scales a picture down: each pixel is the mean of the rectangle that it covers. */
export function resizeGray(source: Gray, width: number, height: number): Gray {
  const data = new Uint8Array(width * height)
  const starts = Uint32Array.from({ length: width + 1 }, (_, x) => (x * source.width) / width)
  for (let y = 0; y < height; y++) {
    const top = Math.floor((y * source.height) / height)
    const bottom = Math.max(top + 1, Math.floor(((y + 1) * source.height) / height))
    for (let x = 0; x < width; x++) {
      const left = starts[x] as number
      const right = Math.max(left + 1, starts[x + 1] as number)
      let sum = 0
      for (let row = top; row < bottom; row++) {
        const line = row * source.width
        for (let p = line + left; p < line + right; p++) sum += source.data[p] as number
      }
      data[y * width + x] = sum / ((bottom - top) * (right - left)) + 0.5
    }
  }
  return { width, height, data }
}

/**
 * Like warpRaster for one number a pixel; pixels outside of the source repeat its nearest pixel.
 */
export function warpGray(source: Gray, toSource: Homography, width: number, height: number): Gray {
  const data = new Uint8Array(width * height)
  const [a, b, c, d, e, f, g, h, i] = toSource
  const { data: from, width: fromWidth, height: fromHeight } = source
  let at = 0
  for (let row = 0; row < height; row++) {
    const y = row + 0.5
    for (let column = 0; column < width; column++, at++) {
      const x = column + 0.5
      const w = g * x + h * y + i
      const sx = Math.min(Math.max((a * x + b * y + c) / w - 0.5, 0), fromWidth - 1.001)
      const sy = Math.min(Math.max((d * x + e * y + f) / w - 0.5, 0), fromHeight - 1.001)
      const left = sx | 0
      const top = sy | 0
      const fx = sx - left
      const p = top * fromWidth + left
      const up = (from[p] as number) * (1 - fx) + (from[p + 1] as number) * fx
      const low =
        (from[p + fromWidth] as number) * (1 - fx) + (from[p + fromWidth + 1] as number) * fx
      data[at] = up + (low - up) * (sy - top) + 0.5
    }
  }
  return { width, height, data }
}

/** Returns the mean of the square of `reach` pixels to each side of each pixel. */
export function meanAround({ width, height, data }: Gray, reach: number): Float32Array {
  const across = new Float32Array(data.length)
  for (let y = 0; y < height; y++) {
    const line = y * width
    let sum = 0
    for (let x = -reach; x < width; x++) {
      if (x + reach < width) sum += data[line + x + reach] as number
      if (x - reach - 1 >= 0) sum -= data[line + x - reach - 1] as number
      if (x < 0) continue
      const count = Math.min(x + reach, width - 1) - Math.max(x - reach, 0) + 1
      across[line + x] = sum / count
    }
  }
  const means = new Float32Array(data.length)
  const sums = new Float64Array(width)
  for (let y = -reach; y < height; y++) {
    const add = y + reach < height ? (y + reach) * width : -1
    const drop = y - reach - 1 >= 0 ? (y - reach - 1) * width : -1
    const count = Math.min(y + reach, height - 1) - Math.max(y - reach, 0) + 1
    for (let x = 0; x < width; x++) {
      let sum = sums[x] as number
      if (add >= 0) sum += across[add + x] as number
      if (drop >= 0) sum -= across[drop + x] as number
      sums[x] = sum
      if (y >= 0) means[y * width + x] = sum / count
    }
  }
  return means
}

/** Returns 1 where a pixel is clearly darker than its surroundings: ink in any light. */
export function findInk(gray: Gray, reach: number): Uint8Array {
  const means = meanAround(gray, reach)
  const ink = new Uint8Array(gray.data.length)
  for (let p = 0; p < ink.length; p++) {
    const mean = means[p] as number
    if ((gray.data[p] as number) < mean - 9 - mean * 0.06) ink[p] = 1
  }
  return ink
}
