import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { ask, BY_DAY, GLUCOSE, sample, summary, UTC } from './hand-made.ts'

/**
 * The reference is judged by answers that were worked out by hand from
 * docs/contract/09-aggregate.md.
 */

describe('rows', () => {
  test('are those of the window in local time, in their order', () => {
    const samples = [
      sample('2026-03-31T23:30:00Z', 1),
      sample('2026-03-31T23:30:00Z', 2, { timezoneOffset: 3600, appId: 'a' }),
      sample('2026-02-28T23:30:00Z', 3, { timezoneOffset: 3600 }),
      sample('2026-02-28T23:30:00Z', 4, { timezoneOffset: null, appId: 'b' }),
    ]
    const query = { select: [{ index: 'timeseries' as const }, GLUCOSE] }
    assert.deepEqual(ask({ samples }, query), {
      timestamp: ['2026-03-01T00:30:00', '2026-03-31T23:30:00'],
      'glucose.value': [3, 1],
    })
    const target = { ...UTC, fallbackZone: 'Europe/Berlin' }
    assert.deepEqual(ask({ samples }, query, { target })['glucose.value'], [3, 4, 1])
  })

  test('of several series are joined where time and source are the same', () => {
    const heart = { series: 'heartrate' }
    const samples = [
      sample('2026-03-02T00:00:00Z', 5),
      sample('2026-03-02T00:00:00Z', 60, heart),
      sample('2026-03-02T00:00:00Z', 70, { ...heart, provider: 'garmin' }),
      sample('2026-03-01T00:00:00Z', 6),
    ]
    const rate = { timeseries: 'heartrate', field: 'value' }
    const table = ask({ samples }, { select: [GLUCOSE, rate, { source: 'source_provider' }] })
    assert.deepEqual(table, {
      'glucose.value': [6, 5, null],
      'heartrate.value': [null, 60, 70],
      source_provider: ['oura', 'oura', 'garmin'],
    })
  })

  test('are the newest of their key, and not what was removed', () => {
    const samples = [
      sample('2026-03-02T00:00:00Z', 1, { version: 2 }),
      sample('2026-03-02T00:00:00Z', 9),
    ]
    assert.deepEqual(ask({ samples }, { select: [GLUCOSE] }), { 'glucose.value': [1] })
    const gone = summary('body', { weight_kilogram: 1 }, { id: 'x' })
    const summaries = [gone, { ...gone, version: 2, isRemoved: true }]
    assert.deepEqual(ask({ summaries }, { select: [{ body: 'weight_kilogram' }] }), {
      weight_kilogram: [],
    })
  })
})

describe('names', () => {
  const samples = [sample('2026-03-02T05:00:00Z', 4), sample('2026-03-02T06:00:00Z', 8)]
  const of = (...funcs: string[]) => funcs.map((func) => ({ func, arg: GLUCOSE }))

  test('are short when all functions differ, with the bucket as index', () => {
    assert.deepEqual(
      ask({ samples }, { select: of('min', 'mean', 'newest'), group_by: [BY_DAY] }),
      {
        index: ['2026-03-02T00:00:00'],
        min: [4],
        mean: [6],
        newest: [8],
      },
    )
  })

  test('are long when they would be the same, and numbered when they still are', () => {
    assert.deepEqual(Object.keys(ask({ samples }, { select: of('min', 'min') })), [
      'min.glucose.value',
      'min.glucose.value.2',
    ])
  })

  test('are long, without an index, when a group key is selected', () => {
    const query = { select: [{ group_key: 0 }, ...of('max')], group_by: [BY_DAY] }
    assert.deepEqual(ask({ samples }, query), {
      'group_key.0': ['2026-03-02T00:00:00'],
      'max.glucose.value': [8],
    })
  })
})

describe('functions', () => {
  const values = (...all: (number | null)[]) =>
    all.map((height, at) =>
      summary('profile', height === null ? {} : { height_centimeter: height }, {
        updatedAt: Date.parse('2026-03-10T00:00:00Z') + at * 1000,
      }),
    )
  const all = (...funcs: string[]) => ({
    select: funcs.map((func) => ({ func, arg: { profile: 'height_centimeter' } })),
  })

  test('leave nulls out', () => {
    const query = all('mean', 'min', 'max', 'sum', 'count', 'median', 'stddev', 'oldest', 'newest')
    assert.deepEqual(ask({ summaries: values(null, 150, 160, 185, null) }, query), {
      mean: [165],
      min: [150],
      max: [185],
      sum: [495],
      count: [3],
      median: [160],
      stddev: [Math.sqrt(325)],
      oldest: [150],
      newest: [185],
    })
  })

  test('of nothing are null, and a count 0', () => {
    const query = all('count', 'sum', 'min', 'newest')
    const nothing = { count: [0], sum: [null], min: [null], newest: [null] }
    assert.deepEqual(ask({}, query), nothing)
    assert.deepEqual(ask({ summaries: values(null) }, query), nothing)
    assert.deepEqual(ask({ summaries: values(150) }, all('stddev')), { stddev: [null] })
  })

  test('of times are times', () => {
    const query = {
      select: ['mean', 'median', 'max'].map((func) => ({
        func,
        arg: { index: 'profile' as const },
      })),
    }
    assert.deepEqual(ask({ summaries: values(1, 2, 6) }, query), {
      mean: ['2026-03-10T00:00:01'],
      median: ['2026-03-10T00:00:01'],
      max: ['2026-03-10T00:00:02'],
    })
  })
})

