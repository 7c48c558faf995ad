import type { VendorPages } from '../vendor-pages.registry.ts'

/**
 * Records of the Google Health API in the form of its discovery document. All are constructed, with
 * invented values: they prove a reading of the schema.
 */

const points = (...records: Record<string, unknown>[]): VendorPages => ({
  records,
  page: (dataPoints) => ({ dataPoints }),
})

const BAND = {
  platform: 'FITBIT',
  recordingMethod: 'PASSIVELY_MEASURED',
  device: { displayName: 'Charge 6', formFactor: 'FITNESS_BAND', manufacturer: 'Fitbit' },
}
const BY_HAND = { platform: 'FITBIT', recordingMethod: 'MANUAL' }

const interval = (startTime: string, endTime: string, offset = '-18000s') => ({
  startTime,
  startUtcOffset: offset,
  endTime,
  endUtcOffset: offset,
})
const sampleTime = (physicalTime: string, utcOffset = '-18000s') => ({ physicalTime, utcOffset })

const AT = sampleTime('2026-02-10T13:45:10Z')
const MINUTE = interval('2026-02-10T13:45:00Z', '2026-02-10T13:46:00Z')
const DATE = { year: 2026, month: 2, day: 10 }

export const GOOGLE_DAY = {
  civilStartTime: { date: DATE },
  civilEndTime: { date: { year: 2026, month: 2, day: 11 } },
  steps: { countSum: '9731' },
}

export const GOOGLE_NIGHT = {
  name: 'users/me/dataTypes/sleep/dataPoints/4711',
  dataSource: BAND,
  sleep: {
    interval: {
      startTime: '2026-03-08T04:30:00Z',
      startUtcOffset: '-18000s',
      endTime: '2026-03-08T11:00:30Z',
      // The clock changed in the night.
      endUtcOffset: '-14400s',
    },
    type: 'STAGES',
    stages: [
      { startTime: '2026-03-08T04:30:00Z', endTime: '2026-03-08T04:40:00Z', type: 'AWAKE' },
      { startTime: '2026-03-08T04:40:00Z', endTime: '2026-03-08T07:00:00Z', type: 'LIGHT' },
      { startTime: '2026-03-08T07:00:00Z', endTime: '2026-03-08T08:30:00Z', type: 'DEEP' },
      { startTime: '2026-03-08T08:30:00Z', endTime: '2026-03-08T10:00:00Z', type: 'REM' },
      { startTime: '2026-03-08T10:00:00Z', endTime: '2026-03-08T11:00:30Z', type: 'LIGHT' },
    ],
    shortAwakenings: [
      { startTime: '2026-03-08T05:00:00Z', endTime: '2026-03-08T05:02:00Z', type: 'AWAKE' },
    ],
    metadata: { processed: true, stagesStatus: 'SUCCEEDED', mainSleep: true },
    summary: {
      minutesToFallAsleep: '7',
      minutesAfterWakeUp: '0',
      minutesAsleep: '378',
      minutesAwake: '12',
      minutesInSleepPeriod: '390',
      stagesSummary: [
        { type: 'AWAKE', minutes: '12', count: '2' },
        { type: 'LIGHT', minutes: '198', count: '3' },
        { type: 'DEEP', minutes: '90', count: '1' },
        { type: 'REM', minutes: '90', count: '1' },
      ],
    },
  },
}

export const GOOGLE_RUN = {
  name: 'users/me/dataTypes/exercise/dataPoints/8001',
  dataSource: BAND,
  exercise: {
    interval: interval('2026-02-10T22:00:00Z', '2026-02-10T23:15:00Z'),
    exerciseType: 'TRAIL_RUN',
    displayName: 'Trail run',
    activeDuration: '4200s',
    exerciseMetadata: { hasGps: true },
    metricsSummary: {
      caloriesKcal: 612.5,
      distanceMillimeters: 11_250_400,
      steps: '11873',
      averageHeartRateBeatsPerMinute: '148',
      averageSpeedMillimetersPerSecond: 2678.5,
      elevationGainMillimeters: 182_500,
      heartRateZoneDurations: { lightTime: '600s', moderateTime: '2400s', vigorousTime: '1200s' },
    },
  },
}

export const GOOGLE_MEAL = {
  name: 'users/me/dataTypes/nutrition-log/dataPoints/n1',
  dataSource: BY_HAND,
  nutritionLog: {
    interval: interval('2026-02-10T12:30:00Z', '2026-02-10T12:30:00Z'),
    mealType: 'BREAKFAST',
    foodDisplayName: 'Latte and oats',
    energy: { kcal: 412 },
    totalCarbohydrate: { grams: 58.5 },
    totalFat: { grams: 12.25 },
    nutrients: [
      { nutrient: 'PROTEIN', quantity: { grams: 17 } },
      { nutrient: 'CAFFEINE', quantity: { grams: 0.126 } },
      { nutrient: 'SODIUM', quantity: { grams: 0.21 } },
      { nutrient: 'VITAMIN_B12', quantity: { grams: 0.0000012 } },
      { nutrient: 'TRANS_FAT', quantity: { grams: 0.1 } },
    ],
  },
}

