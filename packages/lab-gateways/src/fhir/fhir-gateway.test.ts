import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { InboundMessage, LabConnectionConfig, OrderUpdate } from '@salus/contracts/lab-gateway'
import { createLogger } from '@salus/kernel/log'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { configOf } from '../../test/connections.ts'
import {
  bundle,
  CONTAINED,
  coded,
  diagnosticReport,
  encode,
  observation,
  PDF,
  PERSON,
  quantity,
} from '../../test/fhir-reports.ts'
import { type FhirServer, startFhirServer } from '../../test/fhir-server.ts'
import { createMemoryStore, type MemoryStore } from '../../test/memory-connection-store.ts'
import { NUMBERS, REQUISITION } from '../../test/requisitions.ts'
import { findConnectionProblems } from '../hl7/connection/connection-problems.ts'
import { openConnection } from '../open-connection.ts'

const NOW = new Date('2026-03-10T00:00:00Z')
const KEYS = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const agent = createOutboundAgent({ allowPrivate: true })
let server: FhirServer
let store: MemoryStore

before(async () => {
  server = await startFhirServer(KEYS.publicKey)
})
after(async () => {
  await server.close()
  await agent.close()
})
beforeEach(() => {
  store = createMemoryStore(NUMBERS)
  server.stored.clear()
  server.received.length = 0
  server.faults.length = 0
})

function open(given: Partial<LabConnectionConfig> = {}, shape?: 'request_group') {
  const auth = {
    kind: 'private_key_jwt' as const,
    token_url: server.tokenUrl,
    client_id: 'salus',
    key: 'secret:key',
    scope: 'system/*.*',
  }
  const config = configOf('fhir-r4', {
    orders: {
      kind: 'fhir',
      base: `${server.base}/`,
      auth,
      timeout_seconds: 1,
      ...(shape && { shape }),
    },
    results: { kind: 'fhir-poll', base: server.base, auth, every_seconds: 86_400 },
    ...given,
  })
  const connection = {
    id: '5c9e6c0e-6a0d-4f4e-8c39-5b60e1b3a003',
    environmentId: REQUISITION.environmentId,
    environmentKind: 'production' as const,
    gatewayName: 'fhir:acme-main',
    config,
    readSecret: async () => KEYS.privateKey,
  }
  const clock = { now: () => NOW }
  return openConnection(connection, store, { agent, log: createLogger('silent'), clock })
}

/** Polls once, and returns what was delivered. */
async function poll(given: Partial<LabConnectionConfig> = {}): Promise<InboundMessage[]> {
  const { gateway } = open(given)
  const delivered: InboundMessage[] = []
  const searched = server.received.length
  await gateway.open(async (message) => {
    delivered.push(message)
    return { messageId: 'm', isNew: true }
  })
  while (server.received.length === searched) await pause(5)
  // A poll has ended when the server gets no more requests.
  for (let count = 0; count !== server.received.length; await pause(300)) {
    count = server.received.length
  }
  await gateway.close()
  return delivered
}

const orderOf = (index = 0) => JSON.parse(server.received[index]?.body ?? '')
const resourcesOf = (type: string) =>
  orderOf()
    .entry.map(({ resource }: { resource: object }) => resource)
    .filter(({ resourceType }: { resourceType: string }) => resourceType === type)
const outcome = (code: string, more = {}) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code, diagnostics: 'Orla Vance is unknown', ...more }],
})

