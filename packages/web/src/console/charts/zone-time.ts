/** The local time of a person on axes and in texts. Knows a zone, or where none is known a fixed offset. */
export interface ZoneTime {
  /** `Europe/Berlin`, or `UTC+2`. */
  name: string
  /** Seconds east of UTC. */
  offsetAt(seconds: number): number
  /** A date whose local parts are those of the person. */
  toDate(seconds: number): Date
}

/** `UTC+2`, `UTC-3:30`. */
export function formatOffset(seconds: number): string {
  if (seconds === 0) return 'UTC'
  const minutes = Math.abs(Math.round(seconds / 60))
  const rest = minutes % 60
  const sign = seconds < 0 ? '-' : '+'
  return `UTC${sign}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** Offsets are remembered by the quarter of an hour: an axis asks for the same again with every frame. */
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

function fromOffsets(name: string, offsetAt: (seconds: number) => number): ZoneTime {
  return {
    name,
    offsetAt,
    toDate: (seconds) => {
      const local = new Date((seconds + offsetAt(seconds)) * 1000)
      const date = new Date(0)
      date.setFullYear(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate())
      date.setHours(local.getUTCHours(), local.getUTCMinutes(), local.getUTCSeconds())
      return date
    },
  }
}

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

const HOURS_20 = 20 * 3600
const DAYS_2 = 2 * 86_400
const DAYS_20 = 20 * 86_400

const shifted = (seconds: number, time: ZoneTime): Date =>
  new Date((seconds + time.offsetAt(seconds)) * 1000)

export const formatDay = (seconds: number, time: ZoneTime): string =>
  DAY.format(shifted(seconds, time))

/** A moment, to the second where that matters. */
export function formatMoment(seconds: number, time: ZoneTime, withSeconds = false): string {
  const local = shifted(seconds, time)
  return `${WEEKDAY.format(local)}, ${(withSeconds ? SECOND : MINUTE).format(local)}`
}

/** What time a bucket is of: a month, a week, a day, or from when to when. */
export function formatBucket(start: number, end: number, time: ZoneTime): string {
  const length = end - start
  const local = shifted(start, time)
  if (length > DAYS_20) return MONTH.format(local)
  if (length > DAYS_2) return `Week of ${DAY.format(local)}`
  if (length > HOURS_20) return WEEKDAY.format(local)
  if (length <= 60) return formatMoment(start, time, length < 60)
  return `${formatMoment(start, time)}–${MINUTE.format(shifted(end, time))}`
}

export const formatRange = (from: number, to: number, time: ZoneTime): string =>
  to - from > 3 * 86_400
    ? `${formatDay(from, time)} – ${formatDay(to - 1, time)}`
    : `${formatMoment(from, time)} – ${formatMoment(to, time)}`

const SHORT_DAY = new Intl.DateTimeFormat('en', { ...UTC, day: 'numeric', month: 'short' })
const MONTH_OF_YEAR = new Intl.DateTimeFormat('en', { ...UTC, month: 'short', year: 'numeric' })
const SHORT_MONTH = new Intl.DateTimeFormat('en', { ...UTC, month: 'short' })

/** The label of an axis: the largest part that changes there. */
export function formatTick(seconds: number, step: number, time: ZoneTime): string {
  const local = shifted(seconds, time)
  const isMidnight = local.getUTCHours() === 0 && local.getUTCMinutes() === 0
  if (step >= 365 * 86_400) return String(local.getUTCFullYear())
  if (step >= 80 * 86_400) return MONTH_OF_YEAR.format(local)
  if (step >= 28 * 86_400) {
    return local.getUTCMonth() === 0 ? String(local.getUTCFullYear()) : SHORT_MONTH.format(local)
  }
  if (step >= 86_400 || (isMidnight && local.getUTCSeconds() === 0)) return SHORT_DAY.format(local)
  return (step >= 60 ? MINUTE : SECOND).format(local)
}
