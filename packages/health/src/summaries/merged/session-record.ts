import { HOUR_MS } from '@salus/contracts/time-units'
import type { RankedSource } from '../../source-priorities/index.ts'

/** Resources whose records are merged: a person sleeps, or works out, once at a time. */
export const SESSION_RESOURCES = ['sleep', 'workouts'] as const
export type SessionResource = (typeof SESSION_RESOURCES)[number]

/** What merging needs of one stored sleep or workout. Unknown texts are empty. */
export interface SessionRecord extends RankedSource {
  id: string
  externalId: string
  /** Epoch milliseconds. */
  startedAt: number
  endedAt: number
  /**
   * Offset from UTC in seconds that the record itself has. Without one its time is an instant, or
   * a wall clock that was stored as if it were UTC.
   */
  offset: number | null
  /** Local day, YYYY-MM-DD. */
  day: string
  /** Whether the source named the day. */
  namesDay: boolean
  /** Whether stages of the sleep are known. */
  hasStages: boolean
  /** Slug of the sport, empty for a sleep. */
  sport: string
  /** Duration in seconds that the source reported, and distance in meters. */
  seconds: number | null
  meters: number | null
  /** How many of the values that a full record has are known. */
  detail: number
}

/**
 * A longer record does not take in shorter ones within it: a recording that was not stopped
 * must not hide the other workouts of its day.
 */
export const LONGEST_WHOLE_MS: Readonly<Record<SessionResource, number>> = {
  sleep: 16 * HOUR_MS,
  workouts: 12 * HOUR_MS,
}

/** Whether the source named only a day, without times. */
export const isDayOnly = ({ startedAt, endedAt, namesDay }: SessionRecord): boolean =>
  namesDay && startedAt === endedAt

/** Returns the same text for records of the same source, and no others. */
export const sourceKey = ({ provider, sourceType, appId }: RankedSource): string =>
  JSON.stringify([provider, sourceType, appId])

/** Whether two sports may be the same; an unknown or unspecific one may be any. */
export function areSportsAlike(a: SessionRecord, b: SessionRecord): boolean {
  const isOpen = ({ sport }: SessionRecord): boolean => sport === '' || sport === 'other'
  return a.sport === b.sport || isOpen(a) || isOpen(b)
}
