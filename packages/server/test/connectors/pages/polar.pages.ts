import type { VendorPages } from '../vendor-pages.registry.ts'

/** Constructed records in the form of the documentation of Polar AccessLink v3. */

export const POLAR_EXERCISE = {
  id: 'Kx7Qw2Lm',
  upload_time: '2026-02-10T18:02:11.000Z',
  polar_user: 'https://www.polaraccesslink.com/v3/users/51',
  device: 'Polar Vantage V3',
  device_id: '0A1B2C3D',
  start_time: '2026-02-10T17:15:20',
  start_time_utc_offset: -210,
  duration: 'PT45M12.500S',
  calories: 412,
  distance: 7150.5,
  heart_rate: { average: 151, maximum: 176 },
  training_load: 88.4,
  sport: 'RUNNING',
  has_route: true,
  detailed_sport_info: 'TRAIL_RUNNING',
  'running-index': 55,
  heart_rate_zones: [{ index: 1, 'lower-limit': 96, 'upper-limit': 115, 'in-zone': 'PT4M10S' }],
  samples: [
    { 'recording-rate': 1, 'sample-type': '0', data: '0,118,null,121,124' },
    { 'recording-rate': 2, 'sample-type': '1', data: '9,10.8,null' },
    { 'recording-rate': 1, 'sample-type': '3', data: '201.5,201.7,202' },
    { 'recording-rate': null, 'sample-type': '11', data: '508,496,499' },
  ],
  route: [
    { latitude: 61.5, longitude: -149.25, time: 'PT0.400S', satellites: 9, fix: 2 },
    { latitude: 61.50001, longitude: -149.25002, time: 'PT2.400S', satellites: 9, fix: 2 },
  ],
}

export const POLAR_NIGHT = {
  polar_user: 'https://www.polaraccesslink.com/v3/users/51',
  date: '2026-02-10',
  sleep_start_time: '2026-02-09T23:41:22-03:30',
  sleep_end_time: '2026-02-10T06:12:22-03:30',
  device_id: '0A1B2C3D',
  continuity: 3.4,
  continuity_class: 3,
  light_sleep: 12_000,
  deep_sleep: 4500,
  rem_sleep: 5400,
  unrecognized_sleep_stage: 60,
  sleep_score: 77,
  total_interruption_duration: 1500,
  sleep_charge: 3,
  sleep_rating: 0,
  sleep_cycles: 5,
  hypnogram: { '23:41': 3, '23:58': 4, '00:40': 1, '01:02': 0, '01:05': 2, '05:50': 5 },
  heart_rate_samples: { '23:43': 58, '23:58': 54, '00:03': 0, '00:08': 51 },
}

export const POLAR_DAY = {
  start_time: '2026-02-10T00:00',
  end_time: '2026-02-10T23:59:59',
  active_duration: 'PT2H10M',
  inactive_duration: 'PT9H30M30S',
  daily_activity: 104.5,
  calories: 2410,
  active_calories: 760,
  steps: 9120,
  inactivity_alert_count: 1,
  distance_from_steps: 6420.75,
  samples: {
    date: '2026-02-10',
    activity_zones: {
      samples: [
        { zone: 'SLEEP', timestamp: '2026-02-10T00:00' },
        { zone: 'LIGHT', timestamp: '2026-02-10T07:00:30' },
        { zone: 'SEDENTARY', timestamp: '2026-02-10T08:20:30' },
        { zone: 'MODERATE', timestamp: '2026-02-10T17:15' },
        { zone: 'VIGOROUS', timestamp: '2026-02-10T17:45' },
        { zone: 'SEDENTARY', timestamp: '2026-02-10T18:05' },
      ],
    },
  },
}

export const POLAR_PAGES: Readonly<Record<string, VendorPages>> = {
  exercises: { records: [POLAR_EXERCISE], page: (records) => records },
  sleep: { records: [POLAR_NIGHT], page: (nights) => ({ nights }) },
  continuous_heart_rate: {
    records: [
      {
        polar_user: 'https://www.polaraccesslink.com/v3/users/51',
        date: '2026-02-10',
        heart_rate_samples: [
          { heart_rate: 62, sample_time: '00:02:08' },
          { heart_rate: 97, sample_time: '17:05:08' },
        ],
      },
    ],
    page: (heart_rates) => ({ heart_rates }),
  },
  activities: { records: [POLAR_DAY], page: (records) => records },
  physical_info: {
    records: [
      {
        weight: 68.5,
        height: 171.6,
        created: '2025-06-01T12:00:00Z',
        modified: '2026-01-10T12:00:00Z',
        birthday: '1987-05-09',
        gender: 'FEMALE',
        maximum_heart_rate: 184,
        resting_heart_rate: 52,
        vo2_max: 47,
        weight_source: 'SOURCE_USER',
      },
    ],
    page: ([record]) => record,
  },
}
