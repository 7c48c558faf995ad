import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  APPS,
  buildHealthConnect,
  type Tables,
} from '../../../../../server/test/imports/health-connect-file.ts'
import { mapContent, zipOf } from '../../../../../server/test/imports/map-content.ts'

const map = (tables: Tables, more: readonly string[] = [], options = {}) =>
  mapContent(buildHealthConnect({ application_info_table: APPS, ...tables }, more), options)

/** 2025-03-01T00:00:00Z */
const START = 1_740_787_200_000
const MINUTE = 60_000

const interval = (start: number, minutes: number, offset: number | null = 3600) => ({
  start_time: start,
  start_zone_offset: offset,
  end_time: start + minutes * MINUTE,
  end_zone_offset: offset,
})

describe('files of Health Connect', () => {
  const STEPS = { steps_record_table: [{ app_info_id: 1, ...interval(START, 10), count: 410 }] }
  const database = buildHealthConnect({ application_info_table: APPS, ...STEPS })

  test('are read from the zip of the phone, from a zip in a zip and alone', async () => {
    const inner = zipOf({ 'health_connect_export.db': database })
    for (const content of [
      database,
      inner,
      zipOf({ 'backup/Health Connect.zip': inner, 'notes.txt': 'x' }),
      zipOf({ 'copy.sqlite': database, '__MACOSX/._copy.sqlite': 'x' }),
    ]) {
      const { mapped, of } = await mapContent(content)
      assert.deepEqual([mapped.format, mapped.provider], ['health_connect', 'health_connect'])
      assert.deepEqual(
        of('steps').map(({ value }) => value),
        [410],
      )
    }
  })

  test('in the mode of a log are read without their log', async () => {
    const logged = buildHealthConnect({ application_info_table: APPS, ...STEPS }, [
      'pragma journal_mode = wal',
    ])
    assert.equal(logged[18], 2)
    assert.equal((await mapContent(logged)).of('steps').length, 1)
  })

  test('that are damaged are refused as such', async () => {
    const rows = Array.from({ length: 4000 }, (_, index) => ({
      app_info_id: 1,
      ...interval(START + index * MINUTE, 1),
      count: 1,
    }))
    const large = buildHealthConnect({ application_info_table: APPS, steps_record_table: rows })
    const broken = Buffer.from(large)
    broken.fill(0xff, large.length / 2, large.length / 2 + 8192)
    for (const content of [large.subarray(0, large.length / 2), broken, large.subarray(0, 5000)]) {
      await assert.rejects(mapContent(Buffer.from(content)), { code: 'malformed_database' })
    }
    for (const content of ['', 'nothing']) {
      const zip = zipOf({ 'health_connect_export.db': content })
      await assert.rejects(mapContent(zip), { code: 'malformed_database' })
    }
  })

  test('of other apps are no exports', async () => {
    const other = buildHealthConnect({ steps_record_table: [{ count: 1 }] })
    await assert.rejects(mapContent(other), { code: 'unknown_format' })
    await assert.rejects(mapContent(Buffer.from('SQLite format 3\0')), { code: 'unknown_format' })
    await assert.rejects(mapContent('app;count\n1;2\n', {}, { format: 'health_connect' }), {
      code: 'unknown_format',
    })
  })

  test('run no code of their own: views, triggers and computed columns are no tables', async () => {
    const { lines, mapped } = await map(
      { exercise_session_record_table: [{ row_id: 1, app_info_id: 1, ...interval(START, 10) }] },
      [
        `create view steps_record_table as with recursive n(count) as
         (select 1 union all select count + 1 from n) select 1 as app_info_id, ${START} as start_time,
         ${START} as end_time, count from n`,
        'create table distance_record_table (start_time, end_time, distance as (zeroblob(900000000)))',
        `insert into distance_record_table (start_time, end_time) values (${START}, ${START})`,
      ],
    )
    assert.deepEqual(
      lines.map(({ resource }) => resource),
      ['workouts'],
    )
    assert.deepEqual(
      mapped.progress.types.map(({ type }) => type),
      ['exercise_session'],
    )
  })
})
