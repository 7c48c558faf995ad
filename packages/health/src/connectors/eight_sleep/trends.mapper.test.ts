import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { EIGHT_SLEEP_DAY } from '../../../../server/test/connectors/pages/eight-sleep.pages.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { mapTrends } from './trends.mapper.ts'

const ZONE = 'Asia/Kathmandu'
const OFFSET = 20_700
const NIGHT = EIGHT_SLEEP_DAY.sessions[0]

function map(answer: unknown, extra: Record<string, string> = { zone: ZONE }): PageData {
  const data = new PageData({ userId: 'u', provider: 'eight_sleep' })
  const request = { range: { from: 0, to: 1 }, cursor: null, context: { ...NO_CONTEXT, extra } }
  mapTrends(answer, data, [], request)
  return data
}

const mapDay = (changes: object) => map({ days: [{ ...EIGHT_SLEEP_DAY, ...changes }] })

test('a night has its times, stages and averages; the empty bed is no stage of it', () => {
  const { summaries, quarantined } = mapDay({})
  assert.deepEqual(quarantined, [])
  const [sleep] = summaries
  assert.ok(sleep?.resource === 'sleep')
  const start = Date.UTC(2026, 1, 9, 22)
  assert.deepEqual(
    [sleep.recordId, sleep.startedAt, sleep.endedAt, sleep.calendarDate, sleep.timeZone],
    ['1770674400', start, start + 28_800_000, '2026-02-10', ZONE],
  )
  assert.equal(sleep.timezoneOffset, OFFSET)
  const values = sleep.values as Record<string, unknown>
  assert.deepEqual(values.stage_start_offset_second, [0, 600, 16_200, 21_900, 28_500])
  assert.deepEqual(values.stage_end_offset_second, [600, 16_200, 21_600, 28_500, 28_800])
  assert.equal(values.stage_asleep_second, 27_600)
  assert.equal(values.stage_awake_second, 900)
  assert.deepEqual(
    [values.score, values.latency_second, values.hrv_mean_rmssd, values.respiratory_rate],
    [86, 600, 61.5, 14.2],
  )
  assert.deepEqual([values.heart_rate_minimum, values.heart_rate_mean], [53, 57])
})

test('readings of a night are series with the offset of the bed', () => {
  const { samples } = mapDay({})
  const at = (minute: number) => Date.UTC(2026, 1, 9, 22, minute)
  assert.deepEqual(
    samples.map(({ series, startedAt, value, timezoneOffset }) => [
      series,
      startedAt,
      value,
      timezoneOffset,
    ]),
    [
      ['heartrate', at(0), 61, OFFSET],
      ['heartrate', at(5), 52.5, OFFSET],
      ['hrv', at(5), 64, OFFSET],
      ['respiratory_rate', at(5), 14.5, OFFSET],
    ],
  )
  const [hrv] = samples.filter(({ series }) => series === 'hrv')
  assert.match(String(hrv?.extra), /rmssd/)
  assert.equal(map({ days: [EIGHT_SLEEP_DAY] }, {}).samples[0]?.timezoneOffset, null)
})

test('each time in bed of a day is a sleep; the score is that of the longest', () => {
  const nap = {
    ts: '2026-02-10T09:00:00.000Z',
    stages: [
      { stage: 'out', duration: 300 },
      { stage: 'light', duration: 1_200 },
    ],
    timeseries: {},
  }
  const { summaries } = mapDay({ sessions: [nap, NIGHT] })
  assert.deepEqual(
    summaries.map(({ recordId, startedAt, values }) => {
      const { score = null, latency_second: latency = null } = values as Record<string, unknown>
      return [recordId, startedAt, score, latency]
    }),
    [
      // The bed was empty for the first minutes.
      ['2026-02-10 0', Date.UTC(2026, 1, 10, 9, 5), null, null],
      ['1770674400', Date.UTC(2026, 1, 9, 22), 86, null],
    ],
  )
})

test('a day in progress, an empty side and a session without an end are no sleep', () => {
  assert.deepEqual(mapDay({ processing: true }).summaries, [])
  const away = { ...NIGHT, stages: [{ stage: 'out', duration: 28_800 }] }
  for (const sessions of [[away], [{ ...NIGHT, stages: [] }], []]) {
    const data = mapDay({ sessions })
    assert.deepEqual([data.summaries, data.quarantined], [[], []])
  }
})

test('a session without a start begins with the presence, if it is the first', () => {
  const { ts: _ts, id: _id, ...bare } = NIGHT ?? assert.fail()
  const data = mapDay({ sessions: [bare, bare] })
  assert.deepEqual(
    data.summaries.map(({ recordId, startedAt }) => [recordId, startedAt]),
    [['2026-02-10 0', Date.parse(EIGHT_SLEEP_DAY.presenceStart)]],
  )
  assert.equal(data.quarantined[0]?.reason, 'invalid_start_date')
})

test('only what is invalid is quarantined', () => {
  const reasons = (changes: object) => mapDay(changes).quarantined.map(({ reason }) => reason)
  assert.deepEqual(reasons({ score: 101 }), ['out_of_range'])
  assert.deepEqual(reasons({ day: '10.2.2026' }), ['invalid_date'])
  for (const duration of [-1, 'x', 1e9]) {
    const session = { ...NIGHT, stages: [{ stage: 'light', duration }] }
    assert.deepEqual(reasons({ sessions: [session] }), ['invalid_field'])
  }
  const timeseries = {
    heartRate: [
      ['2026-02-09T22:05:00', 50],
      ['2026-02-09T22:05:00Z', 4000],
      ['2026-02-09T22:10:00Z', 50],
    ],
    hrv: 7,
  }
  const data = mapDay({ sessions: [{ ...NIGHT, timeseries }] })
  assert.deepEqual(
    data.quarantined.map(({ resource, reason }) => [resource, reason]),
    [
      ['heartrate', 'invalid_start_date'],
      ['hrv', 'invalid_field'],
      ['heartrate', 'out_of_range'],
    ],
  )
  assert.equal(data.samples.length, 1)
  assert.equal(data.summaries.length, 1)
  for (const odd of [null, [], {}, { days: {} }]) assert.throws(() => map(odd), VendorError)
})
