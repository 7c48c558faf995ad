import { versionWrittenAt } from '../../../../ingest/index.ts'
import type { NewSummary } from '../../../../summaries/index.ts'
import { listDayFacts, type StoredDayFacts } from '../../../imported-data.repository.ts'
import type { SummaryImport } from '../summary-import.ts'
import { dateOfDay } from './activity-summary.ts'

/**
 * Facts of a day in an export beside its samples. Values computed from samples change with them.
 */
const FACTS = [
  'heart_rate_resting',
  'heart_rate_mean_walking',
  'duration_active_second',
  'calories_active',
] as const

/** Microseconds in a millisecond. */
const MICROSECONDS = 1000

/** Returns what earlier imports brought of some days, by date. */
export async function readStoredFacts(
  { clickhouse, owner }: SummaryImport,
  days: readonly number[],
): Promise<ReadonlyMap<string, StoredDayFacts>> {
  const rows = await listDayFacts(clickhouse, owner, days.map(dateOfDay))
  return new Map(rows.map((row) => [row.date, row]))
}

/**
 * Completes the summary of a day with facts that only another export has: an export without a
 * resting heart rate does not mean that there was none (docs/decisions/0051-facts-of-days-stay.md).
 * A fact that this export could have and lacks is counted as missing, and removed where the import
 * removes missing data.
 */
export function completeFacts(
  context: SummaryImport,
  day: number,
  summary: NewSummary<'activity'>,
  stored: StoredDayFacts | undefined,
): NewSummary<'activity'> {
  if (stored === undefined) return summary
  const { modifiedAt } = context
  const isOlder = modifiedAt !== null && stored.version > versionWrittenAt(modifiedAt)
  return isOlder ? addFacts(summary, stored) : takeOverFacts(context, day, summary, stored)
}

/** For a newer export, or the same one again: takes over the facts that it lacks. */
function takeOverFacts(
  { intake, settlesMissing, removesMissing, importCounts }: SummaryImport,
  day: number,
  summary: NewSummary<'activity'>,
  stored: StoredDayFacts,
): NewSummary<'activity'> {
  const lacking = FACTS.filter((fact) => summary.values[fact] === null && stored[fact] !== null)
  if (lacking.length === 0) return summary
  const covered = new Set(lacking.filter((fact) => intake.facts.covers(fact, day)))
  const isMissing = settlesMissing && covered.size > 0
  // With another local time the fact belongs to the day before or after, and would count twice.
  const { timezoneOffset: offset } = summary
  const isRedated =
    offset !== null && stored.timezone_offset !== null && offset !== stored.timezone_offset
  if (isMissing && !isRedated) importCounts.addMissingFacts(removesMissing)
  const goes = isRedated || removesMissing
  const values = { ...summary.values }
  for (const fact of lacking) if (!(goes && covered.has(fact))) values[fact] = stored[fact]
  return { ...summary, values }
}

/** For an older export: keeps the facts of the newer one and adds only those that it lacks. */
function addFacts(summary: NewSummary<'activity'>, stored: StoredDayFacts): NewSummary<'activity'> {
  const isNew = FACTS.some((fact) => stored[fact] === null && summary.values[fact] !== null)
  if (!isNew) return summary
  const values = { ...summary.values }
  for (const fact of FACTS) values[fact] = stored[fact] ?? values[fact]
  const modifiedAt = Math.floor(stored.version / MICROSECONDS) + 1
  return { ...summary, values, modifiedAt, raw: stored.raw }
}
