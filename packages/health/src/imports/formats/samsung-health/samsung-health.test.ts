import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { seededRandom } from '../../../../../server/test/webhooks/webhook-sink.ts'

const FOLDER = 'samsunghealth_jane.doe_20250401120000'

/** A table as the app writes it: a mark, a line of metadata, a comma after each row. */
function table(
  type: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): Record<string, string> {
  const lines = [
    `com.samsung.${type},6322030,${rows.length}`,
    head.join(','),
    ...rows.map((row) => `${row.join(',')},`),
  ]
  return {
    [`${FOLDER}/com.samsung.${type}.20250401120000.csv`]: `\ufeff${lines.join('\r\n')}\r\n`,
  }
}

const json = (type: string, name: string, content: unknown) => ({
  [`${FOLDER}/jsons/com.samsung.${type}/${name[0]}/${name}`]: JSON.stringify(content),
})

const HEART = 'com.samsung.health.heart_rate'
const HEART_HEAD = [
  ...[`${HEART}.start_time`, `${HEART}.end_time`, `${HEART}.time_offset`, `${HEART}.create_time`],
  ...[`${HEART}.heart_rate`, `${HEART}.binning_data`, `${HEART}.datauuid`, `${HEART}.pkg_name`],
]
const rates = (rows: readonly (readonly (string | number)[])[]) =>
  table('shealth.tracker.heart_rate', HEART_HEAD, rows)
const APP = 'com.sec.android.app.shealth'

describe('measurements of Samsung Health', () => {
  test('are in UTC where rows were written soon after it, and bins replace the row', async () => {
    const bins = [
      { heart_rate: 71, heart_rate_min: 70, heart_rate_max: 72, start_time: 1743490800000 },
      { heart_rate: 83, start_time: 1743491400000, end_time: 1743491459000 },
    ]
    const { of, mapped } = await mapContent({
      ...rates([
        // 07:10 in UTC is 03:10 in New York, where it was written three seconds later.
        [
          ...['2025-04-01 07:10:00.000', '2025-04-01 07:10:00.000', 'UTC-0400'],
          ...['2025-04-01 07:10:03.000', 64, '', 'id-1', APP],
        ],
        [
          ...['2025-04-01 07:00:00.000', '2025-04-01 07:59:59.000', 'UTC-0400'],
          ...['2025-04-01 08:00:10.000', 77, 'id-2.binning_data.json', 'id-2', APP],
        ],
      ]),
      ...json('shealth.tracker.heart_rate', 'id-2.binning_data.json', bins),
    })
    assert.deepEqual([mapped.format, mapped.provider], ['samsung_health', 'samsung_health'])
    assert.deepEqual(
      of('heartrate').map(({ start, timezone_offset, value }) => [start, timezone_offset, value]),
      [
        ['2025-04-01T07:10:00+00:00', -14_400, 64],
        ['2025-04-01T07:00:00+00:00', -14_400, 71],
        ['2025-04-01T07:10:00+00:00', -14_400, 83],
      ],
    )
    const [type] = mapped.progress.types
    assert.deepEqual(
      [type?.type, type?.records, type?.imported, type?.merged],
      ['tracker.heart_rate', 4, 3, 1],
    )
    assert.doesNotMatch(JSON.stringify(of('heartrate')), /jane/)
  })

  test('are local where only that explains when rows were written', async () => {
    const { of, mapped } = await mapContent(
      rates([
        // 23:30 in New York is 03:30 in UTC on the next day, before and after the change of clocks.
        [
          ...['2025-03-08 23:30:00.000', '2025-03-08 23:30:00.000', 'UTC-0500'],
          ...['2025-03-09 04:30:20.000', 60, '', 'a', APP],
        ],
        [
          ...['2025-03-09 23:30:00.000', '2025-03-09 23:30:00.000', 'UTC-0400'],
          ...['2025-03-10 03:30:20.000', 61, '', 'b', APP],
        ],
      ]),
    )
    assert.deepEqual(
      of('heartrate').map(({ start }) => start),
      ['2025-03-09T04:30:00+00:00', '2025-03-10T03:30:00+00:00'],
    )
    assert.equal(mapped.progress.types[0]?.type, 'tracker.heart_rate, local times')
  })

  test('have the units of their tables; a broken offset or a lost clock is quarantined', async () => {
    const head = ['start_time', 'time_offset', 'create_time', 'pkg_name', 'datauuid']
    const at = ['2025-04-01 07:10:00.000', 'UTC+0100', '2025-04-01 07:10:05.000', APP]
    const { lines } = await mapContent({
      ...table(
        'health.weight',
        [...head, 'weight', 'body_fat', 'height'],
        [[...at, 'w', 71.5, 18.25, 180]],
      ),
      ...table(
        'health.blood_pressure',
        [...head, 'systolic', 'diastolic', 'pulse'],
        [[...at, 'p', 121, 79, 66]],
      ),
      ...table(
        'health.blood_glucose',
        [...head, 'glucose'],
        [[...at, 'g', '5,5']].map((row) => row.map((cell) => `"${cell}"`)),
      ),
      ...table('health.water_intake', [...head, 'amount'], [[...at, 'h', 250]]),
      ...table('health.floors_climbed', [...head, 'floor'], [[...at, 'f', 2]]),
      ...table('shealth.stress', [...head, 'score'], [[...at, 's', 37]]),
      ...table(
        'shealth.tracker.oxygen_saturation',
        [...head, 'spo2'],
        [
          [...at, 'o', 96],
          [at[0] ?? '', 'UTC+28550', at[2] ?? '', APP, 'x', 96],
          ['2125-04-01 07:10:00.000', 'UTC+0100', '', APP, 'y', 96],
          ['1970-01-01 00:00:00.000', 'UTC+0000', '', APP, 'z', 96],
          ['yesterday', 'UTC+0000', '', APP, 'z', 96],
          [...at, 'q', '=1+1'],
          [...at, 'r', 101],
        ],
      ),
    })
    const short = lines.map(({ resource, value, systolic, diastolic, refused }) =>
      [resource, refused ?? value ?? systolic ?? '', diastolic ?? ''].join(' ').trim(),
    )
    assert.deepEqual(short.sort(), [
      'blood_oxygen 96',
      ...['invalid_start_date', 'invalid_start_date', 'invalid_start_date'].map(
        (r) => `blood_oxygen ${r}`,
      ),
      'blood_oxygen invalid_start_date',
      'blood_oxygen invalid_value',
      'blood_oxygen out_of_range',
      'blood_pressure 121 79',
      'body',
      'body_fat 18.25',
      'body_weight 71.5',
      'floors_climbed 2',
      'glucose 5.5',
      'heartrate 66',
      'stress_level 37',
      'water 250',
    ])
  })
})

