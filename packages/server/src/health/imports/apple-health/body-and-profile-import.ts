import { type SummaryImport, storeSummaries } from './summary-import.ts'

const BATCH = 1000

export async function importProfile(context: SummaryImport): Promise<void> {
  const { intake } = context
  const summary = intake.profile.toSummary(context.modifiedAt)
  if (summary !== undefined) await storeSummaries(context, 'profile', [summary])
}

export async function importBody(context: SummaryImport): Promise<void> {
  const { intake, signal } = context
  const summaries = intake.body.toSummaries(context.modifiedAt)
  for (let from = 0; from < summaries.length; from += BATCH) {
    signal.throwIfAborted()
    await storeSummaries(context, 'body', summaries.slice(from, from + BATCH))
  }
}
