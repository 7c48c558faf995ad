import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { runAtOnce } from '@salus/kernel/time-slices'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import {
  createRanking,
  DEFAULT_RANKING,
  type SourceRanking,
} from '../../source-priorities/index.ts'
import { mergeSessions } from './merge-sessions.ts'
import type { MergedSession } from './merged-session.ts'
import type { SessionRecord, SessionResource } from './session-record.ts'

const SOURCES = [
  { provider: 'garmin', sourceType: 'watch', appId: '' },
  { provider: 'oura', sourceType: 'ring', appId: '' },
  { provider: 'apple_health_kit', sourceType: 'phone', appId: 'a' },
  { provider: 'strava', sourceType: 'unknown', appId: '' },
]
const FIRST = Date.UTC(2026, 1, 10)

/** Lengths that meet the limits of rules: a moment, a nap, a workout, a night, a day. */
const minutes = fc.oneof(fc.constant(0), fc.nat(60), fc.nat(200), fc.nat(600), fc.nat(1800))

const record: fc.Arbitrary<SessionRecord> = fc
  .record({
    source: fc.constantFrom(...SOURCES),
    // Few starts, so that records overlap, touch and are equal.
    start: fc.oneof(
      fc.nat(4320),
      fc.nat(40).map((step) => step * 30),
    ),
    minutes,
    offset: fc.constantFrom(0, 0, 7200, -28_800, null),
    isDay: fc.integer({ min: 0, max: 5 }).map((roll) => roll === 0),
    hasStages: fc.boolean(),
    sport: fc.constantFrom('running', 'cycling', 'other', ''),
    seconds: fc.constantFrom(null, 1800, 2000, 25_000),
    meters: fc.constantFrom(null, 5000, 5200),
    detail: fc.nat(2),
    externalId: fc.constantFrom('', '1', '2'),
  })
  .map(({ source, start, minutes: length, offset, isDay, ...rest }) => {
    const day = FIRST + Math.floor(start / 1440) * 1440 * MINUTE_MS
    const startedAt = isDay ? day : FIRST + start * MINUTE_MS
    const endedAt = isDay ? day : startedAt + length * MINUTE_MS
    return {
      ...{ ...source, ...rest, id: '', startedAt, endedAt, offset: isDay ? null : offset },
      ...{ day: new Date(endedAt).toISOString().slice(0, 10), namesDay: isDay },
    }
  })

const records = fc
  .array(record, { maxLength: 14 })
  .map((list) => list.map((one, at) => ({ ...one, id: `id-${String(at).padStart(2, '0')}` })))
const resources = fc.constantFrom<SessionResource>('sleep', 'workouts')

const rankings: fc.Arbitrary<SourceRanking> = fc
  .record({ provider: fc.constantFrom(...SOURCES), priority: fc.integer({ min: -1, max: 1 }) })
  .map(({ provider: { provider }, priority }) => {
    const rule = { provider, sourceType: null, appId: null, priority, specificity: 0 }
    return createRanking({ user: [rule], teamResource: [], teamDataType: [] })
  })

const merge = (
  resource: SessionResource,
  list: readonly SessionRecord[],
  ranking: SourceRanking = DEFAULT_RANKING,
): MergedSession[] => runAtOnce(mergeSessions(resource, list, ranking))

/** A merge in a form that two can be compared by. */
const plain = (sessions: readonly MergedSession[]) =>
  sessions
    .map(({ record: { id }, setAside }) => ({
      id,
      setAside: setAside.map((one) => [
        one.record.id,
        one.rule,
        one.overlap,
        one.wonBy.id,
        one.reason,
      ]),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))

const numRuns = campaignRuns(400, 40_000)
describe('whatever records there are', () => {
  test('their order changes nothing', () => {
    const shuffled = records.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    fc.assert(
      fc.property(resources, shuffled, rankings, (resource, [list, other], ranking) => {
        assert.deepEqual(
          plain(merge(resource, other, ranking)),
          plain(merge(resource, list, ranking)),
        )
      }),
      { numRuns },
    )
  })

  test('each is named exactly once, and lost to one that is named in the same session', () => {
    fc.assert(
      fc.property(resources, records, rankings, (resource, list, ranking) => {
        const sessions = merge(resource, list, ranking)
        const named = sessions.flatMap(({ record: one, setAside }) => [
          one.id,
          ...setAside.map((other) => other.record.id),
        ])
        assert.deepEqual(
          named.sort(),
          list.map(({ id }) => id),
        )
        for (const { record: one, setAside } of sessions) {
          const ids = [one.id, ...setAside.map((other) => other.record.id)]
          for (const { wonBy, record: lost } of setAside) {
            assert.ok(ids.includes(wonBy.id) && wonBy.id !== lost.id)
          }
        }
      }),
      { numRuns },
    )
  })

  test('those that count all count when they are merged again', () => {
    // The zone of a wall clock is known from a record that may not count.
    const placed = records.map((list) => list.filter((one) => one.offset !== null || one.namesDay))
    fc.assert(
      fc.property(resources, placed, rankings, (resource, list, ranking) => {
        const once = merge(resource, list, ranking).map((session) => session.record)
        const again = merge(resource, once, ranking)
        assert.deepEqual(plain(again), plain(once.map((one) => ({ record: one, setAside: [] }))))
      }),
      { numRuns },
    )
  })

  test('those set aside share time with the winner, or a day or a local time', () => {
    fc.assert(
      fc.property(resources, records, (resource, list) => {
        for (const { setAside } of merge(resource, list)) {
          for (const { record: lost, wonBy, rule, overlap } of setAside) {
            if (rule === 'same_day') assert.equal(lost.day, wonBy.day)
            else assert.ok(overlap !== null && overlap > 0 && overlap <= 1)
            const isClock = lost.offset === null || wonBy.offset === null
            if (rule === 'same_day' || isClock) continue
            const from = Math.max(lost.startedAt, wonBy.startedAt)
            const to = Math.min(lost.endedAt, wonBy.endedAt)
            assert.equal(rule === 'same_wall_clock' ? false : from <= to, true)
          }
        }
      }),
      { numRuns },
    )
  })

  test('of the time that any of them has, those that count have at least a third', () => {
    fc.assert(
      fc.property(resources, records, rankings, (resource, list, ranking) => {
        // Records of one id are the same, however their times differ.
        const timed = list
          .filter((one) => one.offset !== null)
          .map((one) => ({ ...one, externalId: '' }))
        const counting = merge(resource, timed, ranking).map((session) => session.record)
        // One that is set aside may extend by as much as is covered, on both sides.
        assert.ok(minutesOf(counting) * 3 >= minutesOf(timed))
      }),
      { numRuns },
    )
  })

  test('records that do not overlap are never merged', () => {
    const apart = records.map((list) => {
      let at = FIRST
      return list
        .filter((one) => !one.namesDay)
        .map((one) => {
          const startedAt = at
          at += Math.max(MINUTE_MS, one.endedAt - one.startedAt)
          return { ...one, offset: 0, startedAt, endedAt: at }
        })
    })
    fc.assert(
      fc.property(resources, apart, rankings, (resource, list, ranking) => {
        assert.equal(merge(resource, list, ranking).length, list.length)
      }),
      { numRuns },
    )
  })
})

/** Returns the minutes that records have together, each once. */
function minutesOf(list: readonly SessionRecord[]): number {
  const known = new Set<number>()
  for (const { startedAt, endedAt } of list) {
    for (let at = startedAt; at < endedAt; at += MINUTE_MS) known.add(at)
  }
  return known.size
}
