import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLocalTime, formatBucket, listTicks } from '../src/console/charts/zone-time.ts'
import { findNearestValue, pathOf } from '../src/console/people/person/workouts/stream-path.ts'
import { DAY_SECONDS, HOUR_SECONDS } from '../src/time-units.ts'

const seconds = (text: string): number => Date.parse(text) / 1000
const TOKYO = 9 * HOUR_SECONDS

const localTime = (from: string, timezone_offset: number, is_journey = false) => ({
  from,
  timezone_offset,
  is_journey,
})

describe('the time of a bucket', () => {
  const day = (date: string, offset: string, hours: number) => ({
    start: seconds(`${date}T00:00:00${offset}`),
    end: seconds(`${date}T00:00:00${offset}`) + hours * HOUR_SECONDS,
    date,
    offset: Number(offset.slice(0, 3)) * HOUR_SECONDS,
  })

  test('is the day where the person was, not that of the axis', () => {
    for (const zone of ['America/Los_Angeles', 'Asia/Tokyo', undefined]) {
      const axis = createLocalTime(zone, [])
      assert.equal(formatBucket(day('2026-03-02', '+09:00', 24), axis), 'Mon, Mar 2, 2026')
      assert.equal(formatBucket(day('2026-03-02', '-08:00', 24), axis), 'Mon, Mar 2, 2026')
      const week = formatBucket(day('2026-03-02', '+14:00', 7 * 24), axis)
      assert.equal(week, 'Week of Mar 2, 2026')
      assert.equal(formatBucket(day('2026-03-01', '+09:00', 31 * 24), axis), 'March 2026')
    }
  })

  test('shorter than a day is that of the clock where the person was, and says when the axis has another', () => {
    const hour = {
      start: seconds('2026-03-02T07:00:00+09:00'),
      end: seconds('2026-03-02T08:00:00+09:00'),
      date: null,
      offset: TOKYO,
    }
    const abroad = createLocalTime('Europe/Berlin', [])
    assert.equal(formatBucket(hour, abroad), 'Mon, Mar 2, 2026, 07:00–08:00 (UTC+9)')
    const followed = createLocalTime(undefined, [localTime('2026-03-01T00:00:00Z', TOKYO)])
    assert.equal(formatBucket(hour, followed), 'Mon, Mar 2, 2026, 07:00–08:00')
  })
})

describe('the clock of the charts', () => {
  test('is the zone at home, and on a journey what the data say', () => {
    const time = createLocalTime('Europe/Berlin', [
      localTime('2026-03-20T08:00:00Z', HOUR_SECONDS),
      localTime('2026-03-29T07:00:00Z', 2 * HOUR_SECONDS),
      localTime('2026-04-10T08:00:00Z', TOKYO, true),
    ])
    const offsetAt = (text: string): number => time.offsetAt(seconds(text)) / HOUR_SECONDS
    assert.equal(offsetAt('2026-03-29T00:59:00Z'), 1)
    // The clock was changed at one, though the data say so only at seven.
    assert.equal(offsetAt('2026-03-29T01:01:00Z'), 2)
    assert.equal(offsetAt('2026-04-10T09:00:00Z'), 9)
    assert.equal(time.name, 'UTC+9')
    assert.equal(createLocalTime('Asia/Tokyo', []).name, 'Asia/Tokyo')
  })

  test('labels an axis at its round times, through a journey and a changed clock', () => {
    const midnights = (ticks: number[], offset: number) =>
      ticks.map((tick) => (tick + offset * HOUR_SECONDS) % DAY_SECONDS)
    const tokyo = createLocalTime(undefined, [localTime('2026-03-01T00:00:00Z', TOKYO)])
    const from = seconds('2026-03-02T12:00:00Z')
    assert.deepEqual(
      midnights(listTicks(from, from + 4 * DAY_SECONDS, DAY_SECONDS, tokyo), 9),
      [0, 0, 0, 0],
    )

    const changed = createLocalTime('Europe/Berlin', [])
    const spring = seconds('2026-03-28T12:00:00Z')
    assert.deepEqual(
      listTicks(spring, spring + 2 * DAY_SECONDS, DAY_SECONDS, changed),
      ['2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00'].map(seconds),
    )
    const months = listTicks(
      seconds('2026-01-15'),
      seconds('2026-05-02'),
      30 * DAY_SECONDS,
      changed,
    )
    assert.deepEqual(
      months,
      ['02-01T00:00+01:00', '03-01T00:00+01:00', '04-01T00:00+02:00', '05-01T00:00+02:00'].map(
        (text) => seconds(`2026-${text}`),
      ),
    )
    const years = listTicks(seconds('2023-06-01'), seconds('2026-06-01'), 365 * DAY_SECONDS, tokyo)
    assert.deepEqual(
      years,
      [2024, 2025, 2026].map((year) => seconds(`${year}-01-01T00:00+09:00`)),
    )

    const flown = createLocalTime('Europe/Berlin', [
      localTime('2026-04-09T00:00:00Z', 2 * HOUR_SECONDS),
      localTime('2026-04-10T08:00:00Z', TOKYO, true),
    ])
    const ticks = listTicks(seconds('2026-04-09'), seconds('2026-04-13'), 6 * HOUR_SECONDS, flown)
    for (const tick of ticks) assert.equal((tick + flown.offsetAt(tick)) % (6 * HOUR_SECONDS), 0)
    assert.deepEqual(
      ticks,
      ticks.toSorted((a, b) => a - b),
    )
  })
})

describe('the line of a workout', () => {
  const times = Array.from({ length: 121 }, (_, index) => index * 10)

  test('goes through values that are measured seldom, between those of other channels', () => {
    const seldom = times.map((time) => (time % 300 === 0 ? 120 + time / 10 : null))
    const path = pathOf(times, seldom)
    assert.equal((path.match(/L/g) ?? []).length, 4)
    assert.equal((path.match(/M/g) ?? []).length, 1)
    assert.equal(findNearestValue(times, seldom, 16), 150)
    assert.equal(pathOf(times, seldom.with(0, null).fill(null, 40)), 'M0.2500 0.500h0')
  })

  test('is broken where nothing was measured, and keeps to the points it can show', () => {
    const each = times.map((time) => (time > 400 && time < 800 ? null : time))
    assert.equal((pathOf(times, each).match(/M/g) ?? []).length, 2)
    assert.equal(findNearestValue(times, each, 60), undefined)
    const long = Array.from({ length: 7_201 }, (_, index) => index)
    const path = pathOf(long, long)
    const points = path.match(/[ML]/g) ?? []
    assert.ok(points.length <= 801, String(points.length))
    assert.match(path, /L1\.0000 0\.050$/)
  })
})
