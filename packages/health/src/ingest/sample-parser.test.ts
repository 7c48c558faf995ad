import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SeriesName, series } from '@salus/contracts/series'
import { DeviceCollector } from './device-parser.ts'
import type { Sample } from './sample.ts'
import { parseItem, QUARANTINE_REASONS } from './sample-parser.ts'

interface Context {
  provider?: string
  timeZone?: string | null
}

const START = '2026-03-10T08:00:00Z'
const STARTED_AT = Date.parse(START)

/** A valid item of the series with some fields changed. */
function item(name: SeriesName, change: object = {}): object {
  const { unit } = series(name)
  return { value: 30, unit, start_date: START, end_date: START, ...change }
}

function parse(name: SeriesName, value: unknown, context: Context = {}) {
  const { provider = 'manual', timeZone = null } = context
  return parseItem({ series: series(name), provider, timeZone }, value)
}

function parseOne(name: SeriesName, change: object = {}, context: Context = {}): Sample {
  const samples = parse(name, item(name, change), context)
  assert.ok(Array.isArray(samples), String(samples))
  assert.equal(samples.length, 1)
  return samples[0] as Sample
}

const bloodPressure = (change: object = {}) => ({
  systolic: { ...item('blood_pressure'), value: 120 },
  diastolic: { ...item('blood_pressure'), value: 80 },
  ...change,
})

const QUARANTINED: [reason: keyof typeof QUARANTINE_REASONS, name: SeriesName, item: unknown][] = [
  ['not_an_object', 'steps', 5],
  ['not_an_object', 'steps', null],
  ['not_an_object', 'steps', [item('steps')]],
  ['not_an_object', 'blood_pressure', { systolic: item('blood_pressure') }],
  ['not_an_object', 'blood_pressure', bloodPressure({ diastolic: 80 })],
  ['invalid_value', 'steps', item('steps', { value: '30' })],
  ['invalid_value', 'steps', item('steps', { value: null })],
  ['invalid_value', 'steps', item('steps', { value: Number.NaN })],
  ['invalid_value', 'note', item('note', { value: 30 })],
  ['unknown_unit', 'steps', item('steps', { unit: 'mi' })],
  ['unknown_unit', 'steps', item('steps', { unit: undefined })],
  ['unknown_unit', 'body_weight', item('body_weight', { unit: '' })],
  ['invalid_start_date', 'steps', item('steps', { start_date: undefined })],
  ['invalid_start_date', 'steps', item('steps', { start_date: STARTED_AT })],
  ['invalid_start_date', 'steps', item('steps', { start_date: '10/03/2026' })],
  ['invalid_start_date', 'steps', item('steps', { start_date: '2026-02-30T08:00:00Z' })],
  ['invalid_start_date', 'steps', item('steps', { start_date: '1899-12-31T23:59:59Z' })],
  ['invalid_start_date', 'steps', item('steps', { start_date: '2300-01-01T00:00:00Z' })],
  ['invalid_end_date', 'steps', item('steps', { end_date: 'later' })],
  ['invalid_end_date', 'steps', item('steps', { end_date: 5 })],
  ['invalid_end_date', 'steps', item('steps', { end_date: '2301-01-01T00:00:00Z' })],
  ['end_before_start', 'steps', item('steps', { end_date: '2026-03-10T07:59:59Z' })],
  ['out_of_range', 'steps', item('steps', { value: -1 })],
  ['out_of_range', 'heartrate', item('heartrate', { value: 9.99 })],
  ['out_of_range', 'heartrate', item('heartrate', { value: 350.01 })],
  ['out_of_range', 'hypnogram', item('hypnogram', { value: 0 })],
  ['out_of_range', 'hypnogram', item('hypnogram', { value: 1.5 })],
  ['out_of_range', 'water', item('water', { value: 1e308, unit: 'L' })],
  [
    'out_of_range',
    'blood_pressure',
    bloodPressure({ diastolic: item('blood_pressure', { value: 401 }) }),
  ],
  ['missing_type', 'cholesterol', item('cholesterol')],
  ['missing_type', 'heart_rate_alert', item('heart_rate_alert', { metadata: { type: '' } })],
  ['missing_type', 'stand_hour', item('stand_hour', { value: 2 })],
  ['unknown_type', 'glucose', item('glucose', { metadata: { type: 'guess' } })],
  ['unknown_type', 'heart_rate_alert', item('heart_rate_alert', { metadata: { type: 'calm' } })],
  ['unknown_source_type', 'steps', item('steps', { type: 'toaster' })],
  ['unknown_source_type', 'steps', item('steps', { type: 7 })],
  ['invalid_field', 'workout_duration', item('workout_duration', { metadata: { intensity: 'x' } })],
  ['invalid_field', 'note', item('note', { value: 'a', metadata: { tags: 'food,fun' } })],
  ['too_large', 'note', item('note', { value: 'ä'.repeat(32 * 1024 + 1) })],
]

