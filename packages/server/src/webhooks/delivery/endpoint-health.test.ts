import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { HOUR_MS } from '@salus/contracts/time-units'
import { afterFailure, type EndpointHealth, HEALTHY, isGivenUp } from './endpoint-health.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
const at = (hours: number): Date => new Date(START + hours * HOUR_MS)
const MILLISECOND = 1 / HOUR_MS

/** The health after failures at these hours, without a success in between. */
const failedAt = (...hours: number[]): EndpointHealth =>
  hours.reduce((health, hour) => afterFailure(health, at(hour)), HEALTHY)

describe('the clock of an endpoint', () => {
  test('stands still while there are no failures, and at the first one', () => {
    assert.equal(HEALTHY.failingSince, null)
    assert.deepEqual(failedAt(0), {
      firstFailureAt: at(0),
      lastFailureAt: at(0),
      failures: 1,
      failingSince: null,
    })
  })

  test('starts with the third failure when twelve hours lie between it and the first', () => {
    assert.deepEqual(failedAt(0, 6, 12), {
      firstFailureAt: at(0),
      lastFailureAt: at(12),
      failures: 3,
      failingSince: at(12),
    })
    assert.equal(failedAt(0, 6, 12 - MILLISECOND).failingSince, null)
  })

  test('does not start with two failures, however far apart', () => {
    assert.equal(failedAt(0, 23).failingSince, null)
  })

  test('does not start with any number of failures in less than twelve hours', () => {
    const hours = Array.from({ length: 1_000 }, (_, index) => index / 100)
    const { failures, failingSince } = failedAt(...hours)
    assert.deepEqual([failures, failingSince], [1_000, null])
  })

  test('starts with the first failure after twelve hours of many', () => {
    assert.deepEqual(failedAt(0, 1, 2, 3, 13, 14).failingSince, at(13))
  })

  test('keeps the time at which it started', () => {
    assert.deepEqual(failedAt(0, 6, 12, 30, 40).failingSince, at(12))
  })
})

describe('a pause between failures', () => {
  test('of 24 hours still belongs to one trouble', () => {
    assert.deepEqual(failedAt(0, 24, 48).failingSince, at(48))
  })

  test('that is longer makes the next failure the first of another trouble', () => {
    const hours = 24 + MILLISECOND
    assert.deepEqual(failedAt(0, hours), failedAt(hours))
    assert.deepEqual(failedAt(0, 6, 6 + hours, 12 + hours, 18 + hours).failingSince, at(18 + hours))
    assert.equal(failedAt(0, 6, 6 + hours, 12 + hours).failingSince, null)
  })

  test('of any length changes nothing once the clock runs', () => {
    const health = failedAt(0, 6, 12, 100)
    assert.deepEqual([health.failingSince, health.failures], [at(12), 4])
  })
})

describe('an endpoint is given up', () => {
  test('five days after the clock started, and not a moment before', () => {
    const health = failedAt(0, 6, 12)
    assert.equal(isGivenUp(health, at(12 + 5 * 24)), true)
    assert.equal(isGivenUp(health, at(12 + 5 * 24 - MILLISECOND)), false)
  })

  test('never while the clock stands still', () => {
    assert.equal(isGivenUp(failedAt(0, 1), at(10_000)), false)
    assert.equal(isGivenUp(HEALTHY, at(10_000)), false)
  })

  test('not when a success came in between: then all begins anew', () => {
    assert.equal(isGivenUp(HEALTHY, at(200)), false)
    const health = afterFailure(HEALTHY, at(200))
    assert.deepEqual(health, { ...failedAt(200) })
    assert.equal(isGivenUp(health, at(1_000)), false)
  })
})

test('a failure leaves the health before it as it was', () => {
  const before = failedAt(0, 6)
  const copy = structuredClone(before)
  afterFailure(before, at(12))
  assert.deepEqual(before, copy)
  assert.deepEqual(HEALTHY, {
    firstFailureAt: null,
    lastFailureAt: null,
    failures: 0,
    failingSince: null,
  })
})
