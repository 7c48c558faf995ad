import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import type { Collection } from '../connector.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { DEXCOM_V3 } from './dexcom.connector.ts'

/** Payloads are constructed in the form of the vendor's documentation, with invented values. */

const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 11, 8, 30, 0, 500) }
const REQUEST = { range: RANGE, cursor: null, context: NO_CONTEXT }
const READING = {
  recordId: 'a1',
  systemTime: '2026-02-10T08:00:00Z',
  displayTime: '2026-02-10T00:00:00-08:00',
  transmitterId: 't1',
  transmitterTicks: 100,
  value: 126,
  unit: 'mg/dL',
  trend: 'flat',
  trendRate: 0,
  status: null,
  rateUnit: 'mg/dL/min',
  displayDevice: 'iOS',
  displayApp: 'G7',
  transmitterGeneration: 'g7',
}
const EVENT = {
  recordId: 'e1',
  systemTime: '2026-02-10T12:00:00Z',
  displayTime: '2026-02-10T13:00:00+01:00',
  eventStatus: 'created',
  eventType: 'carbs',
  eventSubType: null,
  value: '45',
  unit: 'grams',
}

const collectionOf = (name: string) =>
  DEXCOM_V3.collections.find((one) => one.name === name) as Collection

function map(name: string, records: readonly unknown[], details: readonly unknown[] = []) {
  const data = new PageData({ userId: 'u', provider: 'dexcom_v3' })
  const page = { recordType: 'x', recordVersion: '3.0', userId: 'p', records }
  collectionOf(name).map(page, data, details, REQUEST)
  const samples = data.samples.map(({ series, startedAt, timezoneOffset, value, sampleType }) => [
    series,
    new Date(startedAt).toISOString(),
    timezoneOffset,
    Number(value.toFixed(3)),
    sampleType,
  ])
  const reasons = data.quarantined.map(({ resource, reason }) => [resource, reason])
  return { data, samples, reasons }
}

test('a range is requested in whole seconds of UTC, which contain it', () => {
  const query = { startDate: '2026-02-01T00:00:00', endDate: '2026-02-11T08:30:01' }
  assert.deepEqual(collectionOf('egvs').page(RANGE, null, NO_CONTEXT), {
    path: '/v3/users/self/egvs',
    query,
  })
  assert.deepEqual(collectionOf('egvs').details?.({}, REQUEST), [
    { path: '/v3/users/self/calibrations', query },
    { path: '/v3/users/self/events', query },
  ])
})

test('a reading has the instant of systemTime and the offset that displayTime says', () => {
  const times = [
    [{}, '2026-02-10T08:00:00.000Z', -28_800],
    [{ displayTime: '2026-02-10T08:00:00Z' }, '2026-02-10T08:00:00.000Z', null],
    [{ displayTime: undefined }, '2026-02-10T08:00:00.000Z', null],
    // A receiver, whose clock is wrong.
    [
      { systemTime: '2026-02-10T08:00:00', displayTime: '2026-02-09T23:17:00' },
      '2026-02-10T08:00:00.000Z',
      null,
    ],
    [{ systemTime: '2026-02-10T09:00:00+01:00' }, '2026-02-10T08:00:00.000Z', -28_800],
  ] as const
  for (const [change, at, offset] of times) {
    const { samples } = map('egvs', [{ ...READING, ...change }])
    assert.deepEqual(samples, [['glucose', at, offset, 6.993, 'automatic']])
  }
})

test('readings are converted, and what a sensor could not measure is no value', () => {
  const value = (change: object) => {
    const { samples, reasons } = map('egvs', [{ ...READING, ...change }])
    return samples[0]?.[3] ?? reasons[0]?.[1]
  }
  assert.equal(value({ value: 40 }), 2.22)
  assert.equal(value({ value: 400, status: 'ok' }), 22.2)
  assert.equal(value({ value: 6.4, unit: 'mmol/L' }), 6.4)
  assert.equal(value({ value: 2.2, unit: 'mmol/L' }), 2.2)
  assert.equal(value({ value: null }), undefined)
  assert.equal(value({ value: 138, status: 'high' }), 7.659)
  for (const change of [
    { value: 39 },
    { value: 401 },
    { value: 0 },
    { value: 39, status: 'low' },
    { value: 401, status: 'high' },
    { value: 2.2, unit: 'mmol/L', status: 'low' },
    { value: 22.3, unit: 'mmol/L' },
    { value: 40, status: 'low' },
    { value: 400, status: 'high' },
  ]) {
    assert.equal(value(change), 'out_of_range', JSON.stringify(change))
  }
  for (const unit of ['unknown', null, undefined]) assert.equal(value({ unit }), 'unknown_unit')
  for (const wrong of ['126', {}, undefined]) assert.equal(value({ value: wrong }), 'invalid_value')
  assert.equal(value({ systemTime: 'now' }), 'invalid_start_date')
  assert.equal(value({ trend: 'sideways', status: 'fresh', more: 1 }), 6.993)
})

