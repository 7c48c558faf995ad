import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseElectrocardiogram } from './electrocardiogram-parser.ts'
import { parseMenstrualCycle } from './menstrual-cycle-parser.ts'
import type { ParsedItem } from './parsed-item.ts'

const IOS = { userId: '', provider: 'apple_health_kit', timeZone: 'Europe/Berlin' }

function stored(parsed: ParsedItem | string): ParsedItem {
  assert.ok(typeof parsed !== 'string', String(parsed))
  return parsed
}

const CYCLE = {
  period_start: '2026-02-01',
  period_end: '2026-02-05',
  cycle_end: '2026-02-28',
  is_predicted: false,
  menstrual_flow: [{ date: '2026-02-01', flow: 'heavy' }],
  intermenstrual_bleeding: [{ date: '2026-02-14' }],
  sexual_activity: [{ date: '2026-02-10', protection_used: null }],
  basal_body_temperature: [{ date: '2026-02-02', value: 36.4 }],
  ovulation_test: [],
}

test('a cycle fills its columns, its lists as JSON', () => {
  const item = { source_bundle: 'com.apple.Health', cycle: CYCLE }
  const [summary] = stored(parseMenstrualCycle(IOS, item)).summaries
  const values = summary?.values as Record<string, unknown>
  assert.deepEqual(
    [values.period_start, values.period_end, values.cycle_end, values.is_predicted],
    ['2026-02-01', '2026-02-05', '2026-02-28', false],
  )
  assert.equal(values.menstrual_flow, '[{"date":"2026-02-01","flow":"heavy"}]')
  assert.equal(values.intermenstrual_bleeding, '[{"date":"2026-02-14"}]')
  assert.equal(values.sexual_activity, '[{"date":"2026-02-10","protection_used":null}]')
  assert.equal(values.basal_body_temperature, '[{"date":"2026-02-02","value":36.4}]')
  assert.equal(values.ovulation_test, '')
  assert.deepEqual(
    [summary?.recordId, summary?.calendarDate, summary?.appId, summary?.sourceType],
    ['2026-02-01', '2026-02-01', 'com.apple.Health', 'app'],
  )
  assert.deepEqual(
    [summary?.startedAt, summary?.endedAt, summary?.timezoneOffset],
    [Date.UTC(2026, 1, 1), Date.UTC(2026, 1, 28), null],
  )
})

test('a cycle in camel case with dates as date-times or with slashes is the same cycle', () => {
  const cycle = {
    periodStart: '2026/02/01',
    periodEnd: '2026-02-05T00:00:00Z',
    menstrualFlow: [{ date: '2026-02-01T12:00:00.123Z', flow: 'heavy' }],
    sexualActivity: [{ date: '2026-02-10', protectionUsed: true }],
  }
  const [summary] = stored(parseMenstrualCycle(IOS, { sourceBundle: 'app', cycle })).summaries
  const values = summary?.values as Record<string, unknown>
  assert.deepEqual([values.period_start, values.period_end], ['2026-02-01', '2026-02-05'])
  assert.equal(values.menstrual_flow, '[{"date":"2026-02-01","flow":"heavy"}]')
  assert.equal(values.sexual_activity, '[{"date":"2026-02-10","protection_used":true}]')
})

test('a wrong entry of a list is put aside alone', () => {
  const cycle = {
    ...CYCLE,
    cervical_mucus: [
      { date: '2026-02-01', quality: 'blue' },
      { date: 'today', quality: 'dry' },
      { date: '2026-02-03', quality: 'dry' },
      null,
    ],
  }
  const parsed = stored(parseMenstrualCycle(IOS, { cycle }))
  assert.deepEqual(
    parsed.putAside.map(({ resource, reason }) => [resource, reason]),
    [
      ['menstrual_cycle', 'invalid_field'],
      ['menstrual_cycle', 'invalid_date'],
      ['menstrual_cycle', 'invalid_date'],
    ],
  )
  const values = parsed.summaries[0]?.values as Record<string, unknown>
  assert.equal(values.cervical_mucus, '[{"date":"2026-02-03","quality":"dry"}]')
})

