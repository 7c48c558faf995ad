import { toSource } from '@salus/contracts/providers'
import type { Source } from '@salus/contracts/series'
import { formatInstant } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { SummaryRow } from './summary.ts'

/** Context that presenting the summaries of one user needs beside their rows. */
export interface PresenterContext {
  userId: string
  baseUrl: string
  /** Provider to id of the user's only device there. */
  devices: ReadonlyMap<string, string>
  /** The user's fallback zone, or null. */
  fallbackZone: string | null
}

/** Returns the device of a row when the provider has only one of the user. */
export function deviceOf(row: SummaryRow, context: PresenterContext): string | null {
  return context.devices.get(row.provider) ?? null
}

/** Returns the fields at the end of every summary. */
export function provenanceOf(row: SummaryRow, context: PresenterContext) {
  const { provider, source_type: sourceType, app_id: appId } = row
  const source = { provider, sourceType, appId, sport: '', workoutId: '' }
  return {
    source: toSource(source, deviceOf(row, context), context.baseUrl),
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
  }
}

/** Returns the source as separate fields. */
export function flatSourceOf(row: SummaryRow, context: PresenterContext) {
  return {
    source_provider: row.provider,
    source_type: row.source_type as Source['type'],
    source_app_id: row.app_id || null,
    source_device_id: deviceOf(row, context),
  }
}

/**
 * Returns the IANA zone of a row: its own, or the user's fallback zone when the local time of the
 * row matches it.
 */
export function timeZoneOf(row: SummaryRow, { fallbackZone }: PresenterContext): string | null {
  if (row.time_zone !== '') return row.time_zone
  if (fallbackZone === null || row.timezone_offset === null) return null
  // The offset of a sleep is that of its end, otherwise of the start.
  const instants = [row.started_at, row.ended_at]
  const isItsTime = instants.some(
    (instant) => zoneOffsetSeconds(fallbackZone, instant) === row.timezone_offset,
  )
  return isItsTime ? fallbackZone : null
}

/**
 * Returns the offset from UTC in seconds at the start of a row whose offset is that of its end.
 * Without a known zone the offset is assumed not to have changed in between.
 */
export function startOffsetOf(row: SummaryRow, context: PresenterContext): number | null {
  const zone = timeZoneOf(row, context)
  return zone === null ? row.timezone_offset : zoneOffsetSeconds(zone, row.started_at)
}

/** Returns the deprecated date of a summary: its calendar date at 00:00 UTC. */
export function deprecatedDateOf(row: SummaryRow): string {
  return `${row.calendar_date}T00:00:00+00:00`
}

/** Whether one of the values is not null. */
export function isAnyKnown(values: readonly unknown[]): boolean {
  return values.some((value) => value !== null)
}
