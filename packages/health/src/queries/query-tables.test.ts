import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listTests } from '../../../server/test/queries/list-tests.ts'
import { createQueryHarness, func, value } from '../../../server/test/queries/query-harness.ts'
import { readinessMeasureTests } from '../../../server/test/queries/readiness-measure-tests.ts'
import { sample, summary } from '../../../server/test/queries/reference/hand-made.ts'
import {
  SERIES_COLUMNS,
  SUMMARY_COLUMNS,
} from '../../../server/test/queries/reference/reference-columns.registry.ts'
import { macroTests, readinessTests } from '../../../server/test/queries/sleep-tests.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'
import { SUMMARY_TABLE_NAMES } from './expressions.schema.ts'
import { summarySource } from './tables/find-source.ts'
import { SERIES_SOURCES } from './tables/series-sources.ts'

const harness = useFixture(createQueryHarness)

const at = (text: string): number => Date.parse(text)

describe('every column of the contract', () => {
  test('is known, and can be read', async () => {
    const userId = await harness.person({})
    const queries = SUMMARY_TABLE_NAMES.map((table) => {
      const { columns } = summarySource(table)
      for (const name of Object.keys(SUMMARY_COLUMNS[table] ?? {})) {
        assert.ok(columns.has(name), `${table}.${name}`)
      }
      const scalars = [...columns.values()].filter(({ kind }) => kind === 'scalar')
      return { select: scalars.map(({ name }) => ({ [table]: name })) }
    })
    const answer = await harness.send(userId, queries)
    assert.equal(answer.status, 200, answer.text)
    for (const [position, { select }] of queries.entries()) {
      assert.equal(Object.keys(answer.body.results[position].table).length, select.length)
    }
  })

  test('of every series, too', async () => {
    const userId = await harness.person({})
    const queries = Object.entries(SERIES_COLUMNS).map(([series, columns]) => {
      const known = SERIES_SOURCES.get(series)?.columns
      for (const name of Object.keys(columns)) assert.ok(known?.has(name), `${series}.${name}`)
      const scalars = Object.keys(columns).filter((name) => columns[name] !== 'list')
      return { select: scalars.map((field) => value(series, field)) }
    })
    assert.deepEqual([...SERIES_SOURCES.keys()].sort(), Object.keys(SERIES_COLUMNS).sort())
    for (let start = 0; start < queries.length; start += 20) {
      const answer = await harness.send(userId, queries.slice(start, start + 20))
      assert.equal(answer.status, 200, answer.text)
    }
  })
})

