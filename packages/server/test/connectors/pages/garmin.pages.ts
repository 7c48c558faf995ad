import type { VendorPages } from '../vendor-pages.registry.ts'

/** Records as the vendor pushes them, with invented values. All begin on 2026-02-10 at +02:00. */

const USER = { userId: 'd3315b1072421d0dd7c8f6b8e1de4df8', userAccessToken: 'a-secret' }
/** 2026-02-10T00:00:00+02:00 */
const MIDNIGHT = 1_770_674_400
const ZONE = { startTimeOffsetInSeconds: 7200 }

/** 2026-02-09T23:10:00+02:00 */
const BEDTIME = MIDNIGHT - 3000

const span = (from: number, to: number) => ({
  startTimeInSeconds: BEDTIME + from,
  endTimeInSeconds: BEDTIME + to,
})

export const GARMIN_NIGHT = {
  ...USER,
  ...ZONE,
  summaryId: 'x153a9f3-5a9478d4-6',
  calendarDate: '2026-02-10',
  startTimeInSeconds: BEDTIME,
  durationInSeconds: 25_200,
  totalNapDurationInSeconds: 1800,
  unmeasurableSleepInSeconds: 0,
  deepSleepDurationInSeconds: 5400,
  lightSleepDurationInSeconds: 14_400,
  remSleepInSeconds: 5400,
  awakeDurationInSeconds: 600,
  sleepLevelsMap: {
    deep: [span(600, 6000)],
    light: [span(0, 600), span(6000, 13_200), span(19_200, 25_800)],
    rem: [span(13_200, 18_600)],
    awake: [span(18_600, 19_200)],
  },
  validation: 'ENHANCED_FINAL',
  timeOffsetSleepRespiration: { 0: 14, 60: 15, 120: -1 },
  timeOffsetSleepSpo2: { 0: 95, 60: 96 },
  overallSleepScore: { value: 87, qualifierKey: 'GOOD' },
  sleepScores: { totalDuration: { qualifierKey: 'GOOD' } },
  naps: [
    {
      napDurationInSeconds: 1800,
      napStartTimeInSeconds: MIDNIGHT + 50_400,
      napValidation: 'DEVICE',
      napOffsetInSeconds: 7200,
    },
  ],
}

export const GARMIN_DAY = {
  ...USER,
  ...ZONE,
  summaryId: 'x153a9f3-5a9478d4-15180-6',
  calendarDate: '2026-02-10',
  activityType: 'WALKING',
  startTimeInSeconds: MIDNIGHT,
  durationInSeconds: 86_400,
  steps: 9731,
  pushes: 0,
  distanceInMeters: 7146.5,
  activeTimeInSeconds: 12_240,
  activeKilocalories: 512,
  bmrKilocalories: 1869,
  moderateIntensityDurationInSeconds: 1500,
  vigorousIntensityDurationInSeconds: 600,
  floorsClimbed: 8,
  minHeartRateInBeatsPerMinute: 47,
  averageHeartRateInBeatsPerMinute: 64,
  maxHeartRateInBeatsPerMinute: 144,
  restingHeartRateInBeatsPerMinute: 51,
  timeOffsetHeartRateSamples: { 0: 60, 15: 61, 3180: 0, 3195: 70 },
  averageStressLevel: -1,
  maxStressLevel: 87,
  stressQualifier: 'balanced',
  stepsGoal: 7500,
  floorsClimbedGoal: 10,
}

const EPOCH = {
  ...USER,
  ...ZONE,
  startTimeInSeconds: MIDNIGHT + 36_000,
  durationInSeconds: 900,
  met: 3.3,
  intensity: 'ACTIVE',
  meanMotionIntensity: 4,
  maxMotionIntensity: 6,
}

export const GARMIN_EPOCHS = [
  {
    ...EPOCH,
    summaryId: 'x153a9f3-5a947c58-WALKING',
    activityType: 'WALKING',
    activeTimeInSeconds: 420,
    steps: 512,
    distanceInMeters: 380.5,
    activeKilocalories: 24,
    meanHeartRateInBeatsPerMinute: 96,
  },
  {
    ...EPOCH,
    summaryId: 'x153a9f3-5a947c58-SEDENTARY',
    activityType: 'SEDENTARY',
    intensity: 'SEDENTARY',
    activeTimeInSeconds: 480,
    steps: 8,
    distanceInMeters: 6,
    activeKilocalories: 1,
  },
]

export const GARMIN_ACTIVITY = {
  ...USER,
  ...ZONE,
  summaryId: '7654321012',
  activityId: 7_654_321_012,
  activityName: 'Morning Run',
  activityType: 'TRAIL_RUNNING',
  startTimeInSeconds: MIDNIGHT + 25_200,
  durationInSeconds: 1800,
  distanceInMeters: 5020.25,
  steps: 4900,
  activeKilocalories: 388,
  averageHeartRateInBeatsPerMinute: 151,
  maxHeartRateInBeatsPerMinute: 172,
  averageSpeedInMetersPerSecond: 2.789,
  maxSpeedInMetersPerSecond: 4.1,
  averagePaceInMinutesPerKilometer: 5.975,
  averageRunCadenceInStepsPerMinute: 164,
  totalElevationGainInMeters: 84,
  totalElevationLossInMeters: 80,
  deviceName: 'Garmin Forerunner 265',
  manual: false,
  isWebUpload: false,
}

