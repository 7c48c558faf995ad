import { type PayloadLine, toPayloadLines } from '../../connectors/index.ts'
import type { ArrivedData, Stored } from '../../ingest/index.ts'
import { openImportFiles } from '../files/import-files.ts'
import type { ImportUser } from '../formats/import-format.ts'
import type { ImportOptions, ImportQuestion } from '../import-options.ts'
import type { ImportProgress } from '../imports.schema.ts'
import { ImportWriter } from './import-writer.ts'
import { chooseFormat, createContext, providerOf } from './run-format.ts'

interface MapFileOptions {
  path: string
  maxBytes: number
  format?: string
  options?: ImportOptions
  now: Date
  signal?: AbortSignal
  /** Receives what the file becomes, as `salus providers map` prints it; absent to count only. */
  onLine?: (line: PayloadLine) => void
}

/** What a file is and would become. */
export interface MappedFile {
  format: string
  title: string
  provider: string
  /** Questions that must be answered first; then no line was made. */
  questions: readonly ImportQuestion[]
  /** Counts of records by type; all storable ones count as imported. */
  progress: ImportProgress
}

const OWNER = { userId: '00000000-0000-4000-8000-000000000000' }
const NO_USER: ImportUser = {
  ingestion_start: null,
  ingestion_end: null,
  fallback_time_zone: null,
  fallback_time_zone_source: null,
  fallback_birth_date: null,
  fallback_birth_date_source: null,
} as ImportUser

/**
 * Reads a file as an import does, without a server and without storing anything.
 * @throws ImportFileError
 */
export async function mapFile(wanted: MapFileOptions): Promise<MappedFile> {
  const { path, maxBytes, options = {}, now, onLine } = wanted
  const signal = wanted.signal ?? new AbortController().signal
  const files = await openImportFiles(path, { maxBytes })
  try {
    const format = await chooseFormat(files, wanted.format)
    const provider = await providerOf(format, files)
    const owner = { ...OWNER, provider }
    const known = { files, options, now, maxBytes, signal }
    const context = createContext({ ...known, user: NO_USER, stores: undefined })
    const store = (data: ArrivedData): Promise<Stored> => {
      if (onLine) for (const line of toPayloadLines(data, [], owner)) onLine(line)
      return Promise.resolve(storedAnew(data))
    }
    const bytesTotal = files.files.reduce((sum, { bytes }) => sum + bytes, 0)
    const out = new ImportWriter({
      ...{ owner, store, bytesRead: files.readBytes, bytesTotal, signal, now },
      onProgress: () => undefined,
    })
    const questions = (await format.ask?.(context)) ?? []
    if (questions.length === 0) {
      await format.read(context, out)
      await out.finish()
    }
    const { slug, title } = format
    return { format: slug, title, provider, questions, progress: out.progress(true) }
  } finally {
    await files.close()
  }
}

/** The outcome of storing data of which nothing was stored before. */
function storedAnew({ samples = [], summaries = [], streams }: ArrivedData): Stored {
  const nothing = { updated: 0, unchanged: 0, outOfBounds: 0 }
  return {
    samples: { ...nothing, inserted: samples.length, kept: samples },
    summaries: {
      ...{ ...nothing, inserted: summaries.length, times: summaries },
      keptSummaries: summaries,
      streams: { inserted: streams?.size ?? 0, updated: 0, unchanged: 0 },
    },
  }
}
