import type { SeriesName } from '@salus/contracts/series'

/** A table whose rows are single measurements. */
interface MeasurementTable {
  table: string
  /** Columns of the value; versions of the database differ, and the first one counts. */
  columns: readonly string[]
  series: SeriesName
  /** Unit of the value; energies and volumes depend on the file. */
  unit: string
  extra?: Readonly<Record<string, string>>
}

const row = (
  table: string,
  columns: string,
  series: SeriesName,
  unit: string,
): MeasurementTable => ({
  table: `${table}_record_table`,
  columns: columns.split(' '),
  series,
  unit,
})

/** Units that `read` replaces by that of the file. */
export const ENERGY = 'energy of the file'
export const VOLUME = 'volume of the file'

export const MEASUREMENT_TABLES: readonly MeasurementTable[] = [
  row('steps', 'count', 'steps', 'count'),
  row('distance', 'distance', 'distance', 'm'),
  row('floors_climbed', 'floors', 'floors_climbed', 'count'),
  row('active_calories_burned', 'energy', 'calories_active', ENERGY),
  {
    ...row('heart_rate_variability_rmssd', 'heart_rate_variability_millis', 'hrv', 'ms'),
    extra: { method: 'rmssd' },
  },
  row('respiratory_rate', 'rate', 'respiratory_rate', 'bpm'),
  row('oxygen_saturation', 'percentage', 'blood_oxygen', '%'),
  row('body_temperature', 'temperature', 'body_temperature', '°C'),
  row('vo2_max', 'vo2_milliliters_per_minute_kilogram vo2_max', 'vo2_max', 'mL/kg/min'),
  row('blood_glucose', 'level', 'glucose', 'mmol/L'),
  row('hydration', 'volume', 'water', VOLUME),
]

/** Tables whose rows become samples, and body summaries by source and minute. */
export const BODY_TABLES = [
  {
    ...row('weight', 'weight', 'body_weight', 'g'),
    list: 'body_mass',
    column: 'weight_kilogram',
    perUnit: 1000,
  },
  {
    ...row('body_fat', 'percentage', 'body_fat', '%'),
    list: 'body_fat_percentage',
    column: 'fat_mass_percentage',
    perUnit: 1,
  },
  {
    ...row('lean_body_mass', 'mass lean_body_mass', 'lean_body_mass', 'g'),
    list: 'lean_body_mass',
    column: 'lean_body_mass_kilogram',
    perUnit: 1000,
  },
] as const

/**
 * Tables that are known and have no series: energy with that at rest, a power, menstruation,
 * nutrition and others. Their rows are counted.
 */
export const UNSUPPORTED_TABLES: readonly string[] = [
  ...[
    'total_calories_burned basal_metabolic_rate bone_mass body_water_mass',
    'elevation_gained wheelchair_pushes basal_body_temperature nutrition menstruation_flow',
    'menstruation_period intermenstrual_bleeding cervical_mucus ovulation_test sexual_activity',
    'skin_temperature mindfulness_session planned_exercise_session activity_intensity',
  ]
    .join(' ')
    .split(' ')
    .map((name) => `${name}_record_table`),
  ...['SpeedRecordTable', 'PowerRecordTable', 'StepsCadenceRecordTable'],
  'CyclingPedalingCadenceRecordTable',
]

export const SLEEPS = 'sleep_session_record_table'
export const WORKOUTS = 'exercise_session_record_table'
/** Tables of sessions, which have what their app measured during them. */
export const SESSION_TABLES = [SLEEPS, WORKOUTS]
