import Type, { type TSchema } from 'typebox'
import { DateOnly, DateTimeInput, Nullable, TextEnum } from '../../../platform/http/schema-types.ts'
import { leniently, QuantitySample, uploadOf } from '../../ingest/index.ts'
import { SOURCE_TYPES } from '../../series/index.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { HEALTH_CONNECT_NUTRIENTS, HEALTH_KIT_NUTRIENTS } from './meal-nutrients.registry.ts'

/**
 * The items of uploads (contract 07, section 3), in the spelling of iOS. They are documentation: each
 * item is checked on its own, and may leave out whatever has no value.
 */
const number = (description?: string) =>
  Type.Optional(Nullable(Type.Number(description ? { description } : {})))
const text = () => Type.Optional(Nullable(Type.String()))
const samples = () => Type.Optional(Nullable(Type.Array(QuantitySample)))
const object = (title: string, properties: Record<string, TSchema>) =>
  Type.Object(properties, { title })

function each<S extends TSchema>(names: Iterable<string>, schema: S): Record<string, S> {
  return Object.fromEntries([...names].map((name) => [name, schema]))
}

const source = {
  source_bundle: text(),
  product_type: text(),
  source_type: Type.Optional(Nullable(TextEnum(SOURCE_TYPES))),
  metadata: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
}
const session = { id: text(), start_date: DateTimeInput, end_date: DateTimeInput, ...source }

/** One object, whose fields are documented here and checked in the service. */
const ProfileData = object('ProfileUploadData', {
  biological_sex: Type.Optional(Type.Unknown({ description: 'male, female, other or not_set.' })),
  date_of_birth: Type.Optional(Type.Unknown({ description: 'A date or a date-time.' })),
  height: Type.Optional(Type.Unknown({ description: 'cm' })),
  time_zone: Type.Optional(Type.Unknown({ description: 'IANA zone.' })),
  wheelchair_use: Type.Optional(Type.Unknown({ description: 'true or false.' })),
})

const measurements = Type.Optional(Nullable(leniently(QuantitySample) as TSchema))

const BodyData = object('BodyUploadData', {
  body_mass: measurements,
  body_fat_percentage: measurements,
  body_mass_index: measurements,
  lean_body_mass: measurements,
  waist_circumference: measurements,
  time_zones: Type.Optional(Type.Unknown({ description: 'Pairs of a date and an IANA zone.' })),
})

const DaySummary = object('DaySummary', {
  calendar_date: DateOnly,
  active_energy_burned_sum: number('kcal'),
  basal_energy_burned_sum: number('kcal'),
  steps_sum: number(),
  floors_climbed_sum: number(),
  distance_walking_running_sum: number('m'),
  vo2_max: number(),
  ...each(['low', 'medium', 'high', 'exercise_time'], number('min')),
  ...each(
    ['max_heart_rate', 'min_heart_rate', 'avg_heart_rate', 'resting_heart_rate'],
    number('bpm'),
  ),
  distance_wheelchair: number('m'),
  wheelchair_use: Type.Optional(Nullable(Type.Boolean())),
  wheelchair_push: number(),
})

const ActivityItem = object('ActivityUploadItem', {
  day_summary: Nullable(DaySummary),
  active_energy_burned: samples(),
  basal_energy_burned: samples(),
  steps: samples(),
  floors_climbed: samples(),
  distance_walking_running: samples(),
  vo2_max: samples(),
})

const STAGES = ['awake', 'deep', 'light', 'rem', 'unknown', 'unspecified', 'in_bed', 'out_of_bed']