describe('an order', () => {
  test('is one transaction, with a sign-in that the server verifies', async () => {
    const placed = await open().gateway.place(REQUISITION)
    assert.deepEqual(placed, { state: 'accepted', sampleId: NUMBERS.requisition })
    const [assertion] = server.assertions
    assert.deepEqual(
      [assertion?.alg, assertion?.iss, assertion?.aud],
      ['RS384', 'salus', server.tokenUrl],
    )
    const tests = resourcesOf('ServiceRequest')
    assert.deepEqual(
      tests.map((each: { code: { coding: { code: string }[] } }) => each.code.coding[0]?.code),
      ['322000', '7600'],
    )
    const [first] = tests
    assert.equal(first.identifier[0].value, 'SA00000017')
    assert.equal(first.requisition.value, 'SA00000017')
    assert.deepEqual([first.status, first.intent, first.priority], ['active', 'order', 'stat'])
    assert.deepEqual(
      first.reasonCode.map(({ coding }: { coding: { code: string }[] }) => coding[0]?.code),
      ['E78.5', 'R53.83'],
    )
    const urls = orderOf().entry.map(({ fullUrl }: { fullUrl: string }) => fullUrl)
    for (const reference of server.received[0]?.body.matchAll(/"reference":"([^"]+)"/g) ?? []) {
      assert.ok(urls.includes(reference[1]), reference[1])
    }
    const [coverage] = resourcesOf('Coverage')
    assert.deepEqual(
      [coverage.subscriberId, coverage.payor[0].display],
      ['W123^4', 'United Mutual'],
    )
    assert.equal(resourcesOf('Practitioner')[0].identifier[0].value, '1234567893')
    const [, second] = resourcesOf('QuestionnaireResponse')
    assert.deepEqual(
      second.item.map(({ linkId, answer }: { linkId: string; answer: object[] }) => [
        linkId,
        answer,
      ]),
      [
        ['VOL', [{ valueDecimal: 500 }]],
        ['SRC', [{ valueCoding: { code: 'A1' } }, { valueCoding: { code: 'B2' } }]],
      ],
    )
  })

  test('has the ids of the laboratory as its numbers', async () => {
    await open().gateway.place(REQUISITION)
    const [message] = store.messages.values()
    const ids = [...server.stored.keys()].filter((path) => path.startsWith('ServiceRequest/'))
    assert.deepEqual(message?.answer?.fillerNumbers, ids)
    assert.equal(ids.length, 2)
  })

  test('is sent again with the same bytes after trouble, and once only', async () => {
    for (const status of [429, 500, 503]) {
      server.faults.push({ path: '/fhir', answer: { status } })
      await assert.rejects(open().gateway.place(REQUISITION), { code: `http_${status}` })
    }
    server.faults.push({ path: '/fhir', answer: { status: 200, afterMs: 1500 } })
    await assert.rejects(open().gateway.place(REQUISITION), { code: 'timeout' })
    server.faults.push({ path: '/fhir', answer: { status: 400, body: outcome('transient') } })
    await assert.rejects(open().gateway.place(REQUISITION), { code: 'http_400' })
    assert.equal((await open().gateway.place(REQUISITION)).state, 'accepted')
    assert.equal((await open().gateway.place(REQUISITION)).state, 'accepted')
    assert.equal(new Set(server.received.map(({ body }) => body)).size, 1)
    assert.equal(server.received.length, 6)
    assert.equal(store.attempts.length, 5)
  })

  test('that the server already has is not ordered twice', async () => {
    const opened = open()
    await opened.gateway.place(REQUISITION)
    const [message] = store.messages.values()
    const count = server.stored.size
    assert.ok(message && opened.resend)
    assert.equal((await opened.resend(message)).state, 'accepted')
    assert.equal(server.stored.size, count)
  })

  test('gets a new token once after a 401', async () => {
    const opened = open()
    await opened.gateway.place(REQUISITION)
    server.faults.push({ path: '/fhir', answer: { status: 401 } })
    const cancelled = await opened.gateway.cancel({ ...REQUISITION, requisition: REQUISITION })
    assert.equal(cancelled.state, 'cancelled')
    assert.equal(server.received.length, 3)
  })

  test('is refused by an OperationOutcome, without its text', async () => {
    const details = { details: { coding: [{ code: 'unknown-test' }] } }
    const body = outcome('invalid', { ...details, expression: ['Bundle.entry[2].resource'] })
    server.faults.push({ path: '/fhir', answer: { status: 422, body } })
    assert.deepEqual(await open().gateway.place(REQUISITION), {
      state: 'refused',
      refusal: { code: '422 unknown-test', location: 'Bundle.entry[2].resource' },
    })
  })

  test('without an answer of FHIR is sent again', async () => {
    server.faults.push({ path: '/fhir', answer: { status: 404, body: 'no such page' } })
    await assert.rejects(open().gateway.place(REQUISITION), { code: 'http_404' })
  })

  test('is a RequestGroup that contains everything, where the laboratory takes that', async () => {
    const body = { resourceType: 'RequestGroup', id: 'g7' }
    server.faults.push({ path: '/fhir/RequestGroup', answer: { status: 201, body } })
    assert.equal((await open({}, 'request_group').gateway.place(REQUISITION)).state, 'accepted')
    const [request] = server.received
    assert.equal(request?.headers['if-none-exist'], 'identifier=urn%3Asalus%3Aplacer%7CSA00000017')
    const group = orderOf()
    const ids = group.contained.map(({ id }: { id: string }) => `#${id}`)
    assert.deepEqual([group.status, group.action.length], ['active', 2])
    for (const reference of request.body.matchAll(/"reference":"([^"]+)"/g)) {
      assert.ok(ids.includes(reference[1]), reference[1])
    }
    const [message] = store.messages.values()
    assert.deepEqual(message?.answer?.fillerNumbers, ['RequestGroup/g7'])
  })

  test('is cancelled by its requests with the status revoked', async () => {
    const { gateway } = open()
    await gateway.place(REQUISITION)
    const count = server.stored.size
    const order = { ...REQUISITION, requisition: REQUISITION }
    assert.deepEqual(await gateway.cancel(order), { state: 'cancelled' })
    const requests = [...server.stored].filter(([path]) => path.startsWith('ServiceRequest/'))
    assert.deepEqual(
      requests.map(([, { status }]) => status),
      ['revoked', 'revoked'],
    )
    assert.equal(server.stored.size, count)
  })
})

