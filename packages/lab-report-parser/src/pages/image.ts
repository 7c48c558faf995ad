import type { Sharp } from 'sharp'
import { MAX_IMAGE_PIXELS, MAX_RASTER_PIXELS } from '../document/limits.ts'
import { EngineProblem, FileProblem } from '../report.ts'
import type { Raster } from './page.ts'

type Decoder = typeof import('sharp').default

let loading: Promise<Decoder> | undefined

/**
 * Loads the decoder with the first picture: PDFs can be read without it.
 * @throws {EngineProblem}
 */
export function loadSharp(): Promise<Decoder> {
  loading ??= import('sharp').then(
    (module) => module.default,
    () => {
      throw new EngineProblem('sharp')
    },
  )
  return loading
}

/**
 * Returns width and height of a picture as its viewer shows it. @throws {FileProblem}
 * `unreadable_file`
 */
export async function measureImage(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const open = await openImage(bytes)
  try {
    const { autoOrient } = await open.metadata()
    if (autoOrient.width * autoOrient.height <= MAX_IMAGE_PIXELS) return autoOrient
  } catch {
    // The message of libvips may contain text of the file.
  }
  throw new FileProblem('unreadable_file')
}

/**
 * Decodes a picture upright, in 8 bits of red, green and blue, with transparent parts in white. A
 * huge picture is scaled down; `Raster` has its size.
 * @throws {FileProblem} `unreadable_file`
 */
export async function decodeImage(bytes: Uint8Array): Promise<Raster> {
  const { width, height } = await measureImage(bytes)
  const scale = Math.min(1, Math.sqrt(MAX_RASTER_PIXELS / (width * height)))
  const open = await openImage(bytes)
  try {
    const image = open.autoOrient()
    if (scale < 1)
      image.resize({
        width: Math.floor(width * scale),
        height: Math.floor(height * scale),
        fit: 'fill',
      })
    const { data, info } = await image
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { width: info.width, height: info.height, data: toThreeChannels(data, info.channels) }
  } catch {
    throw new FileProblem('unreadable_file')
  }
}

/** @throws {EngineProblem} */
export async function openImage(bytes: Uint8Array): Promise<Sharp> {
  const sharp = await loadSharp()
  return sharp(bytes, { limitInputPixels: MAX_IMAGE_PIXELS, failOn: 'error', sequentialRead: true })
}

function toThreeChannels(data: Uint8Array, channels: number): Uint8Array {
  if (channels === 3) return data
  const pixels = data.length / channels
  const colors = new Uint8Array(pixels * 3)
  for (let pixel = 0; pixel < pixels; pixel++) {
    for (let channel = 0; channel < 3; channel++) {
      colors[3 * pixel + channel] = data[pixel * channels + (channels > 3 ? channel : 0)] as number
    }
  }
  return colors
}
