import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GARMIN_NIGHT } from '../../../../server/test/connectors/pages/garmin.pages.ts'
import { PageData } from '../page-data.ts'
import { mapSleeps } from './sleep.mapper.ts'

/** Payloads are constructed in the form that public clients show. */

/** 2026-02-09T23:10:00+02:00 */
const START = Date.UTC(2026, 1, 9, 21, 10)

function map(...sleeps: readonly unknown[]): PageData {
  const data = new PageData({ userId: 'u', provider: 'garmin' })
  mapSleeps({ sleeps }, data)
  return data
}
const night = (change: object) =>
  map({ ...GARMIN_NIGHT, naps: [], ...change }).summaries[0] ?? assert.fail('no night')
const valuesOf = (change: object) => night(change).values as Record<string, unknown>

test('a night has stages, score and state, and ends with its last stage', () => {
  const data = map(GARMIN_NIGHT)
  assert.deepEqual(data.quarantined, [])
  const sleep = data.summaries.find(({ recordId }) => recordId === '2026-02-10')
  assert.ok(sleep !== undefined)
  const { values, raw, ...frame } = sleep
  assert.deepEqual(frame, {
    resource: 'sleep',
    recordId: '2026-02-10',
    sourceType: 'watch',
    appId: '',
    deviceModel: '',
    calendarDate: '2026-02-10',
    startedAt: START,
    endedAt: START + 25_800_000,
    timezoneOffset: 7200,
    timeZone: '',
    modifiedAt: null,
  })
  assert.deepEqual(values, {
    type: null,
    state: 'confirmed',
    duration_second: 25_800,
    stage_asleep_second: 25_200,
    stage_awake_second: 600,
    stage_light_second: 14_400,
    stage_rem_second: 5400,
    stage_deep_second: 5400,
    stage_unknown_second: 0,
    latency_second: null,
    heart_rate_minimum: null,
    heart_rate_mean: null,
    heart_rate_maximum: null,
    heart_rate_resting: null,
    heart_rate_dip: null,
    efficiency: (100 * 25_200) / 25_800,
    hrv_mean_rmssd: null,
    hrv_mean_sdnn: null,
    skin_temperature: null,
    skin_temperature_delta: null,
    respiratory_rate: 14.5,
    score: 87,
    recovery_readiness_score: null,
    stage_start_offset_second: [0, 600, 6000, 13_200, 18_600, 19_200],
    stage_end_offset_second: [600, 6000, 13_200, 18_600, 19_200, 25_800],
    stage_type: [2, 1, 2, 3, 4, 2],
  })
  assert.doesNotMatch(JSON.stringify(raw), /a-secret|timeOffset/)
  // Breaths and oxygen of the night are those of other summaries.
  assert.deepEqual(data.samples, [])
})

test('a nap is a sleep of its own', () => {
  const { summaries } = map(GARMIN_NIGHT)
  const nap = summaries.find(({ recordId }) => recordId.startsWith('nap'))
  // 14:00 at +02:00
  const startedAt = Date.UTC(2026, 1, 10, 12)
  assert.equal(nap?.recordId, `nap-${startedAt / 1000}`)
  assert.deepEqual([nap?.startedAt, nap?.endedAt], [startedAt, startedAt + 1_800_000])
  assert.deepEqual([nap?.timezoneOffset, nap?.sourceType], [7200, 'watch'])
  const { type, stage_asleep_second: asleep } = (nap ?? assert.fail()).values as Record<
    string,
    unknown
  >
  assert.deepEqual([type, asleep], ['acknowledged_nap', 1800])
  const alone = { ...GARMIN_NIGHT, durationInSeconds: 0, sleepLevelsMap: {} }
  const none = { deepSleepDurationInSeconds: 0, lightSleepDurationInSeconds: 0 }
  const rest = { remSleepInSeconds: 0, awakeDurationInSeconds: 0 }
  assert.equal(map({ ...alone, ...none, ...rest }).summaries.length, 1)
})

