import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectFromText } from '../../../../../../server/test/imports/collect-health-data.ts'
import { exportXml, stepRecord } from '../../../../../../server/test/imports/import-client.ts'
import { unknownLocalTimes } from '../../../../../../server/test/imports/unknown-local-times.ts'
import { reconcileSleep, type SleepSession } from '../../../../summaries/index.ts'
import { SleepRecords } from './sleep-records.ts'
import { toSleepSummary } from './sleep-summary.ts'

const record = (value: string, startDate: string, endDate: string, metadata = ''): string =>
  stepRecord(0, {
    type: 'HKCategoryTypeIdentifierSleepAnalysis',
    value: `HKCategoryValueSleepAnalysis${value}`,
    startDate,
    endDate,
  }).replace('/>', `>${metadata}</Record>`)

function sleepOf(...elements: string[]) {
  const sleep = new SleepRecords(unknownLocalTimes())
  const outcomes = collectFromText(exportXml(elements.join(''))).records.map((item) =>
    sleep.add(item),
  )
  return { outcomes, sessions: reconcileSleep(sleep.records) }
}

test('a record is a sample, time in bed, or says why it is nothing', () => {
  const { outcomes } = sleepOf(
    record('AsleepCore', '2024-05-01 23:00:00 +0200', '2024-05-01 23:30:00 +0200'),
    record('InBed', '2024-05-01 22:00:00 +0200', '2024-05-02 07:00:00 +0200'),
    record('Dreaming', '2024-05-01 22:00:00 +0200', '2024-05-02 07:00:00 +0200'),
    record('InBed', 'then', '2024-05-02 07:00:00 +0200'),
    record('InBed', '2024-05-01 22:00:00 +0200', 'later'),
    record('InBed', '2024-05-01 22:00:00 +0200', '2024-05-01 21:00:00 +0200'),
    record('InBed', '2024-05-01 22:00:00 +0200', '2024-05-09 21:00:00 +0200'),
  )
  assert.deepEqual(outcomes, [
    'sample',
    'in_bed',
    'sample',
    'invalid_start_date',
    'invalid_end_date',
    'end_before_start',
    'out_of_range',
  ])
})

test('a record of days swallows no nights', () => {
  const { sessions } = sleepOf(
    record('Asleep', '2024-05-01 12:00:00 +0000', '2024-05-04 12:00:00 +0000'),
    record('Asleep', '2024-05-01 23:00:00 +0000', '2024-05-02 06:00:00 +0000'),
    record('Asleep', '2024-05-02 23:00:00 +0000', '2024-05-03 06:00:00 +0000'),
  )
  assert.equal(sessions.length, 2)
})

test('the zone of waking up determines the offset, in any zone of the export', () => {
  const zone = '<MetadataEntry key="HKTimeZone" value="America/New_York"/>'
  const { sessions } = sleepOf(
    record('AsleepDeep', '2024-05-01 05:00:00 +0200', '2024-05-01 12:00:00 +0200', zone),
  )
  const [session] = sessions
  assert.deepEqual([session?.timezoneOffset, session?.timeZone], [-14_400, 'America/New_York'])
})

/** Readings of one instant each, from 22:00 on. */
const readEachMinute = (...values: number[]) =>
  values.map((value, index) => {
    const at = Date.UTC(2024, 4, 1, 22, index)
    return { startedAt: at, endedAt: at, value }
  })

test('stages, efficiency and readings of a session are its summary', () => {
  const { sessions } = sleepOf(
    record('InBed', '2024-05-01 21:30:00 +0000', '2024-05-02 01:30:00 +0000'),
    record('AsleepCore', '2024-05-01 22:00:00 +0000', '2024-05-01 23:00:00 +0000'),
    record('Awake', '2024-05-01 23:00:00 +0000', '2024-05-01 23:10:00 +0000'),
    record('AsleepUnspecified', '2024-05-01 23:30:00 +0000', '2024-05-02 00:30:00 +0000'),
  )
  const readings = {
    heartRates: readEachMinute(50, 61, 55),
    rmssd: [],
    sdnn: readEachMinute(40, 50),
    respiratoryRates: readEachMinute(14),
    skinTemperatures: readEachMinute(35.5, 35.7),
  }
  const summary = toSleepSummary(sessions[0] as SleepSession, readings, 123)
  assert.deepEqual([summary.recordId, summary.modifiedAt], ['2024-05-01T21:30:00Z', 123])
  const { values } = summary
  assert.deepEqual(
    [values.duration_second, values.stage_asleep_second, values.stage_awake_second],
    [4 * 3600, 2 * 3600, 600],
  )
  assert.deepEqual(
    [values.type, values.efficiency, values.latency_second],
    ['short_sleep', 50, 1800],
  )
  assert.deepEqual(
    [values.heart_rate_minimum, values.heart_rate_mean, values.heart_rate_maximum],
    [50, 55, 61],
  )
  assert.deepEqual([values.hrv_mean_sdnn, values.hrv_mean_rmssd], [45, null])
  assert.deepEqual([values.respiratory_rate, values.skin_temperature], [14, 35.6])
  assert.deepEqual(values.stage_type, [2, 4, -1])
  assert.deepEqual(values.stage_start_offset_second, [1800, 5400, 7200])
  assert.deepEqual(values.stage_end_offset_second, [5400, 6000, 10_800])
})
