import type { SeriesName } from '@salus/contracts/series'

/** What the values of a metric become. */
export interface MetricType {
  readonly series: SeriesName
  /** Whether values are sums over the time of a sample, so that they need its end. */
  readonly isAmount?: true
  /** Whether values of 1 and less are shares, which the app does not write. */
  readonly isPercent?: true
  readonly extra?: Readonly<Record<string, string>>
  readonly sport?: string
}

const amount = (series: SeriesName, more: Partial<MetricType> = {}): MetricType => ({
  series,
  isAmount: true,
  ...more,
})
const reading = (series: SeriesName, more: Partial<MetricType> = {}): MetricType => ({
  series,
  ...more,
})

/** Metrics of the app that have a series, by their names in all of its versions. */
export const METRIC_TYPES: Readonly<Record<string, MetricType>> = {
  step_count: amount('steps'),
  walking_running_distance: amount('distance'),
  distance_walking_running: amount('distance'),
  wheelchair_distance: amount('distance', { sport: 'wheelchair_pushing' }),
  distance_wheelchair: amount('distance', { sport: 'wheelchair_pushing' }),
  active_energy: amount('calories_active'),
  active_energy_burned: amount('calories_active'),
  basal_energy_burned: amount('calories_basal'),
  flights_climbed: amount('floors_climbed'),
  push_count: amount('wheelchair_push'),
  apple_stand_time: amount('stand_duration'),
  time_in_daylight: amount('daylight_exposure'),
  mindful_minutes: amount('mindfulness_minutes'),
  dietary_water: amount('water'),
  dietary_caffeine: amount('caffeine'),
  carbohydrates: amount('carbohydrates'),
  dietary_carbohydrates: amount('carbohydrates'),
  number_of_times_fallen: amount('fall'),
  inhaler_usage: amount('inhaler_usage'),
  handwashing: amount('handwashing'),
  heart_rate: reading('heartrate'),
  heart_rate_variability: reading('hrv', { extra: { method: 'sdnn' } }),
  cardio_recovery: reading('heart_rate_recovery_one_minute'),
  heart_rate_recovery_one_minute: reading('heart_rate_recovery_one_minute'),
  atrial_fibrillation_burden: reading('afib_burden'),
  blood_oxygen_saturation: reading('blood_oxygen', { isPercent: true }),
  oxygen_saturation: reading('blood_oxygen', { isPercent: true }),
  respiratory_rate: reading('respiratory_rate'),
  vo2_max: reading('vo2_max'),
  blood_glucose: reading('glucose'),
  body_temperature: reading('body_temperature'),
  basal_body_temperature: reading('basal_body_temperature'),
  apple_sleeping_wrist_temperature: reading('body_temperature', {
    extra: { sensor_location: 'wrist' },
  }),
  weight_body_mass: reading('body_weight'),
  body_mass: reading('body_weight'),
  body_fat_percentage: reading('body_fat', { isPercent: true }),
  lean_body_mass: reading('lean_body_mass'),
  body_mass_index: reading('body_mass_index'),
  waist_circumference: reading('waist_circumference'),
  uv_exposure: reading('uv_exposure'),
  forced_expiratory_volume_1: reading('forced_expiratory_volume_1'),
  forced_vital_capacity: reading('forced_vital_capacity'),
  peak_expiratory_flow_rate: reading('peak_expiratory_flow_rate'),
  breathing_disturbances: reading('sleep_breathing_disturbance'),
  sleeping_breathing_disturbances: reading('sleep_breathing_disturbance'),
}

/** Rates of a whole day, and the columns of a day's summary that they become. */
export const DAILY_RATES: Readonly<
  Record<string, 'heart_rate_resting' | 'heart_rate_mean_walking'>
> = {
  resting_heart_rate: 'heart_rate_resting',
  walking_heart_rate_average: 'heart_rate_mean_walking',
}

/** Labels of the app beside those that series accept. */
const LABELS: Readonly<Record<string, string>> = {
  'breaths/min': 'count/min',
  'beats/min': 'count/min',
  'ml/(kg·min)': 'mL/kg/min',
  'ml/(kg*min)': 'mL/kg/min',
  'ml/kg·min': 'mL/kg/min',
  'ml/min/kg': 'mL/kg/min',
  'ml/min·kg': 'mL/kg/min',
  'ml/kg/min': 'mL/kg/min',
  'fl oz': 'fl_oz_us',
  steps: 'count',
  times: 'count',
  hr: 'hour',
}

/** Returns the label of a unit as series accept it; others stay as they are. */
export function labelOf(units: unknown): string {
  if (typeof units !== 'string' || units.length > 64) return ''
  // The molar mass of glucose is a part of its unit.
  if (/^mmol<[\d.]+>\/L$/.test(units)) return 'mmol/L'
  const lower = units.trim().toLowerCase()
  return Object.hasOwn(LABELS, lower) ? (LABELS[lower] as string) : units.trim()
}
