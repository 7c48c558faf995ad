import type { Entry } from 'yauzl'
import { isZipFile } from './export-file.ts'
import { ExportFileError } from './export-file-error.ts'
import { isReadable, openZip, readEntry } from './zip-entries.ts'

/** A file that lies beside the export.xml, such as a route or an electrocardiogram. */
export interface ExportFile {
  /** Path inside the zip. */
  path: string
  /**
   * Its bytes. Fails with ExportFileError when it is damaged, encrypted or larger than the limit.
   */
  read(): AsyncIterable<Buffer>
}

export interface ExportFiles {
  /** The file that an export.xml refers to, for example by `/workout-routes/route_….gpx`. */
  find(reference: string): ExportFile | undefined
  /** Files of a folder by the end of their name, in order of path. */
  list(folder: string, extension: string): ExportFile[]
  close(): void
}

/** No route of a day and no electrocardiogram comes near it; a zip bomb does. */
const MAX_FILE_BYTES = 1 << 27

/** Names of the files of an export.zip; undefined for an export.xml, which has none beside it. */
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
    return readable ? readEntry(zip, entry, () => undefined) : refuse()
  }
  // The folder around everything has a translated name.
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
async function* refuse(): AsyncGenerator<Buffer> {
  throw new ExportFileError('unsupported_zip')
}
