import type { VendorPages } from '../vendor-pages.registry.ts'

/** Constructed from the vendor's documentation, with invented values. */

const answer = (body: object): unknown => ({ status: 0, body })

const listed = (
  name: string,
  records: readonly Record<string, unknown>[],
  details?: readonly unknown[],
): VendorPages => ({
  records,
  page: (list) => answer({ [name]: list, more: false, offset: 0, timezone: 'Europe/Paris' }),
  ...(details && { details }),
})

/** A group of measures of one instant. */
export const groupOf = (
  measures: readonly (readonly [type: number, value: number, unit: number])[],
  more: object = {},
): Record<string, unknown> => ({
  grpid: 9_000_001,
  attrib: 0,
  date: 1_770_700_000,
  created: 1_770_700_030,
  modified: 1_770_700_030,
  category: 1,
  deviceid: 'scale-1',
  hash_deviceid: 'scale-1',
  measures: measures.map(([type, value, unit]) => ({ value, type, unit, algo: 0, fm: 131 })),
  modelid: 6,
  model: 'Body Cardio',
  comment: null,
  ...more,
})

export const WITHINGS_DAY = {
  date: '2026-02-10',
  timezone: 'America/New_York',
  deviceid: 'watch-1',
  hash_deviceid: 'watch-1',
  brand: 1,
  is_tracker: true,
  model: 'ScanWatch',
  modelid: 93,
  modified: 1_770_790_000,
  steps: 8_421,
  distance: 6_102.4,
  elevation: 11,
  soft: 7_260,
  moderate: 1_980,
  intense: 840,
  active: 2_820,
  calories: 402.75,
  totalcalories: 2_305.5,
  hr_average: 71,
  hr_min: 48,
  hr_max: 152,
  hr_zone_0: 50_000,
  hr_zone_1: 3_000,
  hr_zone_2: 1_200,
  hr_zone_3: 0,
}

/** 10 February, 18:00:00 to 18:45:30 in New York. */
export const WITHINGS_WORKOUT = {
  id: 880_001,
  category: 2,
  timezone: 'America/New_York',
  model: 93,
  attrib: 7,
  startdate: 1_770_764_400,
  enddate: 1_770_767_130,
  date: '2026-02-10',
  deviceid: 'watch-1',
  modified: 1_770_770_000,
  data: {
    calories: 455,
    intensity: 50,
    manual_distance: 0,
    manual_calories: 0,
    hr_average: 148,
    hr_min: 0,
    hr_max: 171,
    pause_duration: 90,
    algo_pause_duration: null,
    steps: 7_010,
    distance: 8_120,
    elevation: 3,
    spo2_average: 0,
  },
}

/** 9 February, 23:30 to 10 February, 06:30 in New York. */
export const WITHINGS_NIGHT = {
  id: 770_001,
  timezone: 'America/New_York',
  model: 16,
  model_id: 93,
  hash_deviceid: 'watch-1',
  startdate: 1_770_697_800,
  enddate: 1_770_723_000,
  date: '2026-02-10',
  created: 1_770_724_000,
  modified: 1_770_724_000,
  completed: true,
  data: {
    total_timeinbed: 25_200,
    total_sleep_time: 23_400,
    lightsleepduration: 12_600,
    deepsleepduration: 6_000,
    remsleepduration: 4_800,
    wakeupduration: 1_800,
    sleep_latency: 480,
    durationtosleep: 480,
    sleep_efficiency: 0.93,
    sleep_score: 82,
    hr_average: 54,
    hr_min: 47,
    hr_max: 66,
    rr_average: 15,
    snoring: 0,
  },
}

/** The rows of the stages of the night. */
export const WITHINGS_STAGES = {
  model: 16,
  series: [
    {
      startdate: 1_770_697_800,
      enddate: 1_770_698_280,
      state: 0,
      hr: { 1770697860: 66, 1770698160: 0 },
      rr: { 1770697860: 16 },
    },
    {
      startdate: 1_770_698_280,
      enddate: 1_770_701_880,
      state: 1,
      hr: { 1770698400: 55 },
      rmssd: { 1770698400: 41, 1770698700: 47 },
      sdnn_1: { 1770698400: 50 },
    },
    { startdate: 1_770_701_880, enddate: 1_770_705_480, state: 2 },
    { startdate: 1_770_705_480, enddate: 1_770_709_080, state: 3 },
    { startdate: 1_770_709_080, enddate: 1_770_723_000, state: 5 },
  ],
}

export const WITHINGS_ECG = {
  deviceid: 'watch-1',
  model: 93,
  timezone: 'Asia/Kolkata',
  ecg: { signalid: 550_001, afib: 1 },
  heart_rate: 88,
  timestamp: 1_770_700_000,
  modified: 1_770_700_100,
}

/** A tenth of a second at 500 Hz, in microvolts. */
export const WITHINGS_SIGNAL = {
  signal: Array.from({ length: 50 }, (_, position) => position * 20 - 500),
  sampling_frequency: 500,
  wearposition: 1,
}

const INTRADAY = {
  deviceid: 'watch-1',
  model: 'ScanWatch',
  model_id: 93,
  steps: 12,
  duration: 60,
  heart_rate: 62,
  spo2_auto: 97,
}

export const WITHINGS_PAGES: Readonly<Record<string, VendorPages>> = {
  measures: listed('measuregrps', [
    groupOf([
      [1, 71_350, -3],
      [6, 2_210, -2],
      [5, 55_580, -3],
      [76, 52_800, -3],
      [77, 40_100, -3],
      [88, 2_780, -3],
      [170, 32, -1],
      [11, 61, 0],
    ]),
    groupOf(
      [
        [9, 78, 0],
        [10, 12_140, -2],
      ],
      { grpid: 9_000_002, modelid: 45, model: 'BPM Connect', attrib: 5 },
    ),
    groupOf([[71, 36_742, -3]], { grpid: 9_000_003, modelid: 70, model: 'Thermo' }),
    groupOf([[54, 97, 0]], { grpid: 9_000_004, modelid: 93, model: 'ScanWatch' }),
  ]),
  activity: listed('activities', [WITHINGS_DAY]),
  intraday: {
    records: [INTRADAY],
    page: (rows) => {
      const keyOf = (row: unknown, index: number): number => {
        const isGood = JSON.stringify(row) === JSON.stringify(INTRADAY)
        return isGood ? 1_770_750_000 : 1_770_700_000 + index
      }
      return answer({ series: Object.fromEntries(rows.map((row, at) => [keyOf(row, at), row])) })
    },
  },
  workouts: listed('series', [WITHINGS_WORKOUT]),
  sleep: listed('series', [WITHINGS_NIGHT], [answer(WITHINGS_STAGES)]),
  heart: listed('series', [WITHINGS_ECG], [answer(WITHINGS_SIGNAL)]),
  devices: listed('devices', [
    {
      type: 'Activity Tracker',
      model: 'ScanWatch',
      model_id: 93,
      battery: 'high',
      deviceid: 'watch-1',
      hash_deviceid: 'watch-1',
      timezone: 'America/New_York',
      first_session_date: 1_700_000_000,
      last_session_date: 1_770_700_000,
    },
  ]),
}
