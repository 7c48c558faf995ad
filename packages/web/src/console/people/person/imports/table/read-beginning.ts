/** Bytes that a preview needs. */
const BEGINNING_BYTES = 128 * 1024
const UTF_16: Readonly<Record<string, string>> = { '255 254': 'utf-16le', '254 255': 'utf-16be' }

/** Returns the first rows of a table as text, in the encodings that an import reads. */
export async function readBeginning(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer())
  const opening = bytes.slice(0, 2).join(' ')
  const wide = UTF_16[opening]
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  try {
    // A stream may end within a letter.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