for (const [index, [reason, name, value]] of QUARANTINED.entries()) {
  test(`an item of ${name} is quarantined for ${reason} (case ${index + 1})`, () => {
    assert.equal(parse(name, value), reason)
  })
}

test('every reason but those of imports and of summaries has a case above', () => {
  const tried = new Set(QUARANTINED.map(([reason]) => reason))
  const missing = Object.keys(QUARANTINE_REASONS).filter((reason) => !tried.has(reason as never))
  assert.deepEqual(missing, ['unpaired', 'invalid_date'])
})

test('the type of a sample is taken from `type` too, where its neighbours have that of the source', () => {
  const cases: [series: SeriesName, type: string][] = [
    ['cholesterol', 'cholesterol/ldl'],
    ['igg', 'dairy'],
    ['insulin_injection', 'rapid_acting'],
  ]
  for (const [name, type] of cases) {
    const said = parseOne(name, { type })
    assert.deepEqual([said.sampleType, said.sourceType], [type, 'unknown'], name)
    const both = parseOne(name, { type: 'scale', metadata: { type } })
    assert.deepEqual([both.sampleType, both.sourceType], [type, 'scale'], name)
  }
  assert.equal(parse('cholesterol', item('cholesterol', { type: 'ldl' })), 'unknown_type')
  assert.equal(parse('cholesterol', item('cholesterol', { type: 'scale' })), 'missing_type')
})

test('an object that cannot be a text is quarantined, or no device, and never an error', () => {
  const odd = { toString: 1, valueOf: 1 }
  assert.equal(parse('stand_hour', item('stand_hour', { value: odd })), 'missing_type')
  const metadata = { sensor_location: odd }
  const temperature = item('body_temperature', { metadata })
  assert.equal(parse('body_temperature', temperature), 'invalid_field')
  const devices = new DeviceCollector()
  devices.add('manual', 'unknown', { product_type: odd, metadata: { _DMO: odd } })
  assert.equal(devices.devices.size, 0)
})

test('both ends of a range belong to it', () => {
  assert.equal(parseOne('heartrate', { value: 10 }).value, 10)
  assert.equal(parseOne('heartrate', { value: 350 }).value, 350)
  assert.equal(parseOne('hypnogram', { value: -1 }).value, -1)
})

test('an interval keeps its end, a point ends where it starts, and a missing end is a point', () => {
  const end = '2026-03-10T08:05:00Z'
  assert.equal(parseOne('steps', { end_date: end }).endedAt, Date.parse(end))
  assert.equal(parseOne('heartrate', { end_date: end }).endedAt, STARTED_AT)
  assert.equal(parseOne('steps', { end_date: undefined }).endedAt, STARTED_AT)
  assert.equal(parseOne('steps', { end_date: null }).endedAt, STARTED_AT)
})

test('kJ of Android are kilocalories, kJ of HealthKit are kilojoules', () => {
  const energy = { value: 418.4, unit: 'kJ' }
  for (const provider of ['health_connect', 'samsung_health']) {
    assert.equal(parseOne('calories_active', energy, { provider }).value, 418.4)
    assert.equal(parseOne('calories_basal', energy, { provider }).value, 418.4)
  }
  for (const provider of ['apple_health_kit', 'manual']) {
    assert.ok(Math.abs(parseOne('calories_active', energy, { provider }).value - 100) < 1e-9)
  }
})

