// generated from packages/health/src/queries/tables by scripts/generate.ts; do not edit

/** Columns of the tables of summaries. */
export interface QueryTables {
  sleep: {
    state: string | null
    type: string | null
    duration_second: number | null
    stage_asleep_second: number | null
    stage_awake_second: number | null
    stage_light_second: number | null
    stage_rem_second: number | null
    stage_deep_second: number | null
    stage_unknown_second: number | null
    latency_second: number | null
    heart_rate_minimum: number | null
    heart_rate_mean: number | null
    heart_rate_maximum: number | null
    heart_rate_resting: number | null
    heart_rate_dip: number | null
    efficiency: number | null
    hrv_mean_rmssd: number | null
    hrv_mean_sdnn: number | null
    skin_temperature: number | null
    skin_temperature_delta: number | null
    respiratory_rate: number | null
    score: number | null
    recovery_readiness_score: number | null
    id: string
    session_start: string
    session_end: string
    time_zone: string | null
    source_type: string
    source_provider: string
    source_app_id: string | null
    source_device_id: string | null
  }
  activity: {
    calories_total: number | null
    calories_active: number | null
    steps: number | null
    distance_meter: number | null
    floors_climbed: number | null
    duration_active_second: number | null
    intensity_sedentary_second: number | null
    intensity_low_second: number | null
    intensity_medium_second: number | null
    intensity_high_second: number | null
    heart_rate_mean: number | null
    heart_rate_minimum: number | null
    heart_rate_maximum: number | null
    heart_rate_resting: number | null
    heart_rate_mean_walking: number | null
    wheelchair_use: boolean | null
    wheelchair_push: number | null
    date: string
    time_zone: string | null
    time_zone_offset: number | null
    source_type: string
    source_provider: string
    source_app_id: string | null
    source_device_id: string | null
  }
  workout: {
    title: string | null
    sport_name: string | null
    sport_slug: string | null
    duration_active_second: number | null
    heart_rate_mean: number | null
    heart_rate_minimum: number | null
    heart_rate_maximum: number | null
    heart_rate_zone_1: number | null
    heart_rate_zone_2: number | null
    heart_rate_zone_3: number | null
    heart_rate_zone_4: number | null
    heart_rate_zone_5: number | null
    heart_rate_zone_6: number | null
    distance_meter: number | null
    calories: number | null
    elevation_gain_meter: number | null
    elevation_maximum_meter: number | null
    elevation_minimum_meter: number | null
    speed_mean: number | null
    speed_maximum: number | null
    power_source: string | null
    power_mean: number | null
    power_maximum: number | null
    power_weighted_mean: number | null
    steps: number | null
    map_polyline: string | null
    map_summary_polyline: string | null
    session_start: string
    session_end: string
    external_id: string | null
    time_zone: string | null
    source_type: string
    source_provider: string
    source_app_id: string | null
    source_device_id: string | null
  }
  body: {
    weight_kilogram: number | null
    fat_mass_percentage: number | null
    water_percentage: number | null
    muscle_mass_percentage: number | null
    visceral_fat_index: number | null
    bone_mass_percentage: number | null
    body_mass_index: number | null
    lean_body_mass_kilogram: number | null
    waist_circumference_centimeter: number | null
    measured_at: string
    time_zone: string | null
    source_type: string
    source_provider: string
    source_app_id: string | null
    source_device_id: string | null
  }
  meal: {
    name: string | null
    calories: number | null
    carbohydrate_gram: number | null
    protein_gram: number | null
    alcohol_gram: number | null
    water_gram: number | null
    fibre_gram: number | null
    sugar_gram: number | null
    cholesterol_gram: number | null
    saturated_fat_gram: number | null
    monounsaturated_fat_gram: number | null
    polyunsaturated_fat_gram: number | null
    omega3_fat_gram: number | null
    omega6_fat_gram: number | null
    total_fat_gram: number | null
    sodium_milligram: number | null
    potassium_milligram: number | null
    calcium_milligram: number | null
    phosphorus_milligram: number | null
    magnesium_milligram: number | null
    iron_milligram: number | null
    zinc_milligram: number | null
    fluoride_milligram: number | null
    chloride_milligram: number | null
    vitamin_a_milligram: number | null
    vitamin_b1_milligram: number | null
    riboflavin_milligram: number | null
    niacin_milligram: number | null
    pantothenic_acid_milligram: number | null
    vitamin_b6_milligram: number | null
    biotin_microgram: number | null
    vitamin_b12_microgram: number | null
    vitamin_c_milligram: number | null
    vitamin_d_microgram: number | null
    vitamin_e_milligram: number | null
    vitamin_k_microgram: number | null
    folic_acid_microgram: number | null
    chromium_microgram: number | null
    copper_milligram: number | null
    iodine_microgram: number | null
    manganese_milligram: number | null
    molybdenum_microgram: number | null
    selenium_microgram: number | null
    date: string
    timestamp: string
    source_type: string
    source_provider: string
    source_app_id: string | null
    source_device_id: string | null
  }
  menstrual_cycle: {
    period_start: string
    period_end: string | null
    cycle_end: string | null
    is_predicted: boolean | null
    source_type: string
    source_provider: string
    source_app_id: string | null
    source_device_id: string | null
  }
  profile: {
    height_centimeter: number | null
    birth_date: string | null
    wheelchair_use: boolean | null
    gender: string | null
    sex: string | null
    created_at: string
    updated_at: string
    source_type: string
    source_provider: string
    source_app_id: string | null
    source_device_id: string | null
  }
  derived_readiness: {
    date: string
    chronotype: string
    sleep_score: number | null
    recovery_score: number | null
    stress_score: number | null
    recovery_zone: string | null
    strain_score: number | null
    strain_zone: string | null
    source_type: string
    source_provider: string
    source_app_id: string | null
    source_device_id: string | null
  }
}

