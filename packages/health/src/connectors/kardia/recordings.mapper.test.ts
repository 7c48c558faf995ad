import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KARDIA_RECORDING } from '../../../../server/test/connectors/pages/kardia.pages.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { detailsOf, mapRecordings, oldestOf } from './recordings.mapper.ts'

const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 8) }
const REQUEST = {
  range: RANGE,
  cursor: null,
  context: { extra: {}, now: RANGE.to, app: undefined },
}
const START = Date.UTC(2026, 1, 3, 2, 45, 30)
const { data: VOLTAGES, ...PLAIN } = KARDIA_RECORDING

function map(records: readonly unknown[], ...details: unknown[]): PageData {
  const data = new PageData({ userId: 'u', provider: 'kardia' })
  mapRecordings({ data: records }, data, details, REQUEST)
  return data
}

const voltagesOf = ({ samples }: PageData) =>
  samples
    .filter(({ series }) => series === 'electrocardiogram_voltage')
    .map(({ sampleType, startedAt, value }) => [sampleType, startedAt - START, value])

const refused = ({ quarantined }: PageData) =>
  quarantined.map(({ resource, reason }) => [resource, reason])

test('a recording has its voltages in millivolts, as the device recorded them', () => {
  const data = map([KARDIA_RECORDING])
  const [summary] = data.summaries
  assert.deepEqual(summary?.values, {
    voltage_sample_count: 3,
    heart_rate_mean: 88,
    sampling_frequency_hz: 300,
    classification: 'atrial_fibrillation',
    inconclusive_cause: null,
    algorithm_version: null,
  })
  assert.deepEqual(
    [summary?.recordId, summary?.startedAt, summary?.endedAt, summary?.timezoneOffset],
    [KARDIA_RECORDING.id, START, START + 30_000, 19_800],
  )
  assert.equal(summary?.deviceModel, 'kardia_6l')
  assert.deepEqual(summary?.raw, PLAIN)
  assert.deepEqual(voltagesOf(data), [
    ['lead_1', 0, 0.05],
    ['lead_1', 3, -0.1],
    ['lead_1', 7, 0],
    ['lead_2', 0, 2],
    ['lead_2', 3, 0.01],
    ['lead_2', 7, 0.001],
    ['lead_avr', 0, -1.025],
    ['lead_avr', 3, 0.045],
    ['lead_avr', 7, -0.0005],
  ])
  const others = data.samples.filter(({ series }) => series !== 'electrocardiogram_voltage')
  assert.deepEqual(
    others.map(({ series, value, sampleType, startedAt }) => [
      series,
      value,
      sampleType,
      startedAt,
    ]),
    [
      ['heart_rate_alert', 1, 'irregular_rhythm', START],
      ['heartrate', 88, '', START],
    ],
  )
  assert.deepEqual(data.quarantined, [])
})

test('findings are the classes of an electrocardiogram', () => {
  for (const [found, classification, cause] of [
    ['normal', 'sinus_rhythm', null],
    ['sinus_rhythm_pvc', 'sinus_rhythm', null],
    ['bradycardia', 'inconclusive', 'low_heart_rate'],
    ['tachycardia', 'inconclusive', 'high_heart_rate'],
    ['unreadable', 'inconclusive', 'poor_reading'],
    ['unclassified', 'inconclusive', null],
    ['no_analysis', null, null],
    ['constructor', null, null],
    [null, null, null],
  ] as const) {
    const data = map([{ ...PLAIN, algorithmDetermination: found, heartRate: 0 }])
    const values = data.summaries[0]?.values as Record<string, unknown>
    assert.deepEqual([values.classification, values.inconclusive_cause], [classification, cause])
    assert.deepEqual([values.heart_rate_mean, data.samples], [null, []])
  }
})

test('voltages of a list are a further request, for the recordings of the range', () => {
  const old = { ...PLAIN, id: 'old', recordedAt: '2026-01-20T08:00:00Z' }
  const page = { data: [KARDIA_RECORDING, { ...PLAIN, id: 'a/b' }, PLAIN, old, 7] }
  assert.deepEqual(
    detailsOf(page, REQUEST).map((request) => 'path' in request && request.path),
    ['/v1/recordings/a%2Fb', `/v1/recordings/${PLAIN.id}`],
  )
  assert.equal(oldestOf(page), Date.UTC(2026, 0, 20, 8))
  assert.equal(oldestOf({ data: [] }), null)
  assert.throws(() => oldestOf({}), VendorError)
  // The first of the two is missing.
  const data = map([{ ...PLAIN, id: 'a' }, PLAIN, old], undefined, KARDIA_RECORDING)
  assert.deepEqual(
    data.summaries.map(
      ({ values }) => (values as { voltage_sample_count: number }).voltage_sample_count,
    ),
    [0, 3],
  )
})

test('old answers have leads by other names, and do not say how much a count is', () => {
  const samples = { lead_I: [100, null, 200] }
  const old = { ...PLAIN, data: { frequency: 300, mains_freq: 50, samples } }
  assert.deepEqual(refused(map([old])), [['electrocardiogram_voltage', 'unknown_unit']])
  const known = { ...old, data: { ...old.data, amplitudeResolution: 500 } }
  assert.deepEqual(voltagesOf(map([known])), [
    ['lead_1', 0, 0.05],
    ['lead_1', 7, 0.1],
  ])
  // Of twelve leads nothing is known.
  assert.deepEqual(refused(map([{ ...PLAIN, data12L: { samples: {} } }])), [])
})

test('a wrong recording is quarantined with its reason, and no other', () => {
  for (const [change, reason] of [
    [{ id: 7 }, 'invalid_field'],
    [{ recordedAt: '2026-02-03T08:15:30' }, 'invalid_start_date'],
    [{ heartRate: 900 }, 'out_of_range'],
    [{ duration: 'long' }, 'invalid_value'],
    [{ data: { raw: { ...VOLTAGES.raw, frequency: '300' } } }, 'invalid_value'],
  ] as const) {
    const data = map([{ ...KARDIA_RECORDING, ...change }, KARDIA_RECORDING, 7])
    assert.deepEqual(refused(data), [
      ['electrocardiogram', reason],
      ['electrocardiogram', 'not_an_object'],
    ])
    assert.equal(data.summaries.length, 1)
  }
})
