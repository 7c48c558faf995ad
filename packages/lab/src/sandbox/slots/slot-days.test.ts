import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SlotPlace } from '@salus/contracts/lab-gateway'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import {
  expectedOfArea,
  expectedOfSite,
  localDayOf,
  nextDates,
} from '../../../../server/test/scheduling/expected-slots.ts'
import {
  createSchedulingFixture,
  offeredSlots,
  visitOf,
} from '../../../../server/test/scheduling/scheduling-fixture.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const salus = useFixture(createSchedulingFixture)

/**
 * Zones of the United States, and some with unusual changes: at midnight, by half an hour, by two
 * hours.
 */
const ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'America/Adak',
  'America/Boise',
  'America/Indiana/Knox',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
  'Pacific/Guam',
  'America/Havana',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
]

/** Days of 2026 on which some of the zones change, and two without a change. */
const CHANGES = [
  ...['2026-03-08', '2026-03-29', '2026-04-05', '2026-04-24', '2026-06-15'],
  ...['2026-10-04', '2026-10-25', '2026-10-29', '2026-11-01', '2026-12-30'],
]

const anyMoment = fc.record({
  change: fc.constantFrom(...CHANGES),
  // The change is on one of the days, or next to them.
  daysBefore: fc.integer({ min: -1, max: 14 }),
  // Includes the night of the change, in which an hour is repeated or missing.
  minute: fc.integer({ min: 0, max: 1439 }),
  milliseconds: fc.constantFrom(0, 0, 1, 59_999),
})

describe('slots are of fourteen local days', () => {
  for (const timeZone of ZONES) {
    test(`as the clocks of ${timeZone} show them`, async () => {
      const list = async (place: SlotPlace, now: Date, startDate: string) => {
        const gateway = salus.gateway(place.kind === 'site' ? 'quest' : 'getlabs')
        const { environmentId } = salus
        const search = { environmentId, now, place, startDate, days: 14 }
        const days = await gateway.listSlots(search)
        return days.map(({ date, slots }) => [date, slots.map(({ start }) => start.toISOString())])
      }
      /** Books the first listed slot half an hour later, which must work unless it has begun. */
      const bookFirst = async (place: SlotPlace, seenAt: Date, startDate: string) => {
        const gateway = salus.gateway('quest')
        const visit = visitOf(salus, { place })
        const now = new Date(seenAt.getTime() + 30 * MINUTE_MS)
        const listed = await offeredSlots(gateway, visit, { now: seenAt, startDate })
        const slot = listed.find(({ start, available }) => start > now && available > 0)
        if (slot === undefined) return
        assert.equal((await gateway.book(visit, slot, now)).state, 'booked')
        await gateway.cancel(visit)
      }
      const isoOf = (starts: number[]) => starts.map((start) => new Date(start).toISOString())
      await fc.assert(
        fc.asyncProperty(anyMoment, async ({ change, daysBefore, minute, milliseconds }) => {
          const day = Date.parse(`${change}T00:00:00Z`) - daysBefore * DAY_MS
          const now = new Date(day + minute * MINUTE_MS + milliseconds)
          const today = localDayOf(now, timeZone)
          const dates = nextDates(today, 14)
          assert.deepEqual(
            await list({ kind: 'site', siteCode: 'A', timeZone }, now, today),
            dates.map((date) => [date, isoOf(expectedOfSite(date, timeZone, now))]),
          )
          await bookFirst({ kind: 'site', siteCode: `${minute}`, timeZone }, now, today)
          assert.deepEqual(
            await list({ kind: 'area', zip: '60614', timeZone }, now, today),
            dates.map((date) => [date, isoOf(expectedOfArea(date, timeZone, now))]),
          )
        }),
        { seed: 20_261_122, numRuns: campaignRuns(8, 250) },
      )
    })
  }
})