export const GOOGLE_ECG = {
  name: 'users/me/dataTypes/electrocardiogram/dataPoints/e1',
  dataSource: BAND,
  electrocardiogram: {
    interval: interval('2026-02-10T13:00:00Z', '2026-02-10T13:00:00Z'),
    beatsPerMinuteAvg: '71',
    leadNumber: 1,
    millivoltsScalingFactor: 10_922,
    samplingFrequencyHertz: 250,
    resultClassification: 'INCONCLUSIVE_HIGH_HEART_RATE',
    waveformSamples: [0, 1092, -546, 10_922],
    medicalDeviceInfo: { deviceModel: 'Sense 2', algorithmVersion: '3.1' },
  },
}

/** What is one object has no list. */
export const GOOGLE_HEALTH_PAGES: Readonly<Record<string, VendorPages>> = {
  activity: { records: [GOOGLE_DAY], page: (rollupDataPoints) => ({ rollupDataPoints }) },
  steps: points({ steps: { interval: MINUTE, count: '87' } }),
  distance: points({ distance: { interval: MINUTE, millimeters: '65250' } }),
  floors: {
    records: [
      {
        startTime: '2026-02-10T13:00:00Z',
        endTime: '2026-02-10T14:00:00Z',
        floors: { countSum: '4' },
      },
    ],
    page: (rollupDataPoints) => ({ rollupDataPoints }),
  },
  'active-energy-burned': points({ activeEnergyBurned: { interval: MINUTE, kcal: 5.25 } }),
  'heart-rate': points({ heartRate: { sampleTime: AT, beatsPerMinute: '93' } }),
  'heart-rate-variability': points({
    heartRateVariability: {
      sampleTime: AT,
      rootMeanSquareOfSuccessiveDifferencesMilliseconds: 41.5,
      standardDeviationMilliseconds: 55.25,
    },
  }),
  'daily-heart-rate-variability': points({
    dailyHeartRateVariability: { date: DATE, averageHeartRateVariabilityMilliseconds: 38.5 },
  }),
  'oxygen-saturation': points({ oxygenSaturation: { sampleTime: AT, percentage: 96.5 } }),
  'daily-oxygen-saturation': points({
    dailyOxygenSaturation: { date: DATE, averagePercentage: 95.5, lowerBoundPercentage: 92 },
  }),
  'respiratory-rate-sleep-summary': points({
    respiratoryRateSleepSummary: {
      sampleTime: AT,
      fullSleepStats: { breathsPerMinute: 14.5, standardDeviation: 1.2 },
      deepSleepStats: { breathsPerMinute: 13.5 },
    },
  }),
  'daily-respiratory-rate': points({
    dailyRespiratoryRate: { date: DATE, breathsPerMinute: 15.5 },
  }),
  'core-body-temperature': points({
    coreBodyTemperature: {
      sampleTime: AT,
      temperatureCelsius: 36.75,
      measurementLocation: 'EAR_DRUM',
    },
  }),
  'blood-glucose': points({
    bloodGlucose: {
      sampleTime: AT,
      bloodGlucoseMilligramsPerDeciliter: 99,
      specimen: 'INTERSTITIAL_FLUID',
    },
  }),
  'run-vo2-max': points({ runVo2Max: { sampleTime: AT, runVo2Max: 46.25 } }),
  'vo2-max': points({ vo2Max: { sampleTime: AT, vo2Max: 44.5, measurementMethod: 'COOPER_TEST' } }),
  'daily-vo2-max': points({
    dailyVo2Max: { date: DATE, vo2Max: 45.5, cardioFitnessLevel: 'GOOD' },
  }),
  weight: points({
    name: 'users/me/dataTypes/weight/dataPoints/w1',
    dataSource: { device: { displayName: 'Aria Air', formFactor: 'SCALE' } },
    weight: { sampleTime: AT, weightGrams: 71_250 },
  }),
  'body-fat': points({
    name: 'users/me/dataTypes/body-fat/dataPoints/f1',
    dataSource: { device: { displayName: 'Aria Air', formFactor: 'SCALE' } },
    bodyFat: { sampleTime: AT, percentage: 22.5 },
  }),
  height: points({ height: { sampleTime: AT, heightMillimeters: '1765' } }),
  'hydration-log': points({
    name: 'users/me/dataTypes/hydration-log/dataPoints/h1',
    dataSource: BY_HAND,
    hydrationLog: { interval: MINUTE, amountConsumed: { milliliters: 330 } },
  }),
  'nutrition-log': points(GOOGLE_MEAL),
  sleep: points(GOOGLE_NIGHT),
  exercise: {
    ...points(GOOGLE_RUN),
    details: [
      {
        dataPoints: [
          {
            heartRate: { sampleTime: sampleTime('2026-02-10T22:10:00Z'), beatsPerMinute: '141' },
          },
        ],
      },
    ],
  },
  electrocardiogram: points(GOOGLE_ECG),
  'irregular-rhythm-notification': points({
    name: 'users/me/dataTypes/irregular-rhythm-notification/dataPoints/i1',
    dataSource: BAND,
    irregularRhythmNotification: {
      interval: interval('2026-02-10T04:00:00Z', '2026-02-10T06:30:00Z'),
      alertWindows: [],
    },
  }),
  pairedDevices: {
    records: [
      {
        name: 'users/me/pairedDevices/d1',
        deviceType: 'TRACKER',
        deviceVersion: 'Charge 6',
        batteryLevel: 80,
        batteryStatus: 'High',
        lastSyncTime: '2026-02-10T13:50:00Z',
        macAddress: '001122334455',
      },
    ],
    page: (pairedDevices) => ({ pairedDevices }),
  },
}
