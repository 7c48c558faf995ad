import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePresetQuery } from './query-preset.ts'

const argOf = (metric: string) =>
  (makePresetQuery(metric, 'day') as { select: { func: string; arg: object }[] }).select[0]

test('amounts are added up, readings have a mean', () => {
  assert.equal(argOf('steps')?.func, 'sum')
  assert.equal(argOf('heartrate')?.func, 'mean')
  assert.deepEqual(argOf('body_weight'), {
    func: 'mean',
    arg: { merged: 'weight', field: 'value' },
  })
  assert.deepEqual(argOf('electrocardiogram_voltage')?.arg, {
    timeseries: 'electrocardiogram_voltage',
    field: 'value',
  })
})

test('columns and macros of summaries are grouped by the time of their table', () => {
  assert.deepEqual(makePresetQuery('sleep.efficiency', 'week'), {
    select: [{ func: 'mean', arg: { sleep: 'efficiency' } }],
    group_by: [{ date_trunc: { value: 1, unit: 'week' }, arg: { index: 'sleep' } }],
  })
  assert.deepEqual(makePresetQuery('sleep_score', 'weekday'), {
    select: [{ group_key: 0 }, { func: 'mean', arg: { value_macro: 'sleep_score' } }],
    group_by: [{ date_part: 'weekday', arg: { index: 'sleep' } }],
  })
})

test('an unknown name is refused before a request', () => {
  for (const metric of ['', 'Steps', 'a.b.c', 'steps; drop']) {
    assert.throws(() => makePresetQuery(metric, 'day'), /There is no metric/)
  }
})