test('a cycle that cannot be stored is put aside with a reason', () => {
  assert.equal(parseMenstrualCycle(IOS, 5), 'not_an_object')
  assert.equal(parseMenstrualCycle(IOS, { cycle: [] }), 'not_an_object')
  assert.equal(parseMenstrualCycle(IOS, { cycle: {} }), 'invalid_date')
  assert.equal(parseMenstrualCycle(IOS, { cycle: { period_start: '1800-01-01' } }), 'invalid_date')
})

const RECORD = {
  id: 'ecg-1',
  session_start: '2026-02-10T08:00:00Z',
  session_end: '2026-02-10T08:00:30Z',
  voltage_sample_count: 3,
  heart_rate_mean: 61.6,
  sampling_frequency_hz: 512.5,
  classification: 'sinus_rhythm',
  inconclusive_cause: null,
  algorithm_version: '2',
  source_bundle: 'com.apple.NanoHeartRhythm',
  product_type: 'Watch6,1',
  device_model: 'Watch',
}

const ecg = (record: object = {}, voltage_data: unknown = null) =>
  parseElectrocardiogram(IOS, { electrocardiogram: { ...RECORD, ...record }, voltage_data })

test('an electrocardiogram has its record, and voltages of lead 1', () => {
  const parsed = stored(
    ecg({}, { session_start_offset_millisecond: [0, 2, 4], lead1: [0.1, null, -0.25] }),
  )
  const [summary] = parsed.summaries
  assert.deepEqual(summary?.values, {
    voltage_sample_count: 3,
    heart_rate_mean: 62,
    sampling_frequency_hz: 512.5,
    classification: 'sinus_rhythm',
    inconclusive_cause: null,
    algorithm_version: '2',
  })
  assert.deepEqual(
    [summary?.recordId, summary?.deviceModel, summary?.timeZone],
    ['ecg-1', 'Watch', 'Europe/Berlin'],
  )
  const start = Date.UTC(2026, 1, 10, 8)
  assert.deepEqual(
    parsed.samples.map(({ series, sampleType, startedAt, value, appId }) => [
      series,
      sampleType,
      startedAt - start,
      value,
      appId,
    ]),
    [
      ['electrocardiogram_voltage', 'lead_1', 0, 0.1, 'com.apple.NanoHeartRhythm'],
      ['electrocardiogram_voltage', 'lead_1', 4, -0.25, 'com.apple.NanoHeartRhythm'],
    ],
  )
})

test('voltages may be spelled with an underscore, and counted where the count is missing', () => {
  const data = { sessionStartOffsetMillisecond: [0, 2], lead_1: [0.1, 0.2] }
  const parsed = stored(ecg({ voltage_sample_count: null, classification: 'not_set' }, data))
  const values = parsed.summaries[0]?.values as Record<string, unknown>
  assert.deepEqual([values.voltage_sample_count, values.classification], [2, null])
})

test('an electrocardiogram that cannot be stored is put aside with a reason', () => {
  assert.equal(parseElectrocardiogram(IOS, {}), 'not_an_object')
  assert.equal(ecg({ session_start: null }), 'invalid_start_date')
  assert.equal(ecg({ session_end: null }), 'invalid_end_date')
  assert.equal(ecg({}, 5), 'not_an_object')
  const data = { session_start_offset_millisecond: [0], lead1: [0.1] }
  assert.equal(ecg({}, { ...data, lead1: [1, 2] }), 'invalid_value')
  assert.equal(ecg({}, { ...data, lead1: ['1'] }), 'invalid_value')
  assert.equal(ecg({}, { ...data, session_start_offset_millisecond: ['0'] }), 'invalid_start_date')
})
