import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import {
  Amount,
  CalendarDate,
  Count,
  deprecatedDate,
  flatSource,
  identity,
  provenance,
  type SummaryColumns,
  TimeZone,
  Whole,
} from '../summary-fields.schema.ts'
import {
  number,
  object,
  recordedSessionFields,
  sameSchema,
  samples,
} from '../upload-fields.schema.ts'

const SLEEP_TYPES = ['long_sleep', 'short_sleep', 'acknowledged_nap', 'unknown'] as const
const SLEEP_STATES = ['tentative', 'confirmed'] as const

/** A night or a nap (docs/contract/06-summaries.md#sleep). */
export const Sleep = Type.Object(
  {
    ...identity,
    ...deprecatedDate,
    calendar_date: CalendarDate('Usually the local date on which the sleep ended.'),
    bedtime_start: DateTime,
    bedtime_stop: DateTime,
    type: TextEnum(SLEEP_TYPES, {
      description:
        'Type of the sleep that the provider sent. Without one, a sleep of 3 hours or more is a long_sleep and a shorter one a short_sleep. A sleep that is still being recorded is unknown.',
    }),
    timezone_offset: Nullable(
      Type.Integer({
        description:
          'Offset from UTC in seconds at `bedtime_stop`, which determines the calendar date.',
      }),
    ),
    bedtime_start_offset: Nullable(
      Type.Integer({
        description:
          'Offset from UTC in seconds at `bedtime_start`. It differs from `timezone_offset` when the local time changed during the night.',
      }),
    ),
    duration: Whole('Seconds from bedtime_start to bedtime_stop.'),
    total: Whole('Seconds asleep: rem, light and deep together.'),
    awake: Whole('Seconds; 0 when not reported.'),
    light: Whole('Seconds; 0 when not reported.'),
    rem: Whole('Seconds; 0 when not reported.'),
    deep: Whole('Seconds; 0 when not reported.'),
    score: Count('Score of the provider, from 1 to 100.'),
    recovery_readiness_score: Count('Readiness or recovery score of the provider, from 0 to 100.'),
    hr_lowest: Count('bpm'),
    hr_average: Count('bpm'),
    hr_resting: Count('bpm'),
    efficiency: Amount('Share of the duration spent asleep, in percent.'),
    latency: Count('Seconds until the user fell asleep.'),
    temperature_delta: Amount('Deviation from the usual temperature in °C.'),
    skin_temperature: Amount('°C'),
    hr_dip: Amount('%'),
    state: Nullable(TextEnum(SLEEP_STATES)),
    average_hrv: Amount('ms, rmssd'),
    respiratory_rate: Amount('Breaths per minute.'),
    sleep_stream: Type.Null({
      deprecated: true,
      description: 'Always null. Read the stream of the sleep instead.',
    }),
    ...provenance,
  },
  { title: 'Sleep' },
)
export type Sleep = Type.Static<typeof Sleep>

const offsets = (end: string) =>
  Type.Array(Type.Integer(), {
    description: `Seconds from \`session_start\` to the ${end} of each segment.`,
  })

/** The stages of a sleep in order (docs/contract/06-summaries.md#sleep-cycle). */
export const SleepCycle = Type.Object(
  {
    id: Uuid,
    sleep_id: Uuid,
    user_id: Uuid,
    session_start: DateTime,
    session_end: DateTime,
    stage_start_offset_second: offsets('start'),
    stage_end_offset_second: offsets('end'),
    stage_type: Type.Array(Type.Integer(), {
      description:
        'Stage of each segment: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual. The list is as long as the lists of offsets.',
    }),
    time_zone: TimeZone,
    ...flatSource,
    ...provenance,
  },
  { title: 'SleepCycle' },
)
export type SleepCycle = Type.Static<typeof SleepCycle>

/** Columns of the resource, in the order of the table. */
export const SLEEP_COLUMNS = {
  state: 'text',
  type: 'text',
  duration_second: 'integer',
  stage_asleep_second: 'integer',
  stage_awake_second: 'integer',
  stage_light_second: 'integer',
  stage_rem_second: 'integer',
  stage_deep_second: 'integer',
  stage_unknown_second: 'integer',
  latency_second: 'integer',
  heart_rate_minimum: 'integer',
  heart_rate_mean: 'integer',
  heart_rate_maximum: 'integer',
  heart_rate_resting: 'integer',
  heart_rate_dip: 'number',
  efficiency: 'number',
  hrv_mean_rmssd: 'number',
  hrv_mean_sdnn: 'number',
  skin_temperature: 'number',
  skin_temperature_delta: 'number',
  respiratory_rate: 'number',
  score: 'integer',
  recovery_readiness_score: 'integer',
  stage_start_offset_second: 'integers',
  stage_end_offset_second: 'integers',
  stage_type: 'integers',
} as const satisfies SummaryColumns

const STAGES = ['awake', 'deep', 'light', 'rem', 'unknown', 'unspecified', 'in_bed', 'out_of_bed']

/** A sleep in an upload (docs/contract/07-mobile-sync.md#sleep). */
export const SleepUpload = object('SleepUploadItem', {
  ...recordedSessionFields,
  ...sameSchema(['heart_rate_maximum', 'heart_rate_minimum', 'heart_rate_mean'], number('bpm')),
  hrv_mean_sdnn: number('ms'),
  respiratory_rate_mean: number('breaths per minute'),
  score: number('0 to 100'),
  heart_rate: samples(),
  heart_rate_variability: samples(),
  respiratory_rate: samples(),
  wrist_temperature: samples(),
  sleep_stages: Type.Optional(
    object(
      'SleepStagesUpload',
      sameSchema(
        STAGES.map((stage) => `${stage}_sleep_samples`),
        samples(),
      ),
    ),
  ),
})
