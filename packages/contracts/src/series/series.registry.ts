import { MERGE, type MergeRule } from './merge-rules.ts'
import { UNITS, type UnitTable } from './units.ts'

/**
 * interval: half-open [start, end); point: start = end; blood_pressure: a point with systolic and
 * diastolic values.
 */
type SampleShape = 'interval' | 'point' | 'blood_pressure'

/** Allowed values of `type` in samples of a series. */
interface SampleTypes {
  /** Whether a sample without a type is quarantined. */
  required: boolean
  /** The allowed types; undefined allows any text (an allergen, a lead, a food). */
  allowed?: readonly string[]
}

/** A field that only samples of one series have; null when unknown. */
export interface ExtraField {
  name: string
  /** A list of texts (tags) or a single text. */
  kind: 'text' | 'list'
  allowed: readonly string[]
}

/** A series, from which routes, validation, OpenAPI and docs derive. */
export interface Series {
  /** Name in read paths. */
  name: string
  /** Name in events, supported_resources and availability maps, where it differs from `name`. */
  resource: string
  /** Additional names in upload paths (docs/contract/07-mobile-sync.md#upload-calls). */
  uploadNames: readonly string[]
  shape: SampleShape
  /** Canonical unit, which answers carry. */
  unit: string
  /** Accepted unit labels. */
  units: UnitTable
  /** Unit tables of single sample types, where the factor depends on the molecule. */
  unitsByType?: Readonly<Record<string, UnitTable>>
  /** Allowed range of the canonical value, both ends included; null is unbounded. */
  least: number | null
  most: number | null
  /** The only allowed values of a coded series. */
  codes?: readonly number[]
  /** Value that is stored whatever the item says: an alert and a stand hour count 1. */
  constantValue?: number
  valueKind: 'number' | 'text'
  types: SampleTypes | null
  extraFields: readonly ExtraField[]
  /** Whether the deprecated flat read exists. */
  legacy: boolean
  deprecated: boolean
  /** How samples of several sources are merged. */
  merge: MergeRule
  /**
   * Typical value of a healthy adult in the canonical unit, for examples; systolic for blood
   * pressure.
   */
  typical: number | string
  meaning: string
}

/** Fields that a row must have; the others have defaults. */
type Row = Pick<Series, 'unit' | 'units' | 'merge' | 'typical' | 'meaning'> &
  Partial<Omit<Series, 'name'>>

const SENSOR_LOCATIONS = [
  'armpit',
  'body',
  'ear',
  'finger',
  'gastrointestinal',
  'mouth',
  'rectum',
  'toe',
  'eardrum',
  'temporal_artery',
  'forehead',
  'wrist',
]

const field = (name: string, allowed: readonly string[]): ExtraField => ({
  name,
  kind: 'text',
  allowed,
})

const SENSOR_LOCATION = field('sensor_location', SENSOR_LOCATIONS)
const TAGS: ExtraField = {
  name: 'tags',
  kind: 'list',
  allowed: ['food', 'exercise', 'insulin_injection', 'unspecified'],
}

const required = (...allowed: string[]): SampleTypes => ({ required: true, allowed })
const optional = (...allowed: string[]): SampleTypes => ({ required: false, allowed })
const anyType: SampleTypes = { required: true }

const counted = { unit: 'count', units: UNITS.count }
const percent = { unit: '%', units: UNITS.percent, most: 100 }
const minutes = { unit: 'min', units: UNITS.minutes }
const celsius = { unit: '°C', units: UNITS.celsius, least: 25, most: 45 }
const point = { shape: 'point' } as const
const legacy = { legacy: true }

/**
 * The series of docs/contract/05-timeseries.md#resource-table. Defaults: interval, least 0, no
 * upper bound, number, no type, no extra field, no legacy path.
 */
