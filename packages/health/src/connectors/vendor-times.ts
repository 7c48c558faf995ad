import { parseInstant } from '@salus/kernel/time/instants'
import { localToInstant } from '@salus/kernel/time/zone-offset'
import type { VendorInstant } from './vendor-records.ts'

/** Where a date ends and a time may begin. */
const TIME_AT = 10

/** Whether a date-time ends with an offset or `Z`; its date has the only other hyphens. */
function hasZone(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last === 90 || last === 122 || text.includes('+', TIME_AT) || text.includes('-', TIME_AT)
}

/** Reads a date-time with an offset or `Z`; undefined for any other value. */
export function readInstant(text: unknown): VendorInstant | undefined {
  const parsed = typeof text === 'string' && hasZone(text) ? parseInstant(text) : undefined
  return parsed && { at: parsed.epochMilliseconds, offset: parsed.offsetSeconds }
}

/**
 * Reads a local date-time without an offset, such as `2026-03-01T18:05:30`; undefined for any other
 * value, and for a zone that does not exist.
 * @param place Offset from UTC in seconds, or IANA zone. Null where neither is known: then the
 *   local time is read as if it were UTC (docs/contract/01-conventions.md#base-rules).
 */
export function readLocalInstant(
  text: unknown,
  place: number | string | null,
): VendorInstant | undefined {
  if (typeof text !== 'string' || hasZone(text)) return undefined
  const local = parseInstant(text)?.epochMilliseconds
  if (local === undefined) return undefined
  if (place === null) return { at: local, offset: null }
  if (typeof place === 'string') return localToInstant(place, local)
  return { at: local - place * 1000, offset: place }
}
