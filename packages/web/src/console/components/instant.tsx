import type { ReactNode } from 'react'

const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const MINUTE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' })
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** `5 minutes ago`, up to a week away; then the day. */
export function formatRelative(time: Date, now = new Date()): string {
  const distance = time.getTime() - now.getTime()
  if (Math.abs(distance) > 7 * 86_400_000) return DAY.format(time)
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
  /** Shown in place of a time that is not there. */
  otherwise?: string
  isRelative?: boolean
}

/** A moment in the zone of who looks; with zone and seconds when pointed at. */
export function Instant({ at, otherwise = 'never', isRelative = false }: InstantProps): ReactNode {
  if (at === null || at === undefined) return <span className="quiet">{otherwise}</span>
  const time = new Date(at)
  return (
    <time dateTime={at} title={FULL.format(time)}>
      {isRelative ? formatRelative(time) : MINUTE.format(time)}
    </time>
  )
}
