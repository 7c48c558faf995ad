import { dateAtOffset } from '@salus/kernel/time/instants'
import { offsetOf, zoneOffsets } from '@salus/kernel/time/zone-offset'
import type { SummaryRow } from '../summary.ts'
import { SUMMARY_TABLES, type SummaryResource } from '../summary-tables.registry.ts'
import type { DatedRow } from './summary-dates.ts'

/** User whose summaries are read. */
export interface Person {
  userId: string
  /** IANA zone that determines the days of rows without an offset; null for UTC. */
  fallbackZone: string | null
}

/** Columns that readStoredRow computes with. */
const DATED = [
  'id',
  'calendar_date',
  'timezone_offset',
  'started_at',
  'ended_at',
  'created_at',
  'updated_at',
]
const TEXTS = ['provider', 'source_type', 'app_id', 'device_model', 'external_id', 'time_zone']

/** Returns SQL of all stored columns of a summary, without the raw item. */
export const storedColumnsSql = (resource: SummaryResource): string =>
  [...DATED, ...TEXTS, ...Object.keys(SUMMARY_TABLES[resource].columns)].join(', ')

/** Columns of a sleep, and of a workout, that its stream needs. */
const OF_SESSIONS = {
  sleep: ['provider', 'stage_start_offset_second', 'stage_end_offset_second', 'stage_type'],
  workouts: ['provider'],
} as const

/** A session with what its stream needs. */
export type SessionRow<R extends keyof typeof OF_SESSIONS> = Pick<
  SummaryRow<R>,
  | 'started_at'
  | 'ended_at'
  | 'timezone_offset'
  | ((typeof OF_SESSIONS)[R][number] & keyof SummaryRow<R>)
>

/** Returns SQL of the stored columns of a session. */
export const sessionColumnsSql = (resource: keyof typeof OF_SESSIONS): string =>
  [...DATED, ...OF_SESSIONS[resource]].join(', ')

/** What it has of the columns; times are texts in UTC. */
interface StoredRow
  extends Record<'id' | 'started_at' | 'ended_at' | 'created_at' | 'updated_at', string> {
  calendar_date: string | null
  timezone_offset: number | null
}

/**
 * Computes what personRowsSql does: day and offset at the time of reading.
 */
export function readStoredRow<R extends SummaryResource>(
  resource: R,
  stored: object,
  { fallbackZone }: Pick<Person, 'fallbackZone'>,
): { row: SummaryRow<R>; dates: DatedRow } {
  const row = stored as StoredRow
  const zone = zoneOffsets(fallbackZone ?? 'UTC')
  const offsetAt = (instant: number): number => row.timezone_offset ?? offsetOf(zone, instant)
  const [startedAt, endedAt] = [readTime(row.started_at), readTime(row.ended_at)]
  const instant = resource === 'sleep' ? endedAt : startedAt
  const day = row.calendar_date ?? dateAtOffset(instant, offsetAt(instant))
  return {
    row: {
      ...stored,
      calendar_date: day,
      timezone_offset: fallbackZone === null ? row.timezone_offset : offsetAt(instant),
      started_at: startedAt,
      ended_at: endedAt,
      created_at: readTime(row.created_at),
      updated_at: readTime(row.updated_at),
    } as unknown as SummaryRow<R>,
    dates: {
      id: row.id,
      local_day: day,
      local_end_day: dateAtOffset(endedAt, offsetAt(endedAt)),
      started_at: startedAt,
      ended_at: endedAt,
    },
  }
}

const readTime = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`)
