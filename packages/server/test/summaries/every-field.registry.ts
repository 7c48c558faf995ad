import { sleepCycleId } from '../../../health/src/summaries/summary-id.ts'
import type { SummaryResource } from '../../../health/src/summaries/summary-tables.registry.ts'
import { findSportBySlug } from '../../../health/src/summaries/workout/sport.registry.ts'
import type { StoredFields } from './store-summary.ts'

/** Keys of answers that are not called as their resource. */
export const RESOURCE_KEYS: Record<string, string> = { meal: 'meals' }

/** Where and when all rows of the cases were recorded. */
export const SOURCE_FIELDS = {
  provider: 'manual',
  source_type: 'watch',
  app_id: 'com.example.app',
  device_model: 'Watch7,5',
  external_id: 'record-1',
  started_at: '2026-02-10T22:00:00.900Z',
  ended_at: '2026-02-11T05:30:00Z',
  timezone_offset: -18_000,
  time_zone: 'America/New_York',
  created_at: '2026-02-11T06:00:00Z',
  updated_at: '2026-02-12T06:00:00Z',
} as const

const provenance = {
  source: {
    provider: 'manual',
    type: 'watch',
    app_id: 'com.example.app',
    device_id: null,
    sport: null,
    workout_id: null,
    name: 'Manual',
    slug: 'manual',
    logo: 'http://salus.example/assets/providers/manual.svg',
  },
  created_at: '2026-02-11T06:00:00+00:00',
  updated_at: '2026-02-12T06:00:00+00:00',
}
const flatSource = {
  source_provider: 'manual',
  source_type: 'watch',
  source_app_id: 'com.example.app',
  source_device_id: null,
}
const START = '2026-02-10T22:00:00+00:00'
const END = '2026-02-11T05:30:00+00:00'
/** 22:00 UTC is 17:00 in New York. */
const START_DAY = { date: '2026-02-10T00:00:00+00:00', calendar_date: '2026-02-10' }
const END_DAY = { date: '2026-02-11T00:00:00+00:00', calendar_date: '2026-02-11' }

export interface FieldsCase<R extends SummaryResource = SummaryResource> {
  resource: R
  fields: StoredFields<R>
  /** The object but for id and user_id. */
  expected: (id: string) => object
  /** Its ids, when they are not that of the row. */
  ids?: (id: string) => object
}

const fieldsCase = <R extends SummaryResource>(case_: FieldsCase<R>): FieldsCase =>
  case_ as unknown as FieldsCase

const activity = fieldsCase<'activity'>({
  resource: 'activity',
  fields: {
    calories_total: 2200.5,
    calories_active: 500.25,
    steps: 9000,
    distance_meter: 6800.5,
    floors_climbed: 12,
    duration_active_second: 3600,
    intensity_sedentary_second: 30_000,
    intensity_low_second: 7230,
    intensity_medium_second: 1800,
    intensity_high_second: 600,
    heart_rate_mean: 70.5,
    heart_rate_minimum: 45,
    heart_rate_maximum: 160,
    heart_rate_resting: 52,
    heart_rate_mean_walking: 99,
    wheelchair_use: true,
    wheelchair_push: 300,
  },
  expected: () => ({
    ...START_DAY,
    calories_total: 2200.5,
    calories_active: 500.25,
    steps: 9000,
    daily_movement: null,
    distance: 6800.5,
    low: 120.5,
    medium: 30,
    high: 10,
    floors_climbed: 12,
    time_zone: 'America/New_York',
    timezone_offset: -18_000,
    heart_rate: {
      avg_bpm: 70.5,
      min_bpm: 45,
      max_bpm: 160,
      resting_bpm: 52,
      avg_walking_bpm: 99,
    },
    wheelchair_use: true,
    wheelchair_push: 300,
    ...provenance,
  }),
})

const stages = {
  stage_start_offset_second: [0, 600],
  stage_end_offset_second: [600, 27_000],
  stage_type: [4, 2],
}

