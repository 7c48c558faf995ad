import type { UserRow } from '../../accounts/users/index.ts'
import { dateAtOffset } from '../../platform/time/instants.ts'
import { WorkSlice } from '../../platform/time-slices.ts'
import type { Sample } from './sample.ts'

/** Instants outside ClickHouse's DateTime64 would be stored as other instants. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(2299, 11, 31)

/** From 1900 to the end of 2299, which is what ClickHouse can hold in milliseconds. */
export function isStorableInstant(epochMilliseconds: number): boolean {
  return epochMilliseconds >= EARLIEST && epochMilliseconds <= LATEST
}

/**
 * Local dates between which a person's data are taken in, both included; null: no bound
 * (docs/contract/02-users.md).
 */
export type IngestionBounds = Pick<UserRow, 'ingestion_start' | 'ingestion_end'>

/** True when a local date lies within the bounds. */
function isDateWithinBounds(
  { ingestion_start: start, ingestion_end: end }: IngestionBounds,
  date: string,
): boolean {
  return (start === null || date >= start) && (end === null || date <= end)
}

/** The local date at which a sample begins where the offset is known, else its UTC date. */
export function dateOfSample(sample: Pick<Sample, 'startedAt' | 'timezoneOffset'>): string {
  return dateAtOffset(sample.startedAt, sample.timezoneOffset ?? 0)
}

/** True when a sample lies within the bounds. */
export function isWithinBounds(
  bounds: IngestionBounds,
  sample: Pick<Sample, 'startedAt' | 'timezoneOffset'>,
): boolean {
  return isDateWithinBounds(bounds, dateOfSample(sample))
}

/**
 * Keeps what lies within the bounds.
 * @param dateOf The local date of an item; null: it has none, and is always within.
 */
export async function keepWithinBounds<Item>(
  bounds: IngestionBounds,
  items: readonly Item[],
  dateOf: (item: Item) => string | null,
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
