import { importDays } from './days/days-import.ts'
import { importEcgs } from './ecg/ecg-import.ts'
import { importSleep } from './sleep/sleep-import.ts'
import { type SummaryImport, storeSummaries } from './summary-import.ts'
import { importWorkouts } from './workouts/workouts-import.ts'

/** Resources in the order of the import summary. */
const RESOURCES = ['profile', 'body', 'electrocardiogram', 'sleep', 'workouts', 'activity'] as const

/**
 * Writes the summaries of an export whose samples are all stored. Samples are read back a few weeks
 * at a time, so that memory stays small and samples from elsewhere count too.
 */
export async function importSummaries(context: SummaryImport): Promise<void> {
  for (const resource of RESOURCES) context.importCounts.countsOfSummaries(resource)
  for (const part of [importProfile, importBody, importEcgs]) {
    context.signal.throwIfAborted()
    await part(context)
  }
  // The parts wait for the store in turns. All have ended when this returns, even if one failed.
  const parts = [importSleep, importWorkouts, importDays].map((part) => part(context))
  const outcomes = await Promise.allSettled(parts)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

const BATCH = 1000

async function importProfile(context: SummaryImport): Promise<void> {
  const { intake } = context
  const summary = intake.profile.toSummary(context.modifiedAt)
  if (summary !== undefined) await storeSummaries(context, 'profile', [summary])
}

async function importBody(context: SummaryImport): Promise<void> {
  const { intake, signal } = context
  const summaries = intake.body.toSummaries(context.modifiedAt)
  for (let from = 0; from < summaries.length; from += BATCH) {
    signal.throwIfAborted()
    await storeSummaries(context, 'body', summaries.slice(from, from + BATCH))
  }
}
