import {
  BinaryBitmap,
  Code128Reader,
  DecodeHintType,
  HybridBinarizer,
  NotFoundException,
  PDF417Reader,
  RGBLuminanceSource,
} from '@zxing/library'
import type { PageImage } from './read-pdf.ts'

/**
 * Reads barcodes in the picture of a page with ZXing, which shares no code with the encoder. PDF417
 * is searched in bands from the top, because the reader finds one symbol in a picture. This version
 * skips the ECI that says UTF-8, so its bytes are decoded here.
 */
export function scanBarcodes(image: PageImage, kind: 'Code 128' | 'PDF417'): string[] {
  const found: string[] = []
  const step = Math.round(20 * image.scale)
  for (let top = 0; top < image.height; ) {
    const read = scanBand(image, top, kind)
    if (read === null) break
    found.push(read.text)
    top = Math.max(read.bottom, top) + step
    if (kind === 'Code 128') break
  }
  return found
}

function scanBand(image: PageImage, top: number, kind: string) {
  const { width } = image
  const height = image.height - top
  if (height < 40) return null
  const light = new Uint8ClampedArray(width * height)
  for (let at = 0; at < light.length; at++) {
    const from = (top * width + at) * 4
    const [red = 255, green = 255, blue = 255] = image.data.subarray(from, from + 3)
    light[at] = (red + 2 * green + blue) / 4
  }
  const source = new RGBLuminanceSource(light, width, height)
  const bitmap = new BinaryBitmap(new HybridBinarizer(source))
  try {
    const reader = kind === 'PDF417' ? new PDF417Reader() : new Code128Reader()
    const result = reader.decode(bitmap, new Map([[DecodeHintType.TRY_HARDER, true]]))
    const ys = result.getResultPoints().flatMap((point) => (point ? [point.getY()] : []))
    return { text: fromUtf8(result.getText()), bottom: top + Math.ceil(Math.max(...ys)) }
  } catch (error) {
    if (error instanceof NotFoundException) return null
    throw error
  }
}

/** Bytes of the characters of Windows-1252, for which the reader takes all bytes. */
const BYTES = new Map(
  Array.from({ length: 256 }, (_, byte): [string, number] => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
)

function fromUtf8(text: string): string {
  const bytes = [...text].map((letter) => BYTES.get(letter))
  if (bytes.includes(undefined)) return text
  return new TextDecoder().decode(Uint8Array.from(bytes as number[]))
}
