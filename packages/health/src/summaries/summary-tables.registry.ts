import { ACTIVITY_COLUMNS } from './activity/activity.schema.ts'
import { BODY_COLUMNS } from './body/body.schema.ts'
import { ELECTROCARDIOGRAM_COLUMNS } from './electrocardiogram/electrocardiogram.schema.ts'
import { MEAL_COLUMNS } from './meal/meal.schema.ts'
import { MENSTRUAL_CYCLE_COLUMNS } from './menstrual-cycle/menstrual-cycle.schema.ts'
import { PROFILE_COLUMNS } from './profile/profile.schema.ts'
import { SLEEP_COLUMNS } from './sleep/sleep.schema.ts'
import type { SummaryColumns, SummaryColumnType } from './summary-fields.schema.ts'
import { WORKOUT_COLUMNS } from './workout/workout.schema.ts'

export type { SummaryColumnType }

export interface SummaryTable {
  /** Table in ClickHouse. */
  table: string
  /**
   * Columns beside the common ones, in the order of the table; names are those of
   * docs/contract/09-aggregate.md#tables-and-columns.
   */
  columns: SummaryColumns
}

/** Columns that every table of summaries has, in the order of the table. */
export const COMMON_HEAD = [
  'environment_id',
  'user_id',
  'id',
  'provider',
  'source_type',
  'app_id',
  'device_model',
  'external_id',
  'calendar_date',
  'started_at',
  'ended_at',
  'timezone_offset',
  'time_zone',
] as const
export const COMMON_TAIL = [
  'raw',
  'content_hash',
  'created_at',
  'updated_at',
  'version',
  'is_removed',
] as const

/**
 * The stored summaries of docs/contract/06-summaries.md. A sleep cycle is stored with its sleep;
 * devices are in PostgreSQL.
 */
export const SUMMARY_TABLES = {
  activity: { table: 'activity_summaries', columns: ACTIVITY_COLUMNS },
  sleep: { table: 'sleep_summaries', columns: SLEEP_COLUMNS },
  workouts: { table: 'workout_summaries', columns: WORKOUT_COLUMNS },
  body: { table: 'body_summaries', columns: BODY_COLUMNS },
  meal: { table: 'meal_summaries', columns: MEAL_COLUMNS },
  menstrual_cycle: { table: 'menstrual_cycle_summaries', columns: MENSTRUAL_CYCLE_COLUMNS },
  profile: { table: 'profile_summaries', columns: PROFILE_COLUMNS },
  electrocardiogram: { table: 'electrocardiogram_summaries', columns: ELECTROCARDIOGRAM_COLUMNS },
} as const satisfies Record<string, SummaryTable>

/** Resources that are stored as summaries. */
export type SummaryResource = keyof typeof SUMMARY_TABLES

export const SUMMARY_RESOURCES = Object.keys(SUMMARY_TABLES) as readonly SummaryResource[]

interface ColumnValues {
  integer: number | null
  number: number | null
  boolean: boolean | null
  text: string | null
  long_text: string | null
  date: string | null
  json: string
  integers: readonly number[]
}

type ColumnsOf<R extends SummaryResource> = (typeof SUMMARY_TABLES)[R]['columns']

/** Values of all columns of one resource. */
export type SummaryValues<R extends SummaryResource = SummaryResource> = {
  -readonly [C in keyof ColumnsOf<R>]: ColumnsOf<R>[C] extends SummaryColumnType
    ? ColumnValues[ColumnsOf<R>[C]]
    : never
}

/** Columns without any value, by resource: built once, because each summary begins with them. */
const EMPTY: { readonly [R in SummaryResource]: Readonly<SummaryValues<R>> } = Object.fromEntries(
  SUMMARY_RESOURCES.map((resource) => {
    const columns = Object.entries(SUMMARY_TABLES[resource].columns).map(([name, type]) => {
      if (type === 'json') return [name, '']
      return [name, type === 'integers' ? Object.freeze([]) : null]
    })
    return [resource, Object.fromEntries(columns)]
  }),
) as { [R in SummaryResource]: SummaryValues<R> }

/** Returns the columns of a resource without any value, to be copied. */
export function emptyValues<R extends SummaryResource>(resource: R): Readonly<SummaryValues<R>> {
  return EMPTY[resource]
}
