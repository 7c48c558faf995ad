import type { SessionRecord } from '../../../health/src/summaries/merged/session-record.ts'

let serial = 0

/** A record of a watch that is at UTC; times are of February 2026: `10 23:30`. */
export function sessionRecord(
  from: string,
  to: string,
  change: Partial<SessionRecord> = {},
): SessionRecord {
  const instant = (text: string): number => Date.parse(`2026-02-${text.replace(' ', 'T')}:00Z`)
  const endedAt = instant(to)
  return {
    id: `id-${String(serial++).padStart(6, '0')}`,
    provider: 'garmin',
    sourceType: 'watch',
    appId: '',
    externalId: '',
    startedAt: instant(from),
    endedAt,
    offset: 0,
    day: new Date(endedAt).toISOString().slice(0, 10),
    namesDay: false,
    hasStages: false,
    sport: '',
    seconds: null,
    meters: null,
    detail: 5,
    ...change,
  }
}

/** A record that only names a day of February 2026. */
export const dayRecord = (day: number, change: Partial<SessionRecord> = {}): SessionRecord => {
  const date = String(day).padStart(2, '0')
  const midnight = `${date} 00:00`
  return sessionRecord(midnight, midnight, { namesDay: true, offset: null, ...change })
}

export const RING = { provider: 'oura', sourceType: 'ring' } as const
export const PHONE = { provider: 'apple_health_kit', sourceType: 'phone' } as const
export const FILE = { provider: 'strava', sourceType: 'unknown' } as const
