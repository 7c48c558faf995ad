import sharp from 'sharp'
import {
  composeMaps,
  IDENTITY,
  invertMap,
  mapPoint,
  mapQuad,
  moveMap,
  type Point,
  type Quad,
  rectangleQuad,
  rotateMap,
  scaleMap,
} from '../src/image/homography.ts'
import { shrinkRaster, warpRaster } from '../src/image/warp.ts'
import type { Homography, Raster } from '../src/pages/page.ts'
import { addFinger, crease, layTable, TABLES } from './paper.ts'
import { createRandom, type Random } from './random.ts'

/**
 * What happens to a page before it is read. All is optional; without any of it the page stays as it
 * is.
 */
export interface Degradation {
  seed: number
  /** Times 90° clockwise, of the picture that is made. */
  quarterTurns?: 0 | 1 | 2 | 3
  /** Clockwise, in degrees. */
  rotation?: number
  /** How far corners move, as a part of the sides: 0.03 is a careful photo, 0.12 a bad one. */
  perspective?: number
  /** The page lies on something, which is seen around it. */
  table?: 'wood' | 'dark' | 'cloth' | 'light'
  /**
   * Part of the picture's sides around the page; below 0 the page is cut. 0.05 with a table, else
   * 0.
   */
  margin?: number
  /** Lines bow by this part of the height. */
  curvature?: number
  /** 0 to 1: how dark a shadow with a soft edge is. */
  shadow?: number
  /** 0 to 1: how dark corners are. */
  vignette?: number
  /** 0 to 1: how little contrast is left. */
  fading?: number
  /** Paper and light: what white becomes, such as [235, 228, 205]. */
  whitePoint?: readonly [number, number, number]
  /** Standard deviation of brightness, of 255. */
  noise?: number
  /** Dark specks for a million pixels. */
  specks?: number
  /** Standard deviation in pixels of the picture that is made. */
  blur?: number
  /** Length in pixels. */
  motionBlur?: number
  /** Folds in the paper. */
  creases?: number
  /** Fingertips that hold the page. */
  fingers?: number
  /** Size of the picture that is made, of that of the page: 0.5 halves it. */
  scale?: number
  /** Black and white only, as a fax sends it. */
  isFax?: boolean
  /** 1 to 100. */
  jpegQuality?: number
}

export interface DegradedPage {
  raster: Raster
  /** From a pixel of the degraded picture to the page; curvature left aside. */
  toPage: Homography
  /** Where the corners of the page are in the degraded picture, in the page's order. */
  corners: Quad
}

/**
 * Makes of a page what a scanner, a fax or a phone makes of it; the same seed makes the same
 * picture.
 */
export async function degrade(page: Raster, options: Degradation): Promise<DegradedPage> {
  const random = createRandom(options.seed)
  const { toPage, size } = placePage(page, options, random)
  const source = shrinkRaster(
    crease(page, options.creases ?? 0, random),
    Math.max(1, Math.floor(1 / (options.scale ?? 1) + 0.01)),
  )
  const toSource = composeMaps(
    scaleMap(source.width / page.width, source.height / page.height),
    toPage,
  )
  let raster = warpBent(
    source,
    toSource,
    size,
    (options.curvature ?? 0) * size.height,
    options.table,
  )
  if (options.table) layTable(raster, toPage, page, TABLES[options.table], options.table, random)
  for (let count = 0; count < (options.fingers ?? 0); count++)
    addFinger(raster, toPage, page, random)
  light(raster, options, random)
  if (options.motionBlur) raster = blurMotion(raster, options.motionBlur, random.between(0, 180))
  if (options.blur) raster = await blurEvenly(raster, options.blur)
  addNoise(raster, options, random)
  if (options.isFax) fax(raster)
  if (options.jpegQuality) raster = await compress(raster, options.jpegQuality)
  const fromPage = invertMap(toPage)
  const corners = rectangleQuad(page.width, page.height).map(({ x, y }) => mapPoint(fromPage, x, y))
  return { raster, toPage, corners: corners as unknown as Quad }
}

/** Where the page lies in the picture, and how large that is. */
function placePage(
  page: Raster,
  options: Degradation,
  random: Random,
): { toPage: Homography; size: { width: number; height: number } } {
  const scale = options.scale ?? 1
  const margin = options.margin ?? (options.table ? 0.05 : 0)
  const turned = (options.quarterTurns ?? 0) % 2 === 1
  const [width, height] = [page.width * scale, page.height * scale]
  const jitter = options.perspective ?? 0
  const move = ({ x, y }: Point): Point => ({
    x: x + random.between(-jitter, jitter) * width * 0.5,
    y: y + random.between(-jitter, jitter) * height * 0.5,
  })
  const [p, q, r, s] = rectangleQuad(width, height)
  let map: Homography = jitter
    ? mapQuad(rectangleQuad(page.width, page.height), [move(p), move(q), move(r), move(s)])
    : scaleMap(scale, scale)
  const degrees = (options.rotation ?? 0) + 90 * (options.quarterTurns ?? 0)
  if (degrees) map = composeMaps(rotateMap(degrees), map)
  // A scan keeps the size of its glass; a photo shows all of the page and what is around it.
  const size = { width: turned ? height : width, height: turned ? width : height }
  const corners = rectangleQuad(page.width, page.height).map(({ x, y }) => mapPoint(map, x, y))
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  if (options.table) {
    size.width = right - left
    size.height = bottom - top
  }
  size.width = Math.round(size.width * (1 + 2 * margin))
  size.height = Math.round(size.height * (1 + 2 * margin))
  if (map !== IDENTITY)
    map = composeMaps(
      moveMap((size.width - left - right) / 2, (size.height - top - bottom) / 2),
      map,
    )
  return { toPage: invertMap(map), size }
}

