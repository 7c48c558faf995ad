import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runAtOnce } from '@salus/kernel/time-slices'
import {
  dayRecord,
  FILE,
  PHONE,
  RING,
  sessionRecord,
} from '../../../../server/test/summaries/session-records.ts'
import {
  createRanking,
  DEFAULT_RANKING,
  type SourceRanking,
} from '../../source-priorities/index.ts'
import { mergeSessions } from './merge-sessions.ts'
import type { SessionRecord, SessionResource } from './session-record.ts'

/** Merges named records: name of each that counts to names, rules and reasons of the others. */
function merge(
  resource: SessionResource,
  named: Readonly<Record<string, SessionRecord>>,
  ranking: SourceRanking = DEFAULT_RANKING,
) {
  const nameOf = (record: SessionRecord): string =>
    Object.keys(named).find((name) => named[name] === record) ?? '?'
  const sessions = runAtOnce(mergeSessions(resource, Object.values(named), ranking))
  return Object.fromEntries(
    sessions.map(({ record, setAside }) => [
      nameOf(record),
      setAside.map((one) => `${nameOf(one.record)}: ${one.rule}, ${one.reason}`),
    ]),
  )
}

const preferring = (provider: string): SourceRanking =>
  createRanking({
    user: [{ provider, sourceType: null, appId: null, priority: 1, specificity: 0 }],
    teamResource: [],
    teamDataType: [],
  })

describe('one night', () => {
  const watch = sessionRecord('10 23:10', '11 07:02')
  const ring = sessionRecord('10 23:04', '11 06:55', RING)

  test('of two devices counts once, by the kind of source', () => {
    assert.deepEqual(merge('sleep', { watch, ring }), {
      watch: ['ring: same_time, kind_of_source'],
    })
  })

  test('counts by the priority of the person or the team, the stages, the preference', () => {
    const staged = { ...ring, hasStages: true }
    assert.deepEqual(merge('sleep', { watch, staged }), {
      staged: ['watch: same_time, stages_known'],
    })
    assert.deepEqual(merge('sleep', { watch, staged }, preferring('garmin')), {
      watch: ['staged: same_time, priority_of_person'],
    })
    const rules = { user: [], teamResource: [], teamDataType: [] }
    const ofOura = { provider: 'oura', sourceType: null, appId: null, priority: 3, specificity: 0 }
    assert.deepEqual(
      merge('sleep', { watch, ring }, createRanking({ ...rules, teamDataType: [ofOura] })),
      { ring: ['watch: same_time, priority_of_team'] },
    )
    assert.deepEqual(
      merge('sleep', { watch, ring }, createRanking({ ...rules, preferred: ['oura'] })),
      { ring: ['watch: same_time, preferred_by_request'] },
    )
  })

  test('counts by the more detailed record, then by the alphabet, of equal sources', () => {
    const copy = { ...watch, provider: 'apple_health_kit', id: 'zz' }
    assert.deepEqual(merge('sleep', { watch, copy }), { copy: ['watch: same_time, alphabet'] })
    const full = { ...watch, detail: 9 }
    assert.deepEqual(merge('sleep', { full, copy }), { full: ['copy: same_time, more_detail'] })
  })

  test('is not a nap, nor the night before, nor one that it only touches', () => {
    const nap = sessionRecord('11 14:00', '11 14:40', RING)
    const after = sessionRecord('11 07:02', '11 08:00', RING)
    const before = sessionRecord('09 23:00', '10 07:00', PHONE)
    assert.deepEqual(merge('sleep', { watch, nap, after, before }), {
      before: [],
      watch: [],
      after: [],
      nap: [],
    })
  })

  test('in one piece counts before pieces, unless a priority prefers their source', () => {
    const first = sessionRecord('10 23:10', '11 02:40')
    const second = sessionRecord('11 03:20', '11 07:00')
    assert.deepEqual(merge('sleep', { first, second, ring }), {
      ring: ['first: part_of_record, in_one_piece', 'second: part_of_record, in_one_piece'],
    })
    const staged = { ...second, hasStages: true }
    assert.deepEqual(merge('sleep', { first, staged, ring }), {
      staged: ['ring: several_parts, stages_known'],
      first: [],
    })
    assert.deepEqual(merge('sleep', { first, second, ring }, preferring('garmin')), {
      first: [],
      second: ['ring: several_parts, priority_of_person'],
    })
  })

  test('of which the preferred source has less than half counts by the other one', () => {
    const rest = sessionRecord('11 05:00', '11 07:00')
    assert.deepEqual(merge('sleep', { rest, ring }, preferring('garmin')), {
      ring: ['rest: part_of_record, covers_more'],
    })
  })

  test('that only has a date is the main sleep of that day', () => {
    const nap = sessionRecord('11 14:00', '11 14:40')
    const file = dayRecord(11, { ...FILE, seconds: 25_000 })
    assert.deepEqual(merge('sleep', { watch, nap, file }), {
      watch: ['file: same_day, times_known'],
      nap: [],
    })
    const short = { ...file, seconds: 1800 }
    assert.deepEqual(Object.keys(merge('sleep', { watch, short })), ['watch', 'short'])
    assert.deepEqual(Object.keys(merge('sleep', { nap, file })), ['nap', 'file'])
    const other = dayRecord(11, { ...PHONE })
    assert.deepEqual(merge('sleep', { file, other }), {
      other: ['file: same_day, kind_of_source'],
    })
  })

  test('of a wall clock without a zone is that of the same local time', () => {
    const abroad = { ...watch, offset: -8 * 3600 }
    const file = sessionRecord('10 15:12', '10 23:01', { ...FILE, offset: null, hasStages: true })
    assert.deepEqual(merge('sleep', { abroad, file }), {
      abroad: ['file: same_wall_clock, zone_known'],
    })
    const placed = { ...file, offset: 0 }
    assert.deepEqual(Object.keys(merge('sleep', { abroad, placed })), ['placed', 'abroad'])
    const instant = { ...watch, offset: null, provider: 'strava' }
    assert.deepEqual(merge('sleep', { abroad, instant }), {
      abroad: ['instant: same_time, alphabet'],
    })
  })

  test('does not hide the sleeps of a day that one record covers entirely', () => {
    const endless = sessionRecord('10 12:00', '11 12:00', PHONE)
    assert.deepEqual(Object.keys(merge('sleep', { endless, ring })).sort(), ['endless', 'ring'])
    const alike = sessionRecord('10 14:00', '11 12:00', RING)
    assert.deepEqual(merge('sleep', { endless, alike }), {
      alike: ['endless: same_time, kind_of_source'],
    })
  })
})