const ROWS = {
  afib_burden: {
    ...percent,
    merge: MERGE.level,
    typical: 2,
    meaning: 'Share of time in atrial fibrillation.',
  },
  basal_body_temperature: {
    ...celsius,
    merge: MERGE.level,
    typical: 36.4,
    meaning: 'Body temperature at rest, right after waking.',
  },
  blood_oxygen: {
    ...percent,
    ...point,
    ...legacy,
    merge: MERGE.level,
    typical: 97,
    meaning: 'Oxygen saturation (SpO2).',
  },
  blood_pressure: {
    unit: 'mmHg',
    units: UNITS.pressure,
    shape: 'blood_pressure',
    most: 400,
    ...legacy,
    // Each sample has two values; a mean of pairs that were not measured together means little.
    merge: MERGE.none,
    typical: 120,
    meaning: 'Systolic and diastolic pressure.',
  },
  body_fat: {
    ...percent,
    ...point,
    ...legacy,
    resource: 'fat',
    merge: MERGE.level,
    typical: 22,
    meaning: 'Body fat percentage.',
  },
  body_mass_index: {
    unit: 'index',
    units: UNITS.index,
    least: 5,
    most: 150,
    merge: MERGE.level,
    typical: 23.4,
    meaning: 'Body mass index.',
  },
  body_temperature: {
    ...celsius,
    uploadNames: ['temperature'],
    extraFields: [SENSOR_LOCATION],
    merge: MERGE.level,
    typical: 36.8,
    meaning: 'Body temperature.',
  },
  body_temperature_delta: {
    unit: '°C',
    units: UNITS.celsiusDelta,
    least: -10,
    most: 10,
    extraFields: [SENSOR_LOCATION],
    merge: MERGE.level,
    typical: 0.2,
    meaning: "Deviation from the user's baseline temperature.",
  },
  body_weight: {
    unit: 'kg',
    units: UNITS.kilograms,
    most: 700,
    ...point,
    ...legacy,
    resource: 'weight',
    merge: MERGE.level,
    typical: 71.5,
    meaning: 'Body mass.',
  },
  caffeine: {
    unit: 'g',
    units: UNITS.grams,
    most: 10,
    ...legacy,
    merge: MERGE.intake,
    typical: 0.08,
    meaning: 'Caffeine consumed.',
  },
  calories_active: {
    unit: 'kcal',
    units: UNITS.kilocalories,
    ...legacy,
    merge: MERGE.measured,
    typical: 25,
    meaning: 'Energy burned by activity.',
  },
  calories_basal: {
    unit: 'kcal',
    units: UNITS.kilocalories,
    ...point,
    ...legacy,
    merge: MERGE.basal,
    typical: 7,
    meaning: 'Energy burned at rest.',
  },
  carbohydrates: {
    unit: 'g',
    units: UNITS.grams,
    merge: MERGE.intake,
    typical: 45,
    meaning: 'Carbohydrates consumed.',
  },
  cholesterol: {
    unit: 'mmol/L',
    units: UNITS.cholesterol,
    unitsByType: { 'cholesterol/triglycerides': UNITS.triglycerides },
    most: 60,
    ...point,
    ...legacy,
    types: required(
      'cholesterol/ldl',
      'cholesterol/hdl',
      'cholesterol/total',
      'cholesterol/triglycerides',
    ),
    merge: MERGE.level,
    typical: 4.6,
    meaning: 'Blood lipids.',
  },
  daylight_exposure: {
    ...minutes,
    merge: MERGE.measured,
    typical: 5,
    meaning: 'Time in daylight.',
  },
  distance: {
    unit: 'm',
    units: UNITS.meters,
    ...legacy,
    merge: MERGE.measured,
    typical: 340,
    meaning: 'Distance covered on foot or by wheelchair.',
  },
  electrocardiogram_voltage: {
    unit: 'mV',
    units: UNITS.millivolts,
    least: null,
    ...point,
    ...legacy,
    types: anyType,
    merge: MERGE.none,
    typical: 0.12,
    meaning: 'Lead voltage; the type names the lead.',
  },
  fall: { ...counted, merge: MERGE.events, typical: 1, meaning: 'Number of falls.' },
  floors_climbed: {
    ...counted,
    ...point,
    ...legacy,
    merge: MERGE.counted,
    typical: 2,
    meaning: 'Number of floors climbed.',
  },
  forced_expiratory_volume_1: {
    unit: 'L',
    units: UNITS.liters,
    most: 15,
    merge: MERGE.level,
    typical: 3.4,
    meaning: 'Volume breathed out in the first second of a forced breath.',
  },
  forced_vital_capacity: {
    unit: 'L',
    units: UNITS.liters,
    most: 15,
    merge: MERGE.level,
    typical: 4.2,
    meaning: 'Volume breathed out in a whole forced breath.',
  },
  glucose: {
    unit: 'mmol/L',
    units: UNITS.bloodGlucose,
    most: 60,
    ...point,
    ...legacy,
    types: optional('automatic', 'manual_scan', 'fingerprick'),
    merge: MERGE.level,
    typical: 5.3,
    meaning: 'Blood or interstitial glucose.',
  },
  handwashing: { ...counted, merge: MERGE.events, typical: 1, meaning: 'Hand washing events.' },
  heart_rate_alert: {
    ...counted,
    constantValue: 1,
    types: required('low_heart_rate', 'high_heart_rate', 'irregular_rhythm'),
    merge: MERGE.events,
    typical: 1,
    meaning: 'Alert that the device raised.',
  },
  heart_rate_recovery_one_minute: {
    ...counted,
    most: 200,
    units: { ...UNITS.count, ...UNITS.beatsPerMinute },
    merge: MERGE.level,
    typical: 28,
    meaning: 'Drop of the heart rate in the first minute after exercise, in beats per minute.',
  },
  heartrate: {
    unit: 'bpm',
    units: UNITS.beatsPerMinute,
    least: 10,
    most: 350,
    ...point,
    ...legacy,
    merge: MERGE.level,
    typical: 68,
    meaning: 'Heart rate.',
  },
  hrv: {
    unit: 'rmssd',
    units: UNITS.milliseconds,
    most: 1000,
    ...point,
    ...legacy,
    uploadNames: ['heartrate_variability'],
    // SDNN and RMSSD are different statistics and HealthKit only has SDNN, so the method is kept.
    extraFields: [field('method', ['rmssd', 'sdnn'])],
    merge: MERGE.level,
    typical: 52,
    meaning: 'Heart rate variability in milliseconds.',
  },
  hypnogram: {
    unit: 'stage',
    units: UNITS.sleepStage,
    least: -1,
    most: 5,
    codes: [-1, 1, 2, 3, 4, 5],
    ...legacy,
    deprecated: true,
    // Sleep is reconciled by its own code.
    merge: MERGE.none,
    typical: 2,
    meaning: 'Sleep stage: 1 deep, 2 light, 3 REM, 4 awake, 5 manual, -1 missing.',
  },
  ige: {
    unit: 'FSU',
    units: UNITS.fluorescence,
    ...point,
    ...legacy,
    types: anyType,
    merge: MERGE.level,
    typical: 60,
    meaning: 'Immunoglobulin E; the type names the allergen.',
  },
  igg: {
    unit: 'FSU',
    units: UNITS.fluorescence,
    ...point,
    ...legacy,
    types: anyType,
    merge: MERGE.level,
    typical: 10,
    meaning: 'Immunoglobulin G; the type names the food.',
  },
  inhaler_usage: { ...counted, merge: MERGE.events, typical: 1, meaning: 'Puffs of an inhaler.' },
  insulin_injection: {
    unit: 'unit',
    units: UNITS.insulinUnits,
    most: 500,
    types: required('rapid_acting', 'long_acting'),
    extraFields: [
      field('delivery_mode', ['basal', 'bolus']),
      field('delivery_form', ['standard', 'extended']),
      field('bolus_purpose', ['meal', 'correction', 'mixed', 'unknown']),
    ],
    merge: MERGE.intake,
    typical: 4,
    meaning: 'Insulin delivered.',
  },
  lean_body_mass: {
    unit: 'kg',
    units: UNITS.kilograms,
    most: 400,
    merge: MERGE.level,
    typical: 55,
    meaning: 'Lean body mass.',
  },
  mindfulness_minutes: {
    ...minutes,
    ...legacy,
    merge: MERGE.measured,
    typical: 5,
    meaning: 'Time spent in mindfulness.',
  },
  note: {
    unit: 'text',
    units: UNITS.text,
    valueKind: 'text',
    extraFields: [TAGS],
    merge: MERGE.none,
    typical: 'After a walk',
    meaning: 'Note that the user wrote.',
  },
  peak_expiratory_flow_rate: {
    unit: 'L/min',
    units: UNITS.litersPerMinute,
    most: 1500,
    merge: MERGE.level,
    typical: 450,
    meaning: 'Highest flow of a forced breath.',
  },
  respiratory_rate: {
    unit: 'bpm',
    units: UNITS.beatsPerMinute,
    most: 120,
    ...point,
    ...legacy,
    merge: MERGE.level,
    typical: 14.5,
    meaning: 'Breaths per minute.',
  },
  sleep_apnea_alert: {
    ...counted,
    merge: MERGE.events,
    typical: 1,
    meaning: 'Alert of possible sleep apnea.',
  },
  sleep_breathing_disturbance: {
    ...counted,
    types: optional('elevated', 'not_elevated'),
    merge: MERGE.events,
    typical: 3,
    meaning: 'Breathing disturbances during a night.',
  },
  stand_duration: {
    ...minutes,
    merge: MERGE.measured,
    typical: 5,
    meaning: 'Time spent standing.',
  },
  stand_hour: {
    ...counted,
    constantValue: 1,
    types: required('stood', 'idle'),
    merge: MERGE.events,
    typical: 1,
    meaning: 'One sample an hour; says whether the user stood in that hour.',
  },
  steps: { ...counted, ...legacy, merge: MERGE.counted, typical: 420, meaning: 'Number of steps.' },
  stress_level: {
    ...percent,
    ...point,
    ...legacy,
    merge: MERGE.level,
    typical: 31,
    meaning: 'Stress score of the provider.',
  },
  uv_exposure: {
    unit: 'index',
    units: UNITS.index,
    merge: MERGE.level,
    typical: 3,
    meaning: 'Ultraviolet index.',
  },
  vo2_max: {
    unit: 'mL/kg/min',
    units: UNITS.oxygenUptake,
    most: 120,
    ...legacy,
    merge: MERGE.level,
    typical: 44,
    meaning: 'Maximum oxygen uptake (VO2 max).',
  },
  waist_circumference: {
    unit: 'cm',
    units: UNITS.centimeters,
    most: 400,
    merge: MERGE.level,
    typical: 82,
    meaning: 'Waist circumference.',
  },
  water: {
    unit: 'ml',
    units: UNITS.milliliters,
    ...point,
    ...legacy,
    merge: MERGE.intake,
    typical: 250,
    meaning: 'Water consumed.',
  },
  wheelchair_push: {
    ...counted,
    merge: MERGE.counted,
    typical: 120,
    meaning: 'Pushes of a wheelchair.',
  },
  workout_distance: {
    unit: 'm',
    units: UNITS.meters,
    merge: MERGE.measured,
    typical: 800,
    meaning: 'Distance within one workout.',
  },
  workout_duration: {
    ...minutes,
    extraFields: [field('intensity', ['low', 'medium', 'high'])],
    merge: MERGE.measured,
    typical: 5,
    meaning: 'Time of exercise.',
  },
  workout_swimming_stroke: {
    ...counted,
    merge: MERGE.counted,
    typical: 40,
    meaning: 'Swimming strokes within one workout.',
  },
} as const satisfies Record<string, Row>

export type SeriesName = keyof typeof ROWS

const DEFAULTS = {
  uploadNames: [],
  shape: 'interval',
  least: 0,
  most: null,
  valueKind: 'number',
  types: null,
  extraFields: [],
  legacy: false,
  deprecated: false,
} as const

/** The 51 series in the order of docs/contract/05-timeseries.md#resource-table. */
export const SERIES: readonly Series[] = Object.entries(ROWS).map(([name, row]) => ({
  ...DEFAULTS,
  name,
  resource: name,
  ...(row as Row),
}))

const BY_NAME = new Map(SERIES.map((series) => [series.name, series]))

/** Returns a series by a name that is known at compile time. */
export function series(name: SeriesName): Series {
  return BY_NAME.get(name) as Series
}

/** Finds the series of a read path. */
export function findSeries(name: string): Series | undefined {
  return BY_NAME.get(name)
}

/** Series by every name that an upload path accepts: read names, resource names, SDK names. */
export const SERIES_BY_UPLOAD_NAME: ReadonlyMap<string, Series> = new Map(
  SERIES.flatMap((series) =>
    [series.name, series.resource, ...series.uploadNames].map((name) => [name, series] as const),
  ),
)
