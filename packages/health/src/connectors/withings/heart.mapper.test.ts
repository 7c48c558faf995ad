import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSummary } from '../../../../server/test/connectors/assert-summary.ts'
import {
  WITHINGS_ECG,
  WITHINGS_SIGNAL,
} from '../../../../server/test/connectors/pages/withings.pages.ts'
import { PageData } from '../page-data.ts'
import { heartDetails, mapHeart } from './heart.mapper.ts'

/** The payloads are constructed from the documentation, with invented values. */

const AT = 1_770_700_000_000
const answer = (body: object) => ({ status: 0, body })

function map(series: readonly unknown[], details: readonly unknown[] = []): PageData {
  const data = new PageData({ userId: 'u', provider: 'withings' })
  mapHeart(answer({ series, more: false }), data, details)
  return data
}

test('a recording lasts as long as its signal, which is in millivolts', () => {
  const data = map([WITHINGS_ECG], [answer(WITHINGS_SIGNAL)])
  assert.deepEqual(data.quarantined, [])
  const [recording] = data.summaries
  assert.ok(recording !== undefined)
  const { startedAt, endedAt, timezoneOffset, timeZone, recordId, sourceType, values } = recording
  assert.deepEqual(
    [startedAt, endedAt, timezoneOffset, timeZone, recordId, sourceType],
    [AT, AT + 100, 19_800, 'Asia/Kolkata', '550001', 'watch'],
  )
  assert.deepEqual(values, {
    voltage_sample_count: 50,
    heart_rate_mean: 88,
    sampling_frequency_hz: 500,
    classification: 'atrial_fibrillation',
    inconclusive_cause: null,
    algorithm_version: null,
  })
  const [alert, ...voltages] = data.samples
  assert.deepEqual(
    [alert?.series, alert?.startedAt, alert?.value, alert?.sampleType],
    ['heart_rate_alert', AT, 1, 'irregular_rhythm'],
  )
  assert.equal(voltages.length, 50)
  assert.deepEqual(
    voltages
      .slice(0, 3)
      .map(({ series, startedAt, value, sampleType }) => [series, startedAt, value, sampleType]),
    [
      ['electrocardiogram_voltage', AT, -0.5, 'lead_1'],
      ['electrocardiogram_voltage', AT + 2, -0.48, 'lead_1'],
      ['electrocardiogram_voltage', AT + 4, -0.46, 'lead_1'],
    ],
  )
})

test('results are classes; only atrial fibrillation is an alert', () => {
  for (const [afib, classification, cause] of [
    [0, 'sinus_rhythm', null],
    [1, 'atrial_fibrillation', null],
    [2, 'inconclusive', null],
    [5, 'inconclusive', 'poor_reading'],
    [6, 'inconclusive', 'low_heart_rate'],
    [7, 'inconclusive', 'high_heart_rate'],
    [12, 'atrial_fibrillation', null],
    [99, null, null],
    ['constructor', null, null],
    [null, null, null],
  ] as const) {
    const data = map([{ ...WITHINGS_ECG, ecg: { signalid: 1, afib } }])
    const [recording] = data.summaries
    assertSummary(recording, 'electrocardiogram')
    const { values } = recording
    assert.deepEqual([values.classification, values.inconclusive_cause], [classification, cause])
    assert.equal(data.samples.length, classification === 'atrial_fibrillation' ? 1 : 0)
  }
})

test('a recording is stored without its signal; a pressure without one is elsewhere', () => {
  const pressure = {
    model: 44,
    bloodpressure: { diastole: 80, systole: 120 },
    heart_rate: 60,
    timestamp: 1_770_700_000,
  }
  const page = [pressure, WITHINGS_ECG, { ...pressure, ecg: { signalid: 7, afib: 0 } }, 7]
  assert.deepEqual(
    heartDetails(answer({ series: page })).map((wanted) => 'form' in wanted && wanted.form),
    [
      { action: 'get', signalid: '550001' },
      { action: 'get', signalid: '7' },
    ],
  )
  const { summaries, quarantined, samples } = map(page, [undefined, answer(WITHINGS_SIGNAL)])
  assert.deepEqual(
    summaries.map(({ recordId, sourceType, startedAt, endedAt }) => [
      recordId,
      sourceType,
      endedAt - startedAt,
    ]),
    [
      ['550001', 'watch', 0],
      ['7', 'cuff', 100],
    ],
  )
  assert.equal(samples.length, 51)
  assert.deepEqual(
    quarantined.map(({ resource, reason }) => [resource, reason]),
    [['electrocardiogram', 'not_an_object']],
  )
})

test('wrong recordings and voltages are quarantined', () => {
  for (const [change, signal, reason] of [
    [{ timestamp: null }, {}, 'invalid_start_date'],
    [{ heart_rate: 900 }, {}, 'out_of_range'],
    [{}, { sampling_frequency: '500' }, 'invalid_value'],
  ] as const) {
    const data = map([{ ...WITHINGS_ECG, ...change }], [answer({ ...WITHINGS_SIGNAL, ...signal })])
    assert.deepEqual([data.summaries, data.samples], [[], []])
    assert.deepEqual(
      data.quarantined.map((item) => item.reason),
      [reason],
    )
  }
  const signal = [10, null, 'x', 40]
  const { samples, quarantined } = map(
    [{ ...WITHINGS_ECG, ecg: { signalid: 1, afib: 0 } }],
    [answer({ ...WITHINGS_SIGNAL, signal })],
  )
  assert.deepEqual(
    samples.map(({ startedAt, value }) => [startedAt - AT, value]),
    [
      [0, 0.01],
      [6, 0.04],
    ],
  )
  assert.deepEqual(
    quarantined.map(({ resource, reason }) => [resource, reason]),
    [['electrocardiogram_voltage', 'invalid_value']],
  )
})
