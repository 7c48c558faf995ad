import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { findSteadyOffset } from './steady-offsets.ts'
import { readTime, writeTime } from './times.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** With changes in spring and autumn, around Ramadan, by half an hour, and by a whole day. */
const ZONES = [
  'America/New_York',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
]

const zonedAt = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)

/** Instants of all changes of a zone from 1900 to 2035. */
function changesOf(zone: string): number[] {
  const changes: number[] = []
  const until = Date.UTC(2035, 0)
  let next = zonedAt(Date.UTC(1900, 0), zone).getTimeZoneTransition('next')
  while (next !== null && next.epochMilliseconds < until) {
    changes.push(next.epochMilliseconds)
    next = next.getTimeZoneTransition('next')
  }
  return changes
}

test('an offset that is remembered is the one of the calendar, also around changes', () => {
  let [steady, unsteady] = [0, 0]
  for (const zone of ZONES) {
    const changes = changesOf(zone)
    assert.ok(changes.length > 0, zone)
    for (const change of changes) {
      for (const days of [-12, -8, -2, -1, 0, 1, 2, 8, 12]) {
        const at = change + days * DAY_MS + HOUR_MS / 2
        const offset = findSteadyOffset(zone, at)
        if (offset === undefined) unsteady += 1
        else {
          steady += 1
          assert.equal(offset, zonedAt(at, zone).offsetNanoseconds / 1e9, `${zone} ${at}`)
        }
      }
      assert.equal(findSteadyOffset(zone, change), undefined)
    }
  }
  assert.ok(steady > 1000 && unsteady > 1000, `${steady} and ${unsteady}`)
})

test('times are read and written as the calendar does, hour by hour around changes', () => {
  for (const zone of ZONES) {
    for (const change of changesOf(zone).slice(-6)) {
      for (let hour = -40; hour <= 40; hour += 1) {
        const at = change + hour * HOUR_MS
        const zoned = zonedAt(at, zone)
        const local = zoned.toPlainDateTime()
        const digits = local.toString({ smallestUnit: 'second' }).replace(/\D/g, '')
        assert.equal(writeTime(at, { zone }), digits + zoned.offset.replace(':', '').slice(0, 5))
        const expected = local.toZonedDateTime(zone, { disambiguation: 'compatible' })
        assert.equal(readTime(digits, { zone })?.at, expected.epochMilliseconds)
      }
    }
  }
})

test('a zone that does not exist is an error each time', () => {
  for (let time = 0; time < 2; time += 1) {
    assert.throws(() => findSteadyOffset('America/Nowhere', 0), RangeError)
  }
})