test('a night without stages ends after its parts, whether its duration has them all or not', () => {
  const end = (change: object) =>
    (night({ sleepLevelsMap: null, ...change }).endedAt - START) / 1000
  assert.equal(end({}), 25_800)
  assert.equal(end({ durationInSeconds: 25_800 }), 25_800)
  assert.equal(end({ unmeasurableSleepInSeconds: 300 }), 26_100)
  const only = valuesOf({
    sleepLevelsMap: null,
    deepSleepDurationInSeconds: null,
    lightSleepDurationInSeconds: null,
    remSleepInSeconds: null,
    awakeDurationInSeconds: null,
    validation: 'MANUAL',
  })
  assert.deepEqual([only.duration_second, only.stage_asleep_second], [25_200, 25_200])
  assert.deepEqual([only.stage_deep_second, only.stage_type], [null, []])
})

test('a tentative night never replaces a confirmed one of its day', () => {
  for (const [validation, state] of [
    ['MANUAL', 'confirmed'],
    ['DEVICE', 'confirmed'],
    ['Device', 'confirmed'],
    ['AUTO_FINAL', 'confirmed'],
    ['AUTO_MANUAL', 'confirmed'],
    ['ENHANCED_FINAL', 'confirmed'],
    ['AUTO_TENTATIVE', 'tentative'],
    ['ENHANCED_TENTATIVE', 'tentative'],
    ['OFF_WRIST', 'tentative'],
    ['SOMETHING_NEW', null],
    [undefined, null],
  ] as const) {
    assert.equal(valuesOf({ validation }).state, state, validation)
    const { modifiedAt, endedAt, recordId } = night({ validation, summaryId: 'another' })
    assert.equal(modifiedAt, state === 'confirmed' ? null : endedAt)
    assert.equal(recordId, '2026-02-10')
  }
})

test('a night without a date belongs to the local day of its end', () => {
  assert.equal(night({ calendarDate: undefined }).calendarDate, '2026-02-10')
  assert.equal(night({ startTimeOffsetInSeconds: undefined }).timezoneOffset, null)
})

test('a wrong night is quarantined with its reason, a wrong stage alone', () => {
  for (const [change, reason] of [
    [{ startTimeInSeconds: null }, 'invalid_start_date'],
    [{ deepSleepDurationInSeconds: '5400' }, 'invalid_value'],
    [{ durationInSeconds: 700_000 }, 'out_of_range'],
    [{ calendarDate: 'today' }, 'invalid_date'],
    [{ overallSleepScore: { value: 'good' } }, 'invalid_value'],
    [{ overallSleepScore: { value: 101 } }, 'out_of_range'],
    [{ overallSleepScore: 87 }, 'not_an_object'],
  ] as const) {
    const data = map({ ...GARMIN_NIGHT, ...change, naps: [] }, { ...GARMIN_NIGHT, naps: null })
    assert.deepEqual(
      data.quarantined.map((item) => [item.resource, item.reason]),
      [['sleep', reason]],
    )
    assert.equal(data.summaries.length, 1)
  }
  const { deep, light, awake } = GARMIN_NIGHT.sleepLevelsMap
  for (const wrong of [{ startTimeInSeconds: 5 }, null, { ...light[0], endTimeInSeconds: 0 }]) {
    const sleepLevelsMap = { deep, light: [...light, wrong], awake, nightmare: [7] }
    const data = map({ ...GARMIN_NIGHT, naps: [], sleepLevelsMap })
    assert.deepEqual(
      data.quarantined.map(({ resource }) => resource),
      ['sleep_cycle'],
    )
    assert.equal(data.summaries.length, 1)
  }
  const naps = [7, { napStartTimeInSeconds: 'x', napDurationInSeconds: 60 }]
  assert.equal(map({ ...GARMIN_NIGHT, naps }).quarantined.length, 2)
})
