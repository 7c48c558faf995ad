import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSummary } from '../../../../server/test/connectors/assert-summary.ts'
import { groupOf } from '../../../../server/test/connectors/pages/withings.pages.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { mapDevices, mapMeasures } from './measures.mapper.ts'

/** The payloads are constructed from the documentation, with invented values. */

const AT = Date.UTC(2026, 1, 10, 5, 6, 40)

function map(groups: readonly unknown[], body: object = { timezone: 'Europe/Paris' }): PageData {
  const data = new PageData({ userId: 'u', provider: 'withings' })
  mapMeasures({ status: 0, body: { ...body, measuregrps: groups } }, data)
  return data
}

const shown = ({ samples }: PageData) =>
  samples.map(({ series, value, diastolic, sourceType }) => [series, value, diastolic, sourceType])

const reasonsOf = ({ quarantined }: PageData) =>
  quarantined.map(({ resource, reason }) => [resource, reason])

test('a weighing is samples and a body, with masses as shares of the weight of its group', () => {
  const data = map([
    groupOf([
      [1, 80_000, -3],
      [6, 2_250, -2],
      [5, 62, 0],
      [8, 18_000, -3],
      [76, 60_000, -3],
      [77, 44_000, -3],
      [88, 3_200, -3],
      [170, 41, -1],
      [11, 58, 0],
      [91, 7, 0],
    ]),
  ])
  assert.deepEqual(shown(data), [
    ['body_weight', 80, 0, 'scale'],
    ['body_fat', 22.5, 0, 'scale'],
    ['heartrate', 58, 0, 'scale'],
  ])
  assert.deepEqual(
    data.samples.map(({ startedAt, timezoneOffset, modifiedAt }) => [
      startedAt,
      timezoneOffset,
      modifiedAt,
    ]),
    Array(3).fill([AT, 3600, 1_770_700_030_000]),
  )
  const [body] = data.summaries
  assert.ok(body !== undefined)
  const { recordId, startedAt, timezoneOffset, timeZone, deviceModel, sourceType } = body
  assert.deepEqual(
    [recordId, startedAt, timezoneOffset, timeZone, deviceModel, sourceType],
    ['9000001', AT, 3600, 'Europe/Paris', 'Body Cardio', 'scale'],
  )
  assert.deepEqual(body.values, {
    weight_kilogram: 80,
    fat_mass_percentage: 22.5,
    water_percentage: 55,
    muscle_mass_percentage: 75,
    visceral_fat_index: 4.1,
    bone_mass_percentage: 4,
    body_mass_index: null,
    lean_body_mass_kilogram: 62,
    waist_circumference_centimeter: null,
  })
})

test('a value is exact, whatever the power of ten', () => {
  for (const [value, unit, expected] of [
    [56_300, -3, 56.3],
    [5_630, -2, 56.3],
    [563, -1, 56.3],
    [7, 1, 70],
    [56_299_999, -6, 56.299999],
  ] as const) {
    assert.equal(map([groupOf([[1, value, unit]])]).samples[0]?.value, expected)
  }
})

test('both values of a blood pressure are of one group, with the rate beside them', () => {
  const cuff = { modelid: 45, model: 'BPM Connect', attrib: 17 }
  const data = map([
    groupOf(
      [
        [9, 7_800, -2],
        [10, 121, 0],
        [11, 6_400, -2],
      ],
      cuff,
    ),
  ])
  assert.deepEqual(shown(data), [
    ['heartrate', 64, 0, 'cuff'],
    ['blood_pressure', 121, 78, 'cuff'],
  ])
  assert.deepEqual(data.summaries, [])
  assert.deepEqual(reasonsOf(map([groupOf([[9, 78, 0]], cuff)])), [['blood_pressure', 'unpaired']])
})

test('temperature and oxygen are samples; the temperature of the body comes first', () => {
  const warm = groupOf(
    [
      [12, 3_650, -2],
      [71, 37_125, -3],
      [73, 33_000, -3],
    ],
    { modelid: 70 },
  )
  assert.deepEqual(shown(map([warm])), [['body_temperature', 37.125, 0, 'unknown']])
  assert.deepEqual(shown(map([groupOf([[12, 365, -1]], { modelid: null })])), [
    ['body_temperature', 36.5, 0, 'unknown'],
  ])
  assert.deepEqual(shown(map([groupOf([[54, 97, 0]], { modelid: 93 })])), [
    ['blood_oxygen', 97, 0, 'watch'],
  ])
})

test('goals, and what may be of another person, are no measurements', () => {
  const kilos = [[1, 65, 0]] as const
  const none = map([groupOf(kilos, { category: 2 }), groupOf(kilos, { attrib: 1 })])
  assert.deepEqual([none.samples, none.summaries, none.quarantined], [[], [], []])
  for (const category of [undefined, null, 3, '1', true]) {
    const data = map([groupOf(kilos, { category })])
    assert.deepEqual([data.samples, reasonsOf(data)], [[], [['body', 'invalid_field']]])
  }
})

