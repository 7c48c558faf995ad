import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import { ADDRESS, createBookingFixture } from '../booking/booking-fixture.ts'
import type { Body } from '../orders/orders-fixture.ts'
import { useFixture } from '../use-fixture.ts'

/**
 * Availability around both changes of the clocks, asked through the API in ten zones. What is
 * expected is counted by Intl alone.
 */

const fixture = useFixture(createBookingFixture)

/** A ZIP code of each zone. */
const ZIPS = {
  'America/New_York': '10001',
  'America/Chicago': '60614',
  'America/Denver': '80202',
  'America/Phoenix': '85281',
  'America/Los_Angeles': '90012',
  'America/Anchorage': '99501',
  'Pacific/Honolulu': '96813',
  'America/Detroit': '48201',
  'America/Indiana/Indianapolis': '46204',
  'America/Boise': '83702',
}

const wallClock = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })

/** The calendar dates from one on; at noon in UTC no date is skipped. */
const datesFrom = (date: string): string[] =>
  Array.from({ length: 14 }, (_, day) =>
    new Date(Date.parse(`${date}T12:00:00Z`) + day * 24 * HOUR_MS).toISOString().slice(0, 10),
  )

async function moveTo(instant: string): Promise<void> {
  const { body: clock } = await fixture.harness.call('GET', '/v3/sandbox/clock')
  const seconds = (Date.parse(instant) - Date.parse(clock.now)) / 1000
  const moved = await fixture.harness.call('POST', '/v3/sandbox/advance', { seconds })
  assert.equal(moved.body.now.slice(0, 19), instant.slice(0, 19), moved.text)
}

async function readSlots(zip: string): Promise<Body> {
  const url = '/v3/order/phlebotomy/appointment/availability'
  const { status, body, text } = await fixture.harness.call('POST', url, {
    ...ADDRESS,
    zip_code: zip,
  })
  assert.equal(status, 200, text)
  return body
}

// Clocks go forward on 2026-03-08 and back on 2026-11-01: before, in the very hours, and after.
for (const instant of [
  '2026-03-02T18:00:00Z',
  '2026-03-08T06:59:00Z',
  '2026-03-08T10:30:00Z',
  '2026-03-09T04:30:00Z',
  '2026-10-25T18:00:00Z',
  '2026-11-01T05:30:00Z',
  '2026-11-01T06:30:00Z',
  '2026-11-02T04:30:00Z',
]) {
  test(`at ${instant} everybody has 14 local days with slots by their own clock`, async () => {
    await moveTo(instant)
    for (const [timeZone, zip] of Object.entries(ZIPS)) {
      const clock = wallClock(timeZone)
      const { slots: days, timezone } = await readSlots(zip)
      assert.equal(timezone, timeZone)
      const [today = '', time = ''] = clock.format(new Date(instant)).split(' ')
      assert.deepEqual(
        days.map(({ date }: Body) => date),
        datesFrom(today),
      )
      for (const { date, slots } of days) {
        const starts = slots.map(({ start }: Body) => clock.format(new Date(start)))
        const times = ['08:00', '10:00', '12:00', '14:00', '16:00']
        const toCome = times.filter((it) => date > today || it > time)
        assert.deepEqual(
          starts,
          toCome.map((it) => `${date} ${it}`),
          `${timeZone} ${date}`,
        )
        for (const { start, end } of slots)
          assert.equal(Date.parse(end) - Date.parse(start), 2 * HOUR_MS)
      }
    }
  })
}