describe('one workout', () => {
  const run = { sport: 'running' }
  const watch = sessionRecord('10 08:00', '10 08:42', run)

  test('that begins some minutes later on another device counts once, under any name', () => {
    const phone = sessionRecord('10 08:06', '10 08:43', { ...PHONE, sport: 'walking' })
    assert.deepEqual(merge('workouts', { watch, phone }), {
      watch: ['phone: same_time, kind_of_source'],
    })
  })

  test('is not one that it only touches, overlaps for a moment, or that is of another hour', () => {
    const next = sessionRecord('10 08:42', '10 09:30', { ...PHONE, ...run })
    const late = sessionRecord('10 08:25', '10 09:30', { ...RING, ...run })
    assert.deepEqual(Object.keys(merge('workouts', { watch, next })), ['watch', 'next'])
    assert.deepEqual(Object.keys(merge('workouts', { watch, late })), ['watch', 'late'])
    const evening = sessionRecord('10 18:00', '10 18:42', { ...PHONE, ...run })
    assert.deepEqual(Object.keys(merge('workouts', { watch, evening })), ['watch', 'evening'])
  })

  test('of several sports counts by its parts, or as a whole, but not twice', () => {
    const parts = {
      swim: sessionRecord('10 08:00', '10 08:30', { sport: 'swimming' }),
      bike: sessionRecord('10 08:32', '10 09:50', { sport: 'cycling' }),
      leg: sessionRecord('10 09:51', '10 10:30', run),
    }
    const whole = sessionRecord('10 08:00', '10 10:30', { ...FILE, sport: 'triathlon' })
    assert.deepEqual(merge('workouts', { ...parts, whole }), {
      swim: [],
      bike: ['whole: same_time, kind_of_source'],
      leg: [],
    })
    const watchWhole = { ...whole, sourceType: 'watch' }
    assert.deepEqual(merge('workouts', { ...parts, watchWhole }), {
      watchWhole: [
        'swim: part_of_record, in_one_piece',
        'bike: same_time, in_one_piece',
        'leg: part_of_record, in_one_piece',
      ],
    })
    assert.deepEqual(merge('workouts', { ...parts, whole }, preferring('strava')), {
      whole: [
        'swim: part_of_record, priority_of_person',
        'bike: same_time, priority_of_person',
        'leg: part_of_record, priority_of_person',
      ],
    })
  })

  test('that was typed in beside a device is set aside', () => {
    const typed = sessionRecord('10 08:00', '10 09:00', { provider: 'manual', sourceType: 'app' })
    assert.deepEqual(merge('workouts', { watch, typed }), {
      watch: ['typed: same_time, kind_of_source'],
    })
  })

  test('with the id of another one of the provider counts once, although their times differ', () => {
    const known = { ...watch, externalId: '42' }
    const again = sessionRecord('10 08:35', '10 09:30', { ...run, appId: 'file', externalId: '42' })
    assert.deepEqual(merge('workouts', { known, again }), {
      known: ['again: same_id, alphabet'],
    })
    const later = sessionRecord('11 08:00', '11 08:42', { ...run, appId: 'a', externalId: '42' })
    assert.deepEqual(Object.keys(merge('workouts', { known, later })), ['known', 'later'])
  })

  test('that only has a date is the one of that day with its sport and size, if there is one', () => {
    const file = dayRecord(10, { ...FILE, ...run, seconds: 2500, meters: 8000 })
    assert.deepEqual(merge('workouts', { watch, file }), {
      watch: ['file: same_day, times_known'],
    })
    for (const other of [
      { ...file, seconds: 1200 },
      { ...file, seconds: null, meters: null },
      { ...file, sport: 'cycling' },
      { ...file, day: '2026-02-11' },
    ]) {
      assert.deepEqual(Object.keys(merge('workouts', { watch, other })), ['watch', 'other'])
    }
    const second = { ...file, id: 'second' }
    assert.deepEqual(
      merge('workouts', { watch, file, second }),
      { watch: [], file: [], second: [] },
      'two of one source are two workouts, and either may be that of the watch',
    )
  })

  test('of a wall clock is no other workout of its length', () => {
    const placed = { ...watch, offset: 3600 }
    const clock = sessionRecord('10 09:00', '10 09:42', { ...FILE, ...run, offset: null })
    assert.deepEqual(merge('workouts', { placed, clock }), {
      placed: ['clock: same_wall_clock, zone_known'],
    })
    const longer = { ...clock, endedAt: clock.endedAt + 20 * 60_000 }
    assert.deepEqual(Object.keys(merge('workouts', { placed, longer })), ['placed', 'longer'])
    const swim = { ...clock, sport: 'swimming' }
    assert.deepEqual(Object.keys(merge('workouts', { placed, swim })), ['placed', 'swim'])
  })

  test('without an end is part of one that was under way', () => {
    const moment = sessionRecord('10 08:20', '10 08:20', PHONE)
    assert.deepEqual(merge('workouts', { watch, moment }), {
      watch: ['moment: part_of_record, kind_of_source'],
    })
    const atItsEnd = sessionRecord('10 08:42', '10 08:42', PHONE)
    assert.deepEqual(Object.keys(merge('workouts', { watch, atItsEnd })), ['watch', 'atItsEnd'])
  })
})

describe('very many records', () => {
  const many = (count: number, hoursBetween: number) =>
    Array.from({ length: count }, (_, at) => {
      const startedAt = Date.UTC(2026, 1, 10) + at * hoursBetween * 3_600_000
      const times = { startedAt, endedAt: startedAt + 70 * 60_000 }
      return sessionRecord('10 08:00', '10 09:00', { ...times, id: `${at}`, provider: `p${at}` })
    })
  const merging = (records: SessionRecord[]) =>
    runAtOnce(mergeSessions('workouts', records, DEFAULT_RANKING))

  test('that overlap the next one a little all count', () => {
    assert.equal(merging(many(20_000, 1)).length, 20_000)
  })

  test('of one time are refused', () => {
    assert.throws(() => merging(many(4000, 0)), { errorType: 'range_too_large' })
  })
})
