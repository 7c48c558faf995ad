import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MINUTE_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import { reconcileSleep } from './reconcile-sleep.ts'
import type { SleepRecord, SleepRecordStage, SleepSession } from './sleep-record.ts'

const NIGHT = Date.UTC(2024, 2, 1, 22)

/** A record by minutes after 22:00 UTC. */
function record(
  source: string,
  stage: SleepRecordStage,
  from: number,
  to: number,
  change: Partial<SleepRecord> = {},
): SleepRecord {
  return {
    sourceType: source,
    appId: `app of ${source}`,
    stage,
    startedAt: NIGHT + from * MINUTE_MS,
    endedAt: NIGHT + to * MINUTE_MS,
    timezoneOffset: 0,
    timeZone: '',
    ...change,
  }
}

const minutes = (at: number): number => (at - NIGHT) / MINUTE_MS
const spans = (sessions: SleepSession[]) =>
  sessions.map(({ startedAt, endedAt }) => [minutes(startedAt), minutes(endedAt)])
const stagesOf = (session: SleepSession | undefined) =>
  session?.stages.map(({ stage, startedAt, endedAt }) => [
    stage,
    minutes(startedAt),
    minutes(endedAt),
  ])
const totalOf = ({ stages }: SleepSession): number =>
  stages.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0)

test('one night of fourteen fragments is one session', () => {
  const fragments = Array.from({ length: 14 }, (_, index) =>
    record('watch', index % 3 === 0 ? 'rem' : 'light', index * 35, index * 35 + 25),
  )
  const sessions = reconcileSleep(fragments.toReversed())
  assert.deepEqual(spans(sessions), [[0, 13 * 35 + 25]])
  assert.equal(sessions[0]?.stages.length, 14)
  assert.equal(totalOf(sessions[0] as SleepSession), 14 * 25 * MINUTE_MS)
})

test('a gap of an hour parts two sessions, a shorter one does not', () => {
  const first = record('watch', 'asleep', 0, 100)
  assert.equal(reconcileSleep([first, record('watch', 'asleep', 160, 200)]).length, 2)
  assert.equal(reconcileSleep([first, record('watch', 'asleep', 159, 200)]).length, 1)
})

test('a night and two naps of the next day are three sessions', () => {
  const sessions = reconcileSleep([
    record('watch', 'light', 0, 480),
    record('watch', 'asleep', 900, 925),
    record('phone', 'asleep', 1100, 1140),
    // The whole afternoon on the sofa joins nothing, but begins the first nap and ends the last.
    record('phone', 'in_bed', 880, 1150),
  ])
  assert.deepEqual(spans(sessions), [
    [0, 480],
    [880, 925],
    [1100, 1150],
  ])
})

test('two devices on one night do not double it: the watch counts, the others fill in', () => {
  const [session, ...more] = reconcileSleep([
    record('phone', 'asleep', -20, 500),
    record('ring', 'light', 0, 490),
    record('watch', 'deep', 10, 200),
    record('watch', 'awake', 200, 210),
    record('watch', 'rem', 240, 480),
  ])
  assert.equal(more.length, 0)
  assert.deepEqual(stagesOf(session), [
    ['asleep', -20, 0],
    ['light', 0, 10],
    ['deep', 10, 200],
    ['awake', 200, 210],
    ['light', 210, 240],
    ['rem', 240, 480],
    ['light', 480, 490],
    ['asleep', 490, 500],
  ])
  assert.deepEqual([session?.sourceType, session?.appId], ['watch', 'app of watch'])
})

test('a watch that knows no stages gives way to a ring that does', () => {
  const [session] = reconcileSleep([
    record('watch', 'asleep', 0, 400),
    record('ring', 'deep', 100, 200),
  ])
  assert.deepEqual(stagesOf(session), [
    ['asleep', 0, 100],
    ['deep', 100, 200],
    ['asleep', 200, 400],
  ])
})

test('of one source the most particular stage counts', () => {
  const [session] = reconcileSleep([
    record('app', 'asleep', 0, 400),
    record('app', 'awake', 100, 110),
    record('app', 'light', 90, 105),
  ])
  assert.deepEqual(stagesOf(session), [
    ['asleep', 0, 90],
    ['light', 90, 105],
    ['awake', 105, 110],
    ['asleep', 110, 400],
  ])
})

test('time in bed gives boundaries and latency, and is no sleep', () => {
  const [session] = reconcileSleep([
    record('phone', 'in_bed', -90, -60),
    record('phone', 'in_bed', -30, 20),
    record('phone', 'in_bed', 25, 420),
    record('watch', 'awake', 5, 12),
    record('watch', 'light', 12, 400),
  ])
  assert.deepEqual([minutes(session?.startedAt ?? 0), minutes(session?.endedAt ?? 0)], [-90, 420])
  assert.equal(session?.latencySeconds, 102 * 60)
  assert.equal(totalOf(session as SleepSession), 395 * MINUTE_MS)
  assert.deepEqual(reconcileSleep([record('phone', 'in_bed', 0, 400)]), [])
  assert.deepEqual(reconcileSleep([record('watch', 'awake', 0, 400)]), [])
  assert.equal(reconcileSleep([record('watch', 'light', 0, 9)])[0]?.latencySeconds, null)
})