describe('floating time', () => {
  test('is that of the row, else of the fallback zone, else UTC', async () => {
    const samples = [
      sample('2026-03-28T23:30:00Z', 1, { timezoneOffset: 7200 }),
      sample('2026-03-28T23:40:00Z', 2, { timezoneOffset: null }),
      sample('2026-03-29T23:40:00Z', 3, { timezoneOffset: null }),
    ]
    const query = {
      select: [{ index: 'timeseries' }, value('glucose', 'timezone_offset'), value('glucose')],
    }
    const vienna = await harness.person({ samples }, 'Europe/Vienna')
    assert.deepEqual(await harness.ask(vienna, query), {
      timestamp: ['2026-03-29T00:40:00', '2026-03-29T01:30:00', '2026-03-30T01:40:00'],
      'glucose.timezone_offset': [3600, 7200, 7200],
      'glucose.value': [2, 1, 3],
    })
    const nowhere = await harness.person({ samples })
    assert.deepEqual(await harness.ask(nowhere, query), {
      timestamp: ['2026-03-28T23:40:00', '2026-03-29T01:30:00', '2026-03-29T23:40:00'],
      'glucose.timezone_offset': [null, 7200, null],
      'glucose.value': [2, 1, 3],
    })
  })

  test('with a fallback zone leaves a sum of the offsets of no rows null', async () => {
    const vienna = await harness.person({}, 'Europe/Vienna')
    for (const offset of [value('glucose', 'timezone_offset'), { activity: 'time_zone_offset' }]) {
      assert.deepEqual(await harness.ask(vienna, { select: [func('sum', offset)] }), {
        sum: [null],
      })
    }
  })

  test('of a zone that crossed the date line is of its side today, and of the other before', async () => {
    const samples = [
      sample('2011-12-30T09:30:00Z', 1, { timezoneOffset: null }),
      sample('2011-12-30T10:30:00Z', 2, { timezoneOffset: null }),
      sample('2026-03-28T23:40:00Z', 3, { timezoneOffset: null }),
    ]
    const query = { select: [{ index: 'timeseries' }, value('glucose', 'timezone_offset')] }
    const apia = await harness.person({ samples }, 'Pacific/Apia')
    assert.deepEqual(await harness.ask(apia, query), {
      timestamp: ['2026-03-29T12:40:00'],
      'glucose.timezone_offset': [46_800],
    })
    assert.deepEqual(await harness.ask(apia, query, { anchor: '2011-12-31' }), {
      timestamp: ['2011-12-29T23:30:00', '2011-12-31T00:30:00'],
      'glucose.timezone_offset': [-36_000, 50_400],
    })
  })

  test('bounds the window, which ends with the anchor day and is as long as asked', async () => {
    const userId = await harness.person({
      samples: [
        sample('2026-02-28T23:59:59.999Z', 1),
        sample('2026-03-01T00:00:00Z', 2),
        sample('2026-03-31T20:59:59Z', 3, { timezoneOffset: 10_800 }),
        sample('2026-03-31T21:00:00Z', 4, { timezoneOffset: 10_800 }),
        sample('2026-04-01T12:59:59Z', 5, { timezoneOffset: -46_800 }),
      ],
    })
    const query = { select: [value('glucose')] }
    const ask = async (past?: { unit: string; value?: number }) =>
      (await harness.ask(userId, query, past && { past }))['glucose.value']
    assert.deepEqual(await ask(), [2, 3, 5])
    assert.deepEqual(await ask({ unit: 'hour', value: 13 }), [3, 5])
    assert.deepEqual(await ask({ unit: 'minute' }), [3, 5])
    assert.deepEqual(await ask({ unit: 'year', value: 1 }), [1, 2, 3, 5])
  })

  test('leaves a profile in UTC', async () => {
    const userId = await harness.person(
      {
        summaries: [
          summary(
            'profile',
            { height_centimeter: 170, birth_date: '1955-02-03', sex: 'female' },
            { timezoneOffset: 3600, updatedAt: at('2026-03-05T23:30:00Z') },
          ),
        ],
      },
      'Asia/Tokyo',
    )
    const columns = ['height_centimeter', 'birth_date', 'sex', 'gender', 'updated_at']
    const select = [{ index: 'profile' }, ...columns.map((profile) => ({ profile }))]
    assert.deepEqual(await harness.ask(userId, { select }), {
      timestamp: ['2026-03-05T23:30:00'],
      height_centimeter: [170],
      birth_date: ['1955-02-03'],
      sex: ['female'],
      gender: [null],
      updated_at: ['2026-03-05T23:30:00'],
    })
  })

  test('computes days that no source named', async () => {
    const late = { startedAt: at('2026-03-02T23:30:00Z'), timezoneOffset: 3600 }
    const userId = await harness.person({
      summaries: [
        summary('activity', { steps: 5 }, late),
        summary(
          'activity',
          { steps: 6 },
          { ...late, calendarDate: '2026-03-20', timeZone: 'Europe/Rome' },
        ),
        summary('meal', { name: 'Lunch' }, { ...late, timezoneOffset: -34_200 }),
        summary(
          'menstrual_cycle',
          { period_end: '2026-03-06' },
          { startedAt: at('2026-03-02T00:00:00Z') },
        ),
      ],
    })
    const columns = ['date', 'steps', 'time_zone', 'time_zone_offset']
    assert.deepEqual(
      await harness.ask(userId, { select: columns.map((activity) => ({ activity })) }),
      {
        date: ['2026-03-03', '2026-03-20'],
        steps: [5, 6],
        time_zone: ['+01:00', 'Europe/Rome'],
        time_zone_offset: [3600, 3600],
      },
    )
    assert.deepEqual(await harness.ask(userId, { select: [{ index: 'meal' }, { meal: 'date' }] }), {
      timestamp: ['2026-03-02T14:00:00'],
      date: ['2026-03-02'],
    })
    const cycle = {
      select: [{ menstrual_cycle: 'period_start' }, { menstrual_cycle: 'period_end' }],
    }
    assert.deepEqual(await harness.ask(userId, cycle), {
      period_start: ['2026-03-02'],
      period_end: ['2026-03-06'],
    })
  })
})

