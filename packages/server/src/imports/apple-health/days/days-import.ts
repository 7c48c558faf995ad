import { type NewSummary, summaryId } from '../../../summaries/index.ts'
import { type SummaryImport, writeSummaries } from '../summary-import.ts'
import { batchesByTime } from '../time-batches.ts'
import { toActivitySummary } from './activity-summary.ts'
import { readDayTotals } from './day-totals.ts'

/** Days whose samples are in memory together. */
const BATCH_DAYS = 96

/**
 * Makes a summary of every local day that has a ring or samples in the export. What the samples add up
 * to is read from the store, where those that came in other ways lie too.
 */
export async function importDays(context: SummaryImport): Promise<void> {
  const { intake, signal } = context
  const days = [...new Set([...intake.facts.days, ...intake.sampleDays.days])]
  days.sort((a, b) => a - b)
  for (const batch of batchesByTime(days, (day) => day, BATCH_DAYS, BATCH_DAYS)) {
    signal.throwIfAborted()
    await importBatch(context, batch)
  }
}

async function importBatch(context: SummaryImport, days: readonly number[]): Promise<void> {
  const { clickhouse, owner, user, intake, summaryWriter } = context
  const range = { firstDay: days[0] ?? 0, lastDay: days.at(-1) ?? 0 }
  const fallbackZone = user.fallback_time_zone ?? 'UTC'
  const totals = await readDayTotals(clickhouse, owner, range, fallbackZone)
  const nothing = { amounts: new Map<string, number>(), heartRate: undefined, offset: null }
  const withElement: NewSummary<'activity'>[] = []
  const others: NewSummary<'activity'>[] = []
  const emptied: string[] = []
  for (const day of days) {
    const facts = intake.facts.find(day)
    const total = totals.get(day)
    const summary = toActivitySummary(day, facts, total ?? nothing, context.modifiedAt)
    // Its samples were removed, or lay on another day once its clock was known.
    if (facts === undefined && total === undefined) emptied.push(summaryId(owner, summary))
    else if (facts?.element === undefined) others.push(summary)
    else withElement.push(summary)
  }
  await writeSummaries(context, 'activity', withElement, 'ActivitySummary')
  await writeSummaries(context, 'activity', others)
  await summaryWriter.remove(owner, 'activity', emptied)
}
