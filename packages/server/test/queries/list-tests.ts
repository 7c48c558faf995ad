import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { func, type QueryHarness, value } from './query-harness.ts'
import { sample, summary } from './reference/hand-made.ts'

/** docs/contract/09-aggregate.md#list-columns, against the harness of the file that calls this. */
export function listTests(open: () => QueryHarness): void {
  let harness: QueryHarness
  const list = (select: object, unnest: object, where?: string) => ({
    select,
    from: { unnest },
    ...(where === undefined ? {} : { where }),
  })
  let userId: string
  before(async () => {
    harness = open()
    userId = await harness.person({
      samples: [
        sample('2026-03-02T08:00:00Z', 0, {
          series: 'note',
          extra: '{"tags":["food","exercise"]}',
        }),
        sample('2026-03-03T08:00:00Z', 0, { series: 'note' }),
      ],
      summaries: [
        summary('menstrual_cycle', {
          period_start: '2026-03-02',
          menstrual_flow: JSON.stringify([
            { date: '2026-03-02', flow: 'light' },
            { date: '2026-03-03', flow: 'heavy' },
            { date: '2026-03-05', flow: 'light' },
          ]),
          basal_body_temperature: JSON.stringify([
            { date: '2026-03-02', value: 36.4 },
            { date: '2026-03-03', value: 36.8 },
          ]),
          sexual_activity: '[{"date":"2026-03-09","protection_used":null}]',
        }),
        summary('menstrual_cycle', { period_start: '2026-03-29' }),
      ],
    })
  })
  const flow = { menstrual_cycle: 'menstrual_flow' }
  const temperature = { menstrual_cycle: 'basal_body_temperature' }

  test('become one value a row', async () => {
    const of = (name: string) => func(name, { basal_body_temperature: 'value' })
    const query = {
      select: [
        list({ func: 'count', arg: null }, flow),
        list({ func: 'count', arg: null }, flow, "flow = 'light' and date < '2026-03-05'"),
        list(func('max', { field_for: 'menstrual_cycle', menstrual_flow: 'date' }), flow),
        ...['sum', 'mean', 'min', 'max', 'median', 'stddev'].map((name) =>
          list(of(name), temperature),
        ),
        list(
          { func: 'count', arg: null },
          { menstrual_cycle: 'sexual_activity' },
          'protection_used = null',
        ),
      ],
    }
    const table = await harness.ask(userId, query)
    const deviation = table['stddev.basal_body_temperature.value']?.[0] as number
    assert.ok(Math.abs(deviation - 0.28284271247) < 1e-9)
    assert.deepEqual(
      { ...table, 'stddev.basal_body_temperature.value': [1, null] },
      {
        'count.menstrual_flow': [3, 0],
        'count.menstrual_flow.2': [1, 0],
        'max.menstrual_flow.date': ['2026-03-05', null],
        'sum.basal_body_temperature.value': [73.19999999999999, null],
        'mean.basal_body_temperature.value': [36.599999999999994, null],
        'min.basal_body_temperature.value': [36.4, null],
        'max.basal_body_temperature.value': [36.8, null],
        'median.basal_body_temperature.value': [36.599999999999994, null],
        'stddev.basal_body_temperature.value': [1, null],
        'count.sexual_activity': [1, 0],
      },
    )
  })

  test('of texts have elements', async () => {
    const tags = value('note', 'tags')
    const query = {
      select: [
        list({ func: 'count', arg: null }, tags),
        list(func('min', { element: true }), tags),
        list({ func: 'count', arg: { element: true } }, tags, "element != 'food'"),
      ],
    }
    assert.deepEqual(await harness.ask(userId, query), {
      'count.note.tags': [2, 0],
      'min.note.tags.element': ['exercise', null],
      'count.note.tags.element': [1, 0],
    })
  })

  test('are aggregated by an outer function', async () => {
    const query = {
      select: [{ group_key: 0 }, func('mean', list({ func: 'count', arg: null }, flow))],
      group_by: [{ date_trunc: { unit: 'month' }, arg: { index: 'menstrual_cycle' } }],
    }
    assert.deepEqual(await harness.ask(userId, query), {
      'group_key.0': ['2026-03-01'],
      'mean.count.menstrual_flow': [1.5],
    })
  })
}
