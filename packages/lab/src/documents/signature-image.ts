import { crc32, inflateSync } from 'node:zlib'
import type { DocumentImage } from './document-inputs.ts'

/** Reason for which an image cannot be printed. */
export type SignatureImageProblem =
  /** The content is not base64, or empty. */
  | 'not_base64'
  /** Neither `image/jpeg` nor `image/png`. */
  | 'unsupported_type'
  /** The content does not match its declared type. */
  | 'wrong_type'
  /** Damaged, or too large for a signature. */
  | 'unreadable'

export type SignatureImage = { bytes: Buffer } | { problem: SignatureImageProblem }

const MOST_BYTES = 4 * 1024 * 1024
const MOST_PIXELS = 16_000_000
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Channels and allowed depths by color type (PNG, section 11.2.2). */
const PNG_COLOR_TYPES: Readonly<Record<number, { channels: number; depths: number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
}

/**
 * Checks an image of a signature so that rendering it cannot fail. Orders may call this before they
 * accept a physician; a requisition prints an electronic signature instead of a bad image.
 */
export function readSignatureImage({ content, content_type }: DocumentImage): SignatureImage {
  if (content_type !== 'image/jpeg' && content_type !== 'image/png') {
    return { problem: 'unsupported_type' }
  }
  const text = content.replace(/\s/g, '')
  if (text === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return { problem: 'not_base64' }
  const bytes = Buffer.from(text, 'base64')
  const actual = typeOf(bytes)
  if (actual !== content_type) return { problem: actual === null ? 'unreadable' : 'wrong_type' }
  const isReadable =
    bytes.length <= MOST_BYTES && (actual === 'image/png' ? isPng(bytes) : isJpeg(bytes))
  return isReadable ? { bytes } : { problem: 'unreadable' }
}

function typeOf(bytes: Buffer): string | null {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png'
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'image/jpeg' : null
}

const isRenderable = (width: number, height: number): boolean =>
  width > 0 && height > 0 && width * height <= MOST_PIXELS

/** Returns whether a frame header of a known kind precedes the pixels (JPEG, annex B). */
function isJpeg(bytes: Buffer): boolean {
  let at = 2
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return false
    const marker = bytes.readUInt8(at + 1)
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const channels = bytes.readUInt8(at + 9)
      const isSize = isRenderable(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5))
      return isSize && bytes[at + 4] === 8 && [1, 3, 4].includes(channels)
    }
    // Pixels without a frame header
    if (marker === 0xda || marker === 0xd9) return false
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return false
}

/** Returns whether all chunks are complete and the pixels unpack to the size in the header. */
function isPng(bytes: Buffer): boolean {
  const chunks = readPngChunks(bytes)
  const header = chunks?.[0]
  if (chunks === null || header === undefined) return false
  if (header.type !== 'IHDR' || header.data.length !== 13) return false
  const [width, height] = [header.data.readUInt32BE(0), header.data.readUInt32BE(4)]
  const [depth = 0, colorType = -1, , , interlace = -1] = header.data.subarray(8)
  const color = PNG_COLOR_TYPES[colorType]
  if (!isRenderable(width, height) || !color?.depths.includes(depth)) return false
  const palette = chunks.find(({ type }) => type === 'PLTE')
  if (colorType === 3 && palette === undefined) return false
  // Interlaced rows are padded in seven passes; signatures do not use that.
  if (interlace !== 0) return false
  const rowBytes = 1 + Math.ceil((width * color.channels * depth) / 8)
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  try {
    return inflateSync(packed, { maxOutputLength: rowBytes * height }).length === rowBytes * height
  } catch {
    return false
  }
}

function readPngChunks(bytes: Buffer): { type: string; data: Buffer }[] | null {
  const chunks: { type: string; data: Buffer }[] = []
  let at = PNG_SIGNATURE.length
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const end = at + 8 + length
    if (end + 4 > bytes.length) return null
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null
    const type = bytes.toString('latin1', at + 4, at + 8)
    chunks.push({ type, data: bytes.subarray(at + 8, end) })
    if (type === 'IEND') return chunks
    at = end + 4
  }
  return null
}
