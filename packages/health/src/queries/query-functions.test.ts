import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  createQueryHarness,
  func,
  part,
  trunc,
  value,
} from '../../../server/test/queries/query-harness.ts'
import { sample, summary } from '../../../server/test/queries/reference/hand-made.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const harness = useFixture(createQueryHarness)
/** Glucose 2, 4 and 9 on 2 and 5 March, steps of two hours, two nights and two days of activity. */
let userId: string
before(async () => {
  const steps = { series: 'steps' }
  userId = await harness.person({
    samples: [
      sample('2026-03-02T08:15:00Z', 2),
      sample('2026-03-02T08:50:00Z', 4, { sampleType: 'automatic' }),
      sample('2026-03-05T23:30:00Z', 9, { sampleType: 'fingerprick' }),
      sample('2026-03-02T08:00:00Z', 100, { ...steps, endedAt: at('2026-03-02T08:01:30Z') }),
      sample('2026-03-02T09:00:00Z', 200, { ...steps, endedAt: at('2026-03-02T09:00:10Z') }),
    ],
    summaries: [
      summary(
        'sleep',
        { efficiency: 90, score: 70, state: 'confirmed' },
        { startedAt: at('2026-03-02T22:00:00Z'), endedAt: at('2026-03-03T06:00:00Z') },
      ),
      summary(
        'sleep',
        { efficiency: 80, score: 81, state: 'tentative' },
        { startedAt: at('2026-03-03T23:00:00Z'), endedAt: at('2026-03-04T06:00:00Z') },
      ),
      summary('activity', { steps: 10, wheelchair_use: true }, { calendarDate: '2026-03-01' }),
      summary('activity', { calories_total: 1.5 }, { calendarDate: '2026-03-04' }),
    ],
  })
})

const at = (text: string): number => Date.parse(text)
const glucose = value('glucose')
const ask = (query: object, options?: object) => harness.ask(userId, query, options)
const aggregate = (name: string, arg: object) => ask({ select: [func(name, arg)] })

describe('functions', () => {
  test('of numbers leave nulls out', async () => {
    const names = ['mean', 'min', 'max', 'sum', 'count', 'median', 'oldest', 'newest', 'stddev']
    assert.deepEqual(await ask({ select: names.map((name) => func(name, glucose)) }), {
      mean: [5],
      min: [2],
      max: [9],
      sum: [15],
      count: [3],
      median: [4],
      oldest: [2],
      newest: [9],
      stddev: [Math.sqrt(13)],
    })
    const calories = { activity: 'calories_total' }
    const single = Object.fromEntries(names.map((name) => [name, [1.5]]))
    assert.deepEqual(await ask({ select: names.map((name) => func(name, calories)) }), {
      ...single,
      count: [1],
      stddev: [null],
    })
  })

  test('of whole numbers stay whole where they are', async () => {
    const score = { sleep: 'score' }
    const names = ['mean', 'median', 'min', 'sum']
    const table = await ask({ select: names.map((name) => func(name, score)) })
    assert.deepEqual(table, { mean: [75.5], median: [75.5], min: [70], sum: [151] })
    assert.deepEqual(await aggregate('median', value('steps', 'duration')), { median: [50] })
  })

  test('of nothing are null, and a count 0', async () => {
    for (const arg of [
      value('caffeine'),
      value('caffeine', 'type'),
      { workout: 'session_start' },
    ]) {
      const names = ['min', 'max', 'oldest', 'newest', 'count']
      assert.deepEqual(await ask({ select: names.map((name) => func(name, arg)) }), {
        min: [null],
        max: [null],
        oldest: [null],
        newest: [null],
        count: [0],
      })
    }
    const names = ['mean', 'sum', 'median', 'stddev']
    assert.deepEqual(await ask({ select: names.map((name) => func(name, value('caffeine'))) }), {
      mean: [null],
      sum: [null],
      median: [null],
      stddev: [null],
    })
  })

  test('of times are times', async () => {
    const end = { sleep: 'session_end' }
    const names = ['mean', 'median', 'min', 'max', 'newest']
    assert.deepEqual(await ask({ select: names.map((name) => func(name, end)) }), {
      mean: ['2026-03-03T18:00:00'],
      median: ['2026-03-03T18:00:00'],
      min: ['2026-03-03T06:00:00'],
      max: ['2026-03-04T06:00:00'],
      newest: ['2026-03-04T06:00:00'],
    })
    const date = { activity: 'date' }
    assert.deepEqual(await ask({ select: [func('mean', date), func('oldest', date)] }), {
      mean: ['2026-03-02'],
      oldest: ['2026-03-01'],
    })
    const table = await ask({ select: [func('max', { index: 'sleep' })] })
    assert.deepEqual(table, { max: ['2026-03-04T06:00:00'] })
  })

  test('of texts and truths know an order', async () => {
    const state = { sleep: 'state' }
    assert.deepEqual(await ask({ select: [func('min', state), func('newest', state)] }), {
      min: ['confirmed'],
      newest: ['tentative'],
    })
    const wheelchair = { activity: 'wheelchair_use' }
    const names = ['min', 'max', 'count', 'latest']
    assert.deepEqual(await ask({ select: names.map((name) => func(name, wheelchair)) }), {
      min: [true],
      max: [true],
      count: [1],
      latest: [true],
    })
  })

  test('oldest and newest of one instant are ordered by the time of storing', async () => {
    const time = '2026-03-02T08:00:00Z'
    const other = await harness.person({
      samples: [
        sample(time, 5, { version: 7, appId: 'a' }),
        sample(time, 6, { version: 9, appId: 'b' }),
        sample(time, 7, { version: 8, appId: 'c' }),
      ],
    })
    const query = { select: [func('oldest', glucose), func('newest', glucose)] }
    assert.deepEqual(await harness.ask(other, query), { oldest: [5], newest: [6] })
  })
})

