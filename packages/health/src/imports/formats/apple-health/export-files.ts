import type { Entry } from 'yauzl'
import { ImportFileError } from '../../files/import-file-error.ts'
import { isReadable, openZip, readEntry } from '../../files/zip-entries.ts'
import { isZipFile } from './export-file.ts'

/** A file beside the export.xml, such as a route or an electrocardiogram. */
export interface ExportFile {
  /** Path inside the zip. */
  path: string
  /** Reads its bytes. Fails with ImportFileError when it is damaged, encrypted or too large. */
  read(): AsyncIterable<Buffer>
}

export interface ExportFiles {
  /** Finds the file of a reference in export.xml, for example `/workout-routes/route_….gpx`. */
  find(reference: string): ExportFile | undefined
  /** Lists the files of a folder with an extension, in order of path. */
  list(folder: string, extension: string): ExportFile[]
  close(): void
}

/** Far more than a route of a day or an electrocardiogram; limits zip bombs. */
const MAX_FILE_BYTES = 1 << 27

/**
 * Opens the files of an export.zip; returns undefined for an export.xml, which has none beside it.
 */
export async function openExportFiles(path: string): Promise<ExportFiles | undefined> {
  if (!(await isZipFile(path))) return undefined
  const zip = await openZip(path)
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileNameRaw.toString('utf8')
    if (/\.(gpx|csv)$/i.test(name) && !name.includes('/._')) entries.set(name, entry)
  }
  const toFile = (name: string): ExportFile | undefined => {
    const entry = entries.get(name)
    if (entry === undefined) return undefined
    return { path: name, read: () => readWhole(entry) }
  }
  const readWhole = (entry: Entry): AsyncIterable<Buffer> => {
    const readable = isReadable(entry) && entry.uncompressedSize <= MAX_FILE_BYTES
    return readable ? readEntry(zip, entry, () => undefined) : refuseReading()
  }
  // The outermost folder has a translated name.
  const byEnd = new Map([...entries.keys()].map((name) => [lastTwoParts(name), name]))
  return {
    find: (reference) => toFile(byEnd.get(lastTwoParts(reference)) ?? ''),
    list: (folder, extension) =>
      [...entries.keys()]
        .filter((name) => `/${name}`.includes(`/${folder}/`))
        .filter((name) => name.toLowerCase().endsWith(extension))
        .sort()
        .flatMap((name) => toFile(name) ?? []),
    close: () => zip.close(),
  }
}

const lastTwoParts = (path: string): string => path.split('/').slice(-2).join('/')

// biome-ignore lint/correctness/useYield: it fails where others begin
async function* refuseReading(): AsyncGenerator<Buffer> {
  throw new ImportFileError('unsupported_zip')
}
