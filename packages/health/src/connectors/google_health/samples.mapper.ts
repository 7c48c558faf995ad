import { HOUR_MS } from '@salus/contracts/time-units'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { PageData } from '../page-data.ts'
import { isFields, type SourceType, type VendorInstant } from '../vendor-records.ts'
import { listOf, SLUG } from './google-pages.ts'
import {
  dateOf,
  dateTextOf,
  divided,
  type Fields,
  fieldsOf,
  intervalOf,
  lookUp,
  noonOf,
  numberOf,
  recordIdOf,
  sampleTimeOf,
  sourceOf,
} from './points.ts'

/** What a record is worth, beside its time. */
interface Worth {
  value: number | null
  unit: string
  type?: string
  extra?: Readonly<Record<string, string>>
  sourceType?: SourceType
}

type SeriesOf = Parameters<PageData['addSample']>[0]

/** A data type whose records are single values. */
interface SampleType {
  /** Field of a record that has the content; hyphenated in addresses. */
  field: string
  series: SeriesOf
  worth: (content: Fields) => Worth
}

const row =
  (name: string, unit: string, divisor = 1) =>
  (content: Fields): Worth => ({ value: divided(content[name], divisor), unit })

const LOCATIONS: Readonly<Record<string, string>> = {
  ARMPIT: 'armpit',
  BODY: 'body',
  EAR: 'ear',
  FINGER: 'finger',
  GASTRO_INTESTINAL: 'gastrointestinal',
  MOUTH: 'mouth',
  RECTUM: 'rectum',
  TOE: 'toe',
  EAR_DRUM: 'eardrum',
  TEMPORAL_ARTERY: 'temporal_artery',
  FOREHEAD: 'forehead',
  WRIST: 'wrist',
}

/** How a glucose was measured, by its specimen, otherwise by its source. */
const GLUCOSE_TYPES: Readonly<Record<string, 'automatic' | 'fingerprick'>> = {
  INTERSTITIAL_FLUID: 'automatic',
  CAPILLARY_BLOOD: 'fingerprick',
  CONTINUOUS_GLUCOSE_MONITORING: 'automatic',
  SELF_MONITORING_BLOOD_GLUCOSE: 'fingerprick',
}

function glucose(content: Fields): Worth {
  const { specimen, measurementSource } = content
  const type = lookUp(GLUCOSE_TYPES, specimen) ?? lookUp(GLUCOSE_TYPES, measurementSource)
  const sourceType = measurementSource === 'LAB_TEST' ? 'lab' : type
  return {
    ...row('bloodGlucoseMilligramsPerDeciliter', 'mg/dL')(content),
    ...(type && { type }),
    ...(sourceType && { sourceType }),
  }
}

function temperature(content: Fields): Worth {
  const sensor_location = lookUp(LOCATIONS, content.measurementLocation)
  return {
    // Descriptions of the API disagree about the name.
    value: numberOf(content.temperatureCelsius ?? content.celsius),
    unit: '°C',
    ...(sensor_location && { extra: { sensor_location } }),
  }
}

/** A sample may have both statistics; the series has one value for an instant. */
function variability(content: Fields): Worth {
  const rmssd = numberOf(content.rootMeanSquareOfSuccessiveDifferencesMilliseconds)
  return rmssd === null
    ? { ...row('standardDeviationMilliseconds', 'ms')(content), extra: { method: 'sdnn' } }
    : { value: rmssd, unit: 'ms', extra: { method: 'rmssd' } }
}

const OXYGEN_UPTAKE = 'mL/kg/min'

