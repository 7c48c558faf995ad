import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { isFields, type VendorInstant } from '../vendor-records.ts'

const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/

/** Returns the milliseconds of a duration of ISO 8601, such as `PT2H44M12.5S`; NaN for no other. */
export function durationMs(text: unknown): number {
  // Each point of a route has one, such as `PT210.026S`.
  const plain = typeof text === 'string' && text.startsWith('PT') && Number(text.slice(2, -1))
  if (plain && plain > 0 && String(text).endsWith('S')) return Math.round(plain * 1000)
  const parts = typeof text === 'string' ? DURATION.exec(text)?.slice(1) : undefined
  if (parts === undefined || parts.every((part) => part === undefined)) return Number.NaN
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    Number((part ?? '0').replace(',', '.')),
  )
  return Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
}

const COLON = 58

/**
 * Returns the milliseconds since midnight of `HH:MM` or `HH:MM:SS`; NaN for another text. Without a
 * pattern, because a day may have 17,280 of them.
 */
export function clockMs(text: unknown): number {
  if (typeof text !== 'string' || text.charCodeAt(2) !== COLON) return Number.NaN
  const [hours, minutes] = [twoDigits(text, 0, 24), twoDigits(text, 3, 60)]
  if (text.length === 5) return (hours * 60 + minutes) * MINUTE_MS
  if (text.length !== 8 || text.charCodeAt(5) !== COLON) return Number.NaN
  return (hours * 60 + minutes) * MINUTE_MS + twoDigits(text, 6, 60) * 1000
}

function twoDigits(text: string, at: number, end: number): number {
  const [tens, ones] = [text.charCodeAt(at) - 48, text.charCodeAt(at + 1) - 48]
  const value = tens * 10 + ones
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 && value < end ? value : Number.NaN
}

/** Both ends of a night, which have the offsets of the place. */
export interface NightTimes {
  start: VendorInstant
  end: VendorInstant
}

/**
 * Returns the offset at a local time of a night, in seconds: a clock that changed in the night did
 * so at 01:00 UTC in Europe, elsewhere at 02:00.
 * @param local The local time as if it were UTC, epoch milliseconds.
 */
export function offsetInNight({ start, end }: NightTimes, local: number): number | null {
  if (start.offset === null || end.offset === null) return start.offset ?? end.offset
  // Another difference is that of a journey: then the watch kept the time of its start.
  if (Math.abs(end.offset - start.offset) * 1000 !== HOUR_MS) return start.offset
  const localEnd = end.at + end.offset * 1000
  const midnight = Math.floor(localEnd / DAY_MS) * DAY_MS
  const isEurope = start.offset >= -3600 && start.offset <= 3 * 3600
  const changed = midnight + (isEurope ? HOUR_MS + start.offset * 1000 : 2 * HOUR_MS)
  return local < changed ? start.offset : end.offset
}

/** Keys are minutes, rounded down: the first may be before the start of the night. */
const EARLY_MS = 30 * MINUTE_MS

/**
 * Reads an object of values by local time, such as `{"23:41": 62, "00:01": 58}`: times before that
 * of the start are of the next day.
 * @returns the values with local time (as if it were UTC) and instant, the oldest first
 */
export function readByClock(
  night: NightTimes,
  values: unknown,
): (VendorInstant & { local: number; value: unknown })[] {
  if (!isFields(values)) return []
  const { start } = night
  const localStart = start.at + (start.offset ?? 0) * 1000
  const midnight = Math.floor((localStart - EARLY_MS) / DAY_MS) * DAY_MS
  const read: ReturnType<typeof readByClock> = []
  for (const key of Object.keys(values)) {
    const clock = clockMs(key)
    if (Number.isNaN(clock)) continue
    const first = midnight + clock
    const local = first < localStart - EARLY_MS ? first + DAY_MS : first
    const offset = offsetInNight(night, local)
    read.push({ local, offset, at: local - (offset ?? 0) * 1000, value: values[key] })
  }
  return read.sort((a, b) => a.at - b.at)
}