function warpBent(
  source: Raster,
  toSource: Homography,
  size: { width: number; height: number },
  bow: number,
  table: Degradation['table'],
): Raster {
  const flat = warpRaster(source, toSource, size, table ? TABLES[table] : [255, 255, 255])
  if (!bow) return flat
  const { width, height, data } = flat
  const bent = new Uint8Array(data.length)
  for (let x = 0; x < width; x++) {
    const shift = bow * Math.sin((Math.PI * x) / width)
    for (let y = 0; y < height; y++) {
      const from = Math.min(Math.max(y + shift, 0), height - 1.001)
      const [top, part] = [Math.floor(from), from % 1]
      for (let channel = 0; channel < 3; channel++) {
        const p = (top * width + x) * 3 + channel
        const value = (data[p] as number) * (1 - part) + (data[p + width * 3] as number) * part
        bent[(y * width + x) * 3 + channel] = value + 0.5
      }
    }
  }
  return { width, height, data: bent }
}

/** Shadow, dark corners, faded ink and the colour of the light. */
function light(raster: Raster, options: Degradation, random: Random): void {
  const { shadow = 0, vignette = 0, fading = 0, whitePoint = [255, 255, 255] } = options
  if (!shadow && !vignette && !fading && !options.whitePoint) return
  const { width, height, data } = raster
  const angle = random.between(0, 2 * Math.PI)
  const [nx, ny] = [Math.cos(angle), Math.sin(angle)]
  const offset = random.between(-0.2, 0.2)
  const softness = random.between(0.03, 0.2)
  let p = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [x / width - 0.5, y / height - 0.5]
      const dark = shadow && shadow / (1 + Math.exp(-(u * nx + v * ny - offset) / softness))
      const by = (1 - dark) * (1 - vignette * 2 * (u * u + v * v))
      for (let channel = 0; channel < 3; channel++, p++) {
        const ink = 255 - (255 - (data[p] as number)) * (1 - fading)
        data[p] = (ink * by * (whitePoint[channel] as number)) / 255
      }
    }
  }
}

function blurMotion(raster: Raster, length: number, degrees: number): Raster {
  const { width, height } = raster
  const sums = new Float32Array(raster.data.length)
  const steps = Math.max(2, Math.ceil(length))
  for (let step = 0; step < steps; step++) {
    const far = (step / (steps - 1) - 0.5) * length
    const [dx, dy] = [
      far * Math.cos((degrees * Math.PI) / 180),
      far * Math.sin((degrees * Math.PI) / 180),
    ]
    const moved = warpRaster(raster, moveMap(dx, dy), { width, height }, null)
    for (let p = 0; p < sums.length; p++) {
      sums[p] = (sums[p] as number) + (moved.data[p] as number) / steps
    }
  }
  return { width, height, data: Uint8Array.from(sums) }
}

function addNoise(raster: Raster, { noise = 0, specks = 0 }: Degradation, random: Random): void {
  const { width, height, data } = raster
  if (noise) {
    for (let p = 0; p < data.length; p += 3) {
      const by = random.normal() * noise
      for (let channel = 0; channel < 3; channel++) {
        data[p + channel] = Math.min(255, Math.max(0, (data[p + channel] as number) + by))
      }
    }
  }
  const count = Math.round((specks * width * height) / 1e6)
  for (let speck = 0; speck < count; speck++) {
    const [x, y] = [random.whole(0, width - 2), random.whole(0, height - 2)]
    const size = random.whole(1, 2)
    for (let dy = 0; dy < size; dy++) {
      const at = ((y + dy) * width + x) * 3
      data.fill(random.whole(0, 60), at, at + size * 3)
    }
  }
}

function fax(raster: Raster): void {
  const { data } = raster
  for (let p = 0; p < data.length; p += 3) {
    const gray =
      0.3 * (data[p] as number) + 0.59 * (data[p + 1] as number) + 0.11 * (data[p + 2] as number)
    data.fill(gray > 150 ? 255 : 0, p, p + 3)
  }
}

const asSharp = ({ width, height, data }: Raster) =>
  sharp(data, { raw: { width, height, channels: 3 } })

async function blurEvenly(raster: Raster, sigma: number): Promise<Raster> {
  if (sigma < 0.3) return raster
  return { ...raster, data: await asSharp(raster).blur(sigma).raw().toBuffer() }
}

async function compress(raster: Raster, quality: number): Promise<Raster> {
  const jpeg = await asSharp(raster).jpeg({ quality, chromaSubsampling: '4:2:0' }).toBuffer()
  return { ...raster, data: await sharp(jpeg).removeAlpha().raw().toBuffer() }
}