/** Data types of single values by their name in addresses. */
export const SAMPLE_TYPES = {
  steps: { field: 'steps', series: 'steps', worth: row('count', 'count') },
  distance: { field: 'distance', series: 'distance', worth: row('millimeters', 'm', 1000) },
  floors: { field: 'floors', series: 'floors_climbed', worth: row('count', 'count') },
  'active-energy-burned': {
    field: 'activeEnergyBurned',
    series: 'calories_active',
    worth: row('kcal', 'kcal'),
  },
  'heart-rate': { field: 'heartRate', series: 'heartrate', worth: row('beatsPerMinute', 'bpm') },
  'heart-rate-variability': {
    field: 'heartRateVariability',
    series: 'hrv',
    worth: variability,
  },
  'daily-heart-rate-variability': {
    field: 'dailyHeartRateVariability',
    series: 'hrv',
    worth: (content) => ({
      ...row('averageHeartRateVariabilityMilliseconds', 'ms')(content),
      extra: { method: 'rmssd' },
    }),
  },
  'oxygen-saturation': {
    field: 'oxygenSaturation',
    series: 'blood_oxygen',
    worth: row('percentage', '%'),
  },
  'daily-oxygen-saturation': {
    field: 'dailyOxygenSaturation',
    series: 'blood_oxygen',
    worth: row('averagePercentage', '%'),
  },
  'respiratory-rate-sleep-summary': {
    field: 'respiratoryRateSleepSummary',
    series: 'respiratory_rate',
    worth: ({ fullSleepStats }) => row('breathsPerMinute', 'bpm')(fieldsOf(fullSleepStats)),
  },
  'daily-respiratory-rate': {
    field: 'dailyRespiratoryRate',
    series: 'respiratory_rate',
    worth: row('breathsPerMinute', 'bpm'),
  },
  'core-body-temperature': {
    field: 'coreBodyTemperature',
    series: 'body_temperature',
    worth: temperature,
  },
  'blood-glucose': { field: 'bloodGlucose', series: 'glucose', worth: glucose },
  'run-vo2-max': { field: 'runVo2Max', series: 'vo2_max', worth: row('runVo2Max', OXYGEN_UPTAKE) },
  'vo2-max': { field: 'vo2Max', series: 'vo2_max', worth: row('vo2Max', OXYGEN_UPTAKE) },
  'daily-vo2-max': { field: 'dailyVo2Max', series: 'vo2_max', worth: row('vo2Max', OXYGEN_UPTAKE) },
  weight: { field: 'weight', series: 'body_weight', worth: row('weightGrams', 'g') },
  'body-fat': { field: 'bodyFat', series: 'body_fat', worth: row('percentage', '%') },
  'hydration-log': {
    field: 'hydrationLog',
    series: 'water',
    worth: ({ amountConsumed }) => row('milliliters', 'ml')(fieldsOf(amountConsumed)),
  },
} as const satisfies Record<string, SampleType>

export type SampleTypeName = keyof typeof SAMPLE_TYPES

/**
 * Returns the time of a record, by the field that it has: a day, an instant or an interval;
 * quarantines the record and returns undefined when it is invalid.
 */
function timeOf(
  data: PageData,
  timed: { resource: string; record: unknown },
  { date, sampleTime, interval }: Fields,
): { start: VendorInstant; end?: VendorInstant } | undefined {
  if (date !== undefined) {
    const day = dateOf(data, timed, date)
    return day === undefined ? undefined : { start: noonOf(day) }
  }
  if (interval !== undefined) return intervalOf(data, timed, interval)
  const start = sampleTimeOf(data, timed, sampleTime)
  return start && { start }
}

/** Maps the records of a data type of single values. */
export function mapSamples(
  type: SampleTypeName,
  answer: unknown,
  data: PageData,
  isWanted: (content: Fields) => boolean = () => true,
): void {
  const { field, series, worth }: SampleType = SAMPLE_TYPES[type]
  for (const record of listOf(answer, 'dataPoints')) {
    const content = isFields(record) ? record[field] : undefined
    if (!isFields(record) || !isFields(content)) {
      data.quarantine(series, 'not_an_object', record)
      continue
    }
    const time = isWanted(content) ? timeOf(data, { resource: series, record }, content) : undefined
    if (time === undefined) continue
    const { value, ...rest } = worth(content)
    const sample = {
      ...time,
      sourceType: sourceOf(record),
      recordId: recordIdOf(record),
      ...rest,
      value: value ?? Number.NaN,
    }
    data.addSample(series, sample, record)
  }
}

/** Maps the floors of whole hours, in which this type is served, or of single intervals. */
export function mapFloors(answer: unknown, data: PageData): void {
  mapSamples('floors', { dataPoints: listOf(answer, 'dataPoints') }, data)
  for (const record of listOf(answer, 'rollupDataPoints')) {
    const { startTime, endTime, floors } = fieldsOf(record)
    const timed = { resource: 'floors_climbed', record }
    const time = intervalOf(data, timed, { startTime, endTime })
    const value = numberOf(fieldsOf(floors).countSum)
    // An hour without floors is no entry.
    if (time === undefined || value === null || value === 0) continue
    data.addSample('floors_climbed', { ...time, value, unit: 'count' }, record)
  }
}

/** A sleep that begins after noon belongs to the day after. */
const NIGHT_MS = 12 * HOUR_MS

/**
 * Maps the means of days whose night has no valid sample: both are the same measurements.
 * @param samples An answer with the samples of these days, or undefined.
 */
export function mapMeansOfDays(
  type: SampleTypeName,
  samplesOf: SampleTypeName,
  answer: unknown,
  data: PageData,
  samples: unknown,
): void {
  const trial = new PageData({ userId: '', provider: SLUG })
  if (isFields(samples)) mapSamples(samplesOf, samples, trial)
  const known = new Set(
    trial.samples.map(({ startedAt, timezoneOffset }) =>
      dateAtOffset(startedAt + NIGHT_MS, timezoneOffset ?? 0),
    ),
  )
  mapSamples(type, answer, data, ({ date }) => !known.has(dateTextOf(date) ?? ''))
}
