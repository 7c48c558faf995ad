import type { VendorPages } from '../vendor-pages.registry.ts'

/** Records in the form of answers in public clients of the vendor, with invented values. */

const START = Date.UTC(2026, 1, 5, 17) / 1000

export const PELOTON_WORKOUT = {
  id: 'a81dd28ad88a4e8d9f2b8a3c6b0f5e11',
  status: 'COMPLETE',
  fitness_discipline: 'cycling',
  created_at: START,
  start_time: START,
  end_time: START + 1800,
  timezone: 'America/New_York',
  total_work: 324_000.5,
  is_outdoor: false,
  has_pedaling_metrics: true,
  device_type: 'home_bike_v1',
  workout_type: 'class',
  user_id: '8084e81d00000000000000000000aaaa',
  ride: { id: 'r1', title: '30 min Climb Ride', duration: 1800, instructor_id: 'i1' },
}

export const PELOTON_SERIES = {
  duration: 1800,
  seconds_since_pedaling_start: [1, 2, 3],
  metrics: [
    {
      slug: 'output',
      display_unit: 'watts',
      average_value: 180,
      max_value: 310,
      values: [170, 190, 180],
    },
    {
      slug: 'cadence',
      display_unit: 'rpm',
      average_value: 84,
      max_value: 110,
      values: [80, 84, 88],
    },
    {
      slug: 'resistance',
      display_unit: '%',
      average_value: 41,
      max_value: 60,
      values: [40, 41, 42],
    },
    {
      slug: 'speed',
      display_unit: 'mph',
      average_value: 18.6,
      max_value: 22,
      values: [18, 19, 20],
    },
    {
      slug: 'heart_rate',
      display_unit: 'bpm',
      average_value: 141,
      max_value: 168,
      values: [null, 121, 122],
      zones: [],
      missing_data_duration: 1,
    },
    { slug: 'pace', display_unit: 'min/mi', average_value: 3.2, max_value: 3, values: [3.3, 3.2] },
  ],
  summaries: [
    { slug: 'total_output', display_unit: 'kj', value: 324 },
    { slug: 'distance', display_unit: 'mi', value: 9.3 },
    { slug: 'calories', display_unit: 'kcal', value: 412 },
  ],
  average_summaries: [],
  location_data: [],
}

export const PELOTON_PAGES: Readonly<Record<string, VendorPages>> = {
  workouts: {
    records: [PELOTON_WORKOUT],
    page: (data) => ({
      data,
      limit: 20,
      page: 0,
      total: data.length,
      count: data.length,
      page_count: 1,
      show_next: false,
      show_previous: false,
    }),
    details: [PELOTON_SERIES],
  },
}
