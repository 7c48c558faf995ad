import Type from 'typebox'
import { DateTime, Nullable, TextEnum } from '../../../platform/http/schema-types.ts'
import {
  Amount,
  CalendarDate,
  Count,
  deprecatedDate,
  identity,
  provenance,
  TimezoneOffset,
  Whole,
} from './summary-fields.schema.ts'

export const SLEEP_TYPES = ['long_sleep', 'short_sleep', 'acknowledged_nap', 'unknown'] as const
export const SLEEP_STATES = ['tentative', 'confirmed'] as const

/** A night or a nap (contract 06, section 4). */
export const Sleep = Type.Object(
  {
    ...identity,
    ...deprecatedDate,
    calendar_date: CalendarDate('Generally the local date on which the sleep ended.'),
    bedtime_start: DateTime,
    bedtime_stop: DateTime,
    type: TextEnum(SLEEP_TYPES, {
      description:
        "The provider's, else long from 3 hours and short below; unknown: still being recorded.",
    }),
    timezone_offset: TimezoneOffset,
    duration: Whole('Seconds from bedtime_start to bedtime_stop.'),
    total: Whole('Seconds asleep: rem, light and deep together.'),
    awake: Whole('Seconds; 0 when not reported.'),
    light: Whole('Seconds; 0 when not reported.'),
    rem: Whole('Seconds; 0 when not reported.'),
    deep: Whole('Seconds; 0 when not reported.'),
    score: Count("1 to 100, the provider's score."),
    recovery_readiness_score: Count("0 to 100, the provider's score of readiness or recovery."),
    hr_lowest: Count('bpm'),
    hr_average: Count('bpm'),
    hr_resting: Count('bpm'),
    efficiency: Amount('% of the duration spent asleep.'),
    latency: Count('Seconds until asleep.'),
    temperature_delta: Amount('°C from the usual.'),
    skin_temperature: Amount('°C'),
    hr_dip: Amount('%'),
    state: Nullable(TextEnum(SLEEP_STATES)),
    average_hrv: Amount('ms, rmssd'),
    respiratory_rate: Amount('Breaths per minute.'),
    sleep_stream: Type.Null({ deprecated: true, description: 'Read the stream of the sleep.' }),
    ...provenance,
  },
  { title: 'Sleep' },
)
export type Sleep = Type.Static<typeof Sleep>
