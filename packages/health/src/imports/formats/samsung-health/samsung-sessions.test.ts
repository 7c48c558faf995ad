import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { json, table } from '../../../../../server/test/imports/samsung-table.ts'

const APP = 'com.sec.android.app.shealth'

describe('sessions of Samsung Health', () => {
  test('of sleep have their stages, and each app is a source of its own', async () => {
    const SLEEP = 'com.samsung.health.sleep'
    const night = ['2025-03-29 22:00:00.000', '2025-03-30 05:00:00.000', 'UTC+0200']
    const stage = (from: string, to: string, code: number) => [
      ...[`2025-03-${from}:00.000`, `2025-03-${to}:00.000`, 'UTC+0200', 'n1', code, 's'],
    ]
    const { of } = await mapContent({
      ...table(
        'shealth.sleep',
        [
          `${SLEEP}.start_time`,
          `${SLEEP}.end_time`,
          `${SLEEP}.time_offset`,
          `${SLEEP}.datauuid`,
          `${SLEEP}.pkg_name`,
          'sleep_score',
          `${SLEEP}.comment`,
        ],
        [
          [...night, 'n1', APP, 84, 'private'],
          [...night, 'n2', 'com.urbandroid.sleep', '', 'private'],
        ],
      ),
      ...table(
        'health.sleep_stage',
        ['start_time', 'end_time', 'time_offset', 'sleep_id', 'stage', 'datauuid'],
        [
          stage('29 22:00', '29 22:30', 40001),
          stage('29 22:30', '30 01:00', 40002),
          stage('30 01:00', '30 03:00', 40003),
          stage('30 03:00', '30 05:00', 40004),
        ],
      ),
    })
    const [first, second] = of('sleep')
    assert.deepEqual(first?.stages, [
      ['awake', 0, 1800],
      ['light', 1800, 10_800],
      ['deep', 10_800, 18_000],
      ['rem', 18_000, 25_200],
    ])
    assert.deepEqual(
      [first?.id, first?.calendar_date, first?.timezone_offset],
      ['n1', '2025-03-30', 7200],
    )
    assert.match(JSON.stringify(first?.values), /"score":84/)
    assert.deepEqual([second?.id, second?.stages], ['n2', []])
    assert.doesNotMatch(JSON.stringify(of('sleep')), /private/)
  })

  test('of exercise have seconds, meters and kilocalories, and what was recorded', async () => {
    const E = 'com.samsung.health.exercise'
    const start = Date.UTC(2025, 3, 1, 16)
    const { of } = await mapContent({
      ...table(
        'shealth.exercise',
        [
          ...['start_time', 'end_time', 'time_offset', 'datauuid', 'pkg_name', 'exercise_type'].map(
            (name) => `${E}.${name}`,
          ),
          ...['duration', 'distance', 'calorie', 'mean_heart_rate', 'max_heart_rate'].map(
            (name) => `${E}.${name}`,
          ),
          ...[`${E}.live_data`, `${E}.location_data`, `${E}.comment`],
        ],
        [
          [
            ...['2025-04-01 16:00:00.000', '2025-04-01 16:45:00.000', 'UTC+0200', 'e1', APP, 1002],
            ...[2_580_000, 8012.5, 512.25, 148, 171],
            ...[`e1.${E}.live_data.json`, `e1.${E}.location_data.json`, 'private'],
          ],
          [
            '2025-04-02 16:00:00.000',
            '2025-04-02 16:45:00.000',
            'UTC+0200',
            'e2',
            APP,
            11007,
            -1,
            0,
            0,
            '',
            '',
            '',
            '',
            '',
          ],
        ],
      ),
      ...json('shealth.exercise', `e1.${E}.live_data.json`, [
        { start_time: start, heart_rate: 120 },
        { start_time: start + 1000, heart_rate: 122, speed: 2.9 },
      ]),
      ...json('shealth.exercise', `e1.${E}.location_data.json`, [
        { start_time: start + 1000, latitude: 48.2, longitude: 16.37, altitude: 170 },
        { start_time: start + 2000, latitude: 48.201, longitude: 16.371, altitude: 171 },
      ]),
    })
    const run = of('workouts').find(({ id }) => id === 'e1')
    const refused = of('workouts').find(({ id }) => id === undefined)
    const values = run?.values as Record<string, unknown>
    assert.deepEqual(
      [run?.id, values.sport_slug, values.duration_active_second, values.distance_meter],
      ['e1', 'running', 2580, 8012.5],
    )
    assert.deepEqual([values.calories, values.heart_rate_mean], [512.25, 148])
    assert.equal(typeof values.map_polyline, 'string')
    assert.equal(refused?.refused, 'out_of_range')
    const [stream] = of('workout_stream')
    assert.deepEqual(stream?.heartrate, [120, 122, null])
    assert.deepEqual(stream?.lat, [null, 48.2, 48.201])
    assert.doesNotMatch(JSON.stringify(of('workouts')), /private/)
  })
})