const sleep = fieldsCase<'sleep'>({
  resource: 'sleep',
  fields: {
    state: 'confirmed',
    type: 'acknowledged_nap',
    duration_second: 27_000,
    stage_asleep_second: 20_001,
    stage_awake_second: 1001,
    stage_light_second: 10_002,
    stage_rem_second: 4003,
    stage_deep_second: 3004,
    stage_unknown_second: 5,
    latency_second: 606,
    heart_rate_minimum: 41,
    heart_rate_mean: 52,
    heart_rate_maximum: 88,
    heart_rate_resting: 43,
    heart_rate_dip: 12.5,
    efficiency: 88.25,
    hrv_mean_rmssd: 55.5,
    hrv_mean_sdnn: 66.5,
    skin_temperature: 34.25,
    skin_temperature_delta: -0.25,
    respiratory_rate: 14.5,
    score: 81,
    recovery_readiness_score: 72,
    ...stages,
  },
  expected: () => ({
    ...END_DAY,
    bedtime_start: START,
    bedtime_stop: END,
    type: 'acknowledged_nap',
    timezone_offset: -18_000,
    bedtime_start_offset: -18_000,
    duration: 27_000,
    total: 20_001,
    awake: 1001,
    light: 10_002,
    rem: 4003,
    deep: 3004,
    score: 81,
    recovery_readiness_score: 72,
    hr_lowest: 41,
    hr_average: 52,
    hr_resting: 43,
    efficiency: 88.25,
    latency: 606,
    temperature_delta: -0.25,
    skin_temperature: 34.25,
    hr_dip: 12.5,
    state: 'confirmed',
    average_hrv: 55.5,
    respiratory_rate: 14.5,
    sleep_stream: null,
    ...provenance,
  }),
})

const sleepCycle = fieldsCase<'sleep'>({
  resource: 'sleep',
  fields: stages,
  ids: (id) => ({ id: sleepCycleId(id), sleep_id: id }),
  expected: () => ({
    session_start: START,
    session_end: END,
    ...stages,
    time_zone: 'America/New_York',
    ...flatSource,
    ...provenance,
  }),
})

const workouts = fieldsCase<'workouts'>({
  resource: 'workouts',
  fields: {
    title: 'Over the hill\t"and" back',
    sport_name: 'Running',
    sport_slug: 'running',
    duration_active_second: 2700,
    heart_rate_mean: 142,
    heart_rate_minimum: 90,
    heart_rate_maximum: 171,
    heart_rate_zone_1: 10,
    heart_rate_zone_2: 20.4,
    heart_rate_zone_3: 30,
    heart_rate_zone_4: 40,
    heart_rate_zone_5: 50,
    heart_rate_zone_6: 60.6,
    distance_meter: 8200.5,
    calories: 610.5,
    elevation_gain_meter: 120.5,
    elevation_maximum_meter: 400.5,
    elevation_minimum_meter: 280.5,
    speed_mean: 3.25,
    speed_maximum: 5.5,
    power_source: 'device',
    power_mean: 230.5,
    power_maximum: 600,
    power_weighted_mean: 245.5,
    steps: 7000,
    map_polyline: '_p~iF~ps|U_ulL\\nnqC',
    map_summary_polyline: '_p~iF',
  },
  expected: () => ({
    title: 'Over the hill\t"and" back',
    timezone_offset: -18_000,
    average_hr: 142,
    max_hr: 171,
    distance: 8200.5,
    calendar_date: '2026-02-10',
    time_start: START,
    time_end: END,
    calories: 610.5,
    hr_zones: [10, 20, 30, 40, 50, 61],
    moving_time: 2700,
    total_elevation_gain: 120.5,
    elev_high: 400.5,
    elev_low: 280.5,
    average_speed: 3.25,
    max_speed: 5.5,
    average_watts: 230.5,
    device_watts: 230.5,
    max_watts: 600,
    weighted_average_watts: 245.5,
    steps: 7000,
    map: { polyline: '_p~iF~ps|U_ulL\\nnqC', summary_polyline: '_p~iF' },
    provider_id: 'record-1',
    sport: { ...findSportBySlug('running'), name: 'Running', slug: 'running' },
    ...provenance,
  }),
})

