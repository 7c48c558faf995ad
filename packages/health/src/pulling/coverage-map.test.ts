import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import fc from 'fast-check'
import type { TimeRange } from '../connectors/index.ts'
import {
  type Coverage,
  historyProgress,
  nextDueAt,
  nextWindow,
  recordHeld,
  requestGaps,
  requestHistory,
  requestRangeAgain,
  revisePending,
} from './coverage-map.ts'

const asked = { from: 3 * DAY_MS, to: 93 * DAY_MS + 5_000 }

const isIn = ({ from, to }: TimeRange, at: number): boolean => from <= at && at < to
const stateAt = (coverage: Coverage, at: number) => coverage.find((range) => isIn(range, at))?.state

function assertInOrder(coverage: Coverage): void {
  for (const [index, range] of coverage.entries()) {
    assert.ok(range.from < range.to)
    const next = coverage[index + 1]
    if (next !== undefined) assert.ok(range.to <= next.from)
  }
}

/** Outcomes of an attempt. A crash records nothing. */
const outcome = fc.constantFrom('held', 'held', 'failed', 'crashed', 'halfway')
const range = fc
  .tuple(fc.integer({ min: 0, max: 99 * DAY_MS }), fc.integer({ min: 1, max: 20 * DAY_MS }))
  .map(([from, length]) => ({ from, to: from + length }))

describe('the coverage map', () => {
  test('any order of held, failed and crashed windows ends with exactly the range held', () => {
    fc.assert(
      fc.property(
        fc.array(outcome, { maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        fc.array(range, { maxLength: 3 }),
        (outcomes, mostDays, held) => {
          let coverage: Coverage = []
          for (const part of held) coverage = recordHeld(coverage, part)
          const before = coverage
          coverage = requestHistory(coverage, asked, false)
          const script = [...outcomes]
          for (let now = 0; ; now += 1) {
            const window = nextWindow(coverage, now, mostDays)
            if (window === undefined) {
              const dueAt = nextDueAt(coverage)
              if (dueAt === undefined) break
              now = dueAt - 1
              continue
            }
            // Only gaps are requested, and never more than one request may span.
            assert.ok(window.from >= asked.from && window.to <= asked.to)
            assert.ok(!before.some((part) => part.from < window.to && window.from < part.to))
            assert.ok(window.to - window.from <= mostDays * DAY_MS)
            const became = script.shift() ?? 'held'
            if (became === 'held') coverage = recordHeld(coverage, window)
            if (became === 'failed') {
              coverage = revisePending(coverage, window, (known) => ({
                ...known,
                attempts: (known.attempts ?? 0) + 1,
                reason: 'provider_unavailable',
                nextAt: now + 50,
              }))
            }
            if (became === 'halfway') {
              coverage = revisePending(coverage, window, (known) => ({
                ...known,
                cursor: 'page 2',
              }))
              assert.equal(nextWindow(coverage, now, mostDays)?.cursor, 'page 2')
            }
            assertInOrder(coverage)
          }
          const covering = coverage.filter((part) => part.from < asked.to && asked.from < part.to)
          assert.ok(covering.every(({ state }) => state === 'held'))
          assert.equal(covering.length, 1)
          assert.ok((covering[0]?.from ?? 0) <= asked.from)
          assert.ok((covering[0]?.to ?? 0) >= asked.to)
          assert.deepEqual(historyProgress(coverage), { status: 'success', reason: null })
        },
      ),
      { seed: 19, numRuns: 300 },
    )
  })

  test('a change touches its range and nothing else', () => {
    const change = fc.constantFrom(recordHeld, requestGaps, requestRangeAgain)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(change, range), { maxLength: 12 }),
        fc.tuple(change, range),
        (steps, [last, touched]) => {
          let coverage: Coverage = []
          for (const [step, part] of steps) coverage = step(coverage, part)
          assertInOrder(coverage)
          const after = last(coverage, touched)
          assertInOrder(after)
          const edges = [...coverage, ...after].flatMap(({ from, to }) => [from, to - 1, to])
          for (const at of edges.filter((edge) => !isIn(touched, edge))) {
            assert.equal(stateAt(after, at), stateAt(coverage, at))
          }
          for (const at of [...edges, touched.from].filter((edge) => isIn(touched, edge))) {
            const [was, is] = [stateAt(coverage, at), stateAt(after, at)]
            if (last === recordHeld) assert.equal(is, 'held')
            if (last === requestRangeAgain) assert.equal(is, 'pending')
            if (last === requestGaps) assert.equal(is, was ?? 'pending')
          }
        },
      ),
      { seed: 23, numRuns: 300 },
    )
  })

  test('windows are pulled newest first and begin with a day', () => {
    const coverage = requestHistory([], { from: 0, to: 10 * DAY_MS + 1_000 }, false)
    const first = nextWindow(coverage, 0, 3)
    assert.deepEqual([first?.from, first?.to], [8 * DAY_MS, 10 * DAY_MS + 1_000])
    const second = nextWindow(recordHeld(coverage, first as TimeRange), 0, 3)
    assert.deepEqual([second?.from, second?.to], [5 * DAY_MS, 8 * DAY_MS])
  })

  test('a window that comes late does not undo what is held meanwhile', () => {
    const window = { from: 0, to: DAY_MS }
    const held = recordHeld(requestHistory([], window, false), window)
    assert.deepEqual(
      revisePending(held, window, () => ({ state: 'unavailable' })),
      held,
    )
    assert.equal(nextDueAt(requestHistory(held, window, false)), undefined)
    assert.equal(nextDueAt(requestHistory(held, window, true)), 0)
  })

  test('what was given up makes the run a failure, with the reason', () => {
    const window = { from: 0, to: 2 * DAY_MS }
    let coverage = requestHistory([], window, false)
    coverage = recordHeld(coverage, { from: DAY_MS, to: 2 * DAY_MS })
    assert.equal(historyProgress(coverage).status, 'in_progress')
    const rest = { from: 0, to: DAY_MS }
    coverage = revisePending(coverage, rest, (known) => ({
      ...known,
      reason: 'transport_failure',
    }))
    const retrying = { status: 'retrying', reason: 'transport_failure' }
    assert.deepEqual(historyProgress(coverage), retrying)
    coverage = revisePending(coverage, rest, (known) => ({
      ...known,
      state: 'unavailable',
      reason: 'retry_quota_exhausted',
    }))
    const failure = { status: 'failure', reason: 'retry_quota_exhausted' }
    assert.deepEqual(historyProgress(coverage), failure)
    assert.equal(historyProgress(requestHistory(coverage, window, false)).status, 'in_progress')
  })
})