test('lists are reduced to one value a row', () => {
  const menstrual_flow = JSON.stringify([
    { date: '2026-03-10', flow: 'light' },
    { date: '2026-03-11', flow: 'heavy' },
  ])
  const summaries = [summary('menstrual_cycle', { menstrual_flow, period_start: '2026-03-10' })]
  const from = { unnest: { menstrual_cycle: 'menstrual_flow' } }
  const heavy = "flow = 'heavy'"
  const arg = { menstrual_flow: 'date' }
  assert.deepEqual(
    ask(
      { summaries },
      {
        select: [
          { select: { func: 'count', arg: null }, from },
          { select: { func: 'min', arg }, from, where: heavy },
        ],
      },
    ),
    { 'count.menstrual_flow': [2], 'min.menstrual_flow.date': ['2026-03-11'] },
  )
})

test('macros of a sleep follow from its stages and its middle', () => {
  const startedAt = Date.parse('2026-03-09T22:00:00Z')
  const sleep = summary(
    'sleep',
    {
      latency_second: 1200,
      stage_asleep_second: 7 * 3600,
      efficiency: 90,
      stage_start_offset_second: [0, 600, 1200, 1800],
      stage_end_offset_second: [600, 1200, 1800, 2400],
      stage_type: [4, 2, 4, 4],
    },
    { startedAt, endedAt: startedAt + 11 * HOUR_MS },
  )
  const macros = ['chronotype', 'asleep_at', 'awake_at', 'awakenings', 'sleep_score']
  const select = macros.map((value_macro) => ({ value_macro }))
  assert.deepEqual(ask({ summaries: [sleep] }, { select }), {
    chronotype: ['lark'],
    asleep_at: ['2026-03-09T22:20:00'],
    awake_at: ['2026-03-09T22:20:00'],
    awakenings: [1],
    // (0.5 × 7/8 + 0.25 + 0.1) / 0.85
    sleep_score: [93],
  })
})

test('readiness needs seven earlier nights', () => {
  const nights = Array.from({ length: 9 }, (_, at) => {
    const endedAt = Date.parse('2026-03-10T06:00:00Z') + at * DAY_MS
    const values = {
      type: 'long_sleep',
      hrv_mean_rmssd: 50,
      heart_rate_resting: 50,
      stage_asleep_second: 8 * 3600,
    }
    return summary('sleep', values, { startedAt: endedAt - 8 * HOUR_MS, endedAt })
  })
  const columns = ['recovery_score', 'stress_score', 'recovery_zone', 'strain_score', 'strain_zone']
  const select = columns.map((column) => ({ derived_readiness: column }))
  const nothing = Array(7).fill(null)
  // x = 0, so 100 / (1 + exp(-0.6)) = 64.6; the load is 0.6 × 1/66.
  assert.deepEqual(ask({ summaries: nights }, { select }), {
    recovery_score: [...nothing, 65, 65],
    stress_score: [...nothing, 35, 35],
    recovery_zone: [...nothing, 'Amber', 'Amber'],
    strain_score: [...nothing, 0.6, 0.6],
    strain_zone: [...nothing, 'Low', 'Low'],
  })
})

test('readiness takes SDNN and the resting heart rate of the day where it must', () => {
  const firstDay = Date.parse('2026-03-10T00:00:00Z')
  const of = (at: number, hrv: object, rate: number) => {
    const startedAt = firstDay + at * DAY_MS
    const endedAt = startedAt + 8 * HOUR_MS
    const values = { type: 'long_sleep', stage_asleep_second: 8 * 3600, ...hrv }
    const provider = at === 9 ? 'garmin' : 'oura'
    return [
      summary('sleep', values, { startedAt, endedAt }),
      summary('activity', { heart_rate_resting: rate }, { startedAt, provider }),
    ]
  }
  const summaries = [
    ...[0, 1, 2, 3, 4, 5, 6].flatMap((at) => of(at, { hrv_mean_sdnn: 50 }, 50)),
    ...of(7, { hrv_mean_rmssd: 50, hrv_mean_sdnn: 50 }, 50),
    ...of(8, { hrv_mean_sdnn: 50 }, 53),
    ...of(9, { hrv_mean_sdnn: 50 }, 50),
  ]
  const select = [{ derived_readiness: 'recovery_score' }]
  // The eighth has no RMSSD to compare with; x = 0.3 × -3; the tenth has no rate of its provider.
  assert.deepEqual(ask({ summaries }, { select }), {
    recovery_score: [...Array(8).fill(null), 38, null],
  })
})
