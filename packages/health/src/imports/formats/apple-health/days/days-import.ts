import type { NewSummary } from '../../../../summaries/index.ts'
import { listDaysOfSamples } from '../../../imported-data.repository.ts'
import { type SummaryImport, storeSummaries } from '../summary-import.ts'
import { splitByTime } from '../time-batches.ts'
import { type DayTotals, dateOfDay, toActivitySummary } from './activity-summary.ts'
import { readDayTotals } from './day-totals.ts'
import { completeFacts, readStoredFacts } from './kept-facts.ts'

/** Days whose samples are in memory together. */
const BATCH_DAYS = 96

/**
 * Creates a summary for every local day with a ring or samples in the export. The totals are read
 * from the store, which also has samples from elsewhere. A day of an older import is removed when
 * its samples were removed, or moved to the day before or after by another local time.
 */
export async function importDays(context: SummaryImport): Promise<void> {
  const { intake, signal } = context
  const days = [...new Set([...intake.facts.days, ...intake.sampleDays.days])]
  days.sort((a, b) => a - b)
  for (const batch of splitByTime(days, (day) => day, BATCH_DAYS, BATCH_DAYS)) {
    signal.throwIfAborted()
    const totals = await readTotals(context, batch)
    await storeBatch(context, batch, totals)
    await removeEmptyDays(context, batch, totals)
  }
}

function readTotals(
  { clickhouse, owner, user }: SummaryImport,
  days: readonly number[],
): Promise<Map<number, DayTotals>> {
  // One more day at either end, which may be empty now.
  const range = { firstDay: (days[0] ?? 0) - 1, lastDay: (days.at(-1) ?? 0) + 1 }
  return readDayTotals(clickhouse, owner, range, user.fallback_time_zone ?? 'UTC')
}

async function storeBatch(
  context: SummaryImport,
  days: readonly number[],
  totals: ReadonlyMap<number, DayTotals>,
): Promise<void> {
  const { intake } = context
  const stored = await readStoredFacts(context, days)
  const nothing = { amounts: new Map<string, number>(), heartRate: undefined, offset: null }
  const withElement: NewSummary<'activity'>[] = []
  const others: NewSummary<'activity'>[] = []
  for (const day of days) {
    const facts = intake.facts.find(day)
    // Its samples were removed, or moved to another day by a better local time.
    if (facts === undefined && !totals.has(day)) continue
    const total = totals.get(day) ?? nothing
    const made = toActivitySummary(day, facts, total, context.modifiedAt)
    const summary = completeFacts(context, day, made, stored.get(dateOfDay(day)))
    if (facts?.element === undefined) others.push(summary)
    else withElement.push(summary)
  }
  await storeSummaries(context, 'activity', withElement, 'ActivitySummary')
  await storeSummaries(context, 'activity', others)
}

async function removeEmptyDays(
  { clickhouse, owner, store, importCounts, intake }: SummaryImport,
  days: readonly number[],
  totals: ReadonlyMap<number, DayTotals>,
): Promise<void> {
  const touched = new Set(days.flatMap((day) => [day - 1, day, day + 1]))
  const empty = [...touched].filter(
    (day) => !totals.has(day) && intake.facts.find(day) === undefined,
  )
  const ids = await listDaysOfSamples(clickhouse, owner, empty.map(dateOfDay))
  await store({ removals: [{ resource: 'activity', ids }] })
  importCounts.countsOfSummaries('activity').replaced += ids.length
}
