import { DAY_SECONDS } from '../../time-units.ts'

/** A local time of a person from an instant on, as an offset from UTC in seconds. */
interface LocalTime {
  from: string
  timezone_offset: number
}

/** The local time of a person on axes and in texts, never that of the reader. */
export interface ZoneTime {
  /** `Europe/Berlin`, or `UTC+2`. */
  name: string
  /** Seconds east of UTC. */
  offsetAt(seconds: number): number
}

/** `UTC+2`, `UTC-3:30`. */
export function formatOffset(seconds: number): string {
  if (seconds === 0) return 'UTC'
  const minutes = Math.abs(Math.round(seconds / 60))
  const rest = minutes % 60
  const sign = seconds < 0 ? '-' : '+'
  return `UTC${sign}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/**
 * Offsets are remembered by the quarter of an hour: an axis asks for the same again with every
 * frame.
 */
const REMEMBERED = 900

export function createZoneTime(zone: string): ZoneTime {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const known = new Map<number, number>()
  const look = (seconds: number): number => {
    const part = format.formatToParts(seconds * 1000).find(({ type }) => type === 'timeZoneName')
    const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(part?.value ?? '') ?? []
    const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60
    return sign === '-' ? -offset : offset
  }
  return fromOffsets(zone.replaceAll('_', ' '), (seconds) => {
    const slot = Math.floor(seconds / REMEMBERED)
    let offset = known.get(slot)
    if (offset === undefined) {
      offset = look(slot * REMEMBERED)
      known.set(slot, offset)
    }
    return offset
  })
}

export const createOffsetTime = (offset: number): ZoneTime =>
  fromOffsets(formatOffset(offset), () => offset)

/**
 * Creates the local time of a person: by the data; where they have none, by the person's zone, else
 * UTC.
 * @param zone Zone of the person, where it is known.
 * @param localTimes In order of time.
 */
export function createLocalTime(
  zone: string | undefined,
  localTimes: readonly LocalTime[],
): ZoneTime {
  const home = zone === undefined ? createOffsetTime(0) : createZoneTime(zone)
  const parts = localTimes.map(({ from, timezone_offset: offset }) => {
    const start = Date.parse(from) / 1000
    // At home the zone gives the time of a change to the second; data only show it with their next
    // sample.
    return { start, time: home.offsetAt(start) === offset ? home : createOffsetTime(offset) }
  })
  const isSettled = parts.every(({ time }) => time === home)
  if (isSettled) return home
  const last = parts.at(-1)?.time ?? home
  const timeAt = (seconds: number): ZoneTime =>
    (parts.findLast(({ start }) => start <= seconds) ?? parts[0])?.time ?? home
  return fromOffsets(last.name, (seconds) => timeAt(seconds).offsetAt(seconds))
}

const fromOffsets = (name: string, offsetAt: ZoneTime['offsetAt']): ZoneTime => ({ name, offsetAt })

const UTC = { timeZone: 'UTC' } as const
const DAY = new Intl.DateTimeFormat('en', {
  ...UTC,
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const WEEKDAY = new Intl.DateTimeFormat('en', {
  ...UTC,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const MONTH = new Intl.DateTimeFormat('en', { ...UTC, month: 'long', year: 'numeric' })
const MINUTE = new Intl.DateTimeFormat('en', {
  ...UTC,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})
const SECOND = new Intl.DateTimeFormat('en', {
  ...UTC,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

const DAYS_2 = 2 * 86_400
const DAYS_20 = 20 * 86_400

const shiftToLocal = (seconds: number, time: ZoneTime): Date =>
  new Date((seconds + time.offsetAt(seconds)) * 1000)

export const formatDay = (seconds: number, time: ZoneTime): string =>
  DAY.format(shiftToLocal(seconds, time))

/** Formats a moment, with seconds where they matter. */
export function formatMoment(seconds: number, time: ZoneTime, withSeconds = false): string {
  const local = shiftToLocal(seconds, time)
  return `${WEEKDAY.format(local)}, ${(withSeconds ? SECOND : MINUTE).format(local)}`
}

/** Fields of a bucket that its text needs. */
/** In seconds since 1970. */
interface TimeOfBucket {
  start: number
  end: number
  /** Local day of the person; null for buckets shorter than a day. */
  date: string | null
  /** Seconds east of UTC. */
  offset: number
}

/**
 * Formats the time of a bucket where the person was: a month, a week, a day, or a span of hours.
 */
export function formatBucket({ start, end, date, offset }: TimeOfBucket, time: ZoneTime): string {
  const length = end - start
  if (date !== null) {
    const day = new Date(date)
    if (length > DAYS_20) return MONTH.format(day)
    return length > DAYS_2 ? `Week of ${DAY.format(day)}` : WEEKDAY.format(day)
  }
  const local = createOffsetTime(offset)
  // Where the axis has another local time, as between two devices on a journey, the text names this
  // one.
  const zone = time.offsetAt(start) === offset ? '' : ` (${local.name})`
  if (length <= 60) return `${formatMoment(start, local, length < 60)}${zone}`
  return `${formatMoment(start, local)}–${MINUTE.format(shiftToLocal(end, local))}${zone}`
}

export const formatRange = (from: number, to: number, time: ZoneTime): string =>
  to - from > 3 * 86_400
    ? `${formatDay(from, time)} – ${formatDay(to - 1, time)}`
    : `${formatMoment(from, time)} – ${formatMoment(to, time)}`

const SHORT_DAY = new Intl.DateTimeFormat('en', { ...UTC, day: 'numeric', month: 'short' })
const MONTH_OF_YEAR = new Intl.DateTimeFormat('en', { ...UTC, month: 'short', year: 'numeric' })
const SHORT_MONTH = new Intl.DateTimeFormat('en', { ...UTC, month: 'short' })

/** Formats the label of an axis: the largest unit that changes there. */
export function formatTick(seconds: number, step: number, time: ZoneTime): string {
  const local = shiftToLocal(seconds, time)
  const isMidnight = local.getUTCHours() === 0 && local.getUTCMinutes() === 0
  if (step >= 365 * 86_400) return String(local.getUTCFullYear())
  if (step >= 80 * 86_400) return MONTH_OF_YEAR.format(local)
  if (step >= 28 * 86_400) {
    return local.getUTCMonth() === 0 ? String(local.getUTCFullYear()) : SHORT_MONTH.format(local)
  }
  if (step >= 86_400 || (isMidnight && local.getUTCSeconds() === 0)) return SHORT_DAY.format(local)
  return (step >= 60 ? MINUTE : SECOND).format(local)
}

/** 1970 began on a Thursday; weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY_SECONDS

/**
 * Returns where an axis is labelled: round local times of the person, however the clock was
 * changed.
 * @param step Seconds between two labels; from 28 days on months, from 365 days on years.
 * @returns Unix seconds within the range, rising.
 */
export function listTicks(from: number, to: number, step: number, time: ZoneTime): number[] {
  const localFrom = from + time.offsetAt(from)
  const localTo = to + time.offsetAt(to)
  const ticks: number[] = []
  for (const local of localTicks(localFrom, localTo, step)) {
    const guess = local - time.offsetAt(local)
    const instant = local - time.offsetAt(guess)
    // A local time that the clock skipped has no label; a day without midnight begins after the
    // gap.
    if (step < DAY_SECONDS && instant + time.offsetAt(instant) !== local) continue
    if (instant >= from && instant <= to && instant > (ticks.at(-1) ?? -Infinity)) {
      ticks.push(instant)
    }
  }
  return ticks
}

/** Returns a day more on both sides, because the clock may have been changed between. */
function* localTicks(from: number, to: number, step: number): Generator<number> {
  const [start, end] = [from - DAY_SECONDS, to + DAY_SECONDS]
  if (step < 28 * DAY_SECONDS) {
    const first = step === 7 * DAY_SECONDS ? FIRST_MONDAY : 0
    for (let at = Math.floor((start - first) / step) * step + first; at <= end; at += step) yield at
    return
  }
  const months = Math.max(1, Math.round((step / (365 * DAY_SECONDS)) * 12))
  const date = new Date(start * 1000)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
  for (let at = Math.floor(month / months) * months; ; at += months) {
    const seconds = Date.UTC(Math.floor(at / 12), at % 12) / 1000
    if (seconds > end) return
    yield seconds
  }
}