const SleepItem = object('SleepUploadItem', {
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

const WorkoutItem = object('WorkoutUploadItem', {
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

/** Beside its day an entry holds what was observed, in the words of the source. */
const dated = Type.Optional(
  Type.Array(Type.Object({ date: DateOnly }, { additionalProperties: true })),
)

const MenstrualCycleItem = object('MenstrualCycleUploadItem', {
  source_bundle: text(),
  cycle: object('MenstrualCycleUploadCycle', {
    period_start: DateOnly,
    period_end: Type.Optional(Nullable(DateOnly)),
    cycle_end: Type.Optional(Nullable(DateOnly)),
    is_predicted: Type.Optional(Nullable(Type.Boolean())),
    ...each(
      [
        'menstrual_flow',
        'cervical_mucus',
        'intermenstrual_bleeding',
        'contraceptive',
        'detected_deviations',
        'ovulation_test',
        'home_pregnancy_test',
        'home_progesterone_test',
        'sexual_activity',
        'basal_body_temperature',
      ],
      dated,
    ),
  }),
})

const NutritionRecord = object('NutritionRecordUpload', {
  start_time: DateTimeInput,
  end_time: DateTimeInput,
  start_zone_offset: text(),
  end_zone_offset: text(),
  name: text(),
  meal_type: Type.Optional(
    Type.Integer({ description: '0 unknown, 1 breakfast, 2 lunch, 3 dinner, 4 snack.' }),
  ),
  energy: number('kcal'),
  ...each(Object.keys(HEALTH_CONNECT_NUTRIENTS), number()),
})

const MealItem = object('MealUploadItem', {
  healthkit: Type.Optional(
    object('HealthKitMealUpload', {
      source_bundle: text(),
      ...each(
        ['energy_total', 'water', 'caffeine', ...Object.keys(HEALTH_KIT_NUTRIENTS)],
        samples(),
      ),
    }),
  ),
  health_connect: Type.Optional(
    object('HealthConnectMealUpload', {
      source_bundle: text(),
      nutrition_records: Type.Array(NutritionRecord),
    }),
  ),
})

const ElectrocardiogramItem = object('ElectrocardiogramUploadItem', {
  electrocardiogram: object('ElectrocardiogramUploadRecord', {
    id: text(),
    session_start: DateTimeInput,
    session_end: DateTimeInput,
    voltage_sample_count: number(),
    heart_rate_mean: number('bpm'),
    sampling_frequency_hz: number('Hz'),
    classification: text(),
    inconclusive_cause: text(),
    algorithm_version: text(),
    device_model: text(),
    ...source,
  }),
  voltage_data: Type.Optional(
    Nullable(
      object('VoltageData', {
        session_start_offset_millisecond: Type.Array(Type.Integer()),
        lead1: Type.Array(Nullable(Type.Number({ description: 'mV' }))),
      }),
    ),
  ),
})

interface UploadDocument {
  summary: string
  description: string
  body: ReturnType<typeof uploadOf<TSchema>>
}

function listUpload(what: string, title: string, item: TSchema, description: string) {
  const body = uploadOf(leniently(item) as TSchema, title)
  return { summary: `Upload ${what}`, description, body }
}

/** What each upload is called, says and takes. */
export const SUMMARY_UPLOADS: Readonly<Record<SummaryResource, UploadDocument>> = {
  activity: listUpload(
    'days of activity',
    'ActivityUpload',
    ActivityItem,
    'Sums of days, and samples that feed their series.',
  ),
  sleep: listUpload('sleeps', 'SleepUpload', SleepItem, 'Sleeps with their stages and samples.'),
  workouts: listUpload(
    'workouts',
    'WorkoutUpload',
    WorkoutItem,
    'Workouts with their streams and samples.',
  ),
  body: {
    summary: 'Upload body measurements',
    description: 'A sample each, and a summary for each source and minute.',
    body: uploadOf(BodyData as TSchema, 'BodyUpload'),
  },
  meal: listUpload(
    'meals',
    'MealUpload',
    MealItem,
    'Samples of HealthKit or records of Health Connect.',
  ),
  menstrual_cycle: listUpload(
    'menstrual cycles',
    'MenstrualCycleUpload',
    MenstrualCycleItem,
    'A cycle is known by its first day.',
  ),
  profile: {
    summary: 'Upload the profile',
    description: 'A source has one profile; what it leaves out is not known.',
    body: uploadOf(ProfileData as TSchema, 'ProfileUpload'),
  },
  electrocardiogram: listUpload(
    'electrocardiograms',
    'ElectrocardiogramUpload',
    ElectrocardiogramItem,
    'Recordings with their voltages.',
  ),
}

/** An upload's envelope with its items, which are still unchecked. */
export type SummaryUploadBody = Type.Static<UploadDocument['body']>
