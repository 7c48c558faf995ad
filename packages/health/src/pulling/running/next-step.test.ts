import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import type { Collection, TimeRange } from '../../connectors/index.ts'
import type { PullTaskRow } from '../pull-tasks.global.repository.ts'
import { applyOutcome } from './apply-outcome.ts'
import { chooseStep, pollMsOf } from './next-step.ts'

const START = Date.parse('2026-02-10T15:20:00Z')
const DAYS = 4
const POLL_MS = pollMsOf({}, { history: 'by_range' })

/** Polls a collection for four days with a vendor that answers every request. */
function requestsOf(mostDaysAtOnce: number, overlapHours: number) {
  const collection = { mostDaysAtOnce, overlapHours, history: 'by_range' } as Collection
  let task = {
    coverage: [],
    polls_from: new Date(START),
    poll_at: new Date(START),
    planned_at: new Date(START),
    wanted_at: null,
    records: [],
    failures: 0,
  } as unknown as PullTaskRow
  const requests: (TimeRange & { at: number })[] = []
  const timing = { pollMs: POLL_MS, random: () => 0.5 }
  for (let now = START; now < START + DAYS * DAY_MS; now += 5 * MINUTE_MS) {
    for (;;) {
      const step = chooseStep(task, collection, now)
      if (step === undefined) break
      assert.ok(step.kind !== 'record')
      assert.ok(step.range.to - step.range.from <= mostDaysAtOnce * DAY_MS)
      requests.push({ ...step.range, at: now })
      task = applyOutcome(task, step, { kind: 'held' }, { startedAt: now, now, timing })
    }
  }
  return requests
}

test('records that a vendor adds within the overlap are pulled, also at one day a request', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 40 }), (days, hours) => {
      const requests = requestsOf(days, hours)
      const isPulledLate = (instant: number): boolean =>
        requests.some(
          ({ from, to, at }) =>
            from <= instant && instant < to && at >= instant + (hours - 1) * HOUR_MS,
        )
      const last = START + DAYS * DAY_MS - hours * HOUR_MS
      for (let instant = START; instant < last; instant += HOUR_MS) {
        assert.ok(isPulledLate(instant), `${new Date(instant).toISOString()} is pulled too early`)
      }
    }),
    { numRuns: 20 },
  )
})

test('a poll at one day a request is two requests while the overlap reaches into yesterday', () => {
  const requests = requestsOf(1, 6).filter(
    ({ at }) => at >= START + DAY_MS && at < START + 2 * DAY_MS,
  )
  const polls = DAY_MS / POLL_MS
  assert.ok(requests.length > polls, 'yesterday is requested again')
  assert.ok(requests.length <= polls * 1.3, 'only in the first hours of a day')
})

test('a walk from the newest record back is one step for the whole history', () => {
  const range = { from: START - 90 * DAY_MS, to: START }
  const task = {
    coverage: [{ ...range, state: 'pending', isHistory: true, cursor: '7' }],
    polls_from: new Date(START),
    poll_at: new Date(START + HOUR_MS),
    planned_at: new Date(START),
    wanted_at: null,
    records: [],
  } as unknown as PullTaskRow
  const collection = { mostDaysAtOnce: 1, overlapHours: 48, history: 'newest_first' } as Collection
  const step = chooseStep(task, collection, START)
  assert.ok(step?.kind === 'window')
  assert.deepEqual([step.range, step.cursor], [range, '7'])
  const timing = { pollMs: POLL_MS, random: () => 0.5 }
  const held = applyOutcome(task, step, { kind: 'held' }, { startedAt: START, now: START, timing })
  assert.deepEqual(held.coverage, [{ ...range, state: 'held' }])
  const poll = chooseStep(held, collection, START + DAY_MS)
  assert.ok(poll?.kind === 'poll')
  assert.equal(poll.range.from, START - 2 * DAY_MS)
  assert.equal(poll.restOfOverlap, undefined)
})
