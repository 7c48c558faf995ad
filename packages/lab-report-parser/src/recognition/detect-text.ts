import { type InferenceSession, Tensor } from 'onnxruntime-node'

import type { Raster } from '../pages/page.ts'
import { findTextRegions, type TextRegion } from './text-regions.ts'

/** Means of the training data, in the order blue, green, red. */
const channelMeans = [0.485, 0.456, 0.406] as const
const channelDeviations = [0.229, 0.224, 0.225] as const

/** The detector halves a picture five times. */
const sideStep = 32

/**
 * Finds regions of text.
 *
 * @param longSide pixels to which the longer side is scaled down, or up to twice its size
 * @returns rectangles in pixels of the raster, unordered
 */
export async function detectText(
  session: InferenceSession,
  raster: Raster,
  longSide: number,
): Promise<TextRegion[]> {
  const scale = Math.min(2, longSide / Math.max(raster.width, raster.height))
  const width = Math.max(sideStep, Math.round((raster.width * scale) / sideStep) * sideStep)
  const height = Math.max(sideStep, Math.round((raster.height * scale) / sideStep) * sideStep)
  const input = new Tensor('float32', scaleForDetection(raster, width, height), [
    1,
    3,
    height,
    width,
  ])
  const outputs = await session.run({ [session.inputNames[0]!]: input })
  const map = outputs[session.outputNames[0]!]!.data as Float32Array
  const regions = findTextRegions(map, width, height, {
    threshold: 0.3,
    minimumScore: 0.5,
    growth: 1.6,
  })
  const scaleX = raster.width / width
  const scaleY = raster.height / height
  // Both scales differ by less than the step of a side: angles stay what they are.
  return regions.map((region) => ({
    ...region,
    x: region.x * scaleX,
    y: region.y * scaleY,
    width: region.width * scaleX,
    height: region.height * scaleY,
  }))
}

/**
 * Scales the picture into planes: each pixel is the mean of the area that it covers, or
 * interpolated.
 */
function scaleForDetection(raster: Raster, width: number, height: number): Float32Array {
  const planes = new Float32Array(3 * width * height)
  const columns = listCoverage(raster.width, width)
  const rows = listCoverage(raster.height, height)
  const plane = width * height
  for (let y = 0; y < height; y++) {
    const row = rows[y]!
    for (let x = 0; x < width; x++) {
      const column = columns[x]!
      let [red, green, blue, total] = [0, 0, 0, 0]
      for (let j = 0; j < row.weights.length; j++) {
        const base = (row.first + j) * raster.width
        for (let i = 0; i < column.weights.length; i++) {
          const weight = row.weights[j]! * column.weights[i]!
          const pixel = (base + column.first + i) * 3
          red += raster.data[pixel]! * weight
          green += raster.data[pixel + 1]! * weight
          blue += raster.data[pixel + 2]! * weight
          total += weight
        }
      }
      const index = y * width + x
      const divisor = total * 255
      planes[index] = (blue / divisor - channelMeans[0]) / channelDeviations[0]
      planes[plane + index] = (green / divisor - channelMeans[1]) / channelDeviations[1]
      planes[2 * plane + index] = (red / divisor - channelMeans[2]) / channelDeviations[2]
    }
  }
  return planes
}

/** Returns the source pixels of a target pixel, with weights. */
function listCoverage(from: number, to: number): { first: number; weights: number[] }[] {
  const step = from / to
  const reach = Math.max(1, step)
  return Array.from({ length: to }, (_, index) => {
    const centre = (index + 0.5) * step - 0.5
    const first = Math.max(0, Math.ceil(centre - reach))
    const last = Math.min(from - 1, Math.floor(centre + reach))
    const weights: number[] = []
    for (let position = first; position <= last; position++) {
      weights.push(Math.max(1e-6, 1 - Math.abs(position - centre) / reach))
    }
    return { first, weights }
  })
}
