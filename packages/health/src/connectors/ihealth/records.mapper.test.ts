import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  IHEALTH_PAGES,
  ihealthPage,
} from '../../../../server/test/connectors/pages/ihealth.pages.ts'
import type { SummaryValues } from '../../summaries/index.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { IHEALTH } from './ihealth.connector.ts'

/** The payloads are constructed in the form that public clients read, with invented values. */

const REQUEST = { range: { from: 0, to: 0 }, cursor: null, context: NO_CONTEXT }
/** 07:30 of the clock of a place 8 hours west. */
const AT = Date.UTC(2026, 1, 10, 15, 30)

const recordOf = (name: string): Record<string, unknown> => IHEALTH_PAGES[name]?.records[0] ?? {}

function map(name: string, list: string, changes: readonly unknown[], units: object = {}) {
  const data = new PageData({ userId: 'u', provider: 'ihealth' })
  const records = changes.map((change) =>
    typeof change === 'object' && change !== null ? { ...recordOf(name), ...change } : change,
  )
  const collection = IHEALTH.collections.find((one) => one.name === name)
  assert.ok(collection !== undefined)
  collection.map(ihealthPage(list, records, units), data, [], REQUEST)
  return data
}

const shown = ({ samples }: PageData) =>
  samples.map(({ series, startedAt, value, timezoneOffset, sourceType }) => [
    series,
    startedAt,
    value,
    timezoneOffset,
    sourceType,
  ])

const reasonsOf = ({ quarantined }: PageData) =>
  quarantined.map(({ resource, reason }) => [resource, reason])

test('a blood pressure is in the unit of its page, and typed in or of a cuff', () => {
  const data = map('bp', 'BPDataList', [{}, { DataID: 'x', DataSource: 'Manual' }], { BPUnit: 0 })
  assert.deepEqual(
    data.samples.map(({ value, diastolic, sourceType, modifiedAt }) => [
      value,
      diastolic,
      sourceType,
      modifiedAt,
    ]),
    [
      [124, 81, 'cuff', 1_770_731_000_000],
      [124, 81, 'app', 1_770_731_000_000],
    ],
  )
  const [kilopascals] = map('bp', 'BPDataList', [{ HP: 16, LP: 10 }], { BPUnit: 1 }).samples
  assert.equal(Math.round((kilopascals?.value ?? 0) * 10), 1_200)
  assert.equal(Math.round((kilopascals?.diastolic ?? 0) * 10), 750)
  assert.deepEqual(reasonsOf(map('bp', 'BPDataList', [{ LP: 0 }], { BPUnit: 0 })), [
    ['blood_pressure', 'invalid_value'],
  ])
})

test('a record without a unit that is known is quarantined', () => {
  for (const code of [undefined, null, 7, '0', -1]) {
    for (const [name, list, unit, resource] of [
      ['bp', 'BPDataList', 'BPUnit', 'blood_pressure'],
      ['glucose', 'BGDataList', 'BGUnit', 'glucose'],
      ['weight', 'WeightDataList', 'WeightUnit', 'body'],
      ['activity', 'ARDataList', 'DistanceUnit', 'activity'],
    ] as const) {
      const data = map(name, list, [{}], { [unit]: code })
      assert.deepEqual(reasonsOf(data), [[resource, 'unknown_unit']])
      assert.deepEqual([data.samples, data.summaries], [[], []])
    }
  }
})

test('glucose is of a strip; two of one minute are distinct', () => {
  const data = map('glucose', 'BGDataList', [{}, { DataID: 'b', BG: 90.091 }, { BG: 0 }], {
    BGUnit: 0,
  })
  assert.deepEqual(
    data.samples.map(({ startedAt, value, sampleType, sourceType }) => [
      startedAt - AT,
      value.toFixed(4),
      sampleType,
      sourceType,
    ]),
    [
      [0, '5.3279', 'fingerprick', 'fingerprick'],
      [1, '5.0000', 'fingerprick', 'fingerprick'],
    ],
  )
  assert.deepEqual(shown(map('glucose', 'BGDataList', [{ BG: 5.5 }], { BGUnit: 1 })), [
    ['glucose', AT, 5.5, -28_800, 'fingerprick'],
  ])
})

test('a weighing is a body, with masses as shares; 0 was not measured', () => {
  for (const [code, kilograms] of [
    [0, 160],
    [1, 72.5747792],
    [2, 1_016.0469088],
  ] as const) {
    const weight = code === 2 ? { WeightValue: 16, MuscaleValue: 12, BoneValue: 0.64 } : {}
    const { summaries, samples } = map('weight', 'WeightDataList', [weight], { WeightUnit: code })
    const [body] = summaries
    assert.ok(body?.resource === 'body')
    const values = body.values as SummaryValues<'body'>
    const expected = code === 2 ? kilograms / 10 : kilograms
    assert.equal(values.weight_kilogram?.toFixed(9), expected.toFixed(9))
    assert.equal(samples[0]?.value.toFixed(9), expected.toFixed(9))
    assert.deepEqual(
      [values.body_mass_index, values.fat_mass_percentage, values.water_percentage],
      [23.4, 21.5, 55.5],
    )
    assert.deepEqual([values.muscle_mass_percentage, values.bone_mass_percentage], [75, 4])
  }
  const zeros = {
    WeightValue: 70,
    BMI: 0,
    FatValue: 0,
    MuscaleValue: 0,
    BoneValue: 0,
    WaterValue: 0,
  }
  const { summaries } = map('weight', 'WeightDataList', [zeros], { WeightUnit: 0 })
  assert.deepEqual(
    Object.values(summaries[0]?.values ?? {}).filter((value) => value !== null),
    [70],
  )
  const none = map('weight', 'WeightDataList', [{ ...zeros, WeightValue: 0 }], { WeightUnit: 0 })
  assert.deepEqual([none.samples, none.summaries, none.quarantined], [[], [], []])
})