test('a reading that a phone and a receiver uploaded is stored once, that of the phone', () => {
  const receiver = {
    ...READING,
    recordId: 'a0',
    systemTime: '2026-02-10T08:00:07',
    displayTime: '2026-02-10T01:02:00',
    displayDevice: 'receiver',
  }
  const expected = [['glucose', '2026-02-10T08:00:00.000Z', -28_800, 6.993, 'automatic']]
  assert.deepEqual(map('egvs', [receiver, READING]).samples, expected)
  assert.deepEqual(map('egvs', [READING, receiver]).samples, expected)
  const next = { ...READING, recordId: 'a2', transmitterTicks: 400 }
  assert.equal(
    map('egvs', [{ ...next, systemTime: '2026-02-10T08:05:00Z' }, READING]).samples.length,
    2,
  )
})

test('a reading that cannot be read does not replace one of the same instant', () => {
  const receiver = { ...READING, transmitterTicks: 90, displayDevice: 'receiver' }
  const { samples, reasons } = map('egvs', [{ ...READING, unit: 'unknown' }, receiver])
  assert.deepEqual([samples.length, reasons], [1, [['glucose', 'unknown_unit']]])
})

test('readings of one device stay apart, also with the same tick', () => {
  const later = { ...READING, recordId: 'a2', systemTime: '2026-02-10T08:05:00Z' }
  for (const transmitterTicks of [0, 100]) {
    const records = [READING, later].map((one) => ({ ...one, transmitterTicks }))
    assert.equal(map('egvs', records).samples.length, 2)
  }
  // A tick of 0 is none, so that it does not connect two devices.
  const [phone, receiver] = [READING, { ...later, displayDevice: 'receiver' }]
  const none = [phone, receiver].map((one) => ({ ...one, transmitterTicks: 0 }))
  assert.equal(map('egvs', none).samples.length, 2)
  assert.equal(map('egvs', [phone, receiver]).samples.length, 1)
})

test('values of a meter are fingerpricks, in calibrations and in events', () => {
  const calibration = { ...READING, recordId: 'c', value: 108, transmitterTicks: 7 }
  const meter = { ...EVENT, recordId: 'm', eventType: 'bloodGlucose', value: '90', unit: 'mg/dL' }
  const ofMeter = ['glucose', '2026-02-10T12:00:00.000Z', 3600, 4.995, 'fingerprick']
  const ofCalibration = ['glucose', '2026-02-10T08:00:00.000Z', -28_800, 5.994, 'fingerprick']
  assert.deepEqual(map('calibrations', [calibration]).samples, [ofCalibration])
  assert.deepEqual(map('events', [meter]).samples, [ofMeter])
  // A page of readings is complete with both.
  const details = [{ records: [calibration] }, { records: [meter, EVENT] }]
  const { samples, data } = map('egvs', [READING], details)
  assert.deepEqual(samples.slice(1), [ofCalibration, ofMeter])
  assert.deepEqual(
    data.samples.map(({ sourceType }) => sourceType),
    ['automatic', 'fingerprick', 'fingerprick'],
  )
})

test('events are the diary of the person', () => {
  const events = [
    EVENT,
    {
      recordId: 'i1',
      eventType: 'insulin',
      eventSubType: 'fastActing',
      value: '5.5',
      unit: 'units',
    },
    {
      recordId: 'i2',
      eventType: 'insulin',
      eventSubType: 'longActing',
      value: '12',
      unit: 'units',
    },
    { recordId: 'x1', eventType: 'exercise', eventSubType: 'heavy', value: '30', unit: 'minutes' },
    { recordId: 'x2', eventType: 'exercise', eventSubType: null, value: null, unit: null },
    {
      recordId: 'h1',
      eventType: 'health',
      eventSubType: 'lowSymptoms',
      value: null,
      unit: 'unknown',
    },
    { recordId: 'n1', eventType: 'notes', eventSubType: null, value: 'Ate out', unit: 'unknown' },
  ].map((event, index) => ({ ...EVENT, ...event, systemTime: `2026-02-10T12:0${index}:00Z` }))
  const { data, reasons } = map('events', events.toReversed())
  assert.deepEqual(reasons, [])
  const found = data.samples.map((one) => [
    one.series,
    new Date(one.startedAt).getUTCMinutes(),
    one.timezoneOffset,
    one.text || one.value,
    one.sampleType || one.extra,
    one.sourceType,
  ])
  assert.deepEqual(
    found.sort((a, b) => Number(a[1]) - Number(b[1])),
    [
      ['carbohydrates', 0, 3600, 45, '', 'app'],
      ['insulin_injection', 1, 3600, 5.5, 'rapid_acting', 'app'],
      ['insulin_injection', 2, 3600, 12, 'long_acting', 'app'],
      ['note', 3, 3600, 'Heavy exercise, 30 minutes', '{"tags":["exercise"]}', 'app'],
      ['note', 4, 3600, 'Exercise', '{"tags":["exercise"]}', 'app'],
      ['note', 5, 3600, 'Symptoms of low glucose', '{"tags":["unspecified"]}', 'app'],
      ['note', 6, 3600, 'Ate out', '{"tags":["unspecified"]}', 'app'],
    ],
  )
})

