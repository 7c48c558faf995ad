import { ImportFileError } from './import-file-error.ts'

const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Returns the encoding of a text by its opening: UTF-8, UTF-16 by its byte order mark, or else
 * Windows-1252, in which spreadsheet programs of Western Europe and America save.
 * @throws ImportFileError `wrong_encoding` for content that is no text
 */
export function encodingOf(opening: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (opening[0] === 0xff && opening[1] === 0xfe) return 'utf-16le'
  if (opening[0] === 0xfe && opening[1] === 0xff) return 'utf-16be'
  if (opening.includes(0)) throw new ImportFileError('wrong_encoding')
  if (opening.subarray(0, 3).equals(UTF8_BOM)) return 'utf-8'
  // The opening may end within a character of up to four bytes.
  for (let cut = 0; cut < 4; cut++) {
    if (isUtf8(opening.subarray(0, opening.length - cut))) return 'utf-8'
  }
  return 'windows-1252'
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Decodes chunks of a text, without its byte order mark. */
export async function* decodeText(
  chunks: AsyncIterable<Buffer>,
  encoding: ReturnType<typeof encodingOf>,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

/** Returns chunks of a text in UTF-8, without its byte order mark. */
export async function* toUtf8(
  chunks: AsyncIterable<Buffer>,
  encoding: ReturnType<typeof encodingOf>,
): AsyncGenerator<Buffer> {
  if (encoding !== 'utf-8') {
    for await (const text of decodeText(chunks, encoding)) yield Buffer.from(text)
    return
  }
  let isFirst = true
  for await (const chunk of chunks) {
    const isMarked = isFirst && chunk.subarray(0, UTF8_BOM.length).equals(UTF8_BOM)
    isFirst = false
    yield isMarked ? chunk.subarray(UTF8_BOM.length) : chunk
  }
}
