import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'
import { json, table } from '../../../../../server/test/imports/samsung-table.ts'

const START = Date.parse('2026-03-28T23:00:00Z')
const HEAD = ['start_time', 'end_time', 'time_offset', 'create_time', 'pkg_name', 'datauuid']
const TIMES = ['2026-03-28 23:00:00.000', '2026-03-29 05:00:00.000', 'UTC+0100']
const WRITTEN = ['2026-03-29 05:00:10.000', 'com.sec.android.app.shealth']
const minute = (index: number, values: object) => ({
  ...{ start_time: START + index * 60_000, end_time: START + (index + 1) * 60_000 },
  ...values,
})

test('variability and breaths of a night come from the files of its rows', async () => {
  const { of, mapped } = await mapContent({
    ...table(
      'health.hrv',
      [...HEAD, 'binning_data'],
      [
        [...TIMES, ...WRITTEN, 'h1', 'h1.binning_data.json'],
        [...TIMES, ...WRITTEN, 'h2', 'missing.binning_data.json'],
      ],
    ),
    ...json('health.hrv', 'h1.binning_data.json', [
      minute(0, { sdnn: 61.5, rmssd: 48.25 }),
      minute(5, { sdnn: 0, rmssd: 0 }),
      minute(10, { sdnn: 55, rmssd: 39 }),
    ]),
    ...table(
      'health.respiratory_rate',
      [...HEAD, 'average', 'binning_data'],
      [[...TIMES, ...WRITTEN, 'r1', 14.5, 'r1.binning_data.json']],
    ),
    ...json('health.respiratory_rate', 'r1.binning_data.json', [
      minute(0, { respiratory_rate: 14.2 }),
      minute(1, { respiratory_rate: 0 }),
    ]),
  })
  assert.deepEqual(
    of('hrv').map(({ start, timezone_offset, value }) => [start, timezone_offset, value]),
    [
      ['2026-03-28T23:00:00+00:00', 3600, 48.25],
      ['2026-03-28T23:10:00+00:00', 3600, 39],
    ],
  )
  assert.match(JSON.stringify(of('hrv')[0]), /rmssd/)
  assert.deepEqual(
    of('respiratory_rate').map(({ start, value }) => [start, value]),
    [['2026-03-28T23:00:00+00:00', 14.2]],
  )
  const type = mapped.progress.types.find((one) => one.type === 'hrv')
  assert.equal(type?.not_supported, 1)
})

test('the column of saturations is named binning', async () => {
  const name = 'com.samsung.health.oxygen_saturation'
  const head = [...HEAD, 'spo2', 'binning'].map((column) => `${name}.${column}`)
  const { of } = await mapContent({
    ...table('shealth.tracker.oxygen_saturation', head, [
      [...TIMES, ...WRITTEN, 'o1', 96, 'o1.binning.json'],
      [...TIMES, ...WRITTEN, 'o2', 95, ''],
    ]),
    ...json('shealth.tracker.oxygen_saturation', 'o1.binning.json', [
      minute(0, { spo2: 97 }),
      minute(1, { spo2: 94 }),
    ]),
  })
  assert.deepEqual(
    of('blood_oxygen').map(({ value }) => value),
    [97, 94, 95],
  )
})
