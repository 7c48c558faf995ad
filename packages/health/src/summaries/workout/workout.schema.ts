import { DateTime, DateTimeInput, Nullable } from '@salus/contracts/schema-types'
import Type from 'typebox'
import {
  Amount,
  CalendarDate,
  Count,
  identity,
  provenance,
  type SummaryColumns,
  TimezoneOffset,
} from '../summary-fields.schema.ts'
import { each, number, object, samples, session, source, text } from '../upload-fields.schema.ts'

export const SportReference = Type.Object(
  {
    id: Type.Integer({ deprecated: true, description: 'May change; use the slug.' }),
    name: Type.String(),
    slug: Type.String(),
  },
  { title: 'Sport' },
)

const WorkoutMap = Type.Object(
  {
    polyline: Nullable(Type.String({ description: 'Encoded polyline of the whole way.' })),
    summary_polyline: Nullable(Type.String({ description: 'Encoded polyline with fewer points.' })),
  },
  { title: 'WorkoutMap' },
)

/** A workout (docs/contract/06-summaries.md#workouts). */
export const Workout = Type.Object(
  {
    ...identity,
    title: Nullable(Type.String()),
    timezone_offset: TimezoneOffset,
    average_hr: Count('bpm'),
    max_hr: Count('bpm'),
    distance: Amount('m'),
    calendar_date: CalendarDate('Generally the local date of the start.'),
    time_start: DateTime,
    time_end: DateTime,
    calories: Amount('kcal'),
    sport: SportReference,
    hr_zones: Nullable(
      Type.Array(Type.Integer(), {
        description:
          'Six items: seconds below 50, in 50 to 60, 60 to 70, 70 to 80, 80 to 90 and from 90 % of the maximum heart rate.',
      }),
    ),
    moving_time: Count('Seconds.'),
    total_elevation_gain: Amount('m'),
    elev_high: Amount('m'),
    elev_low: Amount('m'),
    average_speed: Amount('m/s'),
    max_speed: Amount('m/s'),
    average_watts: Amount('W'),
    device_watts: Amount('W, the average when a power meter measured it.'),
    max_watts: Amount('W'),
    weighted_average_watts: Amount('W'),
    steps: Count('Steps.'),
    map: Nullable(WorkoutMap),
    provider_id: Type.String({ description: "The provider's id of the workout." }),
    ...provenance,
  },
  { title: 'Workout' },
)
export type Workout = Type.Static<typeof Workout>

/** Its own columns, in the order of the table. */
export const WORKOUT_COLUMNS = {
  title: 'long_text',
  sport_name: 'text',
  sport_slug: 'text',
  duration_active_second: 'integer',
  heart_rate_mean: 'integer',
  heart_rate_minimum: 'integer',
  heart_rate_maximum: 'integer',
  heart_rate_zone_1: 'number',
  heart_rate_zone_2: 'number',
  heart_rate_zone_3: 'number',
  heart_rate_zone_4: 'number',
  heart_rate_zone_5: 'number',
  heart_rate_zone_6: 'number',
  distance_meter: 'number',
  calories: 'number',
  elevation_gain_meter: 'number',
  elevation_maximum_meter: 'number',
  elevation_minimum_meter: 'number',
  speed_mean: 'number',
  speed_maximum: 'number',
  power_source: 'text',
  power_mean: 'number',
  power_maximum: 'number',
  power_weighted_mean: 'number',
  steps: 'integer',
  map_polyline: 'long_text',
  map_summary_polyline: 'long_text',
} as const satisfies SummaryColumns

const BulkSample = object('BulkSample', {
  anchor: DateTimeInput,
  value: Type.Array(Type.Number()),
  start_offset: Type.Array(Type.Number(), { description: 'Seconds from the anchor.' }),
  end_offset: Type.Array(Type.Number(), { description: 'Seconds from the anchor.' }),
  source_bundle: text(),
  product_type: text(),
  type: source.source_type,
  metadata: source.metadata,
})

/** A workout as it is uploaded (docs/contract/07-mobile-sync.md#workout). */
export const WorkoutUpload = object('WorkoutUploadItem', {
  ...session,
  sport: Type.String({ description: 'Such as Running or biking_stationary.' }),
  moving_time: number('s'),
  calories: number('kcal'),
  distance: number('m'),
  ascent_elevation: number('m'),
  descent_elevation: number('m'),
  ...each(['heart_rate_maximum', 'heart_rate_minimum', 'heart_rate_mean'], number('bpm')),
  ...each(
    [1, 2, 3, 4, 5, 6].map((zone) => `heart_rate_zone_${zone}`),
    number('s'),
  ),
  heart_rate_zone_max_hr: number('bpm; by which zones are told that are left out'),
  heart_rate: samples(),
  respiratory_rate: samples(),
  stream: Type.Optional(
    Nullable(
      object('WorkoutStreamUpload', {
        components: Type.Record(Type.String(), Type.Array(BulkSample)),
      }),
    ),
  ),
})
