import { findSeries } from '@salus/contracts/series'

/** Units by the ends of names of columns. */
const BY_SUFFIX: readonly (readonly [suffix: string, unit: string])[] = [
  ['_millisecond', 'ms'],
  ['_second', 's'],
  ['_kilogram', 'kg'],
  ['_milligram', 'mg'],
  ['_microgram', 'µg'],
  ['_gram', 'g'],
  ['_centimeter', 'cm'],
  ['_meter', 'm'],
  ['_percentage', '%'],
]

/** Units of columns whose names do not have them (docs/contract/06-summaries.md). */
const BY_NAME: Readonly<Record<string, string>> = {
  calories: 'kcal',
  calories_total: 'kcal',
  calories_active: 'kcal',
  steps: 'count',
  floors_climbed: 'count',
  wheelchair_push: 'count',
  awakenings: 'count',
  heart_rate_minimum: 'bpm',
  heart_rate_mean: 'bpm',
  heart_rate_maximum: 'bpm',
  heart_rate_resting: 'bpm',
  heart_rate_mean_walking: 'bpm',
  heart_rate_dip: '%',
  efficiency: '%',
  hrv_mean_rmssd: 'ms',
  hrv_mean_sdnn: 'ms',
  skin_temperature: '°C',
  skin_temperature_delta: '°C',
  respiratory_rate: 'breaths/min',
  speed_mean: 'm/s',
  speed_maximum: 'm/s',
  power_mean: 'W',
  power_maximum: 'W',
  power_weighted_mean: 'W',
  body_mass_index: 'kg/m²',
  score: 'points',
  recovery_readiness_score: 'points',
  sleep_score: 'points',
  recovery_score: 'points',
  stress_score: 'points',
  strain_score: 'points',
  time_zone_offset: 's',
  timezone_offset: 's',
  duration: 's',
}

/**
 * Returns the unit of a column of the query language, or null for one without.
 * @param series Read name of the series; null for a table of summaries.
 */
export function unitOfColumn(series: string | null, column: string): string | null {
  const isReading = column === 'value' || column === 'systolic' || column === 'diastolic'
  if (series !== null && isReading) return findSeries(series)?.unit ?? null
  const known = BY_NAME[column]
  if (known !== undefined) return known
  if (column.startsWith('heart_rate_zone_')) return 's'
  return BY_SUFFIX.find(([suffix]) => column.endsWith(suffix))?.[1] ?? null
}
