import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { InboundMessage, LabConnectionConfig } from '@salus/contracts/lab-gateway'
import { createLogger } from '@salus/kernel/log'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { configOf } from '../../test/connections.ts'
import { coded, diagnosticReport, encode, observation, quantity } from '../../test/fhir-reports.ts'
import { type FhirServer, startFhirServer } from '../../test/fhir-server.ts'
import { createMemoryStore } from '../../test/memory-connection-store.ts'
import { NUMBERS, REQUISITION } from '../../test/requisitions.ts'
import { openConnection } from '../open-connection.ts'
import { resolveFhirConnection } from './connection.ts'
import { readUpdates } from './results/read-updates.ts'

const agent = createOutboundAgent({ allowPrivate: true })
let server: FhirServer
let delivered: InboundMessage[]
before(async () => {
  server = await startFhirServer()
})
after(async () => {
  await server.close()
  await agent.close()
})
beforeEach(() => {
  delivered = []
  server.stored.clear()
  server.received.length = 0
})

/** Opens a connection whose orders go to the server. */
async function open(results: LabConnectionConfig['results'], isSending = true) {
  const orders = { kind: 'fhir', base: server.base } as const
  const config = configOf('fhir-r4', { ...(isSending && { orders }), results })
  const connection = {
    id: '5c9e6c0e-6a0d-4f4e-8c39-5b60e1b3a003',
    environmentId: REQUISITION.environmentId,
    environmentKind: 'production' as const,
    gatewayName: 'fhir:acme-main',
    config,
    readSecret: async () => 'token',
  }
  const clock = { now: () => new Date('2026-03-10T00:00:00Z') }
  const parts = { agent, log: createLogger('silent'), clock }
  const opened = openConnection(connection, createMemoryStore(NUMBERS), parts)
  await opened.gateway.open(async (message) => {
    delivered.push(message)
    return { messageId: 'm', isNew: true }
  })
  return opened
}

const taskOf = (status: string, more = {}) => ({
  resourceType: 'Task',
  id: 't1',
  meta: { versionId: '2', lastUpdated: '2026-03-09T11:00:00Z' },
  status,
  intent: 'order',
  focus: { reference: 'ServiceRequest/7', identifier: { value: 'SA00000017' } },
  ...more,
})
const rules = resolveFhirConnection(configOf('fhir-r4', {}))
const read = (resource: object) => readUpdates(rules, encode(resource))

/** Stores a report with one result on the server. */
function storeReport(): void {
  const meta = { versionId: '1', lastUpdated: '2026-03-09T10:00:00.000Z' }
  const result = { code: coded('2345-7', 'Glucose'), valueQuantity: quantity(88) }
  server.stored.set('Observation/o', observation('o', result))
  server.stored.set('DiagnosticReport/a', diagnosticReport(['o'], { id: 'a', meta }))
}

describe('a Task', () => {
  const order = {
    placerNumbers: ['SA00000017'],
    fillerNumbers: ['ServiceRequest/7'],
    labSlug: rules.lab,
  }

  test('accepts, refuses with its code, or changes nothing', () => {
    for (const status of ['accepted', 'in-progress']) {
      const [update] = read(taskOf(status))
      assert.deepEqual([update?.kind, update?.order], ['requisition_accepted', order])
    }
    const statusReason = { coding: [{ code: 'no-specimen' }], text: 'Orla Vance did not come' }
    const [refused, ...others] = read(taskOf('rejected', { statusReason }))
    assert.ok(refused?.kind === 'requisition_refused')
    assert.deepEqual(
      [refused.code, refused.order, others],
      ['Task rejected no-specimen', order, []],
    )
    for (const status of ['requested', 'received', 'completed', 'on-hold']) {
      assert.deepEqual(read(taskOf(status)), [])
    }
  })

  test('that is cancelled cancels an order by its group only', () => {
    const [one] = read(taskOf('cancelled'))
    assert.equal(one?.kind, 'requisition_refused')
    const [group] = read(taskOf('cancelled', { focus: { reference: 'RequestGroup/9' } }))
    assert.deepEqual(
      [group?.kind, group?.order.fillerNumbers],
      ['cancelled_by_lab', ['RequestGroup/9']],
    )
  })

  test('of no known order changes nothing', () => {
    assert.deepEqual(read(taskOf('rejected', { focus: { display: 'an order' } })), [])
  })

  test('that is polled brings its reports', async () => {
    storeReport()
    const output = [
      { type: { text: 'report' }, valueReference: { reference: 'DiagnosticReport/a' } },
    ]
    server.stored.set('Task/t1', taskOf('completed', { output }))
    const { gateway } = await open({
      kind: 'fhir-poll',
      base: server.base,
      search: 'Task?_lastUpdated=ge{since}',
      every_seconds: 86_400,
    })
    while (delivered.length === 0) await pause(5)
    await gateway.close()
    const [message] = delivered
    assert.ok(message)
    assert.equal(message.controlId, 'Task/t1/_history/2')
    const [update, ...others] = gateway.read(message)
    assert.ok(update?.kind === 'report')
    assert.deepEqual([update.report.results[0]?.result, others], ['88', []])
  })
})

describe('a notification without payload', () => {
  const auth = { kind: 'bearer', token: 'secret:token' } as const
  const notify = (type: string) =>
    encode({
      resourceType: 'Bundle',
      type: 'history',
      entry: [
        {
          resource: { resourceType: 'Parameters', parameter: [{ name: 'type', valueCode: type }] },
        },
      ],
    })

  test('has what is new read from the server of orders, once for each version', async () => {
    storeReport()
    const { gateway, receive } = await open({ kind: 'http-receive', auth })
    for (const content of [notify('event-notification'), Buffer.alloc(0)]) {
      assert.deepEqual(await receive?.(content), [])
    }
    await gateway.close()
    assert.deepEqual(
      delivered.map(({ controlId }) => controlId),
      ['DiagnosticReport/a/_history/1'],
    )
  })

  test('that only greets is answered, and asks for nothing', async () => {
    const { receive } = await open({ kind: 'http-receive', auth })
    for (const type of ['handshake', 'heartbeat'])
      assert.deepEqual(await receive?.(notify(type)), [])
    assert.deepEqual([delivered, server.received], [[], []])
  })

  test('fails when the server does, so that it is sent again', async () => {
    const { receive } = await open({ kind: 'http-receive', auth })
    server.faults.push({ path: 'DiagnosticReport?', answer: { status: 503 } })
    await assert.rejects(receive?.(notify('event-notification')) ?? Promise.resolve(), {
      code: 'http_503',
    })
    assert.deepEqual(await receive?.(notify('event-notification')), [])
  })

  test('without a server to ask is kept as unreadable', async () => {
    const { receive } = await open({ kind: 'http-receive', auth }, false)
    await receive?.(notify('event-notification'))
    assert.deepEqual(
      delivered.map(({ problem }) => problem),
      ['wrong_message_type'],
    )
  })
})
