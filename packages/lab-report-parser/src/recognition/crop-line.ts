import type { Raster } from '../pages/page.ts'
import type { TextRegion } from './text-regions.ts'

/** Height with which the reading models were trained. */
export const lineHeight = 48

/** The picture of one line, level, in bytes red, green, blue. */
export interface LineImage {
  region: TextRegion
  width: number
  data: Uint8Array
}

/** Crops a region of a page, levels it and scales it to the height of the models. */
export function cropLine(raster: Raster, region: TextRegion): LineImage {
  const width = Math.max(8, Math.round((region.width / region.height) * lineHeight))
  const data = new Uint8Array(width * lineHeight * 3)
  const cosine = Math.cos(region.angle)
  const sine = Math.sin(region.angle)
  const stepX = region.width / width
  const stepY = region.height / lineHeight
  // A large letter is scaled down with several samples a pixel, or thin strokes are lost.
  const samples = Math.min(4, Math.max(1, Math.ceil(stepY)))
  const sum = [0, 0, 0]
  for (let row = 0; row < lineHeight; row++) {
    for (let column = 0; column < width; column++) {
      sum.fill(0)
      for (let sample = 0; sample < samples * samples; sample++) {
        const along = (column + ((sample % samples) + 0.5) / samples) * stepX - region.width / 2
        const across =
          (row + (Math.floor(sample / samples) + 0.5) / samples) * stepY - region.height / 2
        addPixel(
          raster,
          region.x + along * cosine - across * sine - 0.5,
          region.y + along * sine + across * cosine - 0.5,
          sum,
        )
      }
      const target = (row * width + column) * 3
      for (let channel = 0; channel < 3; channel++) {
        data[target + channel] = Math.round(sum[channel]! / (samples * samples))
      }
    }
  }
  return { region, width, data }
}

/** Adds the colour at a point between pixels; outside, that of the nearest pixel. */
function addPixel(raster: Raster, x: number, y: number, sum: number[]): void {
  const { width, height, data } = raster
  const clampedX = Math.min(Math.max(x, 0), width - 1)
  const clampedY = Math.min(Math.max(y, 0), height - 1)
  const left = Math.floor(clampedX)
  const top = Math.floor(clampedY)
  const right = left + 1 < width ? 3 : 0
  const below = top + 1 < height ? width * 3 : 0
  const shareX = clampedX - left
  const shareY = clampedY - top
  const pixel = (top * width + left) * 3
  for (let channel = 0; channel < 3; channel++) {
    const index = pixel + channel
    const upper = data[index]! * (1 - shareX) + data[index + right]! * shareX
    const lower = data[index + below]! * (1 - shareX) + data[index + below + right]! * shareX
    sum[channel] = sum[channel]! + upper * (1 - shareY) + lower * shareY
  }
}
