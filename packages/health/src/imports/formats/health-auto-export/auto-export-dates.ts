import { parseInstant } from '@salus/kernel/time/instants'
import type { VendorInstant } from '../../../connectors/index.ts'

/**
 * `2021-12-24 00:04:00 +0800`, as phones of 24 hours write it; phones of 12 hours add AM or PM, in
 * any case and after any space.
 */
const DATE =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d{1,9})?))?(?: ?([ap])\.? ?m\.?)? ?(Z|[+-]\d{2}:?\d{2})$/i
const SPACES = /[\s\u00a0\u2009\u202f]+/g
const INVISIBLE = /[\u200e\u200f]/g

/** An instant with the clock of the phone at that time. */
export interface PhoneInstant extends VendorInstant {
  /** Local date. */
  day: string
  /** Seconds of the local day. */
  secondOfDay: number
}

/** Reads a date of the app; undefined for any other value. */
export function readPhoneDate(text: unknown): PhoneInstant | undefined {
  if (typeof text !== 'string' || text.length > 64) return undefined
  const parts = DATE.exec(text.replace(INVISIBLE, '').replace(SPACES, ' ').trim())
  if (parts === null) return undefined
  const [, day = '', hourText = '', minute = '', second = '00', half, zone = ''] = parts
  let hour = Number(hourText)
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  }
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase()
  const parsed = parseInstant(
    `${day}T${String(hour).padStart(2, '0')}:${minute}:${second}${offset}`,
  )
  if (parsed === undefined) return undefined
  return {
    at: parsed.epochMilliseconds,
    offset: parsed.offsetSeconds,
    day,
    secondOfDay: hour * 3600 + Number(minute) * 60 + Math.floor(Number(second)),
  }
}
