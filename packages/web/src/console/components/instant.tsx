import { createContext, type ReactNode, useContext } from 'react'

/**
 * The IANA zone in which a part of a page shows times: that of the person of the page, or of the
 * place of an order. Without one, as in lists of many people, times are those of the reader.
 */
export const ShownZone = createContext<string | undefined>(undefined)

const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const

/** `Mar 2, 2026`. */
export const formatDayOf = (at: Date, timeZone?: string): string =>
  at.toLocaleDateString('en', { ...DATE, ...(timeZone !== undefined && { timeZone }) })

/** `Mar 2, 2026, 7:30 AM`; a zone other than the reader's is named: `GMT+9`. */
export const formatMinuteOf = (at: Date, timeZone?: string): string =>
  at.toLocaleString('en', {
    ...DATE,
    ...{ hour: 'numeric', minute: '2-digit' },
    ...(timeZone !== undefined && { timeZone, timeZoneName: 'short' }),
  })

const formatFull = (at: Date, timeZone?: string): string =>
  at.toLocaleString('en', {
    ...{ dateStyle: 'full', timeStyle: 'long' },
    ...(timeZone !== undefined && { timeZone }),
  })

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/**
 * Formats a time as `5 minutes ago`, up to a week away; then as a day, in the zone or that of the
 * reader.
 */
export function formatRelative(time: Date, zone?: string, now = new Date()): string {
  const distance = time.getTime() - now.getTime()
  if (Math.abs(distance) > 7 * 86_400_000) return formatDayOf(time, zone)
  for (const [unit, milliseconds] of STEPS) {
    if (Math.abs(distance) >= milliseconds) {
      return RELATIVE.format(Math.trunc(distance / milliseconds), unit)
    }
  }
  return 'just now'
}

interface InstantProps {
  /** ISO 8601 with its offset. */
  at: string | null | undefined
  /** Shown where there is no time. */
  otherwise?: string
  isRelative?: boolean
}

/** A moment in the zone of the person, or of the reader; zone and seconds are in its tooltip. */
export function Instant({ at, otherwise = 'never', isRelative = false }: InstantProps): ReactNode {
  const zone = useContext(ShownZone)
  if (at === null || at === undefined) return <span className="quiet">{otherwise}</span>
  const time = new Date(at)
  return (
    <time dateTime={at} title={formatFull(time, zone)}>
      {isRelative ? formatRelative(time, zone) : formatMinuteOf(time, zone)}
    </time>
  )
}
