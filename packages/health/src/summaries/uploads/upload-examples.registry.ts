import type { SummaryResource } from '../summary-tables.registry.ts'

const SAMPLE = {
  value: 420,
  unit: 'count',
  start_date: '2026-02-10T08:00:00Z',
  end_date: '2026-02-10T08:05:00Z',
  type: 'watch',
  source_bundle: 'com.example.health',
  product_type: 'Watch7,5',
}
const SESSION = {
  id: 'run-1',
  start_date: '2026-02-10T08:00:00Z',
  end_date: '2026-02-10T08:30:00Z',
  source_bundle: 'com.example.health',
  product_type: 'Watch7,5',
  source_type: 'watch',
}
const ENVELOPE = { stage: 'daily', provider: 'manual', time_zone: 'Europe/Vienna' }
const stage = (from: string, to: string) => ({
  ...SAMPLE,
  value: 1,
  unit: 'stage',
  start_date: `2026-02-10T${from}:00Z`,
  end_date: `2026-02-10T${to}:00Z`,
})

/** Request bodies that the reference shows for uploads of summaries. A test sends each. */
export const UPLOAD_EXAMPLES: Readonly<Partial<Record<SummaryResource, object>>> = {
  activity: {
    ...ENVELOPE,
    data: [
      {
        day_summary: {
          calendar_date: '2026-02-10',
          steps_sum: 9876,
          active_energy_burned_sum: 420,
          basal_energy_burned_sum: 1600,
        },
        steps: [SAMPLE],
      },
    ],
  },
  sleep: {
    ...ENVELOPE,
    data: [
      {
        ...SESSION,
        id: 'night-1',
        start_date: '2026-02-10T00:00:00Z',
        end_date: '2026-02-10T07:00:00Z',
        sleep_stages: {
          awake_sleep_samples: [stage('00:00', '00:30')],
          light_sleep_samples: [stage('00:30', '04:00')],
          deep_sleep_samples: [stage('04:00', '05:00')],
          rem_sleep_samples: [stage('05:00', '07:00')],
        },
      },
    ],
  },
  workouts: {
    ...ENVELOPE,
    data: [
      {
        ...SESSION,
        sport: 'Running',
        moving_time: 1700,
        calories: 300,
        distance: 5000,
        heart_rate: [{ ...SAMPLE, value: 140, unit: 'bpm' }],
      },
    ],
  },
  meal: {
    ...ENVELOPE,
    data: [
      {
        health_connect: {
          nutrition_records: [
            {
              start_time: '2026-02-10T12:00:00Z',
              end_time: '2026-02-10T12:30:00Z',
              start_zone_offset: '+01:00',
              end_zone_offset: '+01:00',
              name: 'Oatmeal',
              energy: 380,
              protein: 13,
              total_carbohydrate: 66,
              total_fat: 7,
            },
          ],
        },
      },
    ],
  },
  menstrual_cycle: {
    ...ENVELOPE,
    data: [
      {
        cycle: {
          period_start: '2026-02-01',
          period_end: '2026-02-05',
          menstrual_flow: [{ date: '2026-02-01', flow: 'medium' }],
        },
      },
    ],
  },
  body: {
    ...ENVELOPE,
    data: { body_mass: [{ ...SAMPLE, value: 71.5, unit: 'kg' }] },
  },
}
