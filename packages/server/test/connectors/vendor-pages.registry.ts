import { BEURER_PAGES } from './pages/beurer.pages.ts'
import { DEXCOM_SHARE_PAGES } from './pages/dexcom.pages.ts'
import { DEXCOM_PAGES } from './pages/dexcom-v3.pages.ts'
import { EIGHT_SLEEP_PAGES } from './pages/eight-sleep.pages.ts'
import { FITBIT_PAGES } from './pages/fitbit.pages.ts'
import { GARMIN_PAGES } from './pages/garmin.pages.ts'
import { GOOGLE_HEALTH_PAGES } from './pages/google-health.pages.ts'
import { HAMMERHEAD_PAGES } from './pages/hammerhead.pages.ts'
import { IHEALTH_PAGES } from './pages/ihealth.pages.ts'
import { KARDIA_PAGES } from './pages/kardia.pages.ts'
import { MY_FITNESS_PAL_PAGES } from './pages/my-fitness-pal.pages.ts'
import { PELOTON_PAGES } from './pages/peloton.pages.ts'
import { POLAR_PAGES } from './pages/polar.pages.ts'
import { RENPHO_PAGES } from './pages/renpho.pages.ts'
import { STRAVA_PAGES } from './pages/strava.pages.ts'
import { SUUNTO_PAGES } from './pages/suunto.pages.ts'
import { TANDEM_PAGES } from './pages/tandem.pages.ts'
import { ULTRAHUMAN_PAGES } from './pages/ultrahuman.pages.ts'
import { WAHOO_PAGES } from './pages/wahoo.pages.ts'
import { WHOOP_LEGACY_PAGES } from './pages/whoop.pages.ts'
import { WHOOP_PAGES } from './pages/whoop-v2.pages.ts'
import { WITHINGS_PAGES } from './pages/withings.pages.ts'
import { ZWIFT_PAGES } from './pages/zwift.pages.ts'

/**
 * Records in the form of the vendors' documentation, with made-up values, and the pages that hold
 * them.
 */

export interface VendorPages {
  /** Every record is good. */
  records: readonly Record<string, unknown>[]
  /** What a vendor answers with such records. */
  page: (records: readonly unknown[]) => unknown
  /** Answers to the further requests of a page of all records. */
  /** The answers to the further requests of a page of all records. */
  details?: readonly unknown[]
}

const oura = (...records: Record<string, unknown>[]): VendorPages => ({
  records,
  page: (data) => ({ data, next_token: null }),
})

const practice = (...records: Record<string, unknown>[]): VendorPages => ({
  records,
  page: (data) => ({ data, next_cursor: null }),
})

export const OURA_NIGHT = {
  id: '8f9a5221-639e-4a85-81cb-4065ef23f979',
  average_breath: 14.25,
  average_heart_rate: 52.5,
  average_hrv: 61,
  awake_time: 1200,
  bedtime_end: '2026-02-10T07:05:30.000+02:00',
  bedtime_start: '2026-02-09T23:35:30.000+01:00',
  day: '2026-02-10',
  deep_sleep_duration: 4500,
  efficiency: 90,
  heart_rate: {
    interval: 300,
    items: [null, 55, 50.5, 49],
    timestamp: '2026-02-09T23:35:30.000+01:00',
  },
  hrv: { interval: 300, items: [null, 58, 64], timestamp: '2026-02-09T23:35:30.000+01:00' },
  latency: 540,
  light_sleep_duration: 11700,
  low_battery_alert: false,
  lowest_heart_rate: 47,
  movement_30_sec: '1143222134332111111111',
  period: 0,
  readiness: {
    contributors: { activity_balance: 56, body_temperature: 98, hrv_balance: 75 },
    score: 79,
    temperature_deviation: -0.2,
    temperature_trend_deviation: 0.1,
  },
  readiness_score_delta: 0,
  rem_sleep_duration: 6000,
  restless_periods: 4,
  sleep_phase_5_min: '4221133',
  sleep_score_delta: 0,
  sleep_algorithm_version: 'v2',
  time_in_bed: 23400,
  total_sleep_duration: 22200,
  type: 'long_sleep',
}

export const OURA_ACTIVITY = {
  id: '34f3ac6f-5f5e-4e6e-a3a5-93a2c1f3b8a7',
  class_5_min: '0011223344',
  score: 82,
  active_calories: 512,
  average_met_minutes: 1.53125,
  contributors: { meet_daily_targets: 43, stay_active: 73 },
  equivalent_walking_distance: 8123,
  high_activity_met_minutes: 40,
  high_activity_time: 600,
  inactivity_alerts: 1,
  low_activity_met_minutes: 117,
  low_activity_time: 12300,
  medium_activity_met_minutes: 66,
  medium_activity_time: 1500,
  met: { interval: 60, items: [0.1, 0.9, 1.2], timestamp: '2026-02-10T04:00:00.000-08:00' },
  meters_to_target: -123,
  non_wear_time: 900,
  resting_time: 26100,
  sedentary_met_minutes: 10,
  sedentary_time: 45000,
  steps: 9731,
  target_calories: 350,
  target_meters: 8000,
  total_calories: 2381,
  day: '2026-02-10',
  timestamp: '2026-02-10T04:00:00.000-08:00',
}