describe('steps of Samsung Health', () => {
  const TREND = ['source_type', 'count', 'distance', 'day_time', 'deviceuuid', 'update_time']
  const day = Date.UTC(2025, 2, 30)
  const trend = [
    [-2, 9000, 6400.5, day, 'merged', ''],
    [0, 5000, 3500, day, 'phone', ''],
    [1, 8800, 6100, day, 'watch', ''],
    // A day without a merged row has the largest.
    [0, 700, 500, '2025-03-31 00:00:00.000', 'phone', ''],
    [1, 900, 650, '2025-03-31 00:00:00.000', 'watch', ''],
  ]
  const counts = table(
    'shealth.tracker.pedometer_step_count',
    ['start_time', 'end_time', 'time_offset', 'count', 'deviceuuid', 'pkg_name', 'datauuid'],
    [
      ['2025-03-30 07:00:00.000', '2025-03-30 07:01:00.000', 'UTC+0200', 100, 'phone', APP, 'c1'],
      ['2025-03-30 07:00:00.000', '2025-03-30 07:01:00.000', 'UTC+0200', 104, 'watch', APP, 'c2'],
    ],
  )

  test('are those of all devices together, once a day', async () => {
    const { of, mapped } = await mapContent({
      ...table('shealth.step_daily_trend', TREND, trend),
      ...counts,
    })
    assert.deepEqual(
      of('activity').map(({ id, values, source_type }) => [id, values, source_type]),
      [
        ['2025-03-30', { steps: 9000, distance_meter: 6400.5 }, 'multiple_sources'],
        ['2025-03-31', { steps: 900, distance_meter: 650 }, 'multiple_sources'],
      ],
    )
    assert.equal(of('steps').length, 0)
    const merged = mapped.progress.types.map(({ type, merged }) => [type, merged])
    assert.deepEqual(Object.fromEntries(merged), { step_daily_trend: 3, pedometer_step_count: 2 })
  })

  test('of an export without days are the counts of each device, as sources of their own', async () => {
    const { of } = await mapContent(counts)
    assert.deepEqual(
      of('steps').map(({ value }) => value),
      [100, 104],
    )
  })

  test('in any order become the same', async () => {
    const random = seededRandom(7)
    const rows = Array.from({ length: 400 }, (_, index) => [
      ...[[-2, 0, 1][index % 3] ?? 0, 1000 + index, 10 * index],
      ...[day + Math.floor(index / 3) * 86_400_000, 'x', ''],
    ])
    const linesOf = async (order: typeof rows) => {
      const { lines } = await mapContent(
        table('shealth.step_daily_trend', TREND, order),
        {},
        { now: new Date('2026-11-01') },
      )
      return lines.map((line) => JSON.stringify(line)).sort()
    }
    const shuffled = rows
      .map((row) => [random(), row] as const)
      .sort(([a], [b]) => a - b)
      .map(([, row]) => row)
    assert.deepEqual(await linesOf(shuffled), await linesOf(rows))
  })
})

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

describe('files of Samsung Health', () => {
  test('are recognized alone, and without a row', async () => {
    const [content = ''] = Object.values(rates([]))
    const { mapped, lines } = await mapContent(content)
    assert.deepEqual([mapped.format, lines], ['samsung_health', []])
  })

  test('are refused where a table or a file of it is damaged', async () => {
    const [content = ''] = Object.values(rates([['"2025-04-01', 1, 2, 3, 4]]))
    await assert.rejects(mapContent(content), { code: 'malformed_csv' })
    const row = [
      ...['2025-04-01 07:00:00.000', '2025-04-01 07:59:59.000', 'UTC-0400'],
      ...['', 77, 'b.binning_data.json', 'id-2', APP],
    ]
    const files = { ...rates([row]), 'jsons/b/b.binning_data.json': '[{"heart_rate":' }
    await assert.rejects(mapContent(files), { code: 'malformed_json' })
    await assert.rejects(mapContent('com.samsung.health.weight,6322030,7\r\na,b,c\r\n'), {
      code: 'malformed_csv',
    })
    await assert.rejects(mapContent('com.example.health.weight,1,2\na,b,c\n'), {
      code: 'unknown_format',
    })
  })
})
