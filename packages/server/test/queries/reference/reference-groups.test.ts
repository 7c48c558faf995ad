import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ask, BY_DAY, GLUCOSE, sample, summary, UTC } from './hand-made.ts'
import type { WireConfig, WireQuery } from './wire-query.ts'

/**
 * The reference is judged by answers that were worked out by hand from
 * docs/contract/09-aggregate.md.
 */

describe('sources', () => {
  const at = (minute: string, provider: string, sourceType: string, value: number) =>
    sample(`2026-03-02T05:${minute}:00Z`, value, { provider, sourceType })
  const samples = [
    at('00', 'oura', 'ring', 1),
    at('01', 'garmin', 'watch', 10),
    at('02', 'garmin', 'phone', 100),
    at('03', 'fitbit', 'watch', 1000),
    at('04', 'fitbit', 'watch', 1000),
  ]
  const query: WireQuery = { select: [{ func: 'sum', arg: GLUCOSE }], group_by: [BY_DAY] }
  const sumOf = (config: WireConfig, priorities = {}) =>
    ask({ samples }, query, { config, target: { ...UTC, priorities } }).sum?.[0]

  test('count by the request, then by type, then by the team, then by rows', () => {
    assert.equal(sumOf({}), 2000)
    assert.equal(sumOf({}, { timeseries: { garmin: 1 } }), 10)
    assert.equal(sumOf({}, { sleep: { garmin: 1 } }), 2000)
    assert.equal(sumOf({ provider_priority_overrides: ['oura', 'garmin'] }), 1)
    assert.equal(sumOf({ provider_priority_overrides: ['garmin', 'oura'] }), 10)
    assert.equal(sumOf({ provider_priority_overrides: ['withings'] }), 2000)
  })

  test('are all there without group keys, and when they are keys themselves', () => {
    assert.deepEqual(ask({ samples }, { select: query.select }), { sum: [2111] })
    assert.deepEqual(ask({ samples }, { ...query, split_by_source: true }), {
      index: Array(4).fill('2026-03-02T00:00:00'),
      sum: [2000, 100, 10, 1],
    })
  })

  test('are chosen after the filter', () => {
    const filtered = { ...query, where: "glucose.value < 1000 and source_type != 'watch'" }
    assert.deepEqual(ask({ samples }, filtered).sum, [1])
  })
})

describe('filters', () => {
  const samples = [
    sample('2026-03-02T00:00:00Z', 1, { sampleType: 'automatic' }),
    sample('2026-03-03T00:00:00Z', 2),
  ]
  const valuesWhere = (where: string) =>
    ask({ samples }, { select: [GLUCOSE], where })['glucose.value']

  test('let only what is true pass', () => {
    assert.deepEqual(valuesWhere("type = 'automatic'"), [1])
    assert.deepEqual(valuesWhere("type != 'automatic'"), [])
    assert.deepEqual(valuesWhere("not type = 'automatic'"), [])
    assert.deepEqual(valuesWhere("type != 'automatic' or value = 2"), [2])
    assert.deepEqual(valuesWhere('type = null'), [2])
    assert.deepEqual(valuesWhere('type != NULL'), [1])
    assert.deepEqual(valuesWhere('type < null'), [])
  })
})

describe('buckets', () => {
  const BY_WEEK = { date_trunc: { unit: 'week' as const }, arg: { index: 'activity' as const } }
  const day = (calendarDate: string, steps: number) =>
    summary('activity', { steps }, { calendarDate })

  test('of weeks begin on Mondays, and parts of dates follow ISO', () => {
    const summaries = [day('2026-03-01', 1), day('2026-03-02', 2), day('2026-03-08', 3)]
    const arg = { activity: 'steps' }
    const byWeek = { select: [{ func: 'sum', arg }], group_by: [BY_WEEK] }
    assert.deepEqual(ask({ summaries }, byWeek).sum, [1, 5])
    const part = { date_part: 'weekday', arg: { index: 'activity' as const } }
    const byPart = { select: [{ group_key: '*' as const }, { func: 'sum', arg }], group_by: [part] }
    assert.deepEqual(ask({ summaries }, byPart), { 'group_key.0': [1, 7], 'sum.steps': [2, 4] })
  })

  test('that are missing are made and filled', () => {
    const samples = [sample('2026-03-28T00:00:00Z', 1), sample('2026-03-31T00:00:00Z', 4)]
    const valuesOf = (carry: object) =>
      ask({ samples }, {
        select: [{ group_key: '*' }, { func: 'max', arg: GLUCOSE }],
        group_by: [BY_DAY],
        align: { carry },
      } as WireQuery)['max.glucose.value']
    const day = { unit: 'day' }
    assert.deepEqual(valuesOf({ mode: 'carry_forward' }), [1, 1, 1, 4])
    assert.deepEqual(valuesOf({ mode: 'carry_forward', max_age: day }), [1, 1, null, 4])
    assert.deepEqual(valuesOf({ mode: 'carry_backward', max_age: day }), [1, 1, null, 4, 4])
    assert.deepEqual(valuesOf({ mode: 'carry_nearest', span: day }), [1, 1, 1, 4, 4])
    assert.deepEqual(valuesOf({ mode: 'carry_nearest' }), [1, 1, 4, 4])
  })
})
