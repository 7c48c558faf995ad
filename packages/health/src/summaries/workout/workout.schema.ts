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
import {
  number,
  object,
  recordedSessionFields,
  sameSchema,
  samples,
  sourceFields,
  text,
} from '../upload-fields.schema.ts'

export const SportReference = Type.Object(
  {
    id: Type.Integer({
      deprecated: true,
      description: 'Numeric id of the sport. It can change; use the slug.',
    }),
    name: Type.String(),
    slug: Type.String(),
  },
  { title: 'Sport' },
)

const WorkoutMap = Type.Object(
  {
    polyline: Nullable(Type.String({ description: 'Encoded polyline of the whole route.' })),
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
    calendar_date: CalendarDate('Usually the local date of the start.'),
    time_start: DateTime,
    time_end: DateTime,
    calories: Amount('kcal'),
    sport: SportReference,
    hr_zones: Nullable(
      Type.Array(Type.Integer(), {
        description:
          'Six items: the seconds below 50 %, at 50 to 60 %, 60 to 70 %, 70 to 80 %, 80 to 90 %, and from 90 % of the maximum heart rate.',
      }),
    ),
    moving_time: Count('Seconds.'),
    total_elevation_gain: Amount('m'),
    elev_high: Amount('m'),
    elev_low: Amount('m'),
    average_speed: Amount('m/s'),
    max_speed: Amount('m/s'),
    average_watts: Amount('W'),
    device_watts: Amount('Average power in W when a power meter measured it.'),
    max_watts: Amount('W'),
    weighted_average_watts: Amount('W'),
    steps: Count('Number of steps.'),
    map: Nullable(WorkoutMap),
    provider_id: Type.String({ description: 'Id of the workout at the provider.' }),
    ...provenance,
  },
  { title: 'Workout' },
)
export type Workout = Type.Static<typeof Workout>

/** Columns of the resource, in the order of the table. */
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
  type: sourceFields.source_type,
  metadata: sourceFields.metadata,
})

/** A workout in an upload (docs/contract/07-mobile-sync.md#workout). */
export const WorkoutUpload = object('WorkoutUploadItem', {
  ...recordedSessionFields,
  sport: Type.String({ description: 'Sport, such as Running or biking_stationary.' }),
  moving_time: number('s'),
  calories: number('kcal'),
  distance: number('m'),
  ascent_elevation: number('m'),
  descent_elevation: number('m'),
  ...sameSchema(['heart_rate_maximum', 'heart_rate_minimum', 'heart_rate_mean'], number('bpm')),
  ...sameSchema(
    [1, 2, 3, 4, 5, 6].map((zone) => `heart_rate_zone_${zone}`),
    number('s'),
  ),
  heart_rate_zone_max_hr: number(
    'bpm; maximum heart rate from which zones are computed that are omitted',
  ),
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
