import { ImportFileError } from '../../files/import-file-error.ts'
import { type HealthDataHandlers, HealthDataScanner } from './health-data-scanner.ts'
import { type ZoneEvidence, ZoneEvidenceCollector } from './local-time/zone-evidence.ts'
import type { KnownSources } from './sources/known-sources.ts'
import { SourceCollector } from './sources/source-collector.ts'

/** Evidence in an export as a whole. */
interface ExportEvidence {
  zones: ZoneEvidence
  sources: KnownSources
}

/**
 * Reads the evidence of a whole export. This takes a separate pass, since records are ordered by
 * type and not by time: the walk of a day may be a gigabyte before the night that names its zone,
 * or the heart rates that name its watch. In a damaged export the part before the damage counts, as
 * it does for what is stored.
 */
export async function readEvidence(
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<ExportEvidence> {
  const zones = new ZoneEvidenceCollector()
  const sources = new SourceCollector()
  const scanner = new HealthDataScanner(handToAll([zones, sources]))
  try {
    for await (const chunk of stream) {
      signal.throwIfAborted()
      scanner.write(chunk)
    }
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error
  }
  return { zones: zones.evidence(), sources: sources.known() }
}

function handToAll(witnesses: readonly HealthDataHandlers[]): HealthDataHandlers {
  return {
    onRecord(record) {
      for (const witness of witnesses) witness.onRecord(record)
    },
    onCorrelation(correlation) {
      for (const witness of witnesses) witness.onCorrelation(correlation)
    },
    onWorkout(workout) {
      for (const witness of witnesses) witness.onWorkout(workout)
    },
    onOther(elementName, attributes) {
      for (const witness of witnesses) witness.onOther(elementName, attributes)
    },
  }
}
