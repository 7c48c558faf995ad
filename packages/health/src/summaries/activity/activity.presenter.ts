import {
  deprecatedDateOf,
  isAnyKnown,
  type PresenterContext,
  provenanceOf,
  timeZoneOf,
} from '../presenter-context.ts'
import type { SummaryRow } from '../summary.ts'
import type { Activity } from './activity.schema.ts'

const inMinutes = (seconds: number | null): number | null =>
  seconds === null ? null : seconds / 60

function heartRateOf(row: SummaryRow<'activity'>): Activity['heart_rate'] {
  const heartRate = {
    avg_bpm: row.heart_rate_mean,
    min_bpm: row.heart_rate_minimum,
    max_bpm: row.heart_rate_maximum,
    resting_bpm: row.heart_rate_resting,
    avg_walking_bpm: row.heart_rate_mean_walking,
  }
  return isAnyKnown(Object.values(heartRate)) ? heartRate : null
}

/** Converts a day for answers and events (docs/contract/06-summaries.md#activity). */
export function toActivity(row: SummaryRow<'activity'>, context: PresenterContext): Activity {
  return {
    id: row.id,
    user_id: context.userId,
    date: deprecatedDateOf(row),
    calendar_date: row.calendar_date,
    calories_total: row.calories_total,
    calories_active: row.calories_active,
    steps: row.steps,
    // No source records the deprecated field.
    daily_movement: null,
    distance: row.distance_meter,
    low: inMinutes(row.intensity_low_second),
    medium: inMinutes(row.intensity_medium_second),
    high: inMinutes(row.intensity_high_second),
    floors_climbed: row.floors_climbed,
    time_zone: timeZoneOf(row, context),
    timezone_offset: row.timezone_offset,
    heart_rate: heartRateOf(row),
    wheelchair_use: row.wheelchair_use || null,
    wheelchair_push: row.wheelchair_push,
    ...provenanceOf(row, context),
  }
}
