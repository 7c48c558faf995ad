import type { VendorPages } from '../vendor-pages.registry.ts'

/** Constructed metrics in the form in which clients of the Ultrahuman Partner API read them. */

/** 2026-02-10 00:00 in New York, in Unix seconds. */
const MIDNIGHT = Date.UTC(2026, 1, 10, 5) / 1000

const at = (hours: number, value: number | null) => ({ timestamp: MIDNIGHT + hours * 3600, value })

const series = (type: string, unit: string, values: object[]) => ({
  type,
  object: { day_start_timestamp: MIDNIGHT, title: type, unit, last_reading: 1, values },
})

const single = (type: string, value: number | null) => ({
  type,
  object: { day_start_timestamp: MIDNIGHT, title: type, value },
})

export const ULTRAHUMAN_NIGHT = {
  bedtime_start: MIDNIGHT - 3600,
  bedtime_end: MIDNIGHT + 6 * 3600,
  quick_metrics: [
    { type: 'time_in_bed', value: 25_200 },
    { type: 'sleep_efic', value: 92 },
  ],
  sleep_stages: [
    { title: 'Deep', type: 'deep_sleep', percentage: 20, stage_time: 4800 },
    { title: 'Light', type: 'light_sleep', percentage: 55, stage_time: 12_600 },
    { title: 'REM', type: 'rem_sleep', percentage: 20, stage_time: 5400 },
    { title: 'Awake', type: 'awake', percentage: 5, stage_time: 2400 },
  ],
  sleep_graph: {
    title: 'Sleep',
    data: [
      { start: MIDNIGHT - 3600, end: MIDNIGHT - 3000, type: 'awake' },
      { start: MIDNIGHT - 3000, end: MIDNIGHT, type: 'light_sleep', toss_turn: 1 },
      { start: MIDNIGHT, end: MIDNIGHT + 4800, type: 'deep_sleep' },
      { start: MIDNIGHT + 4800, end: MIDNIGHT + 10_200, type: 'rem_sleep' },
    ],
  },
  hr_graph: { title: 'Heart rate', data: [at(1, 52), at(2, 48), at(3, 0)] },
  hrv_graph: { title: 'HRV', data: [at(1, 60), at(2, 64)] },
  sleep_score: { score: 81 },
  total_sleep: { minutes: 380, seconds: 22_800 },
  average_body_temperature: { celsius: 34.6 },
  temperature_deviation: { celsius: -0.2 },
}

export const ULTRAHUMAN_METRICS = [
  series('hr', 'BPM', [at(1, 52), at(9, 71), at(9.1, null)]),
  series('hrv', 'ms', [at(1, 61.5), at(2, 0)]),
  series('temp', '°C', [at(1, 34.4)]),
  series('glucose', 'mg/dL', [at(9, 96), at(9.25, 180.182)]),
  {
    type: 'steps',
    object: {
      day_start_timestamp: MIDNIGHT,
      values: [at(8, 120), at(8.25, 0), at(8.5, 310.5)],
      total: 430.5,
      avg: 143.5,
    },
  },
  { type: 'sleep', object: ULTRAHUMAN_NIGHT },
  single('recovery_index', 74),
  single('active_minutes', 42),
  single('sleep_rhr', 47),
  single('avg_sleep_hrv', 63),
  single('vo2_max', 44),
]

export const ULTRAHUMAN_PAGES: Readonly<Record<string, VendorPages>> = {
  metrics: {
    records: ULTRAHUMAN_METRICS,
    page: (metrics) => ({
      data: { metrics: { '2026-02-10': metrics }, latest_time_zone: 'America/New_York' },
      error: null,
      status: 200,
    }),
  },
}
