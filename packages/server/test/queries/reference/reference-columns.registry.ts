/** Types of docs/contract/09-aggregate.md#tables-and-columns; dt is a floating date and time. */
export type ColumnType = 'int' | 'num' | 'str' | 'bool' | 'date' | 'dt' | 'list'

const SOURCE: Record<string, ColumnType> = {
  source_type: 'str',
  source_provider: 'str',
  source_app_id: 'str',
  source_device_id: 'str',
}

function columns(text: string): Record<string, ColumnType> {
  const found: Record<string, ColumnType> = {}
  for (const part of text.trim().split(/\s*;\s*/)) {
    const [type, ...names] = part.trim().split(/\s+/)
    for (const name of names) found[name] = type as ColumnType
  }
  return found
}

/** docs/contract/09-aggregate.md#tables-and-columns, copied by hand. */
export const SUMMARY_COLUMNS: Record<string, Record<string, ColumnType>> = {
  sleep: {
    ...columns(`str id state type time_zone; dt session_start session_end;
      int duration_second stage_asleep_second stage_awake_second stage_light_second
        stage_rem_second stage_deep_second stage_unknown_second latency_second
        heart_rate_minimum heart_rate_mean heart_rate_maximum heart_rate_resting
        score recovery_readiness_score;
      num heart_rate_dip efficiency hrv_mean_rmssd hrv_mean_sdnn skin_temperature
        skin_temperature_delta respiratory_rate`),
    ...SOURCE,
  },
  activity: {
    ...columns(`date date; str time_zone; bool wheelchair_use;
      num calories_total calories_active distance_meter heart_rate_mean heart_rate_minimum
        heart_rate_maximum heart_rate_resting heart_rate_mean_walking;
      int steps floors_climbed duration_active_second intensity_sedentary_second
        intensity_low_second intensity_medium_second intensity_high_second wheelchair_push
        time_zone_offset`),
    ...SOURCE,
  },
  workout: {
    ...columns(`dt session_start session_end;
      str title sport_name sport_slug power_source map_polyline map_summary_polyline external_id
        time_zone;
      int duration_active_second heart_rate_mean heart_rate_minimum heart_rate_maximum steps;
      num heart_rate_zone_1 heart_rate_zone_2 heart_rate_zone_3 heart_rate_zone_4
        heart_rate_zone_5 heart_rate_zone_6 distance_meter calories elevation_gain_meter
        elevation_maximum_meter elevation_minimum_meter speed_mean speed_maximum power_mean
        power_maximum power_weighted_mean`),
    ...SOURCE,
  },
  body: {
    ...columns(`dt measured_at; str time_zone;
      num weight_kilogram fat_mass_percentage water_percentage muscle_mass_percentage
        visceral_fat_index bone_mass_percentage body_mass_index lean_body_mass_kilogram
        waist_circumference_centimeter`),
    ...SOURCE,
  },
  meal: {
    ...columns(`date date; str name;
      num calories carbohydrate_gram protein_gram alcohol_gram water_gram fibre_gram sugar_gram
        cholesterol_gram saturated_fat_gram total_fat_gram sodium_milligram vitamin_a_milligram
        biotin_microgram iodine_microgram`),
    ...SOURCE,
  },
  menstrual_cycle: {
    ...columns(`date period_start period_end cycle_end; bool is_predicted;
      list menstrual_flow cervical_mucus intermenstrual_bleeding contraceptive
        detected_deviations ovulation_test home_pregnancy_test home_progesterone_test
        sexual_activity basal_body_temperature`),
    ...SOURCE,
  },
  profile: {
    ...columns(`int height_centimeter; date birth_date; bool wheelchair_use; str gender sex;
      dt created_at updated_at`),
    ...SOURCE,
  },
  derived_readiness: {
    ...columns(`date date; str chronotype recovery_zone strain_zone;
      num sleep_score recovery_score stress_score strain_score`),
    ...SOURCE,
  },
}

/** Fields of the elements of lists of menstrual cycles, beside `date`. */
export const ELEMENT_FIELDS: Record<string, Record<string, ColumnType>> = {
  menstrual_flow: { date: 'date', flow: 'str' },
  cervical_mucus: { date: 'date', quality: 'str' },
  intermenstrual_bleeding: { date: 'date' },
  contraceptive: { date: 'date', type: 'str' },
  detected_deviations: { date: 'date', deviation: 'str' },
  ovulation_test: { date: 'date', test_result: 'str' },
  home_pregnancy_test: { date: 'date', test_result: 'str' },
  home_progesterone_test: { date: 'date', test_result: 'str' },
  sexual_activity: { date: 'date', protection_used: 'bool' },
  basal_body_temperature: { date: 'date', value: 'num' },
}

export const MACRO_TYPES: Record<string, ColumnType> = {
  sleep_score: 'int',
  chronotype: 'str',
  asleep_at: 'dt',
  awake_at: 'dt',
  awakenings: 'int',
}

const SERIES_SOURCE = columns(`int timezone_offset;
  str type source_provider source_type source_app_id source_workout_id source_sport`)

const CLASSES: [Record<string, ColumnType>, string][] = [
  [
    columns('num value'),
    `glucose heartrate hrv ige igg cholesterol weight fat blood_oxygen electrocardiogram_voltage
     respiratory_rate stress_level`,
  ],
  [
    columns('num value duration'),
    `steps distance vo2_max heart_rate_alert stand_hour sleep_breathing_disturbance water caffeine
     mindfulness_minutes calories_active floors_climbed calories_basal afib_burden stand_duration
     sleep_apnea_alert wheelchair_push forced_expiratory_volume_1 forced_vital_capacity
     peak_expiratory_flow_rate inhaler_usage fall uv_exposure daylight_exposure handwashing
     basal_body_temperature body_mass_index lean_body_mass waist_circumference
     heart_rate_recovery_one_minute workout_swimming_stroke workout_distance carbohydrates`,
  ],
  [columns('num value duration; str sensor_location'), 'body_temperature body_temperature_delta'],
  [columns('num value duration; str intensity'), 'workout_duration'],
  [
    columns('num value duration; str delivery_mode delivery_form bolus_purpose'),
    'insulin_injection',
  ],
  [columns('num systolic diastolic'), 'blood_pressure'],
  [columns('str content; list tags'), 'note'],
]

/** Fields of the series, by the names of queries. */
export const SERIES_COLUMNS: Record<string, Record<string, ColumnType>> = Object.fromEntries(
  CLASSES.flatMap(([fields, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, { ...fields, ...SERIES_SOURCE }]),
  ),
)

/**
 * Names of series in queries that differ from the stored ones
 * (docs/contract/04-providers.md#table-of-providers).
 */
export const STORED_SERIES: Record<string, string> = { weight: 'body_weight', fat: 'body_fat' }