describe('rows', () => {
  test('name their source', async () => {
    const userId = await harness.person({
      summaries: [
        summary(
          'workouts',
          { title: 'Run' },
          { appId: 'com.example', externalId: 'w1', endedAt: at('2026-03-10T01:00:00Z') },
        ),
        summary(
          'workouts',
          {},
          { provider: 'garmin', sourceType: 'watch', startedAt: at('2026-03-11T00:00:00Z') },
        ),
      ],
    })
    const { pool } = harness.salus.database
    const { rows } = await pool.query(
      `insert into devices (id, environment_id, user_id, provider, source_type, identity, created_at)
       select gen_random_uuid(), environment_id, id, 'garmin', 'watch', 'Fenix', now()
       from users where id = $1 returning id`,
      [userId],
    )
    const columns = [
      'title',
      'external_id',
      'session_end',
      'source_app_id',
      'source_provider',
      'source_device_id',
    ]
    const select = [...columns.map((workout) => ({ workout })), { source: 'source_type' }]
    assert.deepEqual(await harness.ask(userId, { select }), {
      title: ['Run', null],
      external_id: ['w1', null],
      session_end: ['2026-03-10T01:00:00', '2026-03-11T00:00:00'],
      source_app_id: ['com.example', null],
      source_provider: ['oura', 'garmin'],
      source_device_id: [null, rows[0].id],
      source_type: ['ring', 'watch'],
    })
  })

  test('of samples have the fields of their class', async () => {
    const time = '2026-03-02T08:00:00Z'
    const workoutId = '4f5f3c2e-5f0b-4e0b-9f0c-8c1f7f0f5a11'
    const userId = await harness.person({
      samples: [
        sample(time, 36.6, { series: 'body_temperature', extra: '{"sensor_location":"ear"}' }),
        sample(time, 120, { series: 'blood_pressure', diastolic: 80 }),
        sample(time, 0, {
          series: 'note',
          text: 'Tea, "hot"\n',
          extra: '{"tags":["food","exercise"]}',
        }),
        sample(time, 80, { series: 'body_weight', workoutId, sport: 'rowing' }),
      ],
    })
    const read = (series: string, ...fields: string[]) =>
      harness.ask(userId, { select: fields.map((field) => value(series, field)) })
    assert.deepEqual(await read('body_temperature', 'value', 'duration', 'sensor_location'), {
      'body_temperature.value': [36.6],
      'body_temperature.duration': [0],
      'body_temperature.sensor_location': ['ear'],
    })
    assert.deepEqual(await read('blood_pressure', 'systolic', 'diastolic'), {
      'blood_pressure.systolic': [120],
      'blood_pressure.diastolic': [80],
    })
    assert.deepEqual(await read('note', 'content'), { 'note.content': ['Tea, "hot"\n'] })
    assert.deepEqual(await read('weight', 'value', 'source_workout_id', 'source_sport', 'type'), {
      'weight.value': [80],
      'weight.source_workout_id': [workoutId],
      'weight.source_sport': ['rowing'],
      'weight.type': [null],
    })
  })
})

describe('lists', () => listTests(() => harness))
describe('macros', () => macroTests(() => harness))
describe('readiness', () => readinessTests(() => harness))
describe('readiness of several measures', () => readinessMeasureTests(() => harness))
