// generated from packages/contracts/src/series/series.registry.ts by scripts/generate.ts; do not edit

/** Series that are amounts, by their names in queries: they are added up, others have a mean. */
export const SUMMED_SERIES: ReadonlySet<string> = new Set([
  'caffeine',
  'calories_active',
  'calories_basal',
  'carbohydrates',
  'daylight_exposure',
  'distance',
  'fall',
  'floors_climbed',
  'handwashing',
  'heart_rate_alert',
  'inhaler_usage',
  'insulin_injection',
  'mindfulness_minutes',
  'sleep_apnea_alert',
  'sleep_breathing_disturbance',
  'stand_duration',
  'stand_hour',
  'steps',
  'water',
  'wheelchair_push',
  'workout_distance',
  'workout_duration',
  'workout_swimming_stroke',
])

/** Series without a merged read: their samples are read as they are. */
export const UNMERGED_SERIES: ReadonlySet<string> = new Set([
  'blood_pressure',
  'electrocardiogram_voltage',
  'note',
])