test('the last version of an event counts, and a deleted one is none', () => {
  const updated = { ...EVENT, eventStatus: 'updated', value: '30' }
  const deleted = { ...EVENT, recordId: 'e2', eventStatus: 'deleted' }
  const { samples, reasons } = map('events', [
    updated,
    EVENT,
    deleted,
    { ...EVENT, recordId: 'e2' },
  ])
  assert.deepEqual(samples, [['carbohydrates', '2026-02-10T12:00:00.000Z', 3600, 30, '']])
  assert.deepEqual(reasons, [])
  const { completes } = collectionOf('events')
  assert.deepEqual(completes, { series: ['carbohydrates', 'insulin_injection', 'note'] })
})

test('two entries of a minute stay apart, at the same instants in any order', () => {
  const other = { ...EVENT, recordId: 'e0', value: '10' }
  const instants = (records: readonly unknown[]) =>
    map('events', records).data.samples.map(({ startedAt, value }) => [startedAt % 1000, value])
  assert.deepEqual(instants([EVENT, other]), [
    [0, 10],
    [1, 45],
  ])
  assert.deepEqual(instants([other, EVENT]), instants([EVENT, other]))
})

test('an event that cannot be read is quarantined with its reason, and fails no other', () => {
  const cases = [
    [{ eventType: 'sauna' }, 'note', 'unknown_type'],
    [{ eventStatus: 'archived' }, 'carbohydrates', 'invalid_field'],
    [{ value: 'many' }, 'carbohydrates', 'invalid_value'],
    [{ value: '' }, 'carbohydrates', 'invalid_value'],
    [{ unit: 'unknown' }, 'carbohydrates', 'unknown_unit'],
    [{ eventType: 'insulin', unit: 'units' }, 'insulin_injection', 'missing_type'],
    [
      { eventType: 'insulin', unit: 'units', eventSubType: 'slow' },
      'insulin_injection',
      'unknown_type',
    ],
    [{ eventType: 'health', eventSubType: 'joy' }, 'note', 'unknown_type'],
    [
      { eventType: 'exercise', eventSubType: 'light', unit: 'minutes', value: 'x' },
      'note',
      'invalid_value',
    ],
    [{ eventType: 'notes', value: null }, 'note', 'invalid_value'],
    [{ eventType: 'bloodGlucose', unit: 'mg/dL', value: '0' }, 'glucose', 'out_of_range'],
    [{ systemTime: null }, 'carbohydrates', 'invalid_start_date'],
  ] as const
  for (const [change, resource, reason] of cases) {
    const { samples, reasons } = map('events', [{ ...EVENT, recordId: 'w', ...change }, EVENT, 7])
    assert.equal(samples.length, 1, reason)
    assert.deepEqual(
      reasons.toSorted(),
      [
        ['note', 'not_an_object'],
        [resource, reason],
      ].toSorted(),
    )
  }
  for (const page of [null, {}, { records: {} }]) {
    const data = new PageData({ userId: 'u', provider: 'dexcom_v3' })
    assert.throws(() => collectionOf('events').map(page, data, [], REQUEST), VendorError)
  }
})

test('a person is known by the id of the answers', async () => {
  const { auth } = DEXCOM_V3
  assert.ok(auth.kind === 'oauth')
  const tokens = { accessToken: 'a', refreshToken: 'r', expiresAt: null }
  assert.equal(await auth.identify(async () => ({ userId: 'p1' }), tokens), 'p1')
  await assert.rejects(
    auth.identify(async () => ({}), tokens),
    VendorError,
  )
  assert.deepEqual(Object.keys(auth.regions ?? {}), ['us', 'eu', 'jp'])
})
