import assert from 'node:assert/strict'
import { test } from 'node:test'
import { func, type QueryHarness, trunc, value } from './query-harness.ts'
import { sample } from './reference/hand-made.ts'

/**
 * What the table of merged series answers, beside the totals of
 * packages/cli/src/queries/one-total.test.ts.
 */
export function mergedTableTests(getHarness: () => QueryHarness): void {
  const glucose = value('glucose')
  const daily = [trunc('day')]
  const merged = (series: string) => ({ merged: series, field: 'value' })
  const beat = (time: string, sourceType: string, rate: number) =>
    sample(`2026-03-${time}Z`, rate, { series: 'heartrate', provider: 'garmin', sourceType })
  const read = async (userId: string, slot: string) => {
    const dates = 'start_date=2026-03-01&end_date=2026-03-31'
    const path = `/v2/timeseries/${userId}/heartrate/merged?${dates}&slot=${slot}`
    return (await getHarness().salus.call('GET', path)).body.data as Record<string, number>[]
  }

  test('has the readings of the best source of each bucket, as the merged read has', async () => {
    const userId = await getHarness().person({
      samples: [
        ...[beat('02T08:00:00', 'watch', 60), beat('02T08:10:00', 'watch', 71)],
        ...[beat('02T08:20:00', 'phone', 90), beat('02T11:00:00', 'phone', 100)],
        ...[beat('05T08:00:00', 'phone', 80), beat('05T08:00:30', 'phone', 85)],
      ],
    })
    for (const unit of ['hour', 'day'] as const) {
      const slots = await read(userId, unit)
      const table = await getHarness().ask(userId, {
        select: ['mean', 'min', 'max', 'count'].map((name) => func(name, merged('heartrate'))),
        group_by: [trunc(unit, 'merged')],
      })
      const columns = { mean: 'value', min: 'min', max: 'max', count: 'count' }
      for (const [column, field] of Object.entries(columns)) {
        assert.deepEqual(
          table[column],
          slots.map((slot) => slot[field]),
          `${column} by ${unit}`,
        )
      }
    }
    const weekly = {
      select: [func('max', merged('heartrate'))],
      group_by: [trunc('week', 'merged')],
    }
    assert.deepEqual((await getHarness().ask(userId, weekly)).max, [85])
    const rows = await getHarness().ask(userId, {
      select: [{ index: 'merged' }, merged('heartrate'), { source: 'source_type' }],
      where: "source_type = 'phone' AND value < 100",
    })
    assert.deepEqual(rows.timestamp, [
      ...['2026-03-02T08:20:00', '2026-03-05T08:00:00', '2026-03-05T08:00:30'],
    ])
  })

  test('is distinguished from the others by the rule of the answer', async () => {
    const userId = await getHarness().person({ samples: [sample('2026-03-02T08:00:00Z', 5)] })
    const sources = [{ source: 'source_provider' }, { source: 'source_type' }]
    const queries = [
      { select: [func('sum', merged('glucose'))] },
      { select: [func('sum', glucose)], group_by: daily },
      { select: [func('sum', glucose)] },
      { select: [func('sum', glucose)], group_by: [...daily, ...sources] },
      { select: [{ derived_readiness: 'date' }] },
    ]
    const { body, headers } = await getHarness().send(userId, queries)
    const rules = ['merged', 'one_source', 'all_sources', 'all_sources', 'one_source']
    assert.deepEqual(
      body.results.map((result: { source_rule: string }) => result.source_rule),
      rules,
    )
    assert.equal(headers['x-source-rule'], rules.join(', '))
  })

  test('refuses what is not merged', async () => {
    const userId = await getHarness().person({})
    for (const query of [
      { select: [{ merged: 'blood_pressure', field: 'systolic' }] },
      { select: [{ merged: 'steps', field: 'source_workout_id' }] },
      { select: [merged('steps'), { source: 'source_sport' }] },
      { select: [merged('nothing')] },
    ]) {
      const { status, body } = await getHarness().send(userId, [query])
      assert.deepEqual([status, body.detail[0].type], [422, 'unknown_column'])
    }
    const both = { select: [merged('steps'), value('steps')] }
    assert.equal((await getHarness().send(userId, [both])).body.detail[0].type, 'cross_table')
    const gone = await getHarness().send('01a214df-624c-7ce9-afcc-a716461efc8d', [
      { select: [merged('steps')] },
    ])
    assert.equal(gone.status, 404)
  })
}