/** Stores a report with one result on the server. */
function storeReport(id: string, lastUpdated: string, more = {}): void {
  const meta = { versionId: '1', lastUpdated }
  const result = observation(`o-${id}`, {
    code: coded('2345-7', 'Glucose'),
    valueQuantity: quantity(88),
  })
  server.stored.set(`Observation/o-${id}`, result)
  server.stored.set('Patient/p1', PERSON)
  const report = diagnosticReport([`o-${id}`], { id, meta, ...more })
  server.stored.set(`DiagnosticReport/${id}`, report)
}

const reportOf = (message: InboundMessage | undefined) => {
  assert.ok(message)
  const [update] = open().gateway.read(message) as Extract<OrderUpdate, { kind: 'report' }>[]
  assert.ok(update)
  return update
}

describe('a poll', () => {
  test('takes the reports of all pages with what they refer to', async () => {
    storeReport('a', '2026-03-09T10:00:00.000Z')
    storeReport('b', '2026-03-09T11:00:00.500Z')
    const messages = await poll()
    assert.deepEqual(
      messages.map(({ controlId, at }) => [controlId, at.toISOString()]),
      [
        ['DiagnosticReport/a/_history/1', '2026-03-09T10:00:00.000Z'],
        ['DiagnosticReport/b/_history/1', '2026-03-09T11:00:00.500Z'],
      ],
    )
    const { report, order } = reportOf(messages[0])
    assert.deepEqual([report.results[0]?.result, report.patient.last_name], ['88', 'Vance'])
    assert.deepEqual(order.placerNumbers, ['SA00000017'])
  })

  test('continues at the time of the server, with an overlap and the same bytes', async () => {
    storeReport('a', '2026-03-09T10:00:00.000Z')
    const [first] = await poll()
    assert.equal(await store.readPosition(), '2026-03-09T10:00:00.000Z')
    storeReport('old', '2026-03-09T09:57:00.000Z')
    const second = await poll()
    const search = server.received.map(({ url }) => url).findLast((url) => url.includes('_last'))
    assert.match(search ?? '', /ge2026-03-09T09%3A58%3A00\.000Z/)
    assert.deepEqual(
      second.map(({ content }) => content),
      [first?.content],
    )
  })

  test('that fails in the middle is repeated from its beginning', async () => {
    storeReport('a', '2026-03-09T10:00:00.000Z')
    server.faults.push({ path: 'Observation/o-a', answer: { status: 500 } })
    assert.deepEqual(await poll(), [])
    assert.equal(await store.readPosition(), null)
    assert.equal((await poll()).length, 1)
  })

  test('leaves out what the server forbids, and then the report is not final', async () => {
    storeReport('a', '2026-03-09T10:00:00.000Z')
    server.faults.push({ path: 'Observation/o-a', answer: { status: 403 } })
    const [message] = await poll()
    const { report } = reportOf(message)
    assert.deepEqual([report.status, report.results.length], ['partial', 0])
  })

  test('follows no page to another server, and does not hand its token to it', async () => {
    const link = [{ relation: 'next', url: 'http://127.0.0.2:9/fhir/DiagnosticReport?page=2' }]
    const body = { ...bundle('searchset'), link }
    server.faults.push({ path: 'DiagnosticReport?', answer: { status: 200, body } })
    assert.deepEqual(await poll(), [])
    assert.equal(await store.readPosition(), null)
  })

  test('fetches a document from the same server only', async () => {
    const form = (url: string) => ({ contentType: 'application/pdf', url })
    storeReport('a', '2026-03-09T10:00:00.000Z', {
      presentedForm: [form('Binary/7'), form('http://127.0.0.2:9/Binary/8')],
    })
    server.faults.push({ path: 'Binary/7', answer: { status: 200, body: PDF } })
    const [message] = await poll()
    const { report } = reportOf(message)
    assert.equal(report.pdf, PDF.toString('base64'))
    assert.match(report.notes ?? '', /cannot be decoded/)
  })
})

