import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { createHarness } from '../../../server/test/harness.ts'
import { importFile } from '../../../server/test/imports/import-client.ts'
import { daysAt, phoneExport, type Stay } from '../../../server/test/imports/phone-export.ts'
import { summariesOf } from '../../../server/test/imports/stored-summaries.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

/** From one edge of the day to the other, with halves and quarters of an hour. */
const ZONES = [
  'Europe/Vienna',
  'America/New_York',
  'America/Los_Angeles',
  'Pacific/Honolulu',
  'Pacific/Auckland',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'America/St_Johns',
  'Africa/Casablanca',
]

const anyStay = fc.record({
  zone: fc.constantFrom(...ZONES),
  days: fc.integer({ min: 1, max: 25 }),
})
const anyLife = fc.record({
  stays: fc.array(anyStay, { minLength: 1, maxLength: 6 }),
  firstDay: fc.integer({ min: 0, max: 365 }),
  exportZone: fc.constantFrom(...ZONES),
  exportedAt: fc.constantFrom('2026-01-15T10:00:00Z', '2026-07-15T10:00:00Z'),
  fallbackZone: fc.constantFrom(null, ...ZONES),
  seed: fc.nat(),
})

/** Stays one after the other, with two days of travel without a record between them. */
function itinerary(stays: readonly { zone: string; days: number }[], firstDay: number): Stay[] {
  let date = Temporal.PlainDate.from('2024-01-01').add({ days: firstDay })
  return stays.flatMap(({ zone, days }) => {
    const first = date.toString()
    date = date.add({ days: days + 2 })
    return daysAt(zone, first, days)
  })
}

test('whoever travels anywhere has the days of the places, when nights name their zone', async () => {
  const property = fc.asyncProperty(anyLife, async ({ stays, firstDay, fallbackZone, ...rest }) => {
    const userId = await salus.makeUser()
    await salus.call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: fallbackZone })
    const namesZone = { sleep: true }
    const life = phoneExport({ ...rest, stays: itinerary(stays, firstDay), namesZone })
    const job = await importFile(salus, userId, life.xml)
    assert.equal(job.status, 'completed')
    const days = await summariesOf(salus, userId, 'activity')
    assert.deepEqual(
      days.map((day) => [day.calendar_date, day.steps]),
      [...life.days].map(([date, { steps }]) => [date, steps]),
    )
    const counted = Object.values(job.progress.clocks).reduce((sum, count) => sum + count, 0)
    assert.equal(counted, life.count)
  })
  await fc.assert(property, { seed: 10, numRuns: 60 })
})
