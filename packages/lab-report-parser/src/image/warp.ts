import type { Homography, Raster } from '../pages/page.ts'

/**
 * Returns a new picture of width by height whose pixels come from the position of `toSource`, with
 * linear interpolation; outside of the source they are `outside` (red, green, blue), or the nearest
 * pixel when that is null.
 */
export function warpRaster(
  source: Raster,
  toSource: Homography,
  size: { width: number; height: number },
  outside: readonly [number, number, number] | null,
): Raster {
  const { width, height } = size
  const data = new Uint8Array(width * height * 3)
  const { data: from, width: fromWidth, height: fromHeight } = source
  const [a, b, c, d, e, f, g, h, i] = toSource
  const isAffine = g === 0 && h === 0
  let at = 0
  for (let row = 0; row < height; row++) {
    const y = row + 0.5
    for (let column = 0; column < width; column++, at += 3) {
      const x = column + 0.5
      const w = isAffine ? i : g * x + h * y + i
      let sx = (a * x + b * y + c) / w
      let sy = (d * x + e * y + f) / w
      if (outside && !(sx >= 0 && sy >= 0 && sx <= fromWidth && sy <= fromHeight)) {
        data[at] = outside[0]
        data[at + 1] = outside[1]
        data[at + 2] = outside[2]
        continue
      }
      sx = Math.min(Math.max(sx - 0.5, 0), fromWidth - 1)
      sy = Math.min(Math.max(sy - 0.5, 0), fromHeight - 1)
      const left = Math.floor(sx)
      const top = Math.floor(sy)
      const fx = sx - left
      const fy = sy - top
      const p = (top * fromWidth + left) * 3
      const right = left + 1 < fromWidth ? 3 : 0
      const down = top + 1 < fromHeight ? fromWidth * 3 : 0
      for (let channel = 0; channel < 3; channel++) {
        const q = p + channel
        const up = (from[q] as number) * (1 - fx) + (from[q + right] as number) * fx
        const low = (from[q + down] as number) * (1 - fx) + (from[q + down + right] as number) * fx
        data[at + channel] = up * (1 - fy) + low * fy + 0.5
      }
    }
  }
  return { width, height, data }
}

/** Returns the picture at a whole fraction of its size, each pixel the mean of `by` × `by`. */
export function shrinkRaster(source: Raster, by: number): Raster {
  if (by === 1) return source
  const width = Math.max(1, Math.floor(source.width / by))
  const height = Math.max(1, Math.floor(source.height / by))
  const data = new Uint8Array(width * height * 3)
  const sums = new Uint32Array(width * 3)
  for (let row = 0; row < height; row++) {
    sums.fill(0)
    for (let y = row * by; y < (row + 1) * by; y++) {
      let from = y * source.width * 3
      for (let column = 0; column < width * 3; column += 3) {
        for (let x = 0; x < by; x++, from += 3) {
          sums[column] = (sums[column] as number) + (source.data[from] as number)
          sums[column + 1] = (sums[column + 1] as number) + (source.data[from + 1] as number)
          sums[column + 2] = (sums[column + 2] as number) + (source.data[from + 2] as number)
        }
      }
    }
    const at = row * width * 3
    for (let k = 0; k < width * 3; k++) data[at + k] = (sums[k] as number) / (by * by) + 0.5
  }
  return { width, height, data }
}
