import { SERIES_BY_UPLOAD_NAME } from '@salus/contracts/series'

/**
 * Data types in the spelling of clients
 * (docs/contract/07-mobile-sync.md#post-v2useruser_idsdk_sync_progressprovider).
 */
export const BACKFILL_TYPES = [
  ...['workouts', 'activity', 'sleep', 'body', 'workout_stream', 'sleep_stream', 'profile'],
  ...['blood_pressure', 'blood_oxygen', 'glucose', 'heartrate', 'heartrate_variability', 'weight'],
  ...['fat', 'meal', 'water', 'caffeine', 'mindfulness_minutes', 'calories_active'],
  ...['calories_basal', 'distance', 'floors_climbed', 'steps', 'respiratory_rate', 'vo2_max'],
  ...['stress', 'electrocardiogram', 'temperature', 'menstrual_cycle', 'heart_rate_alert'],
  ...['afib_burden', 'stand_hour', 'stand_duration', 'sleep_apnea_alert'],
  ...['sleep_breathing_disturbance', 'wheelchair_push', 'forced_expiratory_volume_1'],
  ...['forced_vital_capacity', 'peak_expiratory_flow_rate', 'inhaler_usage', 'fall'],
  ...['uv_exposure', 'daylight_exposure', 'handwashing', 'basal_body_temperature'],
  'heart_rate_recovery_one_minute',
]

/**
 * Returns the resource of a type as uploads record their history: `hrv` for
 * `heartrate_variability`.
 */
export function resourceOfBackfillType(backfillType: string): string {
  if (backfillType === 'stress') return 'stress_level'
  return SERIES_BY_UPLOAD_NAME.get(backfillType)?.resource ?? backfillType
}
