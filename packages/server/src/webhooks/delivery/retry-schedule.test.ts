import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAttemptAt } from './retry-schedule.ts'

const FAILED_AT = new Date('2026-03-01T12:00:00.250Z')
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

test('eight attempts are made, further and further apart', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7].map((failures) => {
    const next = nextAttemptAt(failures, FAILED_AT)
    return next && next.getTime() - FAILED_AT.getTime()
  })
  const expected = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]
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