export const OURA_WORKOUT = {
  id: 'f9a1c2d3-0d5a-4a9b-9f3e-2d1c0b9a8f7e',
  activity: 'houseWork',
  calories: 211.5,
  day: '2026-02-10',
  distance: 3120.4,
  end_datetime: '2026-02-10T18:42:00.000+05:45',
  intensity: 'moderate',
  label: 'Evening round',
  source: 'confirmed',
  start_datetime: '2026-02-10T18:00:00.000+05:45',
}

export const LIBREVIEW_RECORD = {
  FactoryTimestamp: '3/1/2026 11:45:00 AM',
  Timestamp: '3/1/2026 6:45:00 AM',
  type: 0,
  ValueInMgPerDl: 112,
  TrendArrow: 3,
  MeasurementColor: 1,
  GlucoseUnits: 1,
  Value: 112,
  isHigh: false,
  isLow: false,
}

/** The newest value has the number of a scan. */
export const LIBREVIEW_NEWEST = {
  ...LIBREVIEW_RECORD,
  FactoryTimestamp: '3/1/2026 11:58:07 AM',
  Timestamp: '3/1/2026 6:58:07 AM',
  type: 1,
}

const LIBRE_ENTRY = { recorded_at: '2026-03-01T06:45:00+09:00', device: 'MH00X2' }

/** Of every collection of every connector, by slug and name; what is one object has no list. */
export const VENDOR_PAGES: Readonly<Record<string, Readonly<Record<string, VendorPages>>>> = {
  dexcom_v3: DEXCOM_PAGES,
  fitbit: FITBIT_PAGES,
  polar: POLAR_PAGES,
  ultrahuman: ULTRAHUMAN_PAGES,
  suunto: SUUNTO_PAGES,
  oura: {
    daily_activity: oura(OURA_ACTIVITY),
    sleep: oura(OURA_NIGHT),
    workout: oura(OURA_WORKOUT),
    heartrate: oura({ bpm: 61, source: 'awake', timestamp: '2026-02-10T08:00:00+00:00' }),
    daily_spo2: oura({
      id: 's',
      breathing_disturbance_index: 4,
      day: '2026-02-10',
      spo2_percentage: { average: 96.9 },
    }),
    daily_stress: oura({
      id: 't',
      day: '2026-02-10',
      day_summary: 'normal',
      recovery_high: 2700,
      stress_high: 8640,
    }),
    vo2_max: oura({
      id: 'v',
      day: '2026-02-10',
      timestamp: '2026-02-10T00:00:00.000+01:00',
      vo2_max: 44,
    }),
    personal_info: {
      records: [
        {
          id: 'p',
          age: 41,
          weight: 71.2,
          height: 1.76,
          biological_sex: 'female',
          email: 'person@example.com',
        },
      ],
      page: ([record]) => record,
    },
    ring_configuration: oura({
      id: 'r',
      color: 'silver',
      design: 'horizon',
      firmware_version: '2.9.3',
      hardware_type: 'gen4',
      set_up_at: '2025-01-01T15:00:00+00:00',
      size: 9,
    }),
  },
  abbott_libreview: {
    graph: {
      records: [LIBREVIEW_RECORD],
      page: (list) => ({
        status: 0,
        data: { connection: { glucoseMeasurement: LIBREVIEW_NEWEST }, graphData: list },
      }),
      details: [{ status: 0, data: [{ ...LIBREVIEW_RECORD, type: 1, TrendArrow: 3 }] }],
    },
  },
  eight_sleep: EIGHT_SLEEP_PAGES,
  freestyle_libre: {
    glucose: practice({ ...LIBRE_ENTRY, id: 'g', value: 112, unit: 'mg/dL', kind: 'historic' }),
    insulin: practice({ ...LIBRE_ENTRY, id: 'i', units: 12, kind: 'long' }),
    carbohydrates: practice({ ...LIBRE_ENTRY, id: 'c', grams: 30 }),
    notes: practice({ ...LIBRE_ENTRY, id: 'n', text: 'Swam' }),
  },
  ihealth: IHEALTH_PAGES,
  withings: WITHINGS_PAGES,
  strava: STRAVA_PAGES,
  whoop_v2: WHOOP_PAGES,
  garmin: GARMIN_PAGES,
  google_health: GOOGLE_HEALTH_PAGES,
  wahoo: WAHOO_PAGES,
  hammerhead: HAMMERHEAD_PAGES,
  dexcom: DEXCOM_SHARE_PAGES,
  peloton: PELOTON_PAGES,
  tandem_source: TANDEM_PAGES,
  zwift: ZWIFT_PAGES,
  beurer_api: BEURER_PAGES,
  kardia: KARDIA_PAGES,
  my_fitness_pal: MY_FITNESS_PAL_PAGES,
  renpho: RENPHO_PAGES,
  whoop: WHOOP_LEGACY_PAGES,
}
