import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LabConnectionConfig } from '@salus/contracts/lab-gateway'
import { findPatternProblem } from '@salus/kernel/operator-patterns'
import { configOf } from '../../../test/connections.ts'
import { findConnectionProblems } from './connection-problems.ts'
import { resolveConnection } from './resolve-connection.ts'
import { stripNumber } from './strip-number.ts'

type Given = Partial<LabConnectionConfig>
const pathsOf = (given: Given, profile: LabConnectionConfig['profile'] = 'hl7-2.3-legacy') =>
  findConnectionProblems(configOf(profile, given)).map(({ path }) => path)

describe('a connection of four keys', () => {
  test('has everything else from its profile', () => {
    const legacy = resolveConnection(configOf('hl7-2.3-legacy'), 'production')
    assert.equal(legacy.processing_id, 'P')
    assert.equal(legacy.envelope.version, '2.3')
    assert.equal(legacy.numbers.patient, 'PID-2')
    assert.equal(legacy.ack.mode, 'original')
    const modern = resolveConnection(configOf('loi-lri-2.5.1'), 'sandbox')
    assert.equal(modern.processing_id, 'T')
    assert.equal(modern.envelope.message, 'OML^O21')
    assert.equal(modern.traits.hasAssigners, true)
    assert.equal(modern.ack.mode, 'enhanced')
  })
})

describe('what a file says', () => {
  test('is added to the maps of the profile, and replaces its lists and values', () => {
    const rules = resolveConnection(
      configOf('hl7-2.3-legacy', {
        codes: { sex: { unknown: 'N' }, missing_words: ['NSF'], orderable_system: '99ACME' },
        order: { set: { 'PV1-3': 'A' }, phone: 'xtn' },
        numbers: { requisition: { range: { first: 1, last: 9 } } },
      }),
      'production',
    )
    assert.deepEqual(rules.codes.sex, { male: 'M', female: 'F', unknown: 'N' })
    assert.deepEqual(rules.codes.missing_words, ['NSF'])
    assert.equal(rules.codes.orderable_system, '99ACME')
    assert.deepEqual(rules.order.set, { 'PV1-2': 'O', 'PV1-3': 'A' })
    assert.equal(rules.order.phone, 'xtn')
    assert.equal(rules.numbers.requisition.source, 'range')
  })

  test('does not change the profile for the next connection', () => {
    resolveConnection(configOf('hl7-2.3-legacy', { codes: { sex: { male: '1' } } }), 'production')
    const next = resolveConnection(configOf('hl7-2.3-legacy'), 'production')
    assert.equal(next.codes.sex.male, 'M')
  })
})

describe('a problem of a connection', () => {
  test('names its key', () => {
    assert.deepEqual(pathsOf({}), [])
    assert.deepEqual(pathsOf({ time_zone: 'Mars/Base' }), ['time_zone'])
    assert.deepEqual(pathsOf({ time_zone: '+02:00' }), ['time_zone'])
    assert.deepEqual(pathsOf({ envelope: { message: 'OML^O21' } }), ['envelope.message'])
    assert.deepEqual(pathsOf({ envelope: { sending_app: 'A|B' } }), ['envelope.sending_app'])
    assert.deepEqual(pathsOf({ order: { set: { 'PV1-2': 'O\rMSH' } } }), ['order.set.PV1-2'])
    assert.deepEqual(pathsOf({ order: { set: { 'MSH-10': '1' } } }), ['order.set'])
    assert.deepEqual(pathsOf({ order: { omit: ['ORC-1', 'PID-0'] } }), ['order.omit', 'order.omit'])
    assert.deepEqual(pathsOf({ codes: { failure: { clot: 'bad' } } }), ['codes.failure.clot'])
  })

  test('is a placer number that does not fit', () => {
    const placer = (format: string, max_length: number): Given => ({
      numbers: { placer: { format, max_length } },
    })
    assert.deepEqual(pathsOf(placer('SA{counter:8}', 10)), [])
    assert.deepEqual(pathsOf(placer('SA{counter:9}', 10)), ['numbers.placer.format'])
    assert.deepEqual(pathsOf(placer('SA{counter:8}', 23)), ['numbers.placer.max_length'])
    assert.deepEqual(pathsOf(placer('SA{counter:8}', 50), 'loi-lri-2.5.1'), [])
  })

  test('is a range of numbers that is missing or backward', () => {
    const range = 'numbers.requisition.range'
    assert.deepEqual(pathsOf({ numbers: { requisition: { source: 'range' } } }), [range])
    assert.deepEqual(pathsOf({ numbers: { requisition: { range: { first: 9, last: 1 } } } }), [
      range,
    ])
  })

  test('is a way of results that would lose them or let strangers in', () => {
    const poll = { kind: 'folder-poll', dir: '/in' } as const
    assert.deepEqual(pathsOf({ results: { ...poll, after: 'move' } }), ['results.done_dir'])
    assert.deepEqual(pathsOf({ results: { ...poll, after: 'move', done_dir: '/done' } }), [])
    const orders = { kind: 'folder', dir: '/in' } as const
    assert.deepEqual(pathsOf({ orders, results: poll }), ['results.dir'])
    const unsigned = { kind: 'http-receive', auth: { kind: 'none' } } as const
    assert.deepEqual(pathsOf({ results: unsigned }), ['results.auth.kind'])
    const peers: string[] = ['10.1.2.3/32']
    const listen = { kind: 'mllp-listen' as const, bind: '::', port: 6670, peers }
    assert.deepEqual(pathsOf({ results: { ...listen, peers: ['10.1.2.3/40', 'lab.example'] } }), [
      'results.peers.0',
      'results.peers.1',
    ])
    const tls = { mode: 'mutual', cert: 'secret:cert', key: 'secret:key' } as const
    assert.deepEqual(pathsOf({ results: { ...listen, tls } }), ['results.tls.ca'])
    assert.deepEqual(pathsOf({ results: { ...listen, tls: { ...tls, ca: 'secret:ca' } } }), [])
  })

  test('is thrown with its path when the connection is opened', () => {
    const config = configOf('hl7-2.3-legacy', { time_zone: 'Mars/Base' })
    assert.throws(() => resolveConnection(config, 'production'), /time_zone/)
  })
})

describe('a regular expression of an operator', () => {
  test('is refused when it does not compile or could take exponential time', () => {
    for (const good of ['^SA-', '^0+', '^Range:\\s*(.+)$', '(a|b)', '[+*]+', 'a{2,3}', '(?:x)?']) {
      assert.equal(findPatternProblem(good), undefined, good)
    }
    for (const bad of ['(', '(a+)+', '(a|aa)*', '((a*)b)+', '(?=a)', '(a)\\1', '(x{1,9}){2,}']) {
      assert.notEqual(findPatternProblem(bad), undefined, bad)
    }
  })

  test('never leaves nothing of a number', () => {
    assert.equal(stripNumber([/^0+/u, /^SA-/u], '000'), '000')
    assert.equal(stripNumber([/^SA-/u, /^0+/u], 'SA-0012'), '12')
  })
})
