import type { Inspection } from '../report.ts'

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const JPEG_SIGNATURE = [0xff, 0xd8, 0xff]

/**
 * Returns the type by the first bytes; a file that is several things at once has the type of its
 * beginning. A PDF may begin with white space or a byte order mark.
 */
export function findFileType(bytes: Uint8Array): Inspection['type'] | undefined {
  if (PNG_SIGNATURE.every((byte, index) => bytes[index] === byte)) return 'png'
  if (JPEG_SIGNATURE.every((byte, index) => bytes[index] === byte)) return 'jpeg'
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024))
  return /^(?:ï»¿)?[\s\0]*%PDF-\d/.test(start) ? 'pdf' : undefined
}