/** Fields of the lists of menstrual cycles. */
export interface QueryLists {
  menstrual_flow: 'date' | 'flow'
  cervical_mucus: 'date' | 'quality'
  intermenstrual_bleeding: 'date'
  contraceptive: 'date' | 'type'
  detected_deviations: 'date' | 'deviation'
  ovulation_test: 'date' | 'test_result'
  home_pregnancy_test: 'date' | 'test_result'
  home_progesterone_test: 'date' | 'test_result'
  sexual_activity: 'date' | 'protection_used'
  basal_body_temperature: 'date' | 'value'
}

/** Fields of the samples of each series. */
export interface QuerySeries {
  afib_burden: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  basal_body_temperature: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  blood_oxygen: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  blood_pressure: {
    systolic: number
    diastolic: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  fat: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  body_mass_index: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  body_temperature: {
    value: number
    duration: number
    sensor_location: string | null
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  body_temperature_delta: {
    value: number
    duration: number
    sensor_location: string | null
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  weight: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  caffeine: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  calories_active: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  calories_basal: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  carbohydrates: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  cholesterol: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  daylight_exposure: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  distance: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  electrocardiogram_voltage: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  fall: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  floors_climbed: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  forced_expiratory_volume_1: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  forced_vital_capacity: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  glucose: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  handwashing: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  heart_rate_alert: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  heart_rate_recovery_one_minute: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  heartrate: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  hrv: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  ige: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  igg: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  inhaler_usage: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  insulin_injection: {
    value: number
    duration: number
    delivery_mode: string | null
    delivery_form: string | null
    bolus_purpose: string | null
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  lean_body_mass: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  mindfulness_minutes: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  note: {
    content: string
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  peak_expiratory_flow_rate: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  respiratory_rate: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  sleep_apnea_alert: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  sleep_breathing_disturbance: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  stand_duration: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  stand_hour: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  steps: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  stress_level: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  uv_exposure: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  vo2_max: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  waist_circumference: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  water: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  wheelchair_push: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  workout_distance: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  workout_duration: {
    value: number
    duration: number
    intensity: string | null
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
  workout_swimming_stroke: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
    source_workout_id: string | null
    source_sport: string | null
  }
}

/** Fields of each series that is merged from all sources. */
export interface QueryMergedSeries {
  afib_burden: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  basal_body_temperature: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  blood_oxygen: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  fat: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  body_mass_index: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  body_temperature: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  body_temperature_delta: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  weight: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  caffeine: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  calories_active: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  calories_basal: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  carbohydrates: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  cholesterol: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  daylight_exposure: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  distance: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  fall: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  floors_climbed: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  forced_expiratory_volume_1: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  forced_vital_capacity: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  glucose: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  handwashing: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  heart_rate_alert: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  heart_rate_recovery_one_minute: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  heartrate: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  hrv: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  ige: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  igg: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  inhaler_usage: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  insulin_injection: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  lean_body_mass: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  mindfulness_minutes: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  peak_expiratory_flow_rate: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  respiratory_rate: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  sleep_apnea_alert: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  sleep_breathing_disturbance: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  stand_duration: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  stand_hour: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  steps: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  stress_level: {
    value: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  uv_exposure: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  vo2_max: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  waist_circumference: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  water: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  wheelchair_push: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  workout_distance: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  workout_duration: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
  workout_swimming_stroke: {
    value: number
    duration: number
    timestamp: string
    timezone_offset: number | null
    type: string | null
    source_provider: string
    source_type: string
    source_app_id: string | null
  }
}
