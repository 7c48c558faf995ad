import { ImportFileError, type ImportFileErrorCode } from '../../files/import-file-error.ts'
import type { ImportFormat } from '../import-format.ts'
import { openExportXml } from './export-file.ts'

/** Errors of files that are no export of Apple Health. */
const OTHER_FILES: readonly ImportFileErrorCode[] = ['not_an_export', 'no_export_inside']

/** The export of the Apple Health app (docs/apple-health.md). */
export const APPLE_HEALTH: ImportFormat = {
  slug: 'apple_health',
  title: 'Export of Apple Health',
  howToExport:
    'On the iPhone: Health app, picture at the top right, Export All Health Data. The file is export.zip.',
  provider: 'apple_health_kit',
  notes: ['Summaries are computed from the stored samples: a dry run shows only the samples.'],
  options: [],
  refusesOthers: true,
  async recognize({ path }) {
    try {
      const { stream } = await openExportXml(path)
      stream.destroy()
      return true
    } catch (error) {
      if (error instanceof ImportFileError) return !OTHER_FILES.includes(error.code)
      throw error
    }
  },
  async read({ files, user, now, signal, stores, maxBytes }, out) {
    // Loaded with the first import: it is the largest part of this domain.
    const { importAppleHealth } = await import('./import-export.ts')
    const progress = await importAppleHealth({
      ...{ path: files.path, user, now, signal, stores, maxXmlBytes: maxBytes },
      store: out.store,
      onProgress: (current) => out.report(current),
      history: out.history,
    })
    out.report(progress)
  },
}
