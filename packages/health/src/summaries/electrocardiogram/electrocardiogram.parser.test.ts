import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParsedItem } from '../uploads/parsed-item.ts'
import { parseElectrocardiogram } from './electrocardiogram.parser.ts'

const IOS = { userId: '', provider: 'apple_health_kit', timeZone: 'Europe/Berlin', birthDate: null }

function stored(parsed: ParsedItem | string): ParsedItem {
  assert.ok(typeof parsed !== 'string', String(parsed))
  return parsed
}

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

test('an electrocardiogram that cannot be stored is quarantined with a reason', () => {
  assert.equal(parseElectrocardiogram(IOS, {}), 'not_an_object')
  assert.equal(ecg({ session_start: null }), 'invalid_start_date')
  assert.equal(ecg({ session_end: null }), 'invalid_end_date')
  assert.equal(ecg({}, 5), 'not_an_object')
  const data = { session_start_offset_millisecond: [0], lead1: [0.1] }
  assert.equal(ecg({}, { ...data, lead1: [1, 2] }), 'invalid_value')
  assert.equal(ecg({}, { ...data, lead1: ['1'] }), 'invalid_value')
  assert.equal(ecg({}, { ...data, session_start_offset_millisecond: ['0'] }), 'invalid_start_date')
})
