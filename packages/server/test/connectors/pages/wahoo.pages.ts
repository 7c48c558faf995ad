import { fitFile } from '../../../../sandbox/src/providers/fit-file.ts'
import type { VendorPages } from '../vendor-pages.registry.ts'

/** Records in the form of the vendor's documentation, with invented values. */

const START = '2026-02-05T07:00:00.000Z'
const CHANGED = { created_at: '2026-02-05T08:05:00.000Z', updated_at: '2026-02-05T08:06:30.000Z' }

export const WAHOO_SUMMARY = {
  id: 8297,
  ascent_accum: '450.00',
  cadence_avg: '84.00',
  calories_accum: '612.00',
  distance_accum: '24909.71',
  duration_active_accum: '3480.00',
  duration_paused_accum: '120.00',
  duration_total_accum: '3600.00',
  heart_rate_avg: '141.00',
  power_bike_np_last: '203.00',
  power_bike_tss_last: '61.90',
  power_avg: '187.59',
  speed_avg: '7.16',
  work_accum: '652813.00',
  ...CHANGED,
  file: {
    url: 'https://cdn.wahooligan.com/wahoo-cloud/production/uploads/workout_file/file/a/b.fit',
  },
}

export const WAHOO_WORKOUT = {
  id: 56_103,
  starts: START,
  minutes: 61,
  name: 'Morning Ride',
  plan_id: null,
  route_id: null,
  workout_token: 'ELEMNT 7E0A:12',
  workout_type_id: 15,
  ...CHANGED,
  workout_summary: WAHOO_SUMMARY,
}

const at = Date.parse(START)
/** Three seconds of the ride. */
export const WAHOO_FILE = fitFile(
  [0, 1, 2].map((second) => ({
    at: at + second * 1000,
    latitude: 60.17116 + second / 10_000,
    longitude: 24.93258,
    altitudeMeters: 26.4 + second,
    heartRate: 140 + second,
    cadence: 84,
    distanceMeters: 7.16 * second,
    metersASecond: 7.16,
    watts: second === 1 ? undefined : 190,
    celsius: -3,
  })),
)

export const WAHOO_USER = {
  id: 60_462,
  height: '1.76',
  weight: '71.20',
  first: 'Anna',
  last: 'Person',
  email: 'person@example.com',
  birth: '1984-06-01',
  gender: 1,
  created_at: '2025-01-01T00:00:00.000Z',
  updated_at: '2025-01-01T00:00:00.000Z',
}

export const WAHOO_PAGES: Readonly<Record<string, VendorPages>> = {
  workouts: {
    records: [WAHOO_WORKOUT],
    page: (workouts) => ({
      workouts,
      total: workouts.length,
      page: 1,
      per_page: 30,
      order: 'descending',
      sort: 'starts',
    }),
    details: [WAHOO_FILE],
  },
  user: { records: [WAHOO_USER], page: ([user]) => user },
}
