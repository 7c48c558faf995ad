import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import type { QueryHarness } from './query-harness.ts'
import { summary } from './reference/hand-made.ts'

const at = (text: string): number => Date.parse(text)
const NIGHT = { startedAt: at('2026-03-02T22:00:00Z'), endedAt: at('2026-03-03T06:00:00Z') }

/** docs/contract/09-aggregate.md#macros-and-readiness: values made of a sleep. */
export function macroTests(open: () => QueryHarness): void {
  let harness: QueryHarness
  before(() => {
    harness = open()
  })
  const MACROS = ['chronotype', 'asleep_at', 'awake_at', 'awakenings', 'sleep_score']
  const query = { select: MACROS.map((value_macro) => ({ value_macro, version: 'automatic' })) }

  test('are made of the stages and the middle of a sleep', async () => {
    const userId = await harness.person({
      summaries: [
        summary(
          'sleep',
          {
            latency_second: 600,
            stage_asleep_second: 21_600,
            stage_rem_second: 5400,
            stage_deep_second: 3240,
            efficiency: 80,
            stage_start_offset_second: [0, 600, 3600, 4200, 9000, 28_000],
            stage_end_offset_second: [600, 3600, 4200, 9000, 28_000, 28_800],
            stage_type: [4, 2, 4, 3, 1, 4],
          },
          NIGHT,
        ),
      ],
    })
    // 0.5 × 0.75 + 0.25 × 0.6 + 0.15 × 1 + 0.1 × 1 = 0.775
    assert.deepEqual(await harness.ask(userId, query), {
      chronotype: ['lark'],
      asleep_at: ['2026-03-02T22:10:00'],
      awake_at: ['2026-03-03T05:46:40'],
      awakenings: [2],
      sleep_score: [78],
    })
  })

  test('do without what is not known', async () => {
    const userId = await harness.person({
      summaries: [
        summary('sleep', { stage_asleep_second: 14_400 }, NIGHT),
        summary('sleep', {}, { ...NIGHT, startedAt: NIGHT.startedAt + 1 }),
      ],
    })
    const { select } = query
    const table = await harness.ask(userId, { select: [...select] })
    assert.deepEqual(table, {
      chronotype: ['lark', 'lark'],
      asleep_at: ['2026-03-02T22:00:00', '2026-03-02T22:00:00'],
      awake_at: ['2026-03-03T06:00:00', '2026-03-03T06:00:00'],
      awakenings: [null, null],
      sleep_score: [50, null],
    })
  })

  test('chronotype is that of the local middle', async () => {
    const night = (day: number, middle: string) => {
      const noon = at(`2026-03-${String(day).padStart(2, '0')}T${middle}Z`)
      return summary('sleep', {}, { startedAt: noon - 3_600_000, endedAt: noon + 3_600_000 })
    }
    const middles = ['17:00:00', '16:59:59', '03:30:00', '03:30:01', '06:00:00', '06:00:01']
    const summaries = middles.map((middle, position) => night(position + 2, middle))
    const userId = await harness.person({ summaries })
    const table = await harness.ask(userId, { select: [{ value_macro: 'chronotype' }] })
    assert.deepEqual(table.chronotype, ['lark', 'owl', 'lark', 'third', 'third', 'owl'])
  })
}

/** docs/contract/09-aggregate.md#macros-and-readiness: the scores of a day. */
export function readinessTests(open: () => QueryHarness): void {
  let harness: QueryHarness
  before(() => {
    harness = open()
  })
  const columns = [
    'date',
    'recovery_score',
    'stress_score',
    'recovery_zone',
    'strain_score',
    'strain_zone',
  ]
  const query = { select: columns.map((derived_readiness) => ({ derived_readiness })) }
  const night = (day: number, hrv: number, values: object = {}, fields: object = {}) =>
    summary(
      'sleep',
      {
        type: 'long_sleep',
        hrv_mean_rmssd: hrv,
        heart_rate_resting: 50,
        stage_asleep_second: 28_800,
        ...values,
      },
      {
        startedAt: NIGHT.startedAt + day * DAY_MS,
        endedAt: NIGHT.endedAt + day * DAY_MS,
        ...fields,
      },
    )

  test('compares a night with the three weeks before it', async () => {
    const nights = Array.from({ length: 8 }, (_, day) => night(day, day === 7 ? 40 : 50))
    const userId = await harness.person({ summaries: nights })
    const options = { past: { unit: 'day' }, anchor: '2026-03-10' }
    // z1 = ln(40/50)/0.05 = -4.4629, so recovery = 100/(1 + exp(-(0.6 - 2.6777))) = 11.13.
    assert.deepEqual(await harness.ask(userId, query, options), {
      date: ['2026-03-10'],
      recovery_score: [11],
      stress_score: [89],
      recovery_zone: ['Red'],
      // load = 0.6 × 55/66 = 0.5
      strain_score: [17.2],
      strain_zone: ['High'],
    })
    const first = await harness.ask(userId, query, {
      past: { unit: 'day', value: 7 },
      anchor: '2026-03-09',
    })
    assert.deepEqual(first.recovery_score, Array(7).fill(null))
    assert.deepEqual(first.strain_zone, Array(7).fill(null))
  })

  test('has a row for the longest sleep of the source that counts', async () => {
    const short = night(
      0,
      50,
      { stage_asleep_second: 3600 },
      { endedAt: NIGHT.endedAt - 3_600_000 },
    )
    const long = night(0, 60, { stage_asleep_second: 14_400 })
    const phone = night(
      0,
      70,
      {},
      { provider: 'garmin', sourceType: 'phone', startedAt: NIGHT.startedAt - 1 },
    )
    const nap = night(0, 80, { type: 'short_sleep' }, { sourceType: 'lab' })
    const userId = await harness.person({ summaries: [short, long, phone, nap] })
    const read = { select: [{ derived_readiness: 'sleep_score' }, { source: 'source_type' }] }
    assert.deepEqual(await harness.ask(userId, read), { sleep_score: [50], source_type: ['ring'] })
    const config = { provider_priority_overrides: ['garmin'] }
    assert.deepEqual(await harness.ask(userId, read, { config }), {
      sleep_score: [100],
      source_type: ['phone'],
    })
  })
}
