import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  knownOf,
  mapRecords,
  reasonsOf,
} from '../../../../server/test/connectors/google-health-records.ts'
import { GOOGLE_ECG } from '../../../../server/test/connectors/pages/google-health.pages.ts'

describe('an electrocardiogram', () => {
  const reading = (change: object) => ({
    ...GOOGLE_ECG,
    electrocardiogram: { ...GOOGLE_ECG.electrocardiogram, ...change },
  })

  test('has its voltages from the start on', () => {
    const { summaries, samples, quarantined } = mapRecords('electrocardiogram')
    assert.deepEqual(quarantined, [])
    const [ecg] = summaries
    assert.deepEqual([ecg?.recordId, ecg?.deviceModel], ['e1', 'Sense 2'])
    assert.equal((ecg?.endedAt ?? 0) - (ecg?.startedAt ?? 0), 16)
    assert.deepEqual(knownOf(ecg), {
      voltage_sample_count: 4,
      heart_rate_mean: 71,
      sampling_frequency_hz: 250,
      classification: 'inconclusive',
      inconclusive_cause: 'high_heart_rate',
      algorithm_version: '3.1',
    })
    assert.deepEqual(
      samples.map(({ startedAt, value, sampleType }) => [
        startedAt - (ecg?.startedAt ?? 0),
        value,
        sampleType,
      ]),
      [
        [0, 0, 'lead_1'],
        [4, 1092 / 10_922, 'lead_1'],
        [8, -546 / 10_922, 'lead_1'],
        [12, 1, 'lead_1'],
      ],
    )
  })

  test('is classified as the vendor does', () => {
    for (const [result, classification, cause] of [
      ['NORMAL_SINUS_RHYTHM', 'sinus_rhythm', undefined],
      ['ATRIAL_FIBRILLATION', 'atrial_fibrillation', undefined],
      ['INCONCLUSIVE', 'inconclusive', undefined],
      ['INCONCLUSIVE_LOW_HEART_RATE', 'inconclusive', 'low_heart_rate'],
      ['UNREADABLE', 'inconclusive', 'poor_reading'],
      ['NOT_ANALYZED', undefined, undefined],
      ['NEW_RESULT', undefined, undefined],
    ] as const) {
      const record = reading({ resultClassification: result })
      const known = knownOf(mapRecords('electrocardiogram', [record]).summaries[0])
      assert.deepEqual([known.classification, known.inconclusive_cause], [classification, cause])
    }
  })

  test('of an old account has no zone, not that of Greenwich', () => {
    const { startTime, endTime } = GOOGLE_ECG.electrocardiogram.interval
    const interval = { startTime, endTime, startUtcOffset: '0s' }
    const [ecg] = mapRecords('electrocardiogram', [reading({ interval })]).summaries
    assert.equal(ecg?.timezoneOffset, null)
  })

  test('without a scale has no voltages; a wrong one is quarantined', () => {
    const { samples, summaries } = mapRecords('electrocardiogram', [
      reading({ millivoltsScalingFactor: undefined }),
    ])
    assert.deepEqual([samples.length, summaries.length], [0, 1])
    const data = mapRecords('electrocardiogram', [reading({ samplingFrequencyHertz: 'fast' })])
    assert.deepEqual(reasonsOf(data), ['electrocardiogram invalid_value'])
    const one = mapRecords('electrocardiogram', [reading({ waveformSamples: [1, null, 2] })])
    assert.deepEqual([one.samples.length, one.quarantined.length], [2, 1])
  })
})

test('a notification of an irregular rhythm is an alert over its time', () => {
  const [alert] = mapRecords('irregular-rhythm-notification').samples
  assert.deepEqual(
    [alert?.series, alert?.sampleType, alert?.value],
    ['heart_rate_alert', 'irregular_rhythm', 1],
  )
  assert.equal((alert?.endedAt ?? 0) - (alert?.startedAt ?? 0), 9_000_000)
})
