import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { QueryHarness } from './query-harness.ts'
import { summary } from './reference/hand-made.ts'

const at = (text: string): number => Date.parse(text)
const FIRST_DAY = at('2026-03-03T00:00:00Z')

const query = { select: [{ derived_readiness: 'recovery_score' }] }

/** Eight hours of sleep that end in the morning of a day. */
const night = (day: number, values: object) =>
  summary(
    'sleep',
    { type: 'long_sleep', stage_asleep_second: 28_800, ...values },
    {
      startedAt: FIRST_DAY + day * DAY_MS - 2 * HOUR_MS,
      endedAt: FIRST_DAY + day * DAY_MS + 6 * HOUR_MS,
    },
  )

const rate = (day: number, heart_rate_resting: number | null, fields: object = {}) =>
  summary(
    'activity',
    { heart_rate_resting },
    { startedAt: FIRST_DAY + day * DAY_MS, updatedAt: at('2026-03-09T00:00:00Z'), ...fields },
  )

/** docs/decisions/0018-readiness-of-apple-health.md: what the scores of a night are made of. */
export function readinessMeasureTests(open: () => QueryHarness): void {
  let harness: QueryHarness
  before(() => {
    harness = open()
  })

  test('compares RMSSD with RMSSD and SDNN with SDNN', async () => {
    const rmssd = (day: number, hrv: number, values: object = {}) =>
      night(day, { hrv_mean_rmssd: hrv, heart_rate_resting: 50, ...values })
    const sdnn = (day: number, hrv: number) =>
      night(day, { hrv_mean_sdnn: hrv, heart_rate_resting: 50 })
    const nights = [
      ...[0, 1, 2, 3, 4, 5, 6].map((day) => sdnn(day, 50)),
      rmssd(7, 50),
      sdnn(8, 40),
      // RMSSD counts where there are both.
      rmssd(9, 50, { hrv_mean_sdnn: 5 }),
      ...[10, 11, 12, 13, 14].map((day) => rmssd(day, 50)),
      rmssd(15, 40),
      sdnn(16, 50),
    ]
    const userId = await harness.person({ summaries: nights })
    const expected = Array(17).fill(null)
    // Seven of 50 of the same kind: z1 = ln(40/50)/0.05, so 100/(1 + exp(-(0.6 - 2.6777))) = 11.13.
    expected[8] = 11
    expected[15] = 11
    // Seven of 50 and one of 40: z1 = 0.0279/0.0789 = 0.3536, so 100/(1 + exp(-0.8121)) = 69.26.
    expected[16] = 69
    assert.deepEqual(await harness.ask(userId, query), { recovery_score: expected })
  })

  test('takes the resting heart rate of the day where the sleep has none', async () => {
    const nights = Array.from({ length: 10 }, (_, day) =>
      night(day, { hrv_mean_sdnn: 50, heart_rate_resting: day === 8 ? 50 : null }),
    )
    const newest = { updatedAt: at('2026-03-12T00:00:00Z') }
    const rates = [
      ...[0, 1, 2, 3, 4, 5, 6].map((day) => rate(day, 50)),
      rate(7, 70),
      // The day is that of the place.
      rate(7, 53, {
        startedAt: at('2026-03-09T23:30:00Z'),
        timezoneOffset: 3600,
        updatedAt: at('2026-03-11T00:00:00Z'),
      }),
      rate(7, null, newest),
      rate(7, 80, { sourceType: 'phone', ...newest }),
      rate(7, 90, { provider: 'garmin', sourceType: 'lab' }),
      rate(8, 99),
      rate(9, 50, { provider: 'garmin' }),
    ]
    const userId = await harness.person({ summaries: [...nights, ...rates] })
    // z2 = (50 - 53)/1, so 100/(1 + exp(-(0.6 - 1.08))) = 38.2; then z2 = 0.375/1.0607.
    assert.deepEqual(await harness.ask(userId, query), {
      recovery_score: [...Array(7).fill(null), 38, 67, null],
    })
  })
}
