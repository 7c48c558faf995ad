import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findScenario, readScenario, UnknownWordError } from './scenario.ts'

describe('a scenario', () => {
  test('has steps in their order, and words about the answer and the values', () => {
    assert.deepEqual(readScenario(' Slow  2m, critical,preliminary, final ,duplicate,lose'), {
      answer: 'lose',
      delaySeconds: 120,
      interpretation: 'critical',
      steps: ['preliminary', 'final', 'duplicate'],
    })
  })

  test('accepts at once, with normal values, where it says nothing else', () => {
    const usual = { answer: 'accept', delaySeconds: 0, interpretation: 'normal', steps: [] }
    assert.deepEqual(readScenario(''), usual)
    assert.equal(readScenario('reflex').interpretation, 'abnormal')
    assert.equal(readScenario('reflex, normal').interpretation, 'normal')
  })

  test('is found in notes, among other texts', () => {
    assert.deepEqual(findScenario('Fasting.\n[Sandbox: qns]\nThank you')?.steps, ['qns'])
    assert.equal(findScenario('Fasting. [lab: qns]'), undefined)
  })

  test('lists the words that there are when it has another one', () => {
    for (const text of ['soon', 'slow', 'slow 2d', 'final corrected']) {
      assert.throws(
        () => readScenario(text),
        (error: unknown) => {
          assert.ok(error instanceof UnknownWordError)
          assert.match(
            error.message,
            /^".+" is no step\. There are: preliminary, final, .*slow <time>\.$/,
          )
          return true
        },
      )
    }
  })
})
