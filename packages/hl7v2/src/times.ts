import { Temporal } from 'temporal-polyfill'
import { findSteadyOffset } from './steady-offsets.ts'

export type TimePrecision = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction'

/** A value of TS, DT or DTM. */
export interface Hl7Time {
  /** The first instant that the value can mean, epoch milliseconds. */
  at: number
  /** The offset of its local time from UTC at that instant. */
  offsetSeconds: number
  /** True when the value has an offset; otherwise the zone of the connection decided. */
  isZoneStated: boolean
  precision: TimePrecision
  /** The local time as sent, as far as it is precise: `1990`, `1990-04-12`, `2026-03-09T08:00`. */
  local: string
}

const DATE = String.raw`(\d{4})(?:(\d\d)(?:(\d\d)`
const TIME = String.raw`(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:\.(\d{1,9}))?)?)?)?`
const OFFSET = String.raw`([+-]\d\d:?\d\d|Z)?`
const FORM = new RegExp(`^${DATE}${TIME}${OFFSET})?)?$`)
const PRECISIONS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'fraction'] as const
const LEADS = ['', '-', '-', 'T', ':', ':', '.']
const EARLIEST_YEAR = 1800
const MOST_OFFSET_HOURS = 14

/**
 * Reads a time, `YYYY[MM[DD[HH[MM[SS[.S…]]]]]][±ZZZZ]`. A time without an offset is local to `zone`
 * (an IANA name): one that occurs twice is the earlier one, and one that a change of the clock
 * leaves out is as far after the change.
 * @returns undefined for what is no time, such as the 30th of February
 * @throws RangeError for a zone that does not exist
 */
export function readTime(text: string, options: { zone: string }): Hl7Time | undefined {
  const found = FORM.exec(text.trim())
  if (found === null) return undefined
  const parts = found.slice(1, 8).filter((part) => part !== undefined)
  const offsetText = found[8]
  const precision = PRECISIONS[parts.length - 1] ?? 'year'
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map(Number)
  if (year < EARLIEST_YEAR || hour > 23 || minute > 59 || second > 59) return undefined
  if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) return undefined
  const milliseconds = Math.floor(Number(`0.${parts[6] ?? 0}`) * 1000)
  const local = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds)
  const stated = offsetText === undefined ? undefined : readOffset(offsetText)
  if (offsetText !== undefined && stated === undefined) return undefined
  const { at, offsetSeconds } =
    stated === undefined
      ? instantIn(options.zone, local)
      : { at: local - stated * 1000, offsetSeconds: stated }
  return {
    at,
    offsetSeconds,
    isZoneStated: stated !== undefined,
    precision,
    local: parts.map((part, index) => LEADS[index] + part).join(''),
  }
}

const daysOf = (year: number, month: number): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate()

/** In seconds; undefined for one that no zone can have. */
function readOffset(text: string): number | undefined {
  if (text === 'Z') return 0
  const digits = text.replace(':', '')
  const [hours, minutes] = [Number(digits.slice(1, 3)), Number(digits.slice(3))]
  if (hours > MOST_OFFSET_HOURS || minutes > 59) return undefined
  const seconds = (hours * 60 + minutes) * 60
  return digits.startsWith('-') && seconds > 0 ? -seconds : seconds
}

/** @param local The local time as if it were UTC, epoch milliseconds. */
function instantIn(zone: string, local: number): { at: number; offsetSeconds: number } {
  const steady = findSteadyOffset(zone, local)
  if (steady !== undefined) return { at: local - steady * 1000, offsetSeconds: steady }
  const plain = Temporal.Instant.fromEpochMilliseconds(local).toZonedDateTimeISO('UTC')
  const zoned = plain.toPlainDateTime().toZonedDateTime(zone, { disambiguation: 'compatible' })
  return { at: zoned.epochMilliseconds, offsetSeconds: zoned.offsetNanoseconds / 1e9 }
}

/**
 * Writes an instant as local time of a zone, with its offset: `20260309080000-0700`, or
 * `20260309` for days.
 * @throws RangeError for a zone that does not exist
 */
export function writeTime(
  at: number,
  options: { zone: string; precision?: 'day' | 'minute' | 'second' },
): string {
  const { precision = 'second' } = options
  const { digits, offset } = localTimeIn(options.zone, at)
  if (precision === 'day') return digits.slice(0, 8)
  return digits.slice(0, precision === 'minute' ? 12 : 14) + offset
}

/** The four digits of years, and whole minutes of an offset, that need no calendar. */
const EARLIEST_PLAIN = Date.UTC(1900, 0)
const LATEST_PLAIN = Date.UTC(9000, 0)

/** The local time of an instant to the second, and its offset as `-0700`. */
function localTimeIn(zone: string, at: number): { digits: string; offset: string } {
  const isPlain = at > EARLIEST_PLAIN && at < LATEST_PLAIN
  const steady = isPlain ? findSteadyOffset(zone, at) : undefined
  if (steady !== undefined && steady % 60 === 0) {
    const digits = new Date(at + steady * 1000).toISOString().replace(/\D/g, '')
    return { digits: digits.slice(0, 14), offset: writeOffset(steady / 60) }
  }
  const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  const digits = zoned.toPlainDateTime().toString({ smallestUnit: 'second' }).replace(/\D/g, '')
  return { digits, offset: zoned.offset.replace(':', '').slice(0, 5) }
}

function writeOffset(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const digits = [hours, rest].map((part) => String(part).padStart(2, '0')).join('')
  return (minutes < 0 ? '-' : '+') + digits
}
