import { DateOnly, Nullable } from '@salus/contracts/schema-types'
import Type from 'typebox'
import {
  Amount,
  CalendarDate,
  Count,
  deprecatedDate,
  identity,
  provenance,
  type SummaryColumns,
  TimeZone,
  TimezoneOffset,
} from '../summary-fields.schema.ts'
import { number, object, sameSchema, samples } from '../upload-fields.schema.ts'

const ActivityHeartRate = Type.Object(
  {
    avg_bpm: Amount('bpm'),
    min_bpm: Amount('bpm'),
    max_bpm: Amount('bpm'),
    resting_bpm: Amount('bpm'),
    avg_walking_bpm: Amount('bpm'),
  },
  { title: 'ActivityHeartRate' },
)

/** A day of one user, provider and app (docs/contract/06-summaries.md#activity). */
export const Activity = Type.Object(
  {
    ...identity,
    ...deprecatedDate,
    calendar_date: CalendarDate('Local date of the day at the provider.'),
    calories_total: Amount('Active and resting energy in kcal.'),
    calories_active: Amount('kcal'),
    steps: Count('Number of steps.'),
    daily_movement: Amount('m', { deprecated: true }),
    distance: Amount('m'),
    low: Amount('Minutes of low intensity.'),
    medium: Amount('Minutes of medium intensity.'),
    high: Amount('Minutes of high intensity.'),
    floors_climbed: Count('Number of floors climbed.'),
    time_zone: TimeZone,
    timezone_offset: TimezoneOffset,
    heart_rate: Nullable(ActivityHeartRate),
    wheelchair_use: Nullable(Type.Boolean({ description: 'true or null, never false.' })),
    wheelchair_push: Count('Number of wheelchair pushes.'),
    ...provenance,
  },
  { title: 'Activity' },
)
export type Activity = Type.Static<typeof Activity>

/** Columns of the resource, in the order of the table. */
export const ACTIVITY_COLUMNS = {
  calories_total: 'number',
  calories_active: 'number',
  steps: 'integer',
  distance_meter: 'number',
  floors_climbed: 'integer',
  duration_active_second: 'integer',
  intensity_sedentary_second: 'integer',
  intensity_low_second: 'integer',
  intensity_medium_second: 'integer',
  intensity_high_second: 'integer',
  heart_rate_mean: 'number',
  heart_rate_minimum: 'number',
  heart_rate_maximum: 'number',
  heart_rate_resting: 'number',
  heart_rate_mean_walking: 'number',
  wheelchair_use: 'boolean',
  wheelchair_push: 'integer',
} as const satisfies SummaryColumns

const DaySummary = object('DaySummary', {
  calendar_date: DateOnly,
  active_energy_burned_sum: number('kcal'),
  basal_energy_burned_sum: number('kcal'),
  steps_sum: number(),
  floors_climbed_sum: number(),
  distance_walking_running_sum: number('m'),
  vo2_max: number(),
  ...sameSchema(['low', 'medium', 'high', 'exercise_time'], number('min')),
  ...sameSchema(
    ['max_heart_rate', 'min_heart_rate', 'avg_heart_rate', 'resting_heart_rate'],
    number('bpm'),
  ),
  distance_wheelchair: number('m'),
  wheelchair_use: Type.Optional(Nullable(Type.Boolean())),
  wheelchair_push: number(),
})

/** A day in an upload (docs/contract/07-mobile-sync.md#activity). */
export const ActivityUpload = object('ActivityUploadItem', {
  day_summary: Nullable(DaySummary),
  active_energy_burned: samples(),
  basal_energy_burned: samples(),
  steps: samples(),
  floors_climbed: samples(),
  distance_walking_running: samples(),
  vo2_max: samples(),
})
