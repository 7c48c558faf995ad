import type { VendorPages } from '../vendor-pages.registry.ts'

/** Records in the form of the documentation of WHOOP, constructed with invented values. */

const list = (...records: Record<string, unknown>[]): VendorPages => ({
  records,
  page: (items) => ({ records: items, next_token: null }),
})

const RECORD = {
  user_id: 4711,
  created_at: '2026-02-10T06:31:02.250Z',
  updated_at: '2026-02-10T06:41:02.250Z',
  timezone_offset: '+05:45',
  score_state: 'SCORED',
}

export const WHOOP_CYCLE = {
  ...RECORD,
  id: 881_001,
  start: '2026-02-09T17:12:40.500Z',
  end: '2026-02-10T17:40:00.000Z',
  score: { strain: 11.2, kilojoule: 9414, average_heart_rate: 71, max_heart_rate: 158 },
}

export const WHOOP_NIGHT = {
  ...RECORD,
  id: '7d1f6a3e-9f2b-4a55-8a41-0d1c2b3a4f51',
  cycle_id: 881_001,
  start: '2026-02-09T17:12:40.500Z',
  end: '2026-02-10T00:52:40.500Z',
  nap: false,
  score: {
    stage_summary: {
      total_in_bed_time_milli: 27_600_000,
      total_awake_time_milli: 1_800_000,
      total_no_data_time_milli: 60_000,
      total_light_sleep_time_milli: 14_400_499,
      total_slow_wave_sleep_time_milli: 5_400_500,
      total_rem_sleep_time_milli: 5_940_000,
      sleep_cycle_count: 5,
      disturbance_count: 9,
    },
    sleep_needed: {
      baseline_milli: 27_395_716,
      need_from_sleep_debt_milli: 352_230,
      need_from_recent_strain_milli: 208_595,
      need_from_recent_nap_milli: -12_312,
    },
    respiratory_rate: 14.6484375,
    sleep_performance_percentage: 87,
    sleep_consistency_percentage: 81,
    sleep_efficiency_percentage: 93.2,
  },
}

export const WHOOP_RECOVERY = {
  cycle_id: 881_001,
  sleep_id: WHOOP_NIGHT.id,
  user_id: 4711,
  created_at: '2026-02-10T06:45:00.000Z',
  updated_at: '2026-02-10T06:50:00.000Z',
  score_state: 'SCORED',
  score: {
    user_calibrating: false,
    recovery_score: 63.6,
    resting_heart_rate: 51.4,
    hrv_rmssd_milli: 47.813562,
    spo2_percentage: 96.1,
    skin_temp_celsius: 33.7,
  },
}

export const WHOOP_WORKOUT = {
  ...RECORD,
  id: '0b7e2c1a-3d4f-4c6b-9e8d-7a6b5c4d3e2f',
  start: '2026-02-10T11:15:00.000Z',
  end: '2026-02-10T12:05:00.000Z',
  sport_name: 'hiking/rucking',
  sport_id: 52,
  score: {
    strain: 8.9,
    average_heart_rate: 121,
    max_heart_rate: 149,
    kilojoule: 1569.25,
    percent_recorded: 100,
    distance_meter: 3870.5,
    altitude_gain_meter: 46.6,
    altitude_change_meter: -0.8,
    zone_durations: {
      zone_zero_milli: 13_458,
      zone_one_milli: 389_370,
      zone_two_milli: 1_800_000,
      zone_three_milli: 711_370,
      zone_four_milli: 0,
      zone_five_milli: 0,
    },
  },
}

export const WHOOP_BODY = { height_meter: 1.764, weight_kilogram: 71.25, max_heart_rate: 188 }

export const WHOOP_PAGES: Readonly<Record<string, VendorPages>> = {
  cycle: list(WHOOP_CYCLE),
  sleep: list(WHOOP_NIGHT),
  workout: list(WHOOP_WORKOUT),
  body_measurement: { records: [WHOOP_BODY], page: ([record]) => record },
}