describe('a post', () => {
  test('is one message, also when it cannot be read', async () => {
    const auth = { kind: 'bearer' as const, token: 'secret:key' }
    const { gateway, receive } = open({ results: { kind: 'http-receive', auth } })
    const delivered: InboundMessage[] = []
    await gateway.open(async (message) => {
      delivered.push(message)
      return { messageId: 'm', isNew: true }
    })
    assert.deepEqual(await receive?.(encode(CONTAINED)), [])
    await receive?.(Buffer.from('MSH|'))
    await receive?.(encode(PERSON))
    await gateway.close()
    assert.deepEqual(
      delivered.map(({ controlId, problem }) => [controlId, problem]),
      [
        ['DiagnosticReport/r1/_history/3', undefined],
        [null, 'not_json'],
        [null, 'wrong_message_type'],
      ],
    )
  })
})

test('a check tries both sides', async () => {
  assert.deepEqual(await open().check(), [
    { name: 'orders', problem: null, detail: null },
    { name: 'results', problem: null, detail: null },
  ])
  server.faults.push({ path: 'metadata', answer: { status: 503 } })
  const problems = (await open().check()).map(({ problem }) => problem)
  assert.deepEqual(problems.toSorted(), ['http_503', null])
})

test('ways and settings of the other profile are problems', () => {
  const mllp = { kind: 'mllp' as const, host: '10.0.0.1', port: 6661 }
  const fhir = { kind: 'fhir' as const, base: 'https://lab.example/fhir' }
  const pathsOf = (
    profile: LabConnectionConfig['profile'],
    given: Partial<LabConnectionConfig>,
  ): string[] => findConnectionProblems(configOf(profile, given)).map(({ path }) => path)
  assert.deepEqual(pathsOf('fhir-r4', { orders: fhir }), [])
  assert.deepEqual(pathsOf('fhir-r4', { orders: mllp }), ['orders.kind'])
  assert.deepEqual(pathsOf('hl7-2.3-legacy', { orders: fhir }), ['orders.kind'])
  const results = { kind: 'fhir-poll' as const, base: fhir.base }
  assert.deepEqual(pathsOf('loi-lri-2.5.1', { results }), ['results.kind'])
  assert.deepEqual(pathsOf('fhir-r4', { results: { kind: 'folder-poll', dir: '/in' } }), [
    'results.kind',
  ])
  assert.deepEqual(pathsOf('fhir-r4', { envelope: {}, order: { upper_case: true } }), [
    'envelope',
    'order.upper_case',
  ])
  assert.deepEqual(pathsOf('fhir-r4', { time_zone: 'Mars/Base' }), ['time_zone'])
})
