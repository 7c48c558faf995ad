import Type from 'typebox'
import { DateTime, Nullable } from '../../../platform/http/schema-types.ts'
import {
  Amount,
  CalendarDate,
  Count,
  identity,
  provenance,
  TimezoneOffset,
} from './summary-fields.schema.ts'

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

/** A workout (contract 06, section 6). */
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
