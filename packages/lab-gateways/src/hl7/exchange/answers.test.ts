import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { message } from '../../../test/report-messages.ts'
import { AnswerNotFinal, isAnswerTo, placementOf, readAnswer } from './answers.ts'

const answer = (code: string, ...more: string[]) =>
  message(
    'MSH|^~\\&|LIS|ACME|SALUS|A|20260301120509-0700||ACK|A-1|P|2.3',
    `MSA|${code}|M-7`,
    ...more,
  )
const error = (code: string) => `ERR||ORC^1^2|${code}^^HL70357|E`
const stateOf = (content: Buffer) => {
  const { state, code, location } = readAnswer(content, 'M-7')
  return [state, code, location]
}
const problemOf = (content: Buffer): string => {
  try {
    readAnswer(content, 'M-7')
  } catch (problem) {
    if (problem instanceof AnswerNotFinal) return problem.problem
    throw problem
  }
  throw new Error('The answer is final.')
}

describe('an answer', () => {
  test('accepts with AA, and only commits with CA', () => {
    assert.deepEqual(stateOf(answer('AA')), ['accepted', null, null])
    assert.deepEqual(stateOf(answer('CA')), ['committed', null, null])
  })

  test('refuses with AE, AR and CE, by its codes', () => {
    assert.deepEqual(stateOf(answer('AE', error('204'))), ['refused', 'AE 204', 'ORC-2'])
    assert.deepEqual(stateOf(answer('AR')), ['refused', 'AR', null])
    assert.deepEqual(stateOf(answer('CE', error('101'))), ['refused', 'CE 101', 'ORC-2'])
    assert.deepEqual(stateOf(answer('AR', 'ERR|PID^1^18')), ['refused', 'AR', 'PID-18'])
  })

  test('to a repetition accepts what the laboratory has already', () => {
    const content = answer('AR', error('205'))
    assert.equal(stateOf(content)[0], 'refused')
    assert.equal(readAnswer(content, 'M-7', { isRepetition: true }).state, 'accepted')
  })

  test('has no text of the laboratory in its codes', () => {
    const content = answer('AE', 'ERR||a person^1|Orla Vance is unknown^^HL70357|E')
    assert.deepEqual(stateOf(content), ['refused', 'AE', null])
  })

  test('is not final while the record is locked or the laboratory failed', () => {
    assert.equal(problemOf(answer('AE', error('206'))), 'AE 206')
    assert.equal(problemOf(answer('AR', error('207'))), 'AR 207')
    assert.equal(problemOf(answer('CR')), 'CR')
    assert.equal(problemOf(answer('ZZ')), 'unknown_answer')
    // A version or a type that is not supported stays so.
    assert.deepEqual(stateOf(answer('CR', error('203'))), ['refused', 'CR 203', 'ORC-2'])
  })

  test('refuses when every order of it is unable to be accepted or cancelled', () => {
    const orders = (...controls: string[]) =>
      answer('AA', ...controls.map((control) => `ORC|${control}|SA1|FL-1`))
    assert.deepEqual(stateOf(orders('UA', 'UA')), ['refused', 'ORC UA', null])
    assert.deepEqual(stateOf(orders('UC')), ['refused', 'ORC UC', null])
    assert.deepEqual(stateOf(orders('OK', 'UA')), ['accepted', null, null])
  })

  test('has the numbers of the laboratory', () => {
    const content = answer('AA', 'PID|1', 'ORC|OK|SA1|FL-1^ACME|G-5', 'OBR|1|SA1|FL-1^ACME|5^T^L')
    const { fillerNumbers, groupNumber } = readAnswer(content, 'M-7')
    assert.deepEqual([fillerNumbers, groupNumber], [['FL-1'], 'G-5'])
  })

  test('is found by MSA-2 alone', () => {
    assert.equal(isAnswerTo(answer('AA'), 'M-7'), true)
    assert.equal(isAnswerTo(answer('AA'), 'M-8'), false)
    assert.equal(isAnswerTo(answer('AA'), 'M-77'), false)
    assert.equal(isAnswerTo(Buffer.from('no message'), 'M-7'), false)
    assert.throws(() => readAnswer(answer('AA'), 'M-8'), AnswerNotFinal)
  })

  test('of the application decides when a commit comes with it', () => {
    const both = Buffer.concat([answer('CA'), answer('AE', error('204'))])
    assert.deepEqual(stateOf(both), ['refused', 'AE 204', 'ORC-2'])
  })
})

describe('a placement', () => {
  test('waits after a commit, and has the number of an accepted requisition', () => {
    const none = { code: null, location: null }
    assert.deepEqual(placementOf({ state: 'committed', ...none }, 'R-1'), { state: 'waiting' })
    assert.deepEqual(placementOf({ state: 'accepted', ...none }, 'R-1'), {
      state: 'accepted',
      sampleId: 'R-1',
    })
  })
})
