import { openExportXml } from './export-file.ts'
import { ExportFileError } from './export-file-error.ts'
import { HealthDataScanner } from './health-data-scanner.ts'
import { SourceWitness } from './sources/source-witness.ts'

/**
 * Reads an export once for what it tells as a whole: what a record means may depend on others that
 * stand a gigabyte further on. Of a damaged export the part before the damage counts, as it does for
 * what is stored.
 */
export async function readEvidence(path: string, maxXmlBytes: number, signal: AbortSignal) {
  const { stream } = await openExportXml(path, { maxXmlBytes })
  const sources = new SourceWitness()
  const scanner = new HealthDataScanner(sources)
  try {
    for await (const chunk of stream) {
      signal.throwIfAborted()
      scanner.write(chunk)
    }
  } catch (error) {
    if (!(error instanceof ExportFileError)) throw error
  }
  return { sources: sources.known() }
}
