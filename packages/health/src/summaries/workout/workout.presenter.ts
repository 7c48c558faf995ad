import { formatInstant } from '@salus/kernel/time/instants'
import { type PresenterContext, provenanceOf } from '../presenter-context.ts'
import type { SummaryRow } from '../summary.ts'
import { findSportBySlug, toSport } from './sport.registry.ts'
import type { Workout } from './workout.schema.ts'

/** Returns the sport of a workout, `other` when none is known. */
export function sportOf(row: SummaryRow<'workouts'>): Workout['sport'] {
  const known = row.sport_slug === null ? undefined : findSportBySlug(row.sport_slug)
  const { id, name, slug } = known ?? toSport(row.sport_name ?? '')
  return { id, name, slug }
}

/** The zones are only meaningful together: a missing one would shift the others. */
function zonesOf(row: SummaryRow<'workouts'>): number[] | null {
  const zones = [
    row.heart_rate_zone_1,
    row.heart_rate_zone_2,
    row.heart_rate_zone_3,
    row.heart_rate_zone_4,
    row.heart_rate_zone_5,
    row.heart_rate_zone_6,
  ]
  const known = zones.filter((seconds) => seconds !== null)
  return known.length === zones.length ? known.map(Math.round) : null
}

function mapOf(row: SummaryRow<'workouts'>): Workout['map'] {
  const { map_polyline: polyline, map_summary_polyline: summary_polyline } = row
  return polyline === null && summary_polyline === null ? null : { polyline, summary_polyline }
}

/** Converts a workout for answers and events (docs/contract/06-summaries.md#workouts). */
export function toWorkout(row: SummaryRow<'workouts'>, context: PresenterContext): Workout {
  return {
    id: row.id,
    user_id: context.userId,
    title: row.title,
    timezone_offset: row.timezone_offset,
    average_hr: row.heart_rate_mean,
    max_hr: row.heart_rate_maximum,
    distance: row.distance_meter,
    calendar_date: row.calendar_date,
    time_start: formatInstant(row.started_at),
    time_end: formatInstant(row.ended_at),
    calories: row.calories,
    sport: sportOf(row),
    hr_zones: zonesOf(row),
    moving_time: row.duration_active_second,
    total_elevation_gain: row.elevation_gain_meter,
    elev_high: row.elevation_maximum_meter,
    elev_low: row.elevation_minimum_meter,
    average_speed: row.speed_mean,
    max_speed: row.speed_maximum,
    average_watts: row.power_mean,
    device_watts: row.power_source === 'device' ? row.power_mean : null,
    max_watts: row.power_maximum,
    weighted_average_watts: row.power_weighted_mean,
    steps: row.steps,
    map: mapOf(row),
    provider_id: row.external_id,
    ...provenanceOf(row, context),
  }
}
