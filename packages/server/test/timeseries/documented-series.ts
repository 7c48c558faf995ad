/**
 * The facts of docs/contract/05-timeseries.md#resource-table, copied by hand and on purpose not
 * taken from the registry, so that tests compare two independent tables.
 */
export interface DocumentedSeries {
  name: string
  /** Name in events where it differs. */
  resource?: string
  shape: 'I' | 'P' | 'BP'
  unit: string
  range: [least: number | null, most: number | null]
  legacy?: true
  types?: 'any' | readonly string[]
  typeRequired?: true
  fields?: Record<string, string[]>
}

const SENSOR_LOCATION =
  'armpit body ear finger gastrointestinal mouth rectum toe eardrum temporal_artery forehead wrist'
const sensor = { sensor_location: SENSOR_LOCATION.split(' ') }
const lipids = ['ldl', 'hdl', 'total', 'triglycerides'].map((lipid) => `cholesterol/${lipid}`)

const anyPercent: [number, number] = [0, 100]
const body: [number, number] = [25, 45]
const up: [number, null] = [0, null]

export const DOCUMENTED_SERIES: readonly DocumentedSeries[] = [
  { name: 'afib_burden', shape: 'I', unit: '%', range: anyPercent },
  { name: 'basal_body_temperature', shape: 'I', unit: '\u00b0C', range: body },
  { name: 'blood_oxygen', shape: 'P', unit: '%', range: anyPercent, legacy: true },
  { name: 'blood_pressure', shape: 'BP', unit: 'mmHg', range: [0, 400], legacy: true },
  { name: 'body_fat', resource: 'fat', shape: 'P', unit: '%', range: anyPercent, legacy: true },
  { name: 'body_mass_index', shape: 'I', unit: 'index', range: [5, 150] },
  { name: 'body_temperature', shape: 'I', unit: '\u00b0C', range: body, fields: sensor },
  { name: 'body_temperature_delta', shape: 'I', unit: '\u00b0C', range: [-10, 10], fields: sensor },
  {
    name: 'body_weight',
    resource: 'weight',
    shape: 'P',
    unit: 'kg',
    range: [0, 700],
    legacy: true,
  },
  { name: 'caffeine', shape: 'I', unit: 'g', range: [0, 10], legacy: true },
  { name: 'calories_active', shape: 'I', unit: 'kcal', range: up, legacy: true },
  { name: 'calories_basal', shape: 'P', unit: 'kcal', range: up, legacy: true },
  { name: 'carbohydrates', shape: 'I', unit: 'g', range: up },
  {
    name: 'cholesterol',
    shape: 'P',
    unit: 'mmol/L',
    range: [0, 60],
    legacy: true,
    types: lipids,
    typeRequired: true,
  },
  { name: 'daylight_exposure', shape: 'I', unit: 'min', range: up },
  { name: 'distance', shape: 'I', unit: 'm', range: up, legacy: true },
  {
    name: 'electrocardiogram_voltage',
    shape: 'P',
    unit: 'mV',
    range: [null, null],
    legacy: true,
    types: 'any',
    typeRequired: true,
  },
  { name: 'fall', shape: 'I', unit: 'count', range: up },
  { name: 'floors_climbed', shape: 'P', unit: 'count', range: up, legacy: true },
  { name: 'forced_expiratory_volume_1', shape: 'I', unit: 'L', range: [0, 15] },
  { name: 'forced_vital_capacity', shape: 'I', unit: 'L', range: [0, 15] },
  {
    name: 'glucose',
    shape: 'P',
    unit: 'mmol/L',
    range: [0, 60],
    legacy: true,
    types: ['automatic', 'manual_scan', 'fingerprick'],
  },
  { name: 'handwashing', shape: 'I', unit: 'count', range: up },
  {
    name: 'heart_rate_alert',
    shape: 'I',
    unit: 'count',
    range: up,
    types: ['low_heart_rate', 'high_heart_rate', 'irregular_rhythm'],
    typeRequired: true,
  },
  { name: 'heart_rate_recovery_one_minute', shape: 'I', unit: 'count', range: [0, 200] },
  { name: 'heartrate', shape: 'P', unit: 'bpm', range: [10, 350], legacy: true },
  {
    name: 'hrv',
    shape: 'P',
    unit: 'rmssd',
    range: [0, 1000],
    legacy: true,
    // Ours, not of the contract: which statistic the number is.
    fields: { method: ['rmssd', 'sdnn'] },
  },
  { name: 'hypnogram', shape: 'I', unit: 'stage', range: [-1, 5], legacy: true },
  {
    name: 'ige',
    shape: 'P',
    unit: 'FSU',
    range: up,
    legacy: true,
    types: 'any',
    typeRequired: true,
  },
  {
    name: 'igg',
    shape: 'P',
    unit: 'FSU',
    range: up,
    legacy: true,
    types: 'any',
    typeRequired: true,
  },
  { name: 'inhaler_usage', shape: 'I', unit: 'count', range: up },
  {
    name: 'insulin_injection',
    shape: 'I',
    unit: 'unit',
    range: [0, 500],
    types: ['rapid_acting', 'long_acting'],
    typeRequired: true,
    fields: {
      delivery_mode: ['basal', 'bolus'],
      delivery_form: ['standard', 'extended'],
      bolus_purpose: ['meal', 'correction', 'mixed', 'unknown'],
    },
  },
  { name: 'lean_body_mass', shape: 'I', unit: 'kg', range: [0, 400] },
  { name: 'mindfulness_minutes', shape: 'I', unit: 'min', range: up, legacy: true },
  {
    name: 'note',
    shape: 'I',
    unit: 'text',
    range: up,
    fields: { tags: ['food', 'exercise', 'insulin_injection', 'unspecified'] },
  },
  { name: 'peak_expiratory_flow_rate', shape: 'I', unit: 'L/min', range: [0, 1500] },
  { name: 'respiratory_rate', shape: 'P', unit: 'bpm', range: [0, 120], legacy: true },
  { name: 'sleep_apnea_alert', shape: 'I', unit: 'count', range: up },
  {
    name: 'sleep_breathing_disturbance',
    shape: 'I',
    unit: 'count',
    range: up,
    types: ['elevated', 'not_elevated'],
  },
  { name: 'stand_duration', shape: 'I', unit: 'min', range: up },
  {
    name: 'stand_hour',
    shape: 'I',
    unit: 'count',
    range: up,
    types: ['stood', 'idle'],
    typeRequired: true,
  },
  { name: 'steps', shape: 'I', unit: 'count', range: up, legacy: true },
  { name: 'stress_level', shape: 'P', unit: '%', range: anyPercent, legacy: true },
  { name: 'uv_exposure', shape: 'I', unit: 'index', range: up },
  { name: 'vo2_max', shape: 'I', unit: 'mL/kg/min', range: [0, 120], legacy: true },
  { name: 'waist_circumference', shape: 'I', unit: 'cm', range: [0, 400] },
  { name: 'water', shape: 'P', unit: 'ml', range: up, legacy: true },
  { name: 'wheelchair_push', shape: 'I', unit: 'count', range: up },
  { name: 'workout_distance', shape: 'I', unit: 'm', range: up },
  {
    name: 'workout_duration',
    shape: 'I',
    unit: 'min',
    range: up,
    fields: { intensity: ['low', 'medium', 'high'] },
  },
  { name: 'workout_swimming_stroke', shape: 'I', unit: 'count', range: up },
]