const SOURCES: [said: object, provider: string, expected: string][] = [
  [{ source_bundle: 'com.apple.Health' }, 'apple_health_kit', 'app'],
  [
    { source_bundle: 'com.apple.health.123', product_type: 'Watch6,1' },
    'apple_health_kit',
    'watch',
  ],
  [
    { source_bundle: 'com.apple.health.1', product_type: 'iPhone14,5' },
    'apple_health_kit',
    'phone',
  ],
  [{ source_bundle: 'com.apple.health.1', product_type: 'iPad8,1' }, 'apple_health_kit', 'unknown'],
  [{ source_bundle: 'com.apple.health.1' }, 'apple_health_kit', 'unknown'],
  [
    { source_bundle: 'com.garmin.connect', product_type: 'Watch6,1' },
    'apple_health_kit',
    'unknown',
  ],
  [{}, 'apple_health_kit', 'unknown'],
  [{ source_bundle: 'com.apple.Health' }, 'health_connect', 'unknown'],
  [{ type: 'ring', source_bundle: 'com.apple.Health' }, 'apple_health_kit', 'ring'],
  [{ type: 'multiple_sources' }, 'apple_health_kit', 'multiple_sources'],
  [{ type: null, metadata: { HKWasUserEntered: '1' } }, 'apple_health_kit', 'app'],
  [{ type: 'watch', metadata: { HKWasUserEntered: '1' } }, 'apple_health_kit', 'watch'],
  [{ metadata: { HKWasUserEntered: '0' } }, 'apple_health_kit', 'unknown'],
  [{ metadata: { _DTY: 'scale' } }, 'health_connect', 'scale'],
  [{ metadata: { _DTY: 'fridge' } }, 'health_connect', 'unknown'],
]

for (const [said, provider, expected] of SOURCES) {
  test(`${JSON.stringify(said)} from ${provider} is of source type ${expected}`, () => {
    assert.equal(parseOne('steps', said, { provider }).sourceType, expected)
  })
}

test('a blood pressure with a pulse makes a second sample, of the heart rate', () => {
  const pulse = item('heartrate', { value: 64, start_date: '2026-03-10T07:59:55Z', type: 'cuff' })
  const samples = parse('blood_pressure', bloodPressure({ pulse })) as Sample[]
  assert.deepEqual(
    samples.map(({ series: name, value, diastolic }) => [name, value, diastolic]),
    [
      ['blood_pressure', 120, 80],
      ['heartrate', 64, 0],
    ],
  )
  assert.equal(samples[1]?.sourceType, 'cuff')
  assert.equal((parse('blood_pressure', bloodPressure({ pulse: null })) as Sample[]).length, 1)
  const wild = bloodPressure({ pulse: { ...pulse, value: 999 } })
  assert.equal(parse('blood_pressure', wild), 'out_of_range')
})

test('a stand hour is stored as one with the meaning of its code', () => {
  const stood = parseOne('stand_hour', { value: 0 })
  const idle = parseOne('stand_hour', { value: 1 })
  assert.deepEqual([stood.value, stood.sampleType], [1, 'stood'])
  assert.deepEqual([idle.value, idle.sampleType], [1, 'idle'])
  const said = parseOne('stand_hour', { value: 1, metadata: { type: 'stood' } })
  assert.equal(said.sampleType, 'stood')
})

test('an alert is stored as one whatever it counts, with its type from the metadata', () => {
  for (const type of ['low_heart_rate', 'high_heart_rate', 'irregular_rhythm']) {
    const alert = parseOne('heart_rate_alert', { value: 42, metadata: { type } })
    assert.deepEqual([alert.value, alert.sampleType], [1, type])
  }
})

test('a breathing disturbance takes its type from the category, and may have none', () => {
  const elevated = { metadata: { category: 'elevated' } }
  assert.equal(parseOne('sleep_breathing_disturbance', elevated).sampleType, 'elevated')
  assert.equal(parseOne('sleep_breathing_disturbance').sampleType, '')
})

test('a distance in wheelchair mode carries its sport', () => {
  const wheelchair = { metadata: { wheelchair: '1' } }
  assert.equal(parseOne('distance', wheelchair).sport, 'wheelchair_pushing')
  assert.equal(parseOne('distance').sport, '')
  assert.equal(parseOne('wheelchair_push', wheelchair).sport, '')
})

test('triglycerides and other lipids convert by their own molar mass', () => {
  const lipid = (type: string) =>
    parseOne('cholesterol', { value: 100, unit: 'mg/dL', metadata: { type } }).value
  assert.ok(Math.abs(lipid('cholesterol/ldl') - 2.5859839669) < 1e-9)
  assert.ok(Math.abs(lipid('cholesterol/triglycerides') - 1.12905046856) < 1e-9)
})

