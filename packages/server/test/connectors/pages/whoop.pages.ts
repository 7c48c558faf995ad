import type { VendorPages } from '../vendor-pages.registry.ts'

/** Answers of the interface of WHOOP's apps, constructed with invented values. */

export const WHOOP_SLEEP = {
  activity_id: '5a0c7d1e-2b3f-4c6d-9e8f-0a1b2c3d4e5f',
  cycle_id: 93_710_001,
  created_at: '2026-02-04T05:40:00.000Z',
  updated_at: '2026-02-04T06:10:00.500Z',
  during: "['2026-02-03T22:10:00.000Z','2026-02-04T05:34:00.000Z')",
  timezone_offset: '+0545',
  is_nap: false,
  state: 'complete',
  score: 83.4,
  latency: 360_000,
  quality_duration: 24_840_000,
  time_in_bed: 26_640_000,
  light_sleep_duration: 13_320_499,
  slow_wave_sleep_duration: 5_400_500,
  rem_sleep_duration: 6_120_000,
  wake_duration: 1_740_000,
  no_data_duration: 60_000,
  respiratory_rate: 15.234375,
  in_sleep_efficiency: 0.93,
  disturbances: 7,
  cycles_count: 4,
}

export const WHOOP_EVENTS = [
  { type: 'LATENCY', during: "['2026-02-03T22:10:00.000Z','2026-02-03T22:16:00.000Z')" },
  { type: 'LIGHT', during: "['2026-02-03T22:16:00.000Z','2026-02-03T23:30:00.000Z')" },
  { type: 'DISTURBANCES', during: "['2026-02-03T22:40:00.000Z','2026-02-03T22:41:00.000Z')" },
  { type: 'SWS', during: "['2026-02-03T23:30:00.000Z','2026-02-04T01:00:00.000Z')" },
  { stage: 'rem', during: "['2026-02-04T01:00:00.000Z','2026-02-04T05:34:00.000Z')" },
]

export const WHOOP_ACTIVITY = {
  activity_id: '7e1f2a3b-4c5d-4e6f-8a9b-0c1d2e3f4a5b',
  during: "['2026-02-04T10:00:00.000Z','2026-02-04T10:50:00.000Z')",
  timezone_offset: '+0545',
  sport_id: 1,
  score: 9.8,
  kilojoules: 1673.6,
  average_heart_rate: 127.6,
  max_heart_rate: 161,
  percent_recorded: 100,
  zone_durations: {
    zone_zero_milli: 120_500,
    zone_one_milli: 600_000,
    zone_two_milli: 1_500_000,
    zone_three_milli: 779_500,
    zone_four_milli: 0,
    zone_five_milli: 0,
  },
  gps_enabled: true,
  distance_meter: 18_250.5,
  altitude_gain_meter: 96.5,
}

export const WHOOP_CYCLE_DETAILS = {
  cycle: {
    id: 93_710_001,
    user_id: 10_129,
    days: "['2026-02-04','2026-02-05')",
    during: "['2026-02-03T22:10:00.000Z',)",
    timezone_offset: '+0545',
    data_state: 'complete',
    scaled_strain: 11.4,
    day_kilojoules: 9414,
    day_avg_heart_rate: 68,
    day_max_heart_rate: 161,
  },
  recovery: {
    cycle_id: 93_710_001,
    sleep_id: WHOOP_SLEEP.activity_id,
    created_at: '2026-02-04T05:50:00.000Z',
    state: 'complete',
    calibrating: false,
    recovery_score: 71,
    resting_heart_rate: 52,
    hrv_rmssd: 0.0625,
    spo2: 96.4,
    skin_temp_celsius: 33.75,
  },
  sleeps: [WHOOP_SLEEP],
  workouts: [WHOOP_ACTIVITY],
  v2_activities: [],
}

export const WHOOP_LEGACY_PAGES: Readonly<Record<string, VendorPages>> = {
  cycles: {
    records: [WHOOP_CYCLE_DETAILS],
    page: (records) => ({ records }),
    details: [WHOOP_EVENTS],
  },
}
