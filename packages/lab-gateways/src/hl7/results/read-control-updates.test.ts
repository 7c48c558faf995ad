import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UnreadableMessage } from '@salus/contracts/lab-gateway'
import { rulesOf } from '../../../test/connections.ts'
import { message } from '../../../test/report-messages.ts'
import { readMessages } from './read-messages.ts'

const LEGACY = rulesOf('hl7-2.3-legacy')
const PER_TEST = rulesOf('loi-lri-2.5.1', { numbers: { placer: { per: 'test' } } })
const header = (type: string) => `MSH|^~\\&|LIS|ACME|SALUS|ACCT100|202603090850||${type}|C-1|P|2.3`
const obr = (placer: string, code: string) => `OBR|1|${placer}|FL-1|${code}^Test ${code}^L`
const ORDER = { placerNumbers: ['SA1'], fillerNumbers: ['FL-1'], sampleId: 'SA1', labSlug: 'acme' }
const AT = '2026-03-09T15:50:00.000Z'

describe('an order message of the laboratory', () => {
  test('cancels the order', () => {
    for (const control of ['OC', 'CA', 'DC']) {
      const content = message(
        header('ORM^O01'),
        'PID|1',
        `ORC|${control}|SA1|FL-1`,
        obr('SA1', '5'),
      )
      assert.deepEqual(readMessages(LEGACY, content), [
        { kind: 'cancelled_by_lab', order: ORDER, at: AT },
      ])
    }
  })

  test('refuses the requisition when the laboratory is unable to accept it', () => {
    const content = message(header('ORM^O01'), 'PID|1', 'ORC|UA|SA1|FL-1', obr('SA1', '5'))
    assert.deepEqual(readMessages(LEGACY, content), [
      { kind: 'requisition_refused', order: ORDER, at: AT, code: 'ORC UA', location: null },
    ])
  })

  test('cancels only the tests that it names where each has a number of its own', () => {
    const content = message(
      header('OML^O21'),
      'PID|1',
      'ORC|OC|SA1|FL-1|SA1',
      obr('SA1', '5'),
      'NTE|1|L|Quantity not sufficient',
    )
    const [update, ...others] = readMessages(PER_TEST, content)
    assert.equal(others.length, 0)
    assert.equal(update?.kind, 'report')
    if (update?.kind !== 'report') return
    const { tests, scope } = update.report
    assert.deepEqual(
      Object.values(tests ?? {}).map(({ provider_id, status, notes }) => [
        provider_id,
        status,
        notes,
      ]),
      [['5', 'cancelled', 'Quantity not sufficient']],
    )
    assert.equal(scope, 'part')
  })

  test('changes nothing with other control codes', () => {
    const content = message(header('ORM^O01'), 'PID|1', 'ORC|SC|SA1|FL-1', obr('SA1', '5'))
    assert.deepEqual(readMessages(LEGACY, content), [])
  })
})

describe('an answer on the feed of results', () => {
  test('accepts the requisition', () => {
    const content = message(
      header('ORR^O02'),
      'MSA|AA|M-1',
      'PID|1',
      'ORC|OK|SA1|FL-1',
      obr('SA1', '5'),
    )
    assert.deepEqual(readMessages(LEGACY, content), [
      { kind: 'requisition_accepted', order: ORDER, at: AT, sampleId: 'SA1' },
    ])
  })

  test('refuses it with the codes of the error', () => {
    const content = message(
      header('ORL^O22'),
      'MSA|AE|M-1|Account of ORLA VANCE is closed',
      'ERR||OBR^1^4|204^^HL70357|E',
      'PID|1',
      'ORC|UA|SA1|FL-1',
      obr('SA1', '5'),
    )
    assert.deepEqual(readMessages(LEGACY, content), [
      { kind: 'requisition_refused', order: ORDER, at: AT, code: 'AE 204', location: 'OBR-4' },
    ])
  })

  test('that refuses a cancellation does not refuse the order', () => {
    const content = message(header('ORR^O02'), 'MSA|AE|M-1', 'PID|1', 'ORC|UC|SA1|FL-1')
    assert.deepEqual(readMessages(LEGACY, content), [])
  })

  test('accepts an order of which one test is cancelled, and reports that test', () => {
    const content = message(
      header('ORR^O02'),
      'MSA|AA|M-1',
      'PID|1',
      'ORC|OK|SA1|FL-1',
      obr('SA1', '5'),
      'ORC|UA|SA1|FL-1',
      obr('SA1', '6'),
    )
    const kinds = readMessages(LEGACY, content).map((update) =>
      update.kind === 'report'
        ? Object.values(update.report.tests ?? {}).map(({ name }) => name)
        : update.kind,
    )
    assert.deepEqual(kinds, ['requisition_accepted', ['Test 6']])
  })

  test('names no order as a bare acknowledgement or refusal', () => {
    assert.deepEqual(readMessages(LEGACY, message(header('ACK'), 'MSA|AA|M-1')), [])
    assert.deepEqual(readMessages(LEGACY, message(header('ACK'), 'MSA|AR|M-1')), [])
  })
})

describe('what is no message of a laboratory', () => {
  const reasonOf = (content: Buffer) => {
    try {
      readMessages(LEGACY, content)
    } catch (error) {
      return error instanceof UnreadableMessage ? error.reason : error
    }
    return undefined
  }
  test('is unreadable for a reason', () => {
    assert.equal(reasonOf(Buffer.from('hello')), 'not_hl7')
    assert.equal(reasonOf(message(header(''))), 'no_message_type')
    assert.equal(reasonOf(message(header('MFN^M08'))), 'wrong_message_type')
    assert.equal(reasonOf(message(header('constructor'))), 'wrong_message_type')
  })
})
