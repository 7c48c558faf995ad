import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { visitTime } from './visit-time.ts'

const ZONES = [
  'America/New_York',
  'America/Phoenix',
  'America/Anchorage',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
]

const anyNow = fc.date({
  min: new Date('2026-01-01'),
  max: new Date('2028-01-01'),
  noInvalidDate: true,
})

test('the time of a visit is in the daytime of one of the next four local days, two hours long', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.constantFrom(...ZONES), anyNow, (id, timeZone, now) => {
      const asked = { id, timeZone, startAt: null, isConfirmed: false }
      const { startAt, endAt } = visitTime(asked, now)
      const [start, end, here] = [startAt, endAt, now.toISOString()].map((text) =>
        Temporal.Instant.from(text).toZonedDateTimeISO(timeZone),
      ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime, Temporal.ZonedDateTime]
      const days = here.toPlainDate().until(start.toPlainDate()).days
      assert.ok(days >= 1 && days <= 4, `${days} days`)
      assert.ok(start.hour >= 8 && start.minute === 0)
      assert.ok(end.hour <= 18 && end.toPlainDate().equals(start.toPlainDate()))
      assert.equal(start.until(end, { largestUnit: 'hours' }).hours, 2)
      assert.deepEqual(visitTime(asked, now), { startAt, endAt })
    }),
    { seed: 20_261_122 },
  )
})

test('a visit that is moved gets another time', () => {
  fc.assert(
    fc.property(fc.uuid(), anyNow, (id, now) => {
      const asked = { id, timeZone: 'America/Denver', startAt: null, isConfirmed: false }
      const { startAt } = visitTime(asked, now)
      const moved = { ...asked, startAt: new Date(startAt), isConfirmed: true }
      assert.notEqual(visitTime(moved, now).startAt, startAt)
    }),
    { seed: 20_261_122 },
  )
})
