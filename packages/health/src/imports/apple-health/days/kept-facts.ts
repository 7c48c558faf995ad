import { versionWrittenAt } from '../../../ingest/index.ts'
import type { NewSummary } from '../../../summaries/index.ts'
import { listDayFacts, type StoredDayFacts } from '../../imported-data.repository.ts'
import type { SummaryImport } from '../summary-import.ts'
import { dateOfDay } from './activity-summary.ts'

/** What an export says of a day beside its samples. What is made of samples goes with them. */
const FACTS = [
  'heart_rate_resting',
  'heart_rate_mean_walking',
  'duration_active_second',
  'calories_active',
] as const

/** Of a millisecond. */
const MICROSECONDS = 1000

/** By date, what imports before brought of some days. */
export async function readStoredFacts(
  { clickhouse, owner }: SummaryImport,
  days: readonly number[],
): Promise<ReadonlyMap<string, StoredDayFacts>> {
  const rows = await listDayFacts(clickhouse, owner, days.map(dateOfDay))
  return new Map(rows.map((row) => [row.date, row]))
}

/**
 * The summary of a day with the facts that only another export has: one that says nothing of a
 * resting heart rate does not say that there was none (docs/decisions/0051-facts-of-days-stay.md).
 * What this export could have said and does not is counted as missing, and goes where the import
 * removes that.
 */
export function keepFacts(
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

/** Of a newer export, or the same again: with what it lacks. */
function takeOverFacts(
  { intake, settlesMissing, removesMissing, report }: SummaryImport,
  day: number,
  summary: NewSummary<'activity'>,
  stored: StoredDayFacts,
): NewSummary<'activity'> {
  const lacking = FACTS.filter((fact) => summary.values[fact] === null && stored[fact] !== null)
  if (lacking.length === 0) return summary
  const covered = new Set(lacking.filter((fact) => intake.facts.covers(fact, day)))
  const isMissing = settlesMissing && covered.size > 0
  // On another clock than before the fact lies on the day before or after, and would count twice.
  const { timezoneOffset: offset } = summary
  const isRedated =
    offset !== null && stored.timezone_offset !== null && offset !== stored.timezone_offset
  if (isMissing && !isRedated) report.addMissingFacts(removesMissing)
  const goes = isRedated || removesMissing
  const values = { ...summary.values }
  for (const fact of lacking) if (!(goes && covered.has(fact))) values[fact] = stored[fact]
  return { ...summary, values }
}

/** Of an older export: what the newer one says stays, and only what that one lacks is added. */
function addFacts(summary: NewSummary<'activity'>, stored: StoredDayFacts): NewSummary<'activity'> {
  const isNew = FACTS.some((fact) => stored[fact] === null && summary.values[fact] !== null)
  if (!isNew) return summary
  const values = { ...summary.values }
  for (const fact of FACTS) values[fact] = stored[fact] ?? values[fact]
  const modifiedAt = Math.floor(stored.version / MICROSECONDS) + 1
  return { ...summary, values, modifiedAt, raw: stored.raw }
}
