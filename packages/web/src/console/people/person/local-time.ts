/** Shifts a moment to a local time: the UTC fields of the returned date are local. */
export function toLocal(instant: string, offsetSeconds: number | null): Date {
  return new Date(Date.parse(instant) + (offsetSeconds ?? 0) * 1000)
}

const CLOCK = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone: 'UTC' })
const DAY = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  weekday: 'short',
  month: 'short',
  day: 'numeric',
})
const DAY_OF_YEAR = new Intl.DateTimeFormat('en', { timeZone: 'UTC', dateStyle: 'medium' })

const MINUTE = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'short',
})

/** Formats a local time with its date: `Mar 2, 2026, 7:30 AM`. */
export const formatTime = (instant: string, offsetSeconds: number | null): string =>
  MINUTE.format(toLocal(instant, offsetSeconds))

/** Formats the time of day, `7:30 AM`, of a date that toLocal returned. */
export const formatClock = (local: Date): string => CLOCK.format(local)

/** Formats a calendar date as `Mon, Mar 2`. */
export const formatDay = (date: string): string => DAY.format(new Date(date))

/** Formats a calendar date as `Mar 2, 2026`. */
export const formatDate = (date: string): string => DAY_OF_YEAR.format(new Date(date))

/** Formats an offset as `UTC−08:00`; times without a known offset are shown in UTC. */
export function formatOffset(offsetSeconds: number | null): string {
  if (offsetSeconds === null) return 'UTC, zone not known'
  const minutes = Math.round(Math.abs(offsetSeconds) / 60)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const digits = [hours, rest].map((part) => String(part).padStart(2, '0')).join(':')
  return `UTC${offsetSeconds < 0 ? '−' : '+'}${digits}`
}

/** Formats a duration as `7 h 20 min`. */
export function formatDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}

/** Adds days to a calendar date. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

/** Returns the calendar date, YYYY-MM-DD, of an instant in a zone. */
export function dateIn(zone: string, instant: string): string {
  // Canadian English formats dates as ISO 8601 does.
  return new Date(instant).toLocaleDateString('en-CA', { timeZone: zone })
}
