import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import type { PostOutcome } from '@salus/kernel/outbound/post'
import { evaluateAttempt, type FinishedAttempt } from './attempt-outcome.ts'
import { type EndpointHealth, HEALTHY } from './endpoint-health.ts'

const KEY = { environmentId: 'an environment', endpointId: 'an endpoint' }
const ATTEMPTED_AT = new Date('2026-03-01T12:00:00Z')
const FINISHED_AT = new Date('2026-03-01T12:00:02Z')

const answered = (status: number | null, error: PostOutcome['error'] = null): PostOutcome => ({
  status,
  durationMs: 12.6,
  responseBody: 'words',
  error,
})

function attempt(answer: PostOutcome, failures = 0, health = HEALTHY): FinishedAttempt {
  return {
    delivery: {
      event_id: 'msg_1',
      event_type: 'daily.data.steps.created',
      user_id: null,
      attempts: failures + 10,
      run: 2,
      failures,
      next_attempt_at: null,
      body: Buffer.alloc(0),
      trace_parent: null,
    },
    target: { url: '', headers: {}, keys: [], rateLimit: null, health },
    attemptedAt: ATTEMPTED_AT,
    finishedAt: FINISHED_AT,
    answer,
  }
}

/** Failing since a number of days. */
const failing = (days: number): EndpointHealth => {
  const since = new Date(FINISHED_AT.getTime() - days * DAY_MS)
  return { firstFailureAt: since, lastFailureAt: since, failures: 3, failingSince: since }
}

describe('an attempt', () => {
  test('is noted with what was sent, when, and what came of it', () => {
    assert.deepEqual(evaluateAttempt(KEY, attempt(answered(null, 'timeout'), 1), true), {
      ...KEY,
      eventId: 'msg_1',
      eventType: 'daily.data.steps.created',
      number: 12,
      run: 2,
      attemptedAt: ATTEMPTED_AT,
      responseStatus: null,
      error: 'timeout',
      durationMs: 13,
      responseBody: 'words',
      status: 'pending',
      failures: 2,
      nextAttemptAt: new Date(FINISHED_AT.getTime() + 300_000),
      health: {
        firstFailureAt: FINISHED_AT,
        lastFailureAt: FINISHED_AT,
        failures: 1,
        failingSince: null,
      },
      disable: null,
    })
  })

  test('succeeds with 200 to 299 and nothing else', () => {
    const statusOf = (status: number | null) =>
      evaluateAttempt(KEY, attempt(answered(status)), true).status
    for (const status of [200, 204, 299]) assert.equal(statusOf(status), 'delivered')
    for (const status of [199, 300, 302, 404, 410, 500, null]) {
      assert.equal(statusOf(status), 'pending')
    }
  })

  test('that succeeds ends the failures of its message', () => {
    const outcome = evaluateAttempt(KEY, attempt(answered(200), 5), true)
    assert.deepEqual([outcome.failures, outcome.nextAttemptAt], [0, null])
  })

  test('is the last one when the eighth of its run fails', () => {
    const { status, nextAttemptAt, failures } = evaluateAttempt(
      KEY,
      attempt(answered(500), 7),
      true,
    )
    assert.deepEqual([status, nextAttemptAt, failures], ['failed', null, 8])
  })
})

describe('the endpoint', () => {
  const judge = (answer: PostOutcome, health: EndpointHealth, isCurrent = true) => {
    const outcome = evaluateAttempt(KEY, attempt(answer, 0, health), isCurrent)
    return [outcome.health, outcome.disable]
  }

  test('is well again after a success, which is no news when it was well before', () => {
    assert.deepEqual(judge(answered(200), failing(9)), [HEALTHY, null])
    assert.deepEqual(judge(answered(200), HEALTHY), [null, null])
  })

  test('is disabled when it is gone, and when it failed for five days', () => {
    assert.equal(judge(answered(410), HEALTHY)[1], 'gone')
    assert.equal(judge(answered(410), failing(5))[1], 'gone')
    assert.equal(judge(answered(500), failing(5))[1], 'failing')
    assert.equal(judge(answered(500), failing(4.9))[1], null)
  })

  test('is not to blame for what it did before it was changed', () => {
    for (const answer of [answered(410), answered(500), answered(200)]) {
      assert.deepEqual(judge(answer, failing(5), false), [null, null])
    }
    assert.equal(evaluateAttempt(KEY, attempt(answered(410)), false).status, 'pending')
  })
})
