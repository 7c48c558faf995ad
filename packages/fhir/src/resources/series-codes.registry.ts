/**
 * UCUM codes of the units of series (https://ucum.org). A unit without one is a count of its own
 * kind, in braces.
 */
export const UCUM: Readonly<Record<string, string>> = {
  '%': '%',
  '°C': 'Cel',
  FSU: '{FSU}',
  L: 'L',
  'L/min': 'L/min',
  bpm: '/min',
  cm: 'cm',
  count: '{count}',
  g: 'g',
  index: '{index}',
  kcal: 'kcal',
  kg: 'kg',
  'kg/m2': 'kg/m2',
  m: 'm',
  mV: 'mV',
  'mL/kg/min': 'mL/kg/min',
  min: 'min',
  ml: 'mL',
  mmHg: 'mm[Hg]',
  'mmol/L': 'mmol/L',
  rmssd: 'ms',
  stage: '{stage}',
  unit: '[iU]',
}

type Category = 'vital-signs' | 'activity' | 'laboratory' | 'survey'

/**
 * LOINC codes of series, where one has the same meaning: a code of another method or another
 * statistic does not. A series without a row is an activity that is identified by its name.
 */
export const SERIES_CODES: Readonly<Record<string, readonly [category: Category, loinc?: string]>> =
  {
    blood_oxygen: ['vital-signs', '59408-5'],
    blood_pressure: ['vital-signs', '85354-9'],
    body_fat: ['vital-signs', '41982-0'],
    body_mass_index: ['vital-signs', '39156-5'],
    body_temperature: ['vital-signs', '8310-5'],
    body_weight: ['vital-signs', '29463-7'],
    calories_active: ['activity', '41981-2'],
    cholesterol: ['laboratory'],
    forced_expiratory_volume_1: ['vital-signs', '20150-9'],
    forced_vital_capacity: ['vital-signs', '19868-9'],
    glucose: ['laboratory', '15074-8'],
    heartrate: ['vital-signs', '8867-4'],
    hrv: ['vital-signs'],
    ige: ['laboratory'],
    igg: ['laboratory'],
    note: ['survey'],
    peak_expiratory_flow_rate: ['vital-signs', '19935-6'],
    respiratory_rate: ['vital-signs', '9279-1'],
    steps: ['activity', '55423-8'],
  }

export const SYSTOLIC = '8480-6'
export const DIASTOLIC = '8462-4'
/** Oxygen saturation by any method. */
export const ANY_OXYGEN_SATURATION = '2708-6'