const body = fieldsCase<'body'>({
  resource: 'body',
  fields: {
    weight_kilogram: 71.4,
    fat_mass_percentage: 21.5,
    water_percentage: 55.5,
    muscle_mass_percentage: 40.5,
    visceral_fat_index: 7.5,
    bone_mass_percentage: 4.5,
    body_mass_index: 22.5,
    lean_body_mass_kilogram: 56.5,
    waist_circumference_centimeter: 80.5,
  },
  expected: () => ({
    ...START_DAY,
    weight: 71.4,
    fat: 21.5,
    water_percentage: 55.5,
    muscle_mass_percentage: 40.5,
    bone_mass_percentage: 4.5,
    visceral_fat_index: 7.5,
    body_mass_index: 22.5,
    lean_body_mass_kilogram: 56.5,
    waist_circumference_centimeter: 80.5,
    ...provenance,
  }),
})

const food = {
  energy: { unit: 'kcal', value: 90.5 },
  macros: null,
  micros: { minerals: null, trace_elements: null, vitamins: { vitamin_c: 11.5 } },
}

/** Names of the fields of a meal and the columns that they are read from. */
const MACROS = {
  carbs: 'carbohydrate_gram',
  protein: 'protein_gram',
  alcohol: 'alcohol_gram',
  water: 'water_gram',
  fibre: 'fibre_gram',
  sugar: 'sugar_gram',
  cholesterol: 'cholesterol_gram',
}
const FATS = {
  saturated: 'saturated_fat_gram',
  monounsaturated: 'monounsaturated_fat_gram',
  polyunsaturated: 'polyunsaturated_fat_gram',
  omega3: 'omega3_fat_gram',
  omega6: 'omega6_fat_gram',
  total: 'total_fat_gram',
}
const MINERALS = {
  sodium: 'sodium_milligram',
  potassium: 'potassium_milligram',
  calcium: 'calcium_milligram',
  phosphorus: 'phosphorus_milligram',
  magnesium: 'magnesium_milligram',
  iron: 'iron_milligram',
  zinc: 'zinc_milligram',
  fluoride: 'fluoride_milligram',
  chloride: 'chloride_milligram',
}
const TRACE_ELEMENTS = {
  chromium: 'chromium_microgram',
  copper: 'copper_milligram',
  iodine: 'iodine_microgram',
  manganese: 'manganese_milligram',
  molybdenum: 'molybdenum_microgram',
  selenium: 'selenium_microgram',
}
const VITAMINS = {
  vitamin_a: 'vitamin_a_milligram',
  vitamin_b1: 'vitamin_b1_milligram',
  riboflavin: 'riboflavin_milligram',
  niacin: 'niacin_milligram',
  pantothenic_acid: 'pantothenic_acid_milligram',
  vitamin_b6: 'vitamin_b6_milligram',
  biotin: 'biotin_microgram',
  vitamin_b12: 'vitamin_b12_microgram',
  vitamin_c: 'vitamin_c_milligram',
  vitamin_d: 'vitamin_d_microgram',
  vitamin_e: 'vitamin_e_milligram',
  vitamin_k: 'vitamin_k_microgram',
  folic_acid: 'folic_acid_microgram',
}

/** An amount of its own for each column. */
const AMOUNTS = Object.fromEntries(
  [MACROS, FATS, MINERALS, TRACE_ELEMENTS, VITAMINS]
    .flatMap((names) => Object.values(names))
    .map((column, index) => [column, index + 0.5]),
)
const amountsOf = (names: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(names).map(([name, column]) => [name, AMOUNTS[column] as number]),
  )

