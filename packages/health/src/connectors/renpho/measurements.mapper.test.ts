import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { RENPHO_MEASUREMENT } from '../../../../server/test/connectors/pages/renpho.pages.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { mapMeasurements, offsetOf } from './measurements.mapper.ts'
import { contentOf, decrypt, encrypt, failureOfData } from './renpho-envelope.ts'
import { ALL_MEASUREMENTS } from './renpho-pages.ts'

const KEY = 'sixteen-letters!'
const USER = RENPHO_MEASUREMENT.userId
const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 8) }
const CONTEXT = { extra: { userId: USER }, now: RANGE.to, app: undefined }

function map(records: readonly unknown[], cursor: string | null = null): PageData {
  const data = new PageData({ userId: 'u', provider: 'renpho' })
  mapMeasurements(records, data, [], { range: RANGE, cursor, context: CONTEXT })
  return data
}

/** Columns with a value, of the only summary. */
function valuesOf({ summaries }: PageData): Record<string, unknown> {
  assert.equal(summaries.length, 1)
  const values = Object.entries(summaries[0]?.values ?? {})
  return Object.fromEntries(values.filter(([, value]) => value !== null))
}

const samplesOf = ({ samples }: PageData) =>
  samples.map(({ series, value, sourceType }) => [series, value, sourceType])
const refused = ({ quarantined }: PageData) =>
  quarantined.map(({ resource, reason }) => [resource, reason])

test('a measurement has percentages, with the masses of muscles and bones as such', () => {
  const data = map([RENPHO_MEASUREMENT])
  assert.deepEqual(valuesOf(data), {
    weight_kilogram: 70,
    fat_mass_percentage: 22.5,
    water_percentage: 55.1,
    body_mass_index: 23.4,
    visceral_fat_index: 7,
    lean_body_mass_kilogram: 54.25,
    muscle_mass_percentage: (100 * 51.8) / 70,
    bone_mass_percentage: (100 * 2.8) / 70,
  })
  assert.deepEqual(samplesOf(data), [
    ['body_weight', 70, 'scale'],
    ['body_fat', 22.5, 'scale'],
  ])
  const [summary] = data.summaries
  assert.deepEqual(
    [summary?.recordId, summary?.startedAt, summary?.timezoneOffset, summary?.deviceModel],
    [RENPHO_MEASUREMENT.id, Date.UTC(2026, 1, 4, 7), 28_800, 'ES-CS20M'],
  )
  assert.deepEqual(data.quarantined, [])
})

test('0 and an empty text are not measured; numbers may be texts', () => {
  const { weight: _, bodyfat: __, ...rest } = RENPHO_MEASUREMENT
  const names = ['bmi', 'water', 'sinew', 'bone', 'visfat', 'fatFreeWeight']
  const none = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? 0 : '']))
  const data = map([{ ...rest, ...none, weight: '70.5', bodyfat: '' }])
  assert.deepEqual(valuesOf(data), { weight_kilogram: 70.5 })
  assert.deepEqual(samplesOf(data), [['body_weight', 70.5, 'scale']])
  assert.deepEqual(map([{ ...rest, ...none, weight: 0 }]).summaries, [])
})

test('a weight that was typed in is of the app, and those of others are left out', () => {
  assert.deepEqual(samplesOf(map([{ ...RENPHO_MEASUREMENT, deviceType: '00000', bodyfat: 0 }])), [
    ['body_weight', 70, 'app'],
  ])
  // The same number but for the last digits, which a number cannot hold.
  const guest = { ...RENPHO_MEASUREMENT, userId: '2132938788905981200' }
  assert.deepEqual(map([guest]).summaries, [])
  // A second account of the family reads those of another person.
  const cursor = JSON.stringify([1, 0, [['measurements_info_3', [guest.userId]]]])
  assert.equal(map([guest, RENPHO_MEASUREMENT], cursor).summaries.length, 1)
})

test('what is outside of the range is not mapped', () => {
  for (const at of [RANGE.from - 1000, RANGE.to]) {
    assert.deepEqual(map([{ ...RENPHO_MEASUREMENT, timeStamp: at / 1000 }]).summaries, [])
  }
})

test('a wrong measurement is quarantined with its reason, and no other', () => {
  for (const [change, reason] of [
    [{ timeStamp: 'now' }, 'invalid_start_date'],
    [{ timeStamp: null }, 'invalid_start_date'],
    [{ id: null }, 'invalid_field'],
    [{ weight: 7000 }, 'out_of_range'],
    [{ bodyfat: 'much' }, 'invalid_value'],
    [{ bone: 71 }, 'out_of_range'],
  ] as const) {
    const data = map([{ ...RENPHO_MEASUREMENT, ...change }, RENPHO_MEASUREMENT, 7])
    assert.deepEqual(refused(data), [
      ['body', reason],
      ['body', 'not_an_object'],
    ])
    assert.equal(data.summaries.length, 1)
  }
})

