import { ImportFileError } from '../../../files/import-file-error.ts'
import type { ExportFile } from '../export-files.ts'
import { toSampleLocalTime } from '../local-time/local-times.ts'
import { type SummaryImport, storeSummaries } from '../summary-import.ts'
import { type EcgRecording, readEcg } from './ecg-file.ts'
import { toEcgSamples, toEcgSummary } from './ecg-summary.ts'

const TYPE = 'Electrocardiogram'
const RESOURCE = 'electrocardiogram'
/** An electrocardiogram has about 200 kB. */
const MAX_BYTES = 1 << 23
/** How much of an unreadable file is kept. */
const KEPT_CHARACTERS = 10_000

/** Stores the electrocardiograms of an export, which are files beside the export.xml. */
export async function importEcgs(context: SummaryImport): Promise<void> {
  const { files, importCounts, store, signal } = context
  for (const file of files?.list('electrocardiograms', '.csv') ?? []) {
    signal.throwIfAborted()
    importCounts.count(TYPE, RESOURCE)
    const text = await readText(file)
    const recording = text === undefined ? 'unreadable_file' : readEcg(text)
    if (typeof recording !== 'string') {
      await storeRecording(context, recording)
      continue
    }
    importCounts.countQuarantined(TYPE, RESOURCE, recording)
    const item = { path: file.path, text: text?.slice(0, KEPT_CHARACTERS) ?? null }
    await store({ quarantined: [{ resource: RESOURCE, reason: recording, item }] })
  }
}

async function readText(file: ExportFile): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of file.read()) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) return undefined
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ImportFileError) return undefined
    throw error
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function storeRecording(context: SummaryImport, recording: EcgRecording): Promise<void> {
  const { startedAt, timezoneOffset: offsetSeconds } = recording
  const localTime = context.intake.localTimes.localTimeOfRecord(
    { epochMilliseconds: startedAt, offsetSeconds },
    undefined,
  )
  const summary = toEcgSummary(recording, localTime, context.modifiedAt)
  // Apple never writes a recording again.
  const samples = toEcgSamples(recording, toSampleLocalTime(localTime, startedAt))
  await storeSummaries(context, RESOURCE, [summary], TYPE, { samples })
}