test('oxygen is a percentage', () => {
  assert.deepEqual(shown(map('spo2', 'BODataList', [{}, { BO: 0 }])), [
    ['blood_oxygen', AT, 97, -28_800, 'unknown'],
  ])
})

test('a day is that of the local clock, with all its calories', () => {
  for (const [code, meters] of [
    [0, 6_125],
    [1, 9_857.232],
  ] as const) {
    const [day] = map('activity', 'ARDataList', [{}], { DistanceUnit: code }).summaries
    assert.ok(day?.resource === 'activity')
    const { recordId, calendarDate, startedAt, timezoneOffset, sourceType } = day
    const values = day.values as SummaryValues<'activity'>
    assert.deepEqual(
      [recordId, calendarDate, startedAt, timezoneOffset, sourceType],
      ['2026-02-10', '2026-02-10', Date.UTC(2026, 1, 10), -28_800, 'watch'],
    )
    const { calories_total, calories_active, steps, distance_meter } = values
    assert.deepEqual(
      [calories_total, calories_active, steps, distance_meter],
      [2100, null, 8300, meters],
    )
  }
})

test('a night has the time asleep in minutes, and no stages', () => {
  const { summaries } = map('sleep', 'SRDataList', [{}])
  const [night] = summaries
  assert.ok(night?.resource === 'sleep')
  const { startedAt, endedAt, timezoneOffset, calendarDate, recordId } = night
  const values = night.values as SummaryValues<'sleep'>
  assert.deepEqual(
    [startedAt, endedAt, timezoneOffset, calendarDate, recordId],
    [AT - 27_000_000, AT, -28_800, null, 'sr-1'],
  )
  assert.deepEqual(
    [values.duration_second, values.stage_asleep_second, values.latency_second, values.efficiency],
    [27_000, 25_200, 720, 93],
  )
  assert.deepEqual([values.stage_awake_second, values.stage_light_second], [null, null])
  assert.deepEqual(values.stage_type, [])
})

test('the offset of a record is text or a number; without one it is quarantined', () => {
  for (const [zone, hours] of [
    ['-0800', -8],
    ['0800', 8],
    ['+05:30', 5.5],
    ['-8', -8],
    ['0', 0],
    [-8, -8],
    [5.5, 5.5],
    [0, 0],
  ] as const) {
    const [sample] = map('spo2', 'BODataList', [{ TimeZone: zone }]).samples
    const local = AT - 8 * 3_600_000
    assert.deepEqual(
      [sample?.startedAt, sample?.timezoneOffset],
      [local - hours * 3_600_000, hours * 3600],
    )
  }
  // Newer answers have it twice, and the time as text.
  for (const TimeZone of ['-0500', '', undefined]) {
    const [sample] = map('spo2', 'BODataList', [{ TimeZone, time_zone: '-05:00' }]).samples
    assert.equal(sample?.timezoneOffset, -18_000)
  }
  for (const zone of [undefined, null, '', 'PST', '+2500', 99, '99', {}]) {
    const data = map('spo2', 'BODataList', [{ TimeZone: zone }])
    assert.deepEqual(
      [data.samples, reasonsOf(data)],
      [[], [['blood_oxygen', 'invalid_start_date']]],
    )
  }
})

test('wrong records are quarantined with a reason, and fail no other', () => {
  for (const [name, list, change, reason] of [
    ['bp', 'BPDataList', { HP: '124' }, 'invalid_value'],
    ['bp', 'BPDataList', { HP: 900 }, 'out_of_range'],
    ['glucose', 'BGDataList', { BG: null }, 'invalid_value'],
    ['weight', 'WeightDataList', { MDate: '1770708600' }, 'invalid_start_date'],
    ['weight', 'WeightDataList', { FatValue: 300 }, 'out_of_range'],
    ['spo2', 'BODataList', { BO: 120 }, 'out_of_range'],
    ['bp', 'BPDataList', { MDate: -1 }, 'invalid_start_date'],
    ['activity', 'ARDataList', { MDate: 0 }, 'invalid_date'],
    ['activity', 'ARDataList', { MDate: null }, 'invalid_date'],
    ['activity', 'ARDataList', { Steps: -1 }, 'out_of_range'],
    ['sleep', 'SRDataList', { EndTime: 1_770_600_000 }, 'end_before_start'],
    ['sleep', 'SRDataList', { HoursSlept: 1e6 }, 'out_of_range'],
    ['sleep', 'SRDataList', { FallSleep: '12' }, 'invalid_value'],
    ['sleep', 'SRDataList', 7, 'not_an_object'],
  ] as const) {
    const units = { BPUnit: 0, BGUnit: 0, WeightUnit: 0, DistanceUnit: 0 }
    const data = map(name, list, [change, {}], units)
    assert.deepEqual(
      data.quarantined.map((item) => item.reason),
      [reason],
    )
    assert.equal(new Set([...data.samples, ...data.summaries].map((one) => one.startedAt)).size, 1)
  }
  const data = new PageData({ userId: 'u', provider: 'ihealth' })
  for (const odd of [null, {}, { BPDataList: {} }, { Error: 'x', ErrorCode: 5008 }]) {
    assert.throws(() => IHEALTH.collections[0]?.map(odd, data, [], REQUEST), VendorError)
  }
})