describe('group keys', () => {
  const count = func('count', glucose)
  const buckets = async (unit: string, size?: number) =>
    (await ask({ select: [count], group_by: [trunc(unit, 'timeseries', size)] })).index

  test('date_trunc floors to multiples that count from the year 1', async () => {
    assert.deepEqual(await buckets('minute', 30), [
      '2026-03-02T08:00:00',
      '2026-03-02T08:30:00',
      '2026-03-05T23:30:00',
    ])
    assert.equal((await buckets('minute'))?.[1], '2026-03-02T08:50:00')
    assert.deepEqual(await buckets('hour', 6), ['2026-03-02T06:00:00', '2026-03-05T18:00:00'])
    assert.deepEqual(await buckets('day'), ['2026-03-02T00:00:00', '2026-03-05T00:00:00'])
    assert.deepEqual(await buckets('week'), ['2026-03-02T00:00:00'])
    assert.deepEqual(await buckets('month'), ['2026-03-01T00:00:00'])
    assert.deepEqual(await buckets('month', 3), ['2026-01-01T00:00:00'])
    assert.deepEqual(await buckets('year'), ['2026-01-01T00:00:00'])
    assert.deepEqual(await buckets('year', 100), ['2001-01-01T00:00:00'])
  })

  test('date_trunc is right before 1970', async () => {
    const other = await harness.person({ samples: [sample('1969-12-31T22:30:00Z', 1)] })
    const options = { anchor: '1969-12-31', past: { unit: 'week' } }
    const starts = { hour: '31T22', day: '31T00', week: '29T00', month: '01T00' }
    for (const [unit, start] of Object.entries(starts)) {
      const query = { select: [count], group_by: [trunc(unit)] }
      const { index } = await harness.ask(other, query, options)
      assert.deepEqual(index, [`1969-12-${start}:00:00`])
    }
  })

  test('date_trunc of a day is a day', async () => {
    const query = {
      select: [func('sum', { activity: 'steps' })],
      group_by: [trunc('day', 'activity')],
    }
    assert.deepEqual(await ask(query), { index: ['2026-03-01', '2026-03-04'], sum: [10, null] })
  })

  test('date_part returns a part of the time', async () => {
    const expected = {
      minute: [15, 30, 50],
      hour: [8, 23],
      day: [2, 5],
      week: [10],
      month: [3],
      year: [2026],
      weekday: [1, 4],
      week_of_year: [10],
      day_of_year: [61, 64],
    }
    for (const [name, keys] of Object.entries(expected)) {
      const query = { select: [{ group_key: 0 }, count], group_by: [part(name)] }
      assert.deepEqual((await ask(query))['group_key.0'], keys, name)
    }
  })

  test('columns, sources and macros group too, nulls last', async () => {
    const query = (key: object, table: object) => ({
      select: [{ group_key: '*' }, func('count', table)],
      group_by: [key],
    })
    assert.deepEqual(await ask(query(value('glucose', 'type'), glucose)), {
      'group_key.0': ['automatic', 'fingerprick', null],
      'count.glucose.value': [1, 1, 1],
    })
    assert.deepEqual(await ask(query({ source: 'source_type' }, glucose)), {
      'group_key.0': ['ring'],
      'count.glucose.value': [3],
    })
    assert.deepEqual(await ask(query({ value_macro: 'chronotype' }, { sleep: 'score' })), {
      'group_key.0': ['lark'],
      'count.score': [2],
    })
  })

  test('several order rows one after the other', async () => {
    const query = {
      select: [{ group_key: 1 }, { group_key: 0 }, func('sum', glucose)],
      group_by: [trunc('day'), part('minute')],
    }
    assert.deepEqual(await ask(query), {
      'group_key.1': [15, 50, 30],
      'group_key.0': ['2026-03-02T00:00:00', '2026-03-02T00:00:00', '2026-03-05T00:00:00'],
      'sum.glucose.value': [2, 4, 9],
    })
  })
})