test('heart rate variability of HealthKit is marked as SDNN, of others only when they say so', () => {
  assert.equal(parseOne('hrv', {}, { provider: 'apple_health_kit' }).extra, '{"method":"sdnn"}')
  assert.equal(parseOne('hrv', {}, { provider: 'health_connect' }).extra, '')
  const said = { metadata: { method: 'rmssd' } }
  assert.equal(parseOne('hrv', said, { provider: 'health_connect' }).extra, '{"method":"rmssd"}')
})

test('further fields come from the metadata, lists as text with commas or as a list', () => {
  const dose = { type: 'rapid_acting', delivery_mode: 'bolus', bolus_purpose: 'meal' }
  const injection = parseOne('insulin_injection', { metadata: dose })
  assert.deepEqual(JSON.parse(injection.extra), { delivery_mode: 'bolus', bolus_purpose: 'meal' })
  for (const tags of ['food,exercise', ['food', 'exercise']]) {
    const note = parseOne('note', { value: 'Lunch', metadata: { tags } })
    assert.deepEqual(JSON.parse(note.extra), { tags: ['food', 'exercise'] })
    assert.deepEqual([note.value, note.text], [0, 'Lunch'])
  }
})

test('half a surrogate pair is replaced as the store would replace it', () => {
  const note = parseOne('note', { value: 'a\ud800', source_bundle: '\udc00b' })
  assert.deepEqual([note.text, note.appId], ['a\ufffd', '\ufffdb'])
})

const vienna = { timeZone: 'Europe/Vienna' }

test('the offset is the one in the date, else that of the record, else that of the device', () => {
  const explicit = { start_date: '2026-03-10T08:00:00-05:00', end_date: null }
  assert.equal(parseOne('steps', explicit, vienna).timezoneOffset, -5 * 3600)
  const ofRecord = { metadata: { HKTimeZone: 'Asia/Kolkata' } }
  assert.equal(parseOne('steps', ofRecord, vienna).timezoneOffset, 5.5 * 3600)
  assert.equal(parseOne('steps', ofRecord, vienna).timeZone, 'Asia/Kolkata')
  assert.equal(parseOne('steps', {}, vienna).timezoneOffset, 3600)
  assert.equal(parseOne('steps').timezoneOffset, null)
  assert.equal(parseOne('steps').timeZone, '')
})

test('a zone that does not exist gives way to the one of the device', () => {
  const misspelled = { metadata: { HKTimeZone: 'Europe/Vieenna' } }
  const sample = parseOne('steps', misspelled, vienna)
  assert.deepEqual([sample.timeZone, sample.timezoneOffset], ['Europe/Vienna', 3600])
  assert.equal(parseOne('steps', misspelled).timezoneOffset, null)
})

test('an offset of zero is an offset like any other, and Z says nothing of where the person was', () => {
  const offsetOf = (zone: string, context = {}) =>
    parseOne('steps', { start_date: `2026-03-10T08:00:00${zone}` }, context).timezoneOffset
  for (const zone of ['+00:00', '+0000', '+00']) {
    assert.deepEqual([offsetOf(zone), offsetOf(zone, vienna)], [0, 0], zone)
  }
  for (const zone of ['Z', 'z', '', '-00:00']) {
    assert.deepEqual([offsetOf(zone), offsetOf(zone, vienna)], [null, 3600], zone)
  }
})

test('the offset changes at the very second of a change to or from summer time', () => {
  const offsetAt = (start_date: string) =>
    parseOne('steps', { start_date, end_date: null }, vienna).timezoneOffset
  assert.equal(offsetAt('2026-03-29T00:59:59Z'), 3600)
  assert.equal(offsetAt('2026-03-29T01:00:00Z'), 7200)
  assert.equal(offsetAt('2026-10-25T00:59:59Z'), 7200)
  assert.equal(offsetAt('2026-10-25T01:00:00Z'), 3600)
})

test('dates of both mobile clients are read: Z, fractions, offsets without a colon', () => {
  const at = (start_date: string) => parseOne('steps', { start_date, end_date: null }).startedAt
  assert.equal(at('2026-03-10T08:00:00.123Z'), STARTED_AT + 123)
  assert.equal(at('2026-03-10T08:00:00.123456789Z'), STARTED_AT + 123)
  assert.equal(at('2026-03-10T09:00:00+0100'), STARTED_AT)
  assert.equal(at('2026-03-10 08:00:00'), STARTED_AT)
})
