/** Kind of a column; `long_text` is a text that is rarely the same twice. Every one but lists may be null. */
export type SummaryColumnType =
  | 'integer'
  | 'number'
  | 'boolean'
  | 'text'
  | 'long_text'
  | 'date'
  /** A JSON text, empty when there is none. */
  | 'json'
  /** A list of whole numbers, empty when there is none. */
  | 'integers'

export interface SummaryTable {
  /** Table in ClickHouse. */
  table: string
  /** Columns beside the common ones, in the order of the table; names are those of contract 09. */
  columns: Readonly<Record<string, SummaryColumnType>>
}

/** Columns that every table of summaries has, in the order of the table. */
export const COMMON_HEAD = [
  'environment_id',
  'user_id',
  'id',
  'provider',
  'source_type',
  'app_id',
  'device_model',
  'external_id',
  'calendar_date',
  'started_at',
  'ended_at',
  'timezone_offset',
  'time_zone',
] as const
export const COMMON_TAIL = [
  'raw',
  'content_hash',
  'created_at',
  'updated_at',
  'version',
  'is_removed',
] as const

/** The stored summaries of contract 06. A sleep cycle is stored with its sleep; devices are in PostgreSQL. */
export const SUMMARY_TABLES = {
  activity: {
    table: 'activity_summaries',
    columns: {
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
    },
  },
  sleep: {
    table: 'sleep_summaries',
    columns: {
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
    },
  },
  workouts: {
    table: 'workout_summaries',
    columns: {
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
    },
  },
  body: {
    table: 'body_summaries',
    columns: {
      weight_kilogram: 'number',
      fat_mass_percentage: 'number',
      water_percentage: 'number',
      muscle_mass_percentage: 'number',
      visceral_fat_index: 'number',
      bone_mass_percentage: 'number',
      body_mass_index: 'number',
      lean_body_mass_kilogram: 'number',
      waist_circumference_centimeter: 'number',
    },
  },
  meal: {
    table: 'meal_summaries',
    columns: {
      name: 'text',
      calories: 'number',
      carbohydrate_gram: 'number',
      protein_gram: 'number',
      alcohol_gram: 'number',
      water_gram: 'number',
      fibre_gram: 'number',
      sugar_gram: 'number',
      cholesterol_gram: 'number',
      saturated_fat_gram: 'number',
      monounsaturated_fat_gram: 'number',
      polyunsaturated_fat_gram: 'number',
      omega3_fat_gram: 'number',
      omega6_fat_gram: 'number',
      total_fat_gram: 'number',
      sodium_milligram: 'number',
      potassium_milligram: 'number',
      calcium_milligram: 'number',
      phosphorus_milligram: 'number',
      magnesium_milligram: 'number',
      iron_milligram: 'number',
      zinc_milligram: 'number',
      fluoride_milligram: 'number',
      chloride_milligram: 'number',
      vitamin_a_milligram: 'number',
      vitamin_b1_milligram: 'number',
      riboflavin_milligram: 'number',
      niacin_milligram: 'number',
      pantothenic_acid_milligram: 'number',
      vitamin_b6_milligram: 'number',
      biotin_microgram: 'number',
      vitamin_b12_microgram: 'number',
      vitamin_c_milligram: 'number',
      vitamin_d_microgram: 'number',
      vitamin_e_milligram: 'number',
      vitamin_k_microgram: 'number',
      folic_acid_microgram: 'number',
      chromium_microgram: 'number',
      copper_milligram: 'number',
      iodine_microgram: 'number',
      manganese_milligram: 'number',
      molybdenum_microgram: 'number',
      selenium_microgram: 'number',
      foods: 'json',
    },
  },
  menstrual_cycle: {
    table: 'menstrual_cycle_summaries',
    columns: {
      period_start: 'date',
      period_end: 'date',
      cycle_end: 'date',
      is_predicted: 'boolean',
      menstrual_flow: 'json',
      cervical_mucus: 'json',
      intermenstrual_bleeding: 'json',
      contraceptive: 'json',
      detected_deviations: 'json',
      ovulation_test: 'json',
      home_pregnancy_test: 'json',
      home_progesterone_test: 'json',
      sexual_activity: 'json',
      basal_body_temperature: 'json',
    },
  },
  profile: {
    table: 'profile_summaries',
    columns: {
      height_centimeter: 'integer',
      birth_date: 'date',
      wheelchair_use: 'boolean',
      gender: 'text',
      sex: 'text',
    },
  },
  electrocardiogram: {
    table: 'electrocardiogram_summaries',
    columns: {
      voltage_sample_count: 'integer',
      heart_rate_mean: 'integer',
      sampling_frequency_hz: 'number',
      classification: 'text',
      inconclusive_cause: 'text',
      algorithm_version: 'text',
    },
  },
} as const satisfies Record<string, SummaryTable>

/** Resources that are stored as summaries. */
export type SummaryResource = keyof typeof SUMMARY_TABLES

export const SUMMARY_RESOURCES = Object.keys(SUMMARY_TABLES) as readonly SummaryResource[]

interface ColumnValues {
  integer: number | null
  number: number | null
  boolean: boolean | null
  text: string | null
  long_text: string | null
  date: string | null
  json: string
  integers: readonly number[]
}

type ColumnsOf<R extends SummaryResource> = (typeof SUMMARY_TABLES)[R]['columns']

/** Values of the columns of one resource, all there. */
export type SummaryValues<R extends SummaryResource = SummaryResource> = {
  -readonly [C in keyof ColumnsOf<R>]: ColumnsOf<R>[C] extends SummaryColumnType
    ? ColumnValues[ColumnsOf<R>[C]]
    : never
}