describe('names of columns', () => {
  const columnsOf = async (query: object) => Object.keys(await ask(query))

  test('are the functions alone where all differ, after the index', async () => {
    const select = [func('mean', glucose), func('max', glucose)]
    assert.deepEqual(await columnsOf({ select, group_by: [trunc('day')] }), [
      'index',
      'mean',
      'max',
    ])
    const byPart = { select, group_by: [part('hour')] }
    assert.deepEqual(await columnsOf(byPart), ['mean', 'max'])
  })

  test('are long where functions repeat or a key is selected', async () => {
    const select = [func('mean', { sleep: 'score' }), func('mean', { sleep: 'efficiency' })]
    assert.deepEqual(await columnsOf({ select, group_by: [trunc('day', 'sleep')] }), [
      'index',
      'mean.score',
      'mean.efficiency',
    ])
    assert.deepEqual(
      await columnsOf({ select: [{ group_key: 0 }, select[0]], group_by: [trunc('day', 'sleep')] }),
      ['group_key.0', 'mean.score'],
    )
    const macro = func('newest', { value_macro: 'chronotype' })
    const index = func('newest', { index: 'sleep' })
    assert.deepEqual(await columnsOf({ select: [macro, index] }), [
      'newest.chronotype',
      'newest.timestamp',
    ])
  })

  test('are numbered where they would be the same', async () => {
    assert.deepEqual(await columnsOf({ select: [glucose, glucose, { index: 'timeseries' }] }), [
      'glucose.value',
      'glucose.value.2',
      'timestamp',
    ])
    const select = [{ group_key: 0 }, { group_key: '*' }, func('min', glucose)]
    assert.deepEqual(await columnsOf({ select, group_by: [part('day')] }), [
      'group_key.0',
      'group_key.0.2',
      'min.glucose.value',
    ])
  })

  test('are there where no rows are', async () => {
    const query = {
      select: [{ index: 'workout' }, { workout: 'title' }, { source: 'source_type' }],
    }
    assert.deepEqual(await ask(query), { timestamp: [], title: [], source_type: [] })
    const grouped = { select: [func('sum', value('water'))], group_by: [trunc('day')] }
    assert.deepEqual(await ask(grouped), { index: [], sum: [] })
  })
})
