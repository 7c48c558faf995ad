import type { UserRow } from '@salus/accounts/users'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { WorkSlice } from '@salus/kernel/time-slices'
import type { Sample } from './sample.ts'

/** Instants outside ClickHouse's DateTime64 would be stored as other instants. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2299, 11, 31)

/** Whether an instant is from 1900 to the end of 2299, the range of ClickHouse in milliseconds. */
export function isStorableInstant(epochMilliseconds: number): boolean {
  return epochMilliseconds >= EARLIEST && epochMilliseconds <= LATEST
}

/**
 * Local dates between which a user's data are stored, both included; null for no bound
 * (docs/contract/02-users.md).
 */
export type IngestionBounds = Pick<UserRow, 'ingestion_start' | 'ingestion_end'>

/** A local date; where the zone is unknown, the earliest and the latest possible one. */
export type PossibleDate = string | readonly [earliest: string, latest: string]

/** Whether a local date is, or may be, within the bounds. */
function isDateWithinBounds(
  { ingestion_start: start, ingestion_end: end }: IngestionBounds,
  date: PossibleDate,
): boolean {
  const [earliest, latest] = typeof date === 'string' ? [date, date] : date
  return (start === null || latest >= start) && (end === null || earliest <= end)
}

/**
 * Returns the local date at which a sample begins; without an offset it may be a day before or
 * after the UTC date.
 */
export function dateOfSample({
  startedAt,
  timezoneOffset: offset,
}: Pick<Sample, 'startedAt' | 'timezoneOffset'>): PossibleDate {
  if (offset !== null) return dateAtOffset(startedAt, offset)
  return [dateAtOffset(startedAt, -DAY_SECONDS), dateAtOffset(startedAt, DAY_SECONDS)]
}

/** Whether a sample is within the bounds. */
export function isWithinBounds(
  bounds: IngestionBounds,
  sample: Pick<Sample, 'startedAt' | 'timezoneOffset'>,
): boolean {
  return isDateWithinBounds(bounds, dateOfSample(sample))
}

/**
 * Returns the items within the bounds.
 * @param dateOf Local date of an item; null for one without a date, which is always within.
 */
export async function selectWithinBounds<Item>(
  bounds: IngestionBounds,
  items: readonly Item[],
  dateOf: (item: Item) => PossibleDate | null,
): Promise<readonly Item[]> {
  if (bounds.ingestion_start === null && bounds.ingestion_end === null) return items
  const slice = new WorkSlice()
  const kept: Item[] = []
  for (const item of items) {
    const date = dateOf(item)
    if (date === null || isDateWithinBounds(bounds, date)) kept.push(item)
    if (slice.isOver()) await slice.rest()
  }
  return kept
}
