import type { Format } from '../mapping/mapping.schema.ts'

/** Byte order marks and the encodings that they stand for. */
const SIGNATURES: readonly [bytes: Buffer, encoding: string][] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be'],
]

/**
 * Decodes a file: a byte order mark decides, then the encoding of the mapping, which is UTF-8 where
 * it names none.
 * @returns undefined for bytes that are not valid in the encoding
 */
export function decodeText(content: Buffer, encoding: Format['encoding']): string | undefined {
  const signed = SIGNATURES.find(([bytes]) => content.subarray(0, bytes.length).equals(bytes))
  const decoder = new TextDecoder(signed?.[1] ?? encoding ?? 'utf-8', { fatal: true })
  try {
    return decoder.decode(content)
  } catch {
    return undefined
  }
}

/** Returns the text after so many lines. */
export function skipLines(text: string, count: number): string {
  let start = 0
  for (let line = 0; line < count; line++) {
    const end = text.indexOf('\n', start)
    if (end < 0) return ''
    start = end + 1
  }
  return text.slice(start)
}
