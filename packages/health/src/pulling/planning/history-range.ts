import { findProvider } from '@salus/contracts/providers'
import { DAY_MS } from '@salus/contracts/time-units'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { Collection, TimeRange } from '../../connectors/index.ts'
import type { IngestionBounds } from '../../ingest/index.ts'
import type { PullPreferences } from './pull-preferences.repository.ts'

/**
 * Returns the days of history of a resource: the team's preference, otherwise the table of
 * providers.
 */
export function historicalDaysFor(
  provider: string,
  resource: string,
  preferences: Pick<PullPreferences, 'days' | 'resourceOverrides'> | undefined,
): number {
  const wanted = preferences?.resourceOverrides[resource] ?? preferences?.days
  return wanted ?? findProvider(provider)?.historicalDays ?? 0
}

/**
 * Returns the history range of a collection: the longest of its resources, within the user's
 * bounds, which have a tolerance of a day; undefined when there is none.
 */
export function historyRangeOf(
  provider: string,
  collection: Collection,
  {
    preferences,
    bounds,
    now,
  }: { preferences: PullPreferences | undefined; bounds: IngestionBounds; now: number },
): TimeRange | undefined {
  if (collection.history === 'none') return undefined
  const days = collection.resources.map((resource) =>
    historicalDaysFor(provider, resource, preferences),
  )
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const { ingestion_start: start, ingestion_end: end } = bounds
  const from = Math.max(
    today - Math.max(...days) * DAY_MS,
    start === null ? 0 : startOfUtcDay(start) - DAY_MS,
  )
  const to = Math.min(now, end === null ? now : startOfUtcDay(end) + 2 * DAY_MS)
  return from < to && Math.max(...days) > 0 ? { from, to } : undefined
}
