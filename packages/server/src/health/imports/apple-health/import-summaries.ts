import { importBody, importProfile } from './body-and-profile-import.ts'
import { importDays } from './days/days-import.ts'
import { importEcgs } from './ecg/ecg-import.ts'
import { importSleep } from './sleep/sleep-import.ts'
import type { SummaryImport } from './summary-import.ts'
import { importWorkouts } from './workouts/workouts-import.ts'

/** In the order of the report. */
const RESOURCES = ['profile', 'body', 'electrocardiogram', 'sleep', 'workouts', 'activity'] as const

/**
 * Writes the summaries of an export whose samples are all stored. What it takes is read back from the
 * store a few weeks at a time, so that memory stays small and samples that came otherwise count too.
 */
export async function importSummaries(context: SummaryImport): Promise<void> {
  for (const resource of RESOURCES) context.report.ofSummaries(resource)
  for (const part of [importProfile, importBody, importEcgs]) {
    context.signal.throwIfAborted()
    await part(context)
  }
  // They wait for the store in turns. All have ended when this returns, also where one has failed.
  const parts = [importSleep, importWorkouts, importDays].map((part) => part(context))
  const outcomes = await Promise.allSettled(parts)
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
