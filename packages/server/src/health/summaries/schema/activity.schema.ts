import Type from 'typebox'
import { Nullable } from '../../../platform/http/schema-types.ts'
import {
  Amount,
  CalendarDate,
  Count,
  deprecatedDate,
  identity,
  provenance,
  TimeZone,
  TimezoneOffset,
} from './summary-fields.schema.ts'

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

/** A day of one person, provider and app (contract 06, section 2). */
export const Activity = Type.Object(
  {
    ...identity,
    ...deprecatedDate,
    calendar_date: CalendarDate('Day of the person at the provider.'),
    calories_total: Amount('kcal, basal included.'),
    calories_active: Amount('kcal'),
    steps: Count('Steps.'),
    daily_movement: Amount('m', { deprecated: true }),
    distance: Amount('m'),
    low: Amount('Minutes of low intensity.'),
    medium: Amount('Minutes of medium intensity.'),
    high: Amount('Minutes of high intensity.'),
    floors_climbed: Count('Floors.'),
    time_zone: TimeZone,
    timezone_offset: TimezoneOffset,
    heart_rate: Nullable(ActivityHeartRate),
    wheelchair_use: Nullable(Type.Boolean({ description: 'true or null, never false.' })),
    wheelchair_push: Count('Pushes of a wheelchair.'),
    ...provenance,
  },
  { title: 'Activity' },
)
export type Activity = Type.Static<typeof Activity>
