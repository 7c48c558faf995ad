import type { VendorPages } from '../vendor-pages.registry.ts'

/** Constructed in the form of Fitbit's documentation, with invented values. */

const listed = (name: string, ...records: Record<string, unknown>[]): VendorPages => ({
  records,
  page: (list) => ({ [name]: list, pagination: { next: '' } }),
})

const one = (record: Record<string, unknown>): VendorPages => ({
  records: [record],
  page: ([only]) => only,
})

const intraday = (name: string, ...rows: Record<string, unknown>[]): VendorPages => ({
  records: rows,
  page: (dataset) => ({
    [`activities-${name}`]: [{ dateTime: '2026-02-06', value: '7' }],
    [`activities-${name}-intraday`]: { dataset, datasetInterval: 1, datasetType: 'minute' },
  }),
})

const DATE = '2026-02-06'
const MINUTE = `${DATE}T03:15:00.000`
const ROW = { time: '08:00:00', value: 7 }

export const FITBIT_PAGES: Readonly<Record<string, VendorPages>> = {
  activities: one({
    activities: [],
    goals: { steps: 10_000 },
    summary: {
      activityCalories: 812,
      caloriesBMR: 1501,
      caloriesOut: 2213,
      distances: [{ activity: 'total', distance: 6.25 }],
      fairlyActiveMinutes: 20,
      floors: 10,
      lightlyActiveMinutes: 200,
      restingHeartRate: 58,
      sedentaryMinutes: 700,
      steps: 8231,
      veryActiveMinutes: 31,
    },
  }),
  heart: intraday('heart', { time: '08:00:00', value: 61 }),
  steps: {
    ...intraday('steps', ROW),
    details: [undefined, intraday('distance', ROW).page([{ time: '08:00:00', value: 0.05 }])],
  },
  activity_logs: {
    ...listed('activities', {
      logId: 61_000_000_001,
      activityName: 'Run',
      activityTypeId: 90009,
      startTime: `${DATE}T07:30:00.000-05:00`,
      duration: 2_400_000,
      activeDuration: 2_340_000,
      calories: 402,
      distance: 6.2,
      distanceUnit: 'Kilometer',
      steps: 6100,
      averageHeartRate: 151,
      elevationGain: 24.4,
      speed: 9.3,
      logType: 'tracker',
      lastModified: `${DATE}T14:00:00.000Z`,
      source: { name: 'Charge 6', type: 'tracker' },
    }),
    details: [intraday('heart').page([{ time: '07:31:00', value: 120 }])],
  },
  sleep: listed('sleep', {
    dateOfSleep: DATE,
    duration: 3_600_000,
    efficiency: 95,
    endTime: `${DATE}T01:00:00.000`,
    infoCode: 0,
    isMainSleep: true,
    levels: {
      data: [
        { dateTime: `${DATE}T00:00:00.000`, level: 'light', seconds: 1800 },
        { dateTime: `${DATE}T00:30:00.000`, level: 'deep', seconds: 1800 },
      ],
      shortData: [{ dateTime: `${DATE}T00:10:00.000`, level: 'wake', seconds: 60 }],
      summary: { light: { minutes: 29 }, deep: { minutes: 30 }, rem: { minutes: 0 } },
    },
    logId: 44_000_000_001,
    logType: 'auto_detected',
    minutesAsleep: 59,
    minutesAwake: 1,
    minutesToFallAsleep: 0,
    startTime: `${DATE}T00:00:00.000`,
    timeInBed: 60,
    type: 'stages',
  }),
  body: listed('weight', {
    logId: 1_770_363_015_000,
    date: DATE,
    time: '07:30:15',
    weight: 72.4,
    bmi: 23.1,
    fat: 21.5,
    source: 'Aria',
  }),
  foods: {
    records: [
      {
        logId: 1,
        logDate: DATE,
        loggedFood: { name: 'Oats', mealTypeId: 1, amount: 1, calories: 150 },
        nutritionalValues: { calories: 150, carbs: 30, fat: 2, fiber: 4, protein: 6, sodium: 120 },
      },
    ],
    page: (foods) => ({ foods, goals: { calories: 2000 }, summary: { calories: 150, water: 750 } }),
  },
  hrv: listed('hrv', {
    dateTime: DATE,
    minutes: [{ minute: MINUTE, value: { rmssd: 31.2, coverage: 0.9, hf: 320, lf: 410 } }],
  }),
  spo2: {
    records: [{ dateTime: DATE, minutes: [{ minute: MINUTE, value: 95.3 }] }],
    page: (days) => days,
  },
  br: listed('br', {
    dateTime: DATE,
    value: {
      deepSleepSummary: { breathingRate: 14.2 },
      fullSleepSummary: { breathingRate: 15 },
      lightSleepSummary: { breathingRate: 15.4 },
      remSleepSummary: { breathingRate: -1 },
    },
  }),
  temp_core: listed('tempCore', { dateTime: `${DATE}T20:00:00`, value: 37.4 }),
  cardioscore: listed('cardioScore', { dateTime: DATE, value: { vo2Max: '44-48' } }),
  irn_alerts: listed('alerts', { alertTime: MINUTE, detectedTime: MINUTE, bpm: [] }),
  profile: one({
    user: {
      encodedId: 'A1B2C3',
      dateOfBirth: '1985-04-12',
      gender: 'FEMALE',
      height: 170.2,
      offsetFromUTCMillis: -18_000_000,
      timezone: 'America/New_York',
    },
  }),
  devices: {
    records: [{ id: '1', deviceVersion: 'Charge 6', type: 'TRACKER', lastSyncTime: MINUTE }],
    page: (devices) => devices,
  },
}
