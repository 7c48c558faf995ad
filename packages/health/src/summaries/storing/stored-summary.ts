import { dateAtOffset } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { SampleOwner } from '../../ingest/index.ts'
import type { NewSummary, SummaryRow } from '../summary.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'

/** A summary in its stored form: the day and the offset as the source reported them, or null. */
export type StoredSummary<R extends SummaryResource = SummaryResource> = Omit<
  SummaryRow<R>,
  'calendar_date'
> & { calendar_date: string | null }

/** Converts a new summary to the columns of its table. */
export function toStoredSummary(
  { provider }: Pick<SampleOwner, 'provider'>,
  summary: NewSummary,
  stored: { id: string; createdAt: number; updatedAt: number },
): StoredSummary {
  return {
    ...summary.values,
    id: stored.id,
    provider,
    source_type: summary.sourceType,
    app_id: summary.appId,
    device_model: summary.deviceModel,
    external_id: summary.recordId,
    calendar_date: summary.calendarDate,
    started_at: summary.startedAt,
    ended_at: summary.endedAt,
    timezone_offset: summary.timezoneOffset,
    time_zone: summary.timeZone,
    created_at: stored.createdAt,
    updated_at: stored.updatedAt,
  }
}

/**
 * Adds the local day and offset that a read shows: where the row has none, by the user's fallback
 * zone, otherwise in UTC. The start determines them, the end for a sleep.
 */
export function withLocalDay(
  resource: SummaryResource,
  row: StoredSummary,
  fallbackZone: string | null,
): SummaryRow {
  const instant = resource === 'sleep' ? row.ended_at : row.started_at
  const ofZone = fallbackZone === null ? null : zoneOffsetSeconds(fallbackZone, instant)
  const offset = row.timezone_offset ?? ofZone
  const date = row.calendar_date ?? dateAtOffset(instant, offset ?? 0)
  return { ...row, timezone_offset: offset, calendar_date: date } as SummaryRow
}

/**
 * Returns the day that is compared with ingestion bounds, for a sleep the day of its end; null for
 * a profile, which has none.
 */
export function dateOfSummary({
  resource,
  calendarDate,
  startedAt,
  endedAt,
  timezoneOffset,
}: NewSummary): string | null {
  if (resource === 'profile') return null
  return (
    calendarDate ?? dateAtOffset(resource === 'sleep' ? endedAt : startedAt, timezoneOffset ?? 0)
  )
}

/**
 * Returns the content of a sleep's cycle as a text, or null when it has none. Equal texts are equal
 * cycles, whatever else in the sleep has changed.
 */
export function cycleText(
  row: Pick<
    StoredSummary<'sleep'>,
    | 'started_at'
    | 'ended_at'
    | 'timezone_offset'
    | 'time_zone'
    | 'source_type'
    | 'app_id'
    | 'stage_start_offset_second'
    | 'stage_end_offset_second'
    | 'stage_type'
  >,
): string | null {
  if (row.stage_type.length === 0) return null
  return JSON.stringify([
    row.started_at,
    row.ended_at,
    row.timezone_offset,
    row.time_zone,
    row.source_type,
    row.app_id,
    row.stage_start_offset_second,
    row.stage_end_offset_second,
    row.stage_type,
  ])
}
