import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { json, table } from '../../../../../server/test/imports/samsung-table.ts'
import { seededRandom } from '../../../../../server/test/webhooks/webhook-sink.ts'

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
    // Nothing is written before it was measured, however late it was.
    const late = await mapContent(
      rates([
        [
          ...['2025-07-01 09:30:00.000', '2025-07-01 09:30:00.000', 'UTC+0200'],
          ...['2025-07-01 08:45:00.000', 60, '', 'a', APP],
        ],
      ]),
    )
    assert.equal(late.of('heartrate')[0]?.start, '2025-07-01T07:30:00+00:00')
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
