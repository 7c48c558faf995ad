import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { dateAtOffset, parseDate, startOfUtcDay } from '@salus/kernel/time/instants'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { PageRequest } from '../connector.ts'
import { VendorError } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'

export type Fields = Record<string, unknown>

export const SLUG = 'ultrahuman'

export const unexpected = () => new VendorError(SLUG, { kind: 'unexpected', status: null })

/** What a day has: an object of each type, and possibly several nights. */
export interface Day {
  date: string
  zone: string | null
  /** By type in lower case. */
  metrics: ReadonlyMap<string, Fields>
  nights: readonly unknown[]
}

/** Returns the date that is requested: the cursor, else the first day that the range may have. */
export function dateOf({ range, cursor }: PageRequest): string {
  return cursor ?? dateAtOffset(range.from - 12 * HOUR_MS, 0)
}

/**
 * Returns the date after that of a page; null after the last one that has begun in the zone of the
 * user.
 */
export function nextDate(answer: unknown, request: PageRequest): string | null {
  const date = parseDate(dateOf(request))
  if (date === undefined || !isFields(answer)) return null
  // A day without data is followed by others.
  const isEmpty = answer.data === null && typeof answer.error !== 'string'
  if (!isEmpty && !isFields(answer.data)) return null
  const next = startOfUtcDay(date) + DAY_MS
  const zone = zoneOf(answer)
  const offset = zone === null ? 0 : (zoneOffsetSeconds(zone, next) ?? 0)
  return next - offset * 1000 < request.range.to ? dateAtOffset(next, 0) : null
}

/** Returns the IANA zone of an answer, of metrics or of the user. */
export function zoneOf(answer: unknown): string | null {
  const { data } = isFields(answer) ? answer : {}
  const { latest_time_zone: latest, time_zone: own, timezone } = isFields(data) ? data : {}
  const zone = [latest, own, timezone].find((text) => typeof text === 'string')
  return typeof zone === 'string' && zoneOffsetSeconds(zone, 0) !== null ? zone : null
}

/** Later times are no Unix seconds, but perhaps milliseconds. */
export const MOST_UNIX_SECONDS = 1e10

/** Returns the offset of a zone at an instant of Unix seconds. */
export function offsetAt(zone: string | null, seconds: unknown): number | null {
  return zone !== null && typeof seconds === 'number' && Math.abs(seconds) < MOST_UNIX_SECONDS
    ? zoneOffsetSeconds(zone, seconds * 1000)
    : null
}
