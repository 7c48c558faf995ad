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
import { each, number, object, samples, session } from '../upload-fields.schema.ts'

const SLEEP_TYPES = ['long_sleep', 'short_sleep', 'acknowledged_nap', 'unknown'] as const
const SLEEP_STATES = ['tentative', 'confirmed'] as const

/** A night or a nap (docs/contract/06-summaries.md#sleep). */
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
    timezone_offset: Nullable(
      Type.Integer({ description: 'Seconds east of UTC at bedtime_stop, which tells the day.' }),
    ),
    bedtime_start_offset: Nullable(
      Type.Integer({
        description:
          'Seconds east of UTC at bedtime_start: another than timezone_offset where the clock was changed in the night.',
      }),
    ),
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

const offsets = (end: string) =>
  Type.Array(Type.Integer(), {
    description: `Seconds from session_start to the ${end} of each segment.`,
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
        'Stage of each segment: -1 unknown, 1 deep, 2 light, 3 REM, 4 awake, 5 manual. As long as the lists of offsets.',
    }),
    time_zone: TimeZone,
    ...flatSource,
    ...provenance,
  },
  { title: 'SleepCycle' },
)
export type SleepCycle = Type.Static<typeof SleepCycle>

/** Its own columns, in the order of the table. */
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

/** A sleep as it is uploaded (docs/contract/07-mobile-sync.md#sleep). */
export const SleepUpload = object('SleepUploadItem', {
  ...session,
  ...each(['heart_rate_maximum', 'heart_rate_minimum', 'heart_rate_mean'], number('bpm')),
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
      each(
        STAGES.map((stage) => `${stage}_sleep_samples`),
        samples(),
      ),
    ),
  ),
})