test('time in bed ends a night as it begins it', () => {
  const night = record('watch', 'light', 60, 400)
  const cases: [inBed: [number, number][], span: [number, number], latency: number | null][] = [
    [[[30, 450]], [30, 450], 1800],
    [
      [
        [20, 50],
        [410, 450],
      ],
      [20, 450],
      2400,
    ],
    [
      [
        [410, 430],
        [440, 470],
      ],
      [60, 470],
      null,
    ],
    // An hour later the user has lain down again.
    [[[460, 500]], [60, 400], null],
    [[[-60, 0]], [60, 400], null],
  ]
  for (const [inBed, span, latency] of cases) {
    const beds = inBed.map(([from, to]) => record('phone', 'in_bed', from, to))
    const sessions = reconcileSleep([night, ...beds])
    assert.deepEqual([spans(sessions), sessions[0]?.latencySeconds], [[span], latency])
  }
})

test('time in bed between two sessions begins the later one', () => {
  const sessions = reconcileSleep([
    record('watch', 'light', 0, 200),
    record('phone', 'in_bed', 220, 240),
    record('watch', 'light', 270, 480),
  ])
  assert.deepEqual(spans(sessions), [
    [0, 200],
    [220, 480],
  ])
})

test('one time in bed over two sessions begins the first and ends the last', () => {
  const sessions = reconcileSleep([
    record('phone', 'in_bed', -10, 500),
    record('watch', 'light', 0, 200),
    record('watch', 'light', 300, 480),
  ])
  assert.deepEqual(spans(sessions), [
    [-10, 200],
    [300, 500],
  ])
})

test('a session is where the person woke up', () => {
  const [session] = reconcileSleep([
    record('watch', 'light', 0, 100, { timezoneOffset: -28_800, timeZone: 'America/Los_Angeles' }),
    record('watch', 'light', 100, 400, { timezoneOffset: -25_200 }),
  ])
  assert.deepEqual([session?.timezoneOffset, session?.timeZone], [-25_200, ''])
})

const STAGES = ['in_bed', 'asleep', 'light', 'deep', 'rem', 'awake'] as const
const anyRecord = fc
  .record({
    source: fc.constantFrom('watch', 'ring', 'phone', 'app', 'unknown', 'other'),
    app: fc.constantFrom('a', 'b'),
    stage: fc.constantFrom(...STAGES),
    from: fc.integer({ min: 0, max: 2000 }),
    length: fc.integer({ min: -5, max: 200 }),
    timezoneOffset: fc.constantFrom(null, 0, 3600),
    timeZone: fc.constantFrom('', 'Europe/Berlin'),
  })
  .map(({ source, app, stage, from, length, ...zone }) =>
    record(source, stage, from, from + length, { appId: app, ...zone }),
  )
const records = fc.array(anyRecord, { maxLength: 25 })

test('any order and any repetition of the records gives the same', () => {
  const mixed = records.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc
        .array(fc.nat({ max: Math.max(0, list.length - 1) }), { maxLength: 10 })
        .map((again) => again.flatMap((index) => list[index] ?? []))
        .chain((again) =>
          fc.shuffledSubarray([...list, ...again], { minLength: list.length + again.length }),
        ),
    ),
  )
  fc.assert(
    fc.property(mixed, ([list, shuffled]) => {
      assert.deepEqual(reconcileSleep(shuffled), reconcileSleep(list))
    }),
    { numRuns: 500 },
  )
})

test('a record cut in two changes nothing', () => {
  const cut = fc.tuple(records, fc.nat(), fc.double({ min: 0.01, max: 0.99, noNaN: true }))
  fc.assert(
    fc.property(cut, ([list, which, where]) => {
      const chosen = list[which % Math.max(1, list.length)]
      if (chosen === undefined || chosen.endedAt - chosen.startedAt < 2) return
      const at = Math.floor(chosen.startedAt + (chosen.endedAt - chosen.startedAt) * where)
      if (at <= chosen.startedAt) return
      const parts = [
        { ...chosen, endedAt: at },
        { ...chosen, startedAt: at },
      ]
      const rest = list.filter((other) => other !== chosen)
      assert.deepEqual(reconcileSleep([...parts, ...rest]), reconcileSleep(list))
    }),
    { numRuns: 500 },
  )
})

test('sessions and stages are in order, never overlap, and cover exactly the recorded time', () => {
  fc.assert(
    fc.property(records, (list) => {
      const sessions = reconcileSleep(list)
      let before = Number.NEGATIVE_INFINITY
      for (const session of sessions) {
        assert.ok(session.startedAt >= before)
        assert.ok(session.startedAt <= session.firstStageAt)
        assert.ok(session.lastStageAt <= session.endedAt)
        assert.ok(totalOf(session) <= session.endedAt - session.startedAt)
        let at = session.firstStageAt
        for (const { startedAt, endedAt } of session.stages) {
          assert.ok(startedAt >= at && endedAt > startedAt)
          assert.ok(startedAt - at < 60 * MINUTE_MS)
          at = endedAt
        }
        assert.equal(at, session.lastStageAt)
        before = session.endedAt
        assert.equal(totalOf(session), coveredMinutes(list, session) * MINUTE_MS)
      }
    }),
    { numRuns: 300 },
  )
})

/** Minutes of a session for which some record has a stage, counted one by one. */
function coveredMinutes(list: SleepRecord[], { firstStageAt, lastStageAt }: SleepSession): number {
  const staged = list.filter(({ stage }) => stage !== 'in_bed')
  let count = 0
  for (let at = firstStageAt; at < lastStageAt; at += MINUTE_MS) {
    if (staged.some(({ startedAt, endedAt }) => startedAt <= at && at < endedAt)) count++
  }
  return count
}

test('ten thousand records of one stretch are reconciled in no time', () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    record(index % 2 ? 'watch' : 'ring', 'light', index % 700, (index % 700) + 90),
  )
  const startedAt = performance.now()
  assert.deepEqual(spans(reconcileSleep(many)), [[0, 789]])
  assert.ok(performance.now() - startedAt < 2000)
})
