import type { SeriesName } from '@salus/contracts/series'

/** Mapping of records of one HealthKit type to samples of a series. */
export interface RecordMapping {
  series: SeriesName
  /** Sample type that the record type implies. */
  sampleType?: string
  /** Value where the record has none: a count of 1, or the minutes it lasted. */
  measure?: 'occurrence' | 'duration'
  /**
   * Whether HealthKit writes a fraction from 0 to 1 under the unit "%"; the series needs 0 to 100.
   */
  isFraction?: boolean
  /** Meaning of coded values, as the export writes them; a missing code has no series. */
  codes?: Readonly<Record<string, { value?: number; sampleType?: string }>>
  extra?: Readonly<Record<string, string>>
  sport?: string
}

const STAND_HOUR = 'HKCategoryValueAppleStandHour'
const SLEEP = 'HKCategoryValueSleepAnalysis'

/**
 * HealthKit record types that have a series. The result of an import lists missing types with their
 * counts.
 */
export const RECORD_MAPPINGS: Readonly<Record<string, RecordMapping>> = {
  HKQuantityTypeIdentifierStepCount: { series: 'steps' },
  HKQuantityTypeIdentifierDistanceWalkingRunning: { series: 'distance' },
  HKQuantityTypeIdentifierDistanceWheelchair: { series: 'distance', sport: 'wheelchair_pushing' },
  HKQuantityTypeIdentifierFlightsClimbed: { series: 'floors_climbed' },
  HKQuantityTypeIdentifierPushCount: { series: 'wheelchair_push' },
  HKQuantityTypeIdentifierActiveEnergyBurned: { series: 'calories_active' },
  HKQuantityTypeIdentifierBasalEnergyBurned: { series: 'calories_basal' },
  HKQuantityTypeIdentifierAppleStandTime: { series: 'stand_duration' },
  HKCategoryTypeIdentifierAppleStandHour: {
    series: 'stand_hour',
    codes: {
      [`${STAND_HOUR}Stood`]: { value: 1, sampleType: 'stood' },
      [`${STAND_HOUR}Idle`]: { value: 1, sampleType: 'idle' },
    },
  },
  HKQuantityTypeIdentifierHeartRate: { series: 'heartrate' },
  // HealthKit has no RMSSD; the method stays with the sample, because SDNN is another statistic.
  HKQuantityTypeIdentifierHeartRateVariabilitySDNN: { series: 'hrv', extra: { method: 'sdnn' } },
  HKQuantityTypeIdentifierHeartRateRecoveryOneMinute: { series: 'heart_rate_recovery_one_minute' },
  HKQuantityTypeIdentifierAtrialFibrillationBurden: { series: 'afib_burden', isFraction: true },
  HKCategoryTypeIdentifierHighHeartRateEvent: {
    series: 'heart_rate_alert',
    sampleType: 'high_heart_rate',
    measure: 'occurrence',
  },
  HKCategoryTypeIdentifierLowHeartRateEvent: {
    series: 'heart_rate_alert',
    sampleType: 'low_heart_rate',
    measure: 'occurrence',
  },
  HKCategoryTypeIdentifierIrregularHeartRhythmEvent: {
    series: 'heart_rate_alert',
    sampleType: 'irregular_rhythm',
    measure: 'occurrence',
  },
  HKQuantityTypeIdentifierOxygenSaturation: { series: 'blood_oxygen', isFraction: true },
  HKQuantityTypeIdentifierRespiratoryRate: { series: 'respiratory_rate' },
  HKQuantityTypeIdentifierVO2Max: { series: 'vo2_max' },
  HKQuantityTypeIdentifierBloodGlucose: { series: 'glucose' },
  HKQuantityTypeIdentifierBodyTemperature: { series: 'body_temperature' },
  HKQuantityTypeIdentifierBasalBodyTemperature: { series: 'basal_body_temperature' },
  // An absolute temperature of the wrist, not a deviation from a baseline.
  HKQuantityTypeIdentifierAppleSleepingWristTemperature: {
    series: 'body_temperature',
    extra: { sensor_location: 'wrist' },
  },
  HKQuantityTypeIdentifierBodyMass: { series: 'body_weight' },
  HKQuantityTypeIdentifierBodyFatPercentage: { series: 'body_fat', isFraction: true },
  HKQuantityTypeIdentifierBodyMassIndex: { series: 'body_mass_index' },
  HKQuantityTypeIdentifierLeanBodyMass: { series: 'lean_body_mass' },
  HKQuantityTypeIdentifierWaistCircumference: { series: 'waist_circumference' },
  HKQuantityTypeIdentifierDietaryWater: { series: 'water' },
  HKQuantityTypeIdentifierDietaryCaffeine: { series: 'caffeine' },
  HKQuantityTypeIdentifierDietaryCarbohydrates: { series: 'carbohydrates' },
  HKQuantityTypeIdentifierForcedExpiratoryVolume1: { series: 'forced_expiratory_volume_1' },
  HKQuantityTypeIdentifierForcedVitalCapacity: { series: 'forced_vital_capacity' },
  HKQuantityTypeIdentifierPeakExpiratoryFlowRate: { series: 'peak_expiratory_flow_rate' },
  HKQuantityTypeIdentifierInhalerUsage: { series: 'inhaler_usage' },
  HKQuantityTypeIdentifierNumberOfTimesFallen: { series: 'fall' },
  HKQuantityTypeIdentifierUVExposure: { series: 'uv_exposure' },
  HKQuantityTypeIdentifierTimeInDaylight: { series: 'daylight_exposure' },
  HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances: {
    series: 'sleep_breathing_disturbance',
  },
  HKCategoryTypeIdentifierSleepApneaEvent: { series: 'sleep_apnea_alert', measure: 'occurrence' },
  HKCategoryTypeIdentifierHandwashingEvent: { series: 'handwashing', measure: 'occurrence' },
  HKCategoryTypeIdentifierMindfulSession: { series: 'mindfulness_minutes', measure: 'duration' },
  // In bed is not a stage of sleep, so it has no code here.
  HKCategoryTypeIdentifierSleepAnalysis: {
    series: 'hypnogram',
    codes: {
      [`${SLEEP}AsleepDeep`]: { value: 1 },
      [`${SLEEP}AsleepCore`]: { value: 2 },
      [`${SLEEP}AsleepREM`]: { value: 3 },
      [`${SLEEP}Awake`]: { value: 4 },
      [`${SLEEP}AsleepUnspecified`]: { value: -1 },
      [`${SLEEP}Asleep`]: { value: -1 },
    },
  },
  // A bolus is rapid-acting by nature. A basal dose is long-acting from a pen and rapid-acting from
  // a pump, and the export does not say which, so it is quarantined rather than guessed.
  HKQuantityTypeIdentifierInsulinDelivery: { series: 'insulin_injection' },
}

/**
 * Returns the mapping of a record type, or undefined. A file may name anything, also "constructor".
 */
export function findRecordMapping(type: string): RecordMapping | undefined {
  return Object.hasOwn(RECORD_MAPPINGS, type) ? RECORD_MAPPINGS[type] : undefined
}

/** Metadata key and value of HealthKit that mark an insulin dose as a bolus. */
export const INSULIN_DELIVERY_REASON = 'HKInsulinDeliveryReason'
export const INSULIN_BOLUS: ReadonlySet<string> = new Set(['2', 'HKInsulinDeliveryReasonBolus'])

/** The pair of pressures is a correlation of these two. */
export const BLOOD_PRESSURE = 'HKCorrelationTypeIdentifierBloodPressure'
export const SYSTOLIC = 'HKQuantityTypeIdentifierBloodPressureSystolic'
export const DIASTOLIC = 'HKQuantityTypeIdentifierBloodPressureDiastolic'
