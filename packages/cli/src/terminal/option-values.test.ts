import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidArgumentError } from 'commander'
import { parseDuration } from './option-values.ts'

test('lengths of time are read in weeks, days, hours, minutes and seconds', () => {
  assert.equal(parseDuration('3d'), 259_200)
  assert.equal(parseDuration('90m'), 5400)
  assert.equal(parseDuration('1d12h'), 129_600)
  assert.equal(parseDuration('2w'), 1_209_600)
  assert.equal(parseDuration('45s'), 45)
})

test('anything else is refused with an example', () => {
  for (const text of ['', '3', 'd', '3 d', '-1d', '1.5h', '3days']) {
    assert.throws(() => parseDuration(text), InvalidArgumentError, text)
  }
})
