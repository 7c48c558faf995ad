import { detectDelimiter } from './csv.ts'
import { ImportFileError } from './import-file-error.ts'
import type { ImportFile } from './import-files.ts'
import { encodingOf } from './text.ts'

/**
 * Returns the cells of the first line of a table by its opening, to recognize it without reading
 * it; none for a file that is no text.
 */
export async function readHead(file: ImportFile): Promise<string[]> {
  const opening = await file.opening()
  try {
    const text = new TextDecoder(encodingOf(opening)).decode(opening)
    const lines = text.split(/\r?\n/, 2)
    // Excel names the delimiter in a first line of its own.
    const [line = ''] = lines[0]?.startsWith('sep=') ? lines.slice(1) : lines
    const cells = line.split(detectDelimiter(`${line}\n`))
    return cells.map((cell) =>
      cell
        .trim()
        .replace(/^"(.*)"$/, '$1')
        .trim(),
    )
  } catch (error) {
    if (error instanceof ImportFileError) return []
    throw error
  }
}
