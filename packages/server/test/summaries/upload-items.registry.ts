import type { SummaryResource } from '../../../health/src/summaries/summary-tables.registry.ts'

const DATE = '2026-02-10'
const SOURCE = { source_bundle: 'com.apple.health.ABC', product_type: 'Watch6,1' }
const METADATA = { _DMO: 'Watch6,1', _DMA: 'Apple Inc.', _DSV: '11.0' }

const sample = (value: number, unit: string, time = '08:00:00') => ({
  value,
  unit,
  start_date: `${DATE}T${time}Z`,
  end_date: `${DATE}T${time}Z`,
  type: 'watch',
  ...SOURCE,
  metadata: METADATA,
})

const stage = (from: string, to: string) => ({
  ...sample(1, 'stage'),
  start_date: `${DATE}T${from}:00Z`,
  end_date: `${DATE}T${to}:00Z`,
})

const session = (id: string, from: string, to: string) => ({
  id,
  start_date: `${DATE}T${from}:00Z`,
  end_date: `${DATE}T${to}:00Z`,
  ...SOURCE,
  source_type: 'watch',
  metadata: METADATA,
})

/** One item of each resource as a watch of iOS sends it, with most of what it can say. */
export const IOS_ITEMS: Readonly<Record<SummaryResource, object>> = {
  activity: {
    day_summary: {
      calendar_date: DATE,
      active_energy_burned_sum: 420,
      basal_energy_burned_sum: 1600,
      steps_sum: 9876,
      exercise_time: 40,
    },
    active_energy_burned: [sample(20, 'kcal')],
    steps: [sample(500, 'count')],
    distance_walking_running: [sample(400, 'm')],
  },
  sleep: {
    ...session('night-1', '00:00', '07:00'),
    heart_rate_mean: 52,
    hrv_mean_sdnn: 60,
    heart_rate: [sample(50, 'bpm', '03:00:00')],
    heart_rate_variability: [sample(61, 'rmssd', '03:00:00')],
    respiratory_rate: [sample(14, 'bpm', '03:00:00')],
    wrist_temperature: [sample(35.2, '°C', '03:00:00')],
    sleep_stages: {
      awake_sleep_samples: [stage('00:00', '00:30')],
      light_sleep_samples: [stage('00:30', '04:00')],
      deep_sleep_samples: [stage('04:00', '05:00')],
      rem_sleep_samples: [stage('05:00', '07:00')],
      in_bed_sleep_samples: [stage('00:00', '07:00')],
    },
  },
  workouts: {
    ...session('run-1', '08:00', '08:30'),
    sport: 'Running',
    moving_time: 1700,
    calories: 300,
    distance: 5000,
    heart_rate_zone1: 100,
    heart_rate: [sample(140, 'bpm', '08:10:00')],
    stream: {
      components: {
        distance_walking_running: [
          {
            anchor: `${DATE}T08:00:00Z`,
            value: [10, 12],
            start_offset: [0, 5],
            end_offset: [5, 10],
            ...SOURCE,
            type: 'watch',
            metadata: METADATA,
          },
        ],
      },
    },
  },
  body: {
    body_mass: [sample(70.5, 'kg')],
    body_fat_percentage: [sample(21, '%', '08:00:10')],
    body_mass_index: [sample(22.5, 'index')],
    time_zones: [[`${DATE}T08:00:00Z`, 'Europe/Berlin']],
  },
  meal: {
    healthkit: {
      source_bundle: 'com.diary',
      energy_total: [sample(500, 'kcal', '11:00:00')],
      protein: [sample(30, 'gram', '11:00:00')],
      water: [sample(250, 'mL', '11:00:00')],
      caffeine: [sample(80, 'mg', '11:00:00')],
    },
  },
  menstrual_cycle: {
    source_bundle: 'com.apple.Health',
    cycle: {
      period_start: '2026-02-01',
      period_end: '2026-02-05',
      menstrual_flow: [{ date: '2026-02-01', flow: 'light' }],
    },
  },
  profile: { biological_sex: 'male', date_of_birth: '1990-05-04T00:00:00Z', height: 180 },
  electrocardiogram: {
    electrocardiogram: {
      id: 'ecg-1',
      session_start: `${DATE}T09:00:00Z`,
      session_end: `${DATE}T09:00:30Z`,
      classification: 'sinus_rhythm',
      heart_rate_mean: 61,
      ...SOURCE,
      metadata: METADATA,
    },
    voltage_data: { session_start_offset_millisecond: [0, 2], lead1: [0.1, -0.2] },
  },
}
