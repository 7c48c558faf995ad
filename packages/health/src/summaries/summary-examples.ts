import { SECOND_MS } from '@salus/contracts/time-units'
import type { SummaryRow } from './summary.ts'
import type { PresenterContext } from './summary-presenters.ts'
import { emptyValues, type SummaryResource, type SummaryValues } from './summary-tables.registry.ts'

/** Values of the examples of each resource. */
const EXAMPLES: { readonly [R in SummaryResource]: Partial<SummaryValues<R>> } = {
  activity: {
    calories_total: 2240,
    calories_active: 540,
    steps: 9120,
    distance_meter: 6830,
    floors_climbed: 12,
    heart_rate_mean: 78,
    heart_rate_resting: 56,
  },
  sleep: {
    duration_second: 27_000,
    stage_asleep_second: 25_200,
    stage_awake_second: 1_800,
    stage_light_second: 14_400,
    stage_rem_second: 5_400,
    stage_deep_second: 5_400,
    heart_rate_mean: 58,
    stage_start_offset_second: [0, 1_800, 16_200, 21_600],
    stage_end_offset_second: [1_800, 16_200, 21_600, 27_000],
    stage_type: [4, 2, 1, 3],
  },
  workouts: {
    sport_name: 'Running',
    sport_slug: 'running',
    duration_active_second: 2_700,
    heart_rate_mean: 142,
    heart_rate_maximum: 171,
    distance_meter: 8_200,
    calories: 610,
  },
  body: { weight_kilogram: 71.4, fat_mass_percentage: 21.5 },
  meal: { name: 'breakfast', calories: 430, carbohydrate_gram: 52, protein_gram: 18 },
  menstrual_cycle: {
    period_start: '2026-03-01',
    period_end: '2026-03-05',
    is_predicted: false,
    menstrual_flow: '[{"date":"2026-03-01","flow":"medium"}]',
  },
  profile: { height_centimeter: 172, sex: 'female' },
  electrocardiogram: {
    voltage_sample_count: 15_360,
    heart_rate_mean: 64,
    sampling_frequency_hz: 512,
    classification: 'sinus_rhythm',
  },
}

const START = Date.UTC(2026, 2, 1, 6)

/** Returns a row of a resource for documents and examples. */
export function exampleRow<R extends SummaryResource>(resource: R): SummaryRow<R> {
  const seconds = { sleep: 27_000, workouts: 2_700, electrocardiogram: 30 }[resource as string] ?? 0
  const endedAt = START + seconds * SECOND_MS
  return {
    ...emptyValues(resource),
    ...EXAMPLES[resource],
    id: '0b7c6f6e-8d3f-5c1a-9a4e-2f6f1d0c9b58',
    provider: 'health_connect',
    source_type: 'watch',
    app_id: 'com.example.watch',
    device_model: '',
    external_id: 'a1b2c3',
    calendar_date: '2026-03-01',
    started_at: START,
    ended_at: endedAt,
    timezone_offset: 3600,
    time_zone: 'Europe/Berlin',
    created_at: endedAt + 60 * SECOND_MS,
    updated_at: endedAt + 60 * SECOND_MS,
  } as SummaryRow<R>
}

/** The user of the examples. */
export const EXAMPLE_CONTEXT: PresenterContext = {
  userId: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  baseUrl: 'https://salus.example.com',
  devices: new Map(),
  fallbackZone: null,
}
