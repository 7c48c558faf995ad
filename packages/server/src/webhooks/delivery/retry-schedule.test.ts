import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@salus/contracts/time-units'
import { nextAttemptAt } from './retry-schedule.ts'

const FAILED_AT = new Date('2026-03-01T12:00:00.250Z')

test('eight attempts are made, further and further apart', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7].map((failures) => {
    const next = nextAttemptAt(failures, FAILED_AT)
    return next && next.getTime() - FAILED_AT.getTime()
  })
  const expected = [
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    10 * HOUR_MS,
  ]
  assert.deepEqual(delays, expected)
})

test('after the eighth the message has failed', () => {
  assert.equal(nextAttemptAt(8, FAILED_AT), null)
  assert.equal(nextAttemptAt(9, FAILED_AT), null)
})

test('the time of the failure is left as it was', () => {
  nextAttemptAt(1, FAILED_AT)
  assert.equal(FAILED_AT.toISOString(), '2026-03-01T12:00:00.250Z')
})
