import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ZWIFT_ACTIVITY,
  ZWIFT_DETAIL,
  ZWIFT_SECONDS,
} from '../../../../server/test/connectors/pages/zwift.pages.ts'
import { PageData } from '../page-data.ts'
import { mapActivities } from './zwift.mapper.ts'
import { detailsOf, oldestOf } from './zwift-pages.ts'

const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 8) }
const FULL = { answer: ZWIFT_DETAIL, details: [ZWIFT_SECONDS] }

function map(change: object, detail: unknown = FULL): PageData {
  const data = new PageData({ userId: 'u', provider: 'zwift' })
  mapActivities([{ ...ZWIFT_ACTIVITY, ...change }], data, [detail], { range: RANGE })
  return data
}
const START = Date.UTC(2026, 1, 5, 17, 4, 11)

test('an activity has the values of the list and of its details', () => {
  const [summary] = map({}).summaries
  assert.equal(summary?.recordId, '1612345678900123456')
  assert.deepEqual([summary?.startedAt, summary?.timezoneOffset], [START, null])
  assert.equal(summary?.endedAt, Date.UTC(2026, 1, 5, 18, 6, 41))
  const { values = {} } = summary ?? {}
  const expected = {
    title: 'Watopia',
    sport_slug: 'virtual_cycling',
    duration_active_second: 3690,
    distance_meter: 31_207.4,
    calories: 701.3,
    elevation_gain_meter: 312.5,
    heart_rate_mean: 141,
    heart_rate_maximum: 171,
    power_mean: 187.6,
    power_maximum: 512,
  }
  const own = values as Record<string, unknown>
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, own[name]]))
  assert.deepEqual(found, expected)
})

test('the seconds are in metres, with a gap for the pause and without positions', () => {
  const [stream] = map({}).streams.values()
  const start = START / 1000
  assert.deepEqual(stream, {
    time: [start, start + 1, start + 46],
    cadence: [84, 85, 0],
    altitude: [12.5, 12.6, 12.6],
    velocity_smooth: [8.45, 8.45, 0],
    heartrate: [null, 121, 124],
    distance: [0, 8.45, 16.9],
    power: [180, 190, 0],
  })
})

test('an activity without details, or whose seconds are not ready, is stored without a stream', () => {
  for (const detail of [
    null,
    { answer: undefined, details: [] },
    { answer: ZWIFT_DETAIL, details: [] },
  ]) {
    const data = map({}, detail)
    assert.deepEqual([data.summaries.length, data.streams.size], [1, 0])
    assert.deepEqual(data.quarantined, [])
  }
})

test('sessions that were not used, and activities that go on, are left out', () => {
  const brief = { endDate: '2026-02-05T17:05:10.000+0000', distanceInMeters: 0 }
  const none = { answer: undefined, details: [] }
  assert.equal(map(brief, none).summaries.length, 0)
  assert.equal(map({ ...brief, distanceInMeters: 12 }, none).summaries.length, 1)
  assert.equal(map({ endDate: null }, none).summaries.length, 0)
})

test('zeros stand for none, and other sports are others', () => {
  const data = map({ avgHeartRate: 0, avgWatts: 0, sport: 'SWIMMING' }, null)
  const values = data.summaries[0]?.values as Record<string, unknown>
  assert.deepEqual(
    [values.heart_rate_mean, values.power_mean, values.sport_slug],
    [null, null, 'other'],
  )
})

test('a wrong activity is quarantined with its reason', () => {
  for (const [change, reason] of [
    [{ startDate: 'yesterday' }, 'invalid_start_date'],
    [{ startDate: '2026-02-05T17:04:11.000' }, 'invalid_start_date'],
    [{ endDate: 7 }, 'invalid_end_date'],
    [{ endDate: '2026-02-05T17:00:00.000+0000' }, 'end_before_start'],
    [{ calories: 'many' }, 'invalid_value'],
    [{ distanceInMeters: -1 }, 'out_of_range'],
    [{ id_str: '', id: null }, 'invalid_field'],
  ] as const) {
    const data = map(change, null)
    assert.deepEqual(
      data.quarantined.map((one) => one.reason),
      [reason],
    )
    assert.equal(data.summaries.length, 0)
  }
  const odd = map({}, { answer: ZWIFT_DETAIL, details: [{ timeInSec: 'x' }] })
  assert.deepEqual([odd.summaries.length, odd.quarantined.length], [1, 1])
})

test('details are those of the range, and their seconds are at the same host', () => {
  const page = [
    ZWIFT_ACTIVITY,
    { ...ZWIFT_ACTIVITY, id_str: 'old', startDate: '2026-01-05T17:04:11.000+0000' },
  ]
  const [wanted, ...others] = detailsOf(page, { range: RANGE })
  assert.deepEqual(others, [])
  assert.ok(wanted !== undefined && 'path' in wanted.request)
  assert.equal(wanted.request.path, '/api/activities/1612345678900123456')
  const next = (activity: unknown) => wanted.request.details?.(activity)
  const path = '/api/activities/1612345678900123456/file/full'
  assert.deepEqual(next(ZWIFT_DETAIL), [{ path, isOptional: true }])
  const url = (fullDataUrl: unknown, status: unknown = 'AVAILABLE') =>
    next({ fitnessData: { status, fullDataUrl } })
  for (const odd of [url('https://zwift.com.example/x'), url(7), url('x'), url(null), next(7)]) {
    assert.deepEqual(odd, [])
  }
  assert.deepEqual(url('https://us-or-rly101.zwift.com/x', 'PROCESSING'), [])
  assert.equal(oldestOf(page), Date.UTC(2026, 0, 5, 17, 4, 11))
  assert.equal(oldestOf([]), null)
})