const SAMPLE = {
  latitudeInDegree: 60.17116,
  longitudeInDegree: 24.93258,
  elevationInMeters: 26.4,
  airTemperatureCelcius: -3,
  speedMetersPerSecond: 2.8,
  stepsPerMinute: 164,
  powerInWatts: 301,
}
const SAMPLES = [0, 1, 2].map((second) => ({
  ...SAMPLE,
  startTimeInSeconds: GARMIN_ACTIVITY.startTimeInSeconds + second,
  heartRate: 140 + second,
  totalDistanceInMeters: 2.8 * second,
  clockDurationInSeconds: second,
}))

const { userId, userAccessToken, ...ACTIVITY } = GARMIN_ACTIVITY
export const GARMIN_DETAILS = {
  userId,
  userAccessToken,
  summaryId: '7654321012-detail',
  activityId: 7_654_321_012,
  summary: ACTIVITY,
  samples: SAMPLES,
  laps: [{ startTimeInSeconds: GARMIN_ACTIVITY.startTimeInSeconds }],
}

const MEASURED = {
  ...USER,
  measurementTimeInSeconds: MIDNIGHT + 27_000,
  measurementTimeOffsetInSeconds: 7200,
}

const day = (summaryId: string, fields: Record<string, unknown>) => ({
  ...USER,
  ...ZONE,
  summaryId,
  calendarDate: '2026-02-10',
  startTimeInSeconds: MIDNIGHT,
  durationInSeconds: 3600,
  ...fields,
})

const pushed = (name: string, ...records: Record<string, unknown>[]): VendorPages => ({
  records,
  page: (list) => ({ [name]: list }),
})

export const GARMIN_PAGES: Readonly<Record<string, VendorPages>> = {
  dailies: pushed('dailies', GARMIN_DAY),
  epochs: pushed('epochs', ...GARMIN_EPOCHS),
  sleeps: pushed('sleeps', GARMIN_NIGHT),
  hrv: pushed('hrv', day('h', { lastNightAvg: 62, hrvValues: { 300: 58, 600: 66 } })),
  stressDetails: pushed(
    'stressDetails',
    day('s', {
      timeOffsetStressLevelValues: { 0: 25, 180: -1, 360: -2, 540: 41 },
      timeOffsetBodyBatteryValues: { 0: 77 },
    }),
  ),
  allDayRespiration: pushed(
    'allDayRespiration',
    day('r', { timeOffsetEpochToBreaths: { 0: 14.6, 120: -1, 240: 15.2 } }),
  ),
  pulseox: pushed(
    'pulseox',
    day('p', { timeOffsetSpo2Values: { 0: 97, 60: 96 }, onDemand: false }),
  ),
  bodyComps: pushed('bodyComps', {
    ...MEASURED,
    summaryId: 'b',
    weightInGrams: 71_500,
    bodyFatInPercent: 22.5,
    bodyWaterInPercent: 55.1,
    bodyMassIndex: 23.6,
    muscleMassInGrams: 35_750,
    boneMassInGrams: 2860,
  }),
  bloodPressures: pushed('bloodPressures', {
    ...MEASURED,
    summaryId: 'bp',
    systolic: 121,
    diastolic: 79,
    pulse: 63,
    sourceType: 'DEVICE',
  }),
  skinTemp: pushed('skinTemp', day('t', { avgDeviationCelsius: -0.4 })),
  userMetrics: pushed('userMetrics', {
    ...USER,
    summaryId: 'u',
    calendarDate: '2026-02-10',
    vo2Max: 48,
    vo2MaxCycling: 45,
    enhanced: true,
    fitnessAge: 33,
  }),
  healthSnapshot: pushed(
    'healthSnapshot',
    day('hs', {
      durationInSeconds: 120,
      summaries: [
        { summaryType: 'heart_rate', avgValue: 61, epochSummaries: { 0: 60, 5: 62 } },
        { summaryType: 'stress', avgValue: 22, epochSummaries: { 0: 22 } },
        { summaryType: 'spo2', avgValue: 97, epochSummaries: { 0: 97, 5: 98 } },
        { summaryType: 'respiration', avgValue: 14, epochSummaries: { 0: 14 } },
        { summaryType: 'rmssd_hrv', avgValue: 54 },
        { summaryType: 'sdrr_hrv', avgValue: 61 },
      ],
    }),
  ),
  mct: pushed('menstrualCycleTracking', {
    ...USER,
    summaryId: 'm',
    periodStartDate: '2026-02-01',
    dayInCycle: 10,
    periodLength: 5,
    currentPhase: 2,
    currentPhaseType: 'FOLLICULAR',
    predictedCycleLength: 28,
    isPredictedCycle: false,
    lastUpdatedTimeInSeconds: MIDNIGHT,
  }),
  activities: pushed('activities', GARMIN_ACTIVITY),
  activityDetails: pushed('activityDetails', GARMIN_DETAILS),
}
