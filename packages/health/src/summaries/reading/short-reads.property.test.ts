import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { createScope, type Environment } from '@salus/kernel/scope'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import { createHarness } from '../../../../server/test/harness.ts'
import { storeSummary } from '../../../../server/test/summaries/store-summary.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { SummaryResource } from '../summary-tables.registry.ts'
import { findSession } from './short-reads.repository.ts'
import { listSummaries } from './summaries.repository.ts'
import { dateFilterOf, dateRulesOf } from './summary-dates.ts'
import { periodOf } from './summary-period.ts'

const salus = useFixture(createHarness)

const READS = ['activity', 'sleep', 'sleep_cycle', 'workouts', 'body', 'meal'] as const
/** Their clocks changed by an hour, by a day (Apia in 2011) and not at all. */
const ZONES = [null, 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu', 'Pacific/Kiritimati']
/** Around a change of the clock in New York, the day that Apia left out, and before 1970. */
const STARTS = ['2026-03-06T00:00:00Z', '2011-12-28T00:00:00Z', '1960-02-28T00:00:00Z']

const anyMinute = fc.nat({ max: 6 * 24 * 60 })
const anyRow = fc.record({
  minute: fc.oneof(anyMinute, fc.constant(1440), fc.constant(2880)),
  length: fc.constantFrom(0, 30, 480),
  offset: fc.constantFrom(null, null, 0, 50_400, -43_200),
  date: fc.constantFrom(null, null, 0, 1, 3),
  provider: fc.constantFrom('manual', 'oura'),
})
const anyCase = fc.record({
  zone: fc.constantFrom(...ZONES),
  start: fc.constantFrom(...STARTS),
  rows: fc.array(anyRow, { minLength: 1, maxLength: 12 }),
  reads: fc.array(
    fc.record({
      read: fc.constantFrom(...READS),
      from: anyMinute,
      length: anyMinute,
      hasTimes: fc.tuple(fc.boolean(), fc.boolean()),
      provider: fc.constantFrom('', '', 'oura'),
    }),
    { minLength: 4, maxLength: 8 },
  ),
})

const storedOf = (read: (typeof READS)[number]): SummaryResource =>
  read === 'sleep_cycle' ? 'sleep' : read

/** Writes a bound as a client does: a date, or a date-time. */
const boundText = (at: number, hasTime: boolean): string =>
  new Date(at).toISOString().slice(0, hasTime ? 19 : 10) + (hasTime ? 'Z' : '')

test('a short read selects, orders and dates rows as the engine does', async () => {
  let found = 0
  const property = fc.asyncProperty(anyCase, async ({ zone, start, rows, reads }) => {
    const userId = await salus.makeUser('manual')
    const { rows: users } = await salus.database.pool.query(
      'select environment_id as id from users where id = $1',
      [userId],
    )
    const scope = createScope(salus.dependencies, { id: users[0].id } as Environment)
    const person = { userId, fallbackZone: zone }
    const first = Date.parse(start)
    for (const resource of new Set(reads.map(({ read }) => storedOf(read)))) {
      for (const { minute, length, offset, date, provider } of rows) {
        const id = await storeSummary(salus, userId, resource, {
          provider,
          started_at: first + minute * MINUTE_MS,
          ended_at: first + (minute + length) * MINUTE_MS,
          timezone_offset: offset,
          calendar_date: date === null ? null : boundText(first + date * DAY_MS, false),
        })
        const everything = { where: 'id = {id:UUID}', orderBy: 'id', isLong: false }
        const filter = { ...everything, parameters: { id } }
        const [row] = await listSummaries(scope, resource as 'sleep', person, '', filter)
        assert.ok(row)
        if (resource !== 'sleep' && resource !== 'workouts') continue
        const {
          started_at: from,
          ended_at: to,
          timezone_offset: at,
        } = (await findSession(scope, resource, person, id)) ?? {}
        assert.deepEqual([from, to, at], [row.started_at, row.ended_at, row.timezone_offset])
      }
    }
    for (const { read, from, length, hasTimes, provider } of reads) {
      const at = first + from * MINUTE_MS
      const query = {
        start_date: boundText(at, hasTimes[0]),
        end_date: boundText(at + length * MINUTE_MS + DAY_MS, hasTimes[1]),
      }
      const now = new Date(at)
      const { ofRows, ...dates } = dateFilterOf(read, periodOf(query, dateRulesOf(read), now), now)
      assert.ok(ofRows)
      const expected = await listSummaries(scope, read, person, provider, dates)
      const actual = await listSummaries(scope, read, person, provider, { ...dates, ofRows })
      assert.deepEqual(actual, expected)
      found += actual.length
    }
  })
  await fc.assert(property, { seed: 118, numRuns: campaignRuns(5, 120) })
  assert.ok(found > 20, String(found))
})