test('zones are read in all spellings', () => {
  const summer = Date.UTC(2026, 6, 1)
  for (const [zone, hours] of [
    ['+2', 2],
    ['GMT+8', 8],
    ['UTC-3:30', -3.5],
    ['-0500', -5],
    ['+05:45', 5.75],
    ['Europe/Berlin', 2],
    [8, 8],
    [-5, -5],
  ] as const) {
    assert.equal(offsetOf(zone, summer), hours * 3600, String(zone))
  }
  for (const odd of ['', '+15', 'Middle-earth', null, undefined, {}]) {
    assert.equal(offsetOf(odd, summer), null)
  }
})

test('all lists of all tables are read page by page', () => {
  const { page, next } = ALL_MEASUREMENTS
  const request = (cursor: string | null) => ({ range: RANGE, cursor, context: CONTEXT })
  assert.deepEqual(page(RANGE, null, CONTEXT), {
    method: 'POST',
    path: '/renpho-aggregation/device/count',
  })
  const scale = [
    { tableName: 'measurements_info_3', userIds: ['2132938788905981200', USER], count: 0 },
    { tableName: 'measurements_info_A', userIds: ['2132938788905981200'], count: 0 },
  ]
  const full = Array.from({ length: 50 }, () => RENPHO_MEASUREMENT)
  const asked: unknown[] = []
  let cursor = next({ scale }, request(null))
  for (const answer of [full, [RENPHO_MEASUREMENT], [], [], full.slice(1)]) {
    const { path, json } = page(RANGE, cursor, CONTEXT)
    const { pageNum, userIds, tableName } = json as Record<string, unknown>
    asked.push([path.split('/').at(-1), tableName, userIds, pageNum])
    cursor = next(answer, request(cursor))
  }
  assert.equal(cursor, null)
  const [all, composition] = ['queryAllMeasureDataList', 'queryBodyCompositionMeasureData']
  assert.deepEqual(asked, [
    [all, 'measurements_info_3', [USER], 1],
    [all, 'measurements_info_3', [USER], 2],
    [composition, 'measurements_info_3', [USER], 1],
    [all, 'measurements_info_A', ['2132938788905981200'], 1],
    [composition, 'measurements_info_A', ['2132938788905981200'], 1],
  ])
  assert.equal(next({ scale: [] }, request(null)), null)
  assert.equal(next({}, request(null)), null)
})

test('requests and answers are encrypted, and long ids stay the same', () => {
  // By `openssl enc -aes-128-ecb -K 7369787465656e2d6c65747465727321 -base64`.
  assert.deepEqual(encrypt(KEY, { a: 1 }), { encryptData: '+29IAhw7vDLjwhNa+iRgyw==' })
  assert.equal(Buffer.from(encrypt(KEY, undefined).encryptData, 'base64').length, 16)
  const { encryptData } = encrypt(KEY, { id: 'ID' })
  assert.deepEqual(decrypt(KEY, encryptData), { id: 'ID' })
  for (const key of [undefined, 'short', 'another-key-of16']) {
    assert.throws(() => decrypt(key, encryptData), VendorError)
  }
  const bytes = Buffer.from(JSON.stringify({ code: 101, data: encryptData }))
  assert.deepEqual(contentOf(bytes, KEY), { id: 'ID' })
  assert.deepEqual(contentOf(Buffer.from('{"code":101,"data":null}'), KEY), {})
})

test('a failure is in the body, and its text decides', () => {
  const failure = (content: unknown) =>
    failureOfData(new OutboundAnswer('vendor', 200, {}, Buffer.from(JSON.stringify(content))))
  for (const code of [0, 101, '200', 20_000]) assert.equal(failure({ code, msg: 'x' }), undefined)
  assert.equal(failure({ code: 7, msg: 'Success' }), undefined)
  assert.equal(failure([]), undefined)
  assert.deepEqual(failure({ code: 40101, msg: 'token is invalid' }), { kind: 'unauthorized' })
  assert.deepEqual(failure({ code: 50005, msg: 'please log in again' }), { kind: 'unauthorized' })
  assert.deepEqual(failure({ code: 500, msg: 'system busy' }), { kind: 'unavailable' })
  assert.deepEqual(failure({ code: 7, msg: 'parameter error' }), {
    kind: 'unexpected',
    status: 200,
  })
})