const meal = fieldsCase<'meal'>({
  resource: 'meal',
  fields: {
    name: 'breakfast',
    calories: 430.5,
    ...AMOUNTS,
    foods: JSON.stringify({ 'An "apple"': food, constructor: food }),
  },
  expected: (id) => ({
    priority_id: 0,
    source_id: 0,
    provider_id: id,
    timestamp: START,
    calendar_date: '2026-02-10',
    name: 'breakfast',
    energy: { unit: 'kcal', value: 430.5 },
    macros: { ...amountsOf(MACROS), fats: amountsOf(FATS) },
    micros: {
      minerals: amountsOf(MINERALS),
      trace_elements: amountsOf(TRACE_ELEMENTS),
      vitamins: {
        ...amountsOf(VITAMINS),
        // Stored in milligrams, shown in micrograms.
        vitamin_a: (AMOUNTS.vitamin_a_milligram as number) * 1000,
      },
    },
    data: { 'An "apple"': food, constructor: food },
    ...provenance,
    source_app_id: 'com.example.app',
    source_device_id: null,
  }),
})

/** A day of cycle data in each list. */
const cycleLists = {
  menstrual_flow: [{ date: '2026-02-10', flow: 'medium' }],
  cervical_mucus: [{ date: '2026-02-11', quality: 'egg_white' }],
  intermenstrual_bleeding: [{ date: '2026-02-12' }],
  contraceptive: [{ date: '2026-02-13', type: 'intravaginal_ring' }],
  detected_deviations: [{ date: '2026-02-14', deviation: 'irregular_menstrual_cycles' }],
  ovulation_test: [{ date: '2026-02-15', test_result: 'luteinizing_hormone_surge' }],
  home_pregnancy_test: [{ date: '2026-02-16', test_result: 'negative' }],
  home_progesterone_test: [{ date: '2026-02-17', test_result: 'indeterminate' }],
  sexual_activity: [
    { date: '2026-02-18', protection_used: true },
    { date: '2026-02-19', protection_used: null },
  ],
  basal_body_temperature: [{ date: '2026-02-20', value: 36.55 }],
}

const menstrualCycle = fieldsCase<'menstrual_cycle'>({
  resource: 'menstrual_cycle',
  fields: {
    period_start: '2026-02-10',
    period_end: '2026-02-15',
    cycle_end: '2026-03-08',
    is_predicted: true,
    ...(Object.fromEntries(
      Object.entries(cycleLists).map(([name, list]) => [name, JSON.stringify(list)]),
    ) as Record<keyof typeof cycleLists, string>),
  },
  expected: () => ({
    period_start: '2026-02-10',
    period_end: '2026-02-15',
    cycle_end: '2026-03-08',
    is_predicted: true,
    ...cycleLists,
    ...flatSource,
    ...provenance,
  }),
})

const profile = fieldsCase<'profile'>({
  resource: 'profile',
  fields: {
    height_centimeter: 172,
    birth_date: '1931-04-12',
    wheelchair_use: true,
    gender: 'other',
    sex: 'female',
  },
  expected: () => ({
    height: 172,
    birth_date: '1931-04-12',
    wheelchair_use: true,
    gender: 'other',
    sex: 'female',
    ...provenance,
  }),
})

const electrocardiogram = fieldsCase<'electrocardiogram'>({
  resource: 'electrocardiogram',
  fields: {
    voltage_sample_count: 15_360,
    heart_rate_mean: 64,
    sampling_frequency_hz: 512.5,
    classification: 'inconclusive',
    inconclusive_cause: 'poor_reading',
    algorithm_version: '2',
  },
  expected: () => ({
    session_start: START,
    session_end: END,
    voltage_sample_count: 15_360,
    heart_rate_mean: 64,
    sampling_frequency_hz: 512.5,
    classification: 'inconclusive',
    inconclusive_cause: 'poor_reading',
    algorithm_version: '2',
    time_zone: 'America/New_York',
    ...flatSource,
    source_device_model: 'Watch7,5',
    ...provenance,
  }),
})

/** Each resource, and the sleep cycle, with every column and what is shown of it. */
export const EVERY_FIELD: Record<string, FieldsCase> = {
  activity,
  sleep,
  sleep_cycle: sleepCycle,
  workouts,
  body,
  meal,
  menstrual_cycle: menstrualCycle,
  profile,
  electrocardiogram,
}