test('what a person typed in is from the app, and another device is known by what it measures', () => {
  const typeOf = (more: object) => map([groupOf([[1, 65, 0]], more)]).samples[0]?.sourceType
  assert.equal(typeOf({ attrib: 2 }), 'app')
  assert.equal(typeOf({ attrib: 4, modelid: null }), 'app')
  for (const attrib of [0, 5, 7, 8, 15, 17, 99, null, undefined]) {
    assert.equal(typeOf({ attrib, modelid: null, model: null }), 'scale')
  }
  assert.equal(typeOf({ modelid: undefined, model_id: 58 }), 'watch')
  const rate = groupOf([[11, 62, 0]], { modelid: 16, model: 'Body Smart' })
  assert.equal(map([rate]).samples[0]?.sourceType, 'scale')
})

test('times have the offset of their zone at that instant, not that of today', () => {
  const summer = { date: 1_752_148_800, timezone: 'America/New_York' }
  const [weight] = map([groupOf([[1, 65, 0]], summer)]).samples
  assert.deepEqual([weight?.startedAt, weight?.timezoneOffset], [1_752_148_800_000, -14_400])
  for (const timezone of [undefined, null, 7, 'Mars/Olympus']) {
    const data = map([groupOf([[1, 65, 0]])], { timezone })
    assert.equal(data.samples[0]?.timezoneOffset, null)
    assert.equal(data.summaries[0]?.timeZone, '')
  }
})

test('wrong groups and measures are quarantined with a reason, and fail no other', () => {
  const good = groupOf([[1, 65, 0]], { grpid: 2 })
  for (const [wrong, ...reasons] of [
    [groupOf([[1, 65, 0]], { date: null }), ['body_weight', 'invalid_start_date']],
    [groupOf([[54, 97, 0]], { date: '1770700000' }), ['blood_oxygen', 'invalid_start_date']],
    [groupOf([[1, 65, 0]], { measures: {} }), ['body', 'invalid_field']],
    [{ ...good, measures: [7] }, ['body', 'not_an_object']],
    [
      { ...good, measures: [{ type: 54, value: '97', unit: 0 }] },
      ['blood_oxygen', 'invalid_value'],
    ],
    [
      { ...good, measures: [{ type: 54, value: 97, unit: null }] },
      ['blood_oxygen', 'invalid_value'],
    ],
    [groupOf([[11, 900, 0]]), ['heartrate', 'out_of_range']],
    [groupOf([[1, 900, 0]]), ['body_weight', 'out_of_range'], ['body', 'out_of_range']],
    [7, ['body', 'not_an_object']],
  ] as const) {
    const data = map([wrong, good])
    assert.deepEqual(reasonsOf(data), reasons)
    assert.deepEqual(shown(data), [['body_weight', 65, 0, 'scale']])
  }
})

test('a measure of 0 is missing, and one without a value leaves the others of its group', () => {
  const data = map([
    groupOf([
      [1, 65_000, -3],
      [6, 0, 0],
      [88, 0, -3],
    ]),
  ])
  assert.deepEqual(reasonsOf(data), [])
  assert.deepEqual(shown(data), [['body_weight', 65, 0, 'scale']])
  const [body] = data.summaries
  assertSummary(body, 'body')
  assert.equal(body.values.bone_mass_percentage, null)
  const alone = map([groupOf([[76, 50, 0]])])
  assert.deepEqual([alone.samples, alone.summaries, alone.quarantined], [[], [], []])
})

test('an answer that is not a page is unexpected', () => {
  const data = new PageData({ userId: 'u', provider: 'withings' })
  for (const odd of [
    null,
    {},
    { status: 0, body: [] },
    { status: 401, body: { measuregrps: [] } },
  ]) {
    assert.throws(() => mapMeasures(odd, data), VendorError)
  }
})

test('devices have a type; apps of others are not made by the vendor', () => {
  const data = new PageData({ userId: 'u', provider: 'withings' })
  const devices = [
    { type: 'Scale', model: 'Body+', model_id: 5, deviceid: 'd1', fw: '1541' },
    { type: 'Sleep Monitor', model: 'Aura Sensor V2', model_id: 63, hash_deviceid: 'd2' },
    { type: 'HealthKit Google', model: 'GoogleFit tracker', model_id: 1055, deviceid: null },
    { type: 'constructor', model: 7, deviceid: 'd3' },
  ]
  mapDevices({ status: 0, body: { devices: [...devices, null] } }, data)
  assert.deepEqual(
    data
      .toArrivedData()
      .devices?.map(
        ({ source_type, device_manufacturer, device_model, device_version, device_id }) => [
          source_type,
          device_manufacturer,
          device_model,
          device_version,
          device_id,
        ],
      ),
    [
      ['scale', 'Withings', 'Body+', '1541', 'd1'],
      ['unknown', 'Withings', 'Aura Sensor V2', null, 'd2'],
      ['unknown', null, 'GoogleFit tracker', null, null],
      ['unknown', 'Withings', null, null, 'd3'],
    ],
  )
  assert.deepEqual(reasonsOf(data), [['device', 'not_an_object']])
})
