import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newEventId } from '../src/platform/events/event-id.ts'
import { newId } from '../src/platform/ids.ts'
import { type ContractCheck, createContractCheck, type Document } from './contract-check.ts'
import { createHarness, type Harness } from './harness.ts'
import { isManagementCase, ROUTE_CASES, type RouteCase, requestOf } from './route-cases.ts'
import { makeSubjects, type Subject } from './subject.ts'

let harness: Harness
let document: Document
let check: ContractCheck
let subjects: Map<RouteCase, Subject>

before(async () => {
  harness = await createHarness()
  document = (await harness.call('GET', '/openapi.json')).body
  check = createContractCheck(document)
})
after(() => harness?.close())

function* partsOf(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const inner of Object.values(value)) yield* partsOf(inner)
}

const operationsOf = (): [name: string, operation: Document][] =>
  Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Document] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )

async function send(entry: RouteCase, subject: Subject, key?: string) {
  const { url, payload, headers } = requestOf(entry, subject)
  const credentials = isManagementCase(entry)
    ? { 'x-management-key': key ?? harness.managementKey }
    : { 'x-service-api-key': key ?? harness.apiKey }
  const all = { ...headers, ...credentials }
  return { url, answer: await harness.call(entry.method, url, payload, all) }
}

function assertAsDocumented(
  method: string,
  url: string,
  answer: Awaited<ReturnType<Harness['call']>>,
): void {
  const problems = check.problemsOf(method, url, answer)
  assert.deepEqual(problems, [], `${method} ${url}: ${answer.status} ${answer.text.slice(0, 500)}`)
}

describe('the OpenAPI document', () => {
  test('is version 3.1 and names its interface', () => {
    assert.match(document.openapi, /^3\.1\.\d$/)
    assert.equal(document.info.title, 'Salus')
  })

  test('every reference in it leads to something', () => {
    const references = [...partsOf(document)].flatMap(({ $ref }) =>
      typeof $ref === 'string' ? [$ref] : [],
    )
    assert.ok(references.length > 100)
    for (const reference of new Set(references)) {
      assert.match(reference, /^#\//)
      const keys = reference.slice(2).split('/')
      const target = keys.reduce((part: Document, key) => part?.[key], document)
      assert.notEqual(target, undefined, reference)
    }
  })

  test('every operation says what it does, where it belongs and what it answers', () => {
    for (const [name, operation] of operationsOf()) {
      assert.ok(operation.summary?.length > 3, `${name}: summary`)
      assert.equal(operation.tags?.length, 1, `${name}: tags`)
      const statuses = Object.keys(operation.responses)
      assert.ok(
        statuses.some((status) => status.startsWith('2')),
        `${name}: success`,
      )
      for (const status of ['401', '404', '422', 'default']) {
        assert.ok(statuses.includes(status), `${name}: ${status}`)
      }
    }
  })

  test('every part of a path is a declared parameter', () => {
    for (const [name, operation] of operationsOf()) {
      const named = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const declared = (operation.parameters ?? [])
        .filter((parameter: Document) => parameter.in === 'path')
        .map((parameter: Document) => parameter.name)
      assert.deepEqual(declared.sort(), named.sort(), name)
    }
  })

  test('operations that take a body say so, with its schema', () => {
    for (const entry of ROUTE_CASES.filter(({ body }) => body !== undefined)) {
      const operation = document.paths[entry.path][entry.method.toLowerCase()]
      const contents = Object.values<Document>(operation.requestBody?.content ?? {})
      assert.ok(contents.length > 0, `${entry.method} ${entry.path}`)
      assert.ok(contents.every(({ schema }) => typeof schema === 'object'))
    }
  })

  test('the management API is under its own key, the rest under the team key', () => {
    assert.deepEqual(document.security, [{ teamKey: [] }])
    for (const [name, operation] of operationsOf()) {
      const expected = name.includes(' /v1/') ? [{ managementKey: [] }] : undefined
      assert.deepEqual(operation.security, expected, name)
    }
  })

  test('holds nothing of how it is made', () => {
    const text = JSON.stringify(document)
    assert.doesNotMatch(text, /"x-(items|file-types)"|"\$id"|def-\d/)
  })
})

describe('answers match the document', () => {
  test('for a success of every operation', async () => {
    subjects = await makeSubjects(harness)
    for (const entry of ROUTE_CASES) {
      const { url, answer } = await send(entry, subjects.get(entry) as Subject)
      assert.ok(answer.status < 300, `${entry.method} ${url}: ${answer.status} ${answer.text}`)
      assertAsDocumented(entry.method, url, answer)
    }
    assert.deepEqual(
      check.operations.filter((operation) => !check.succeeded.has(operation)),
      [],
    )
  })

  test('every series that was uploaded is read back with a sample in it', async () => {
    const reads = ROUTE_CASES.filter(({ path }) => path.endsWith('/grouped'))
    assert.equal(reads.length, 51)
    for (const entry of reads) {
      const { answer } = await send(entry, subjects.get(entry) as Subject)
      assert.ok(answer.body.groups.manual?.[0].data.length > 0, entry.path)
    }
  })

  test('for users, connections and jobs with every field set', async () => {
    const created = await harness.call('POST', '/v2/user', {
      client_user_id: 'full',
      fallback_time_zone: 'America/New_York',
      fallback_birth_date: '1980-02-29',
      ingestion_start: '2020-01-01',
      ingestion_end: '2030-01-01',
    })
    assertAsDocumented('POST', '/v2/user', created)
    const userId = created.body.user_id
    const url = '/v2/link/provider/manual/health_connect'
    await harness.call('POST', url, { user_id: userId, provider_id: 'abc' })
    const details = {
      error_type: 'token_refresh_failed',
      error_message: 'The grant was withdrawn.',
      errored_at: '2026-02-03T04:05:06.789Z',
    }
    await harness.database.pool.query(
      "update connections set status = 'error', error_details = $1 where user_id = $2",
      [JSON.stringify(details), userId],
    )
    for (const path of [`/v2/user/${userId}`, `/v2/user/providers/${userId}`]) {
      assertAsDocumented('GET', path, await harness.call('GET', path))
    }
  })

  test('for an unknown id, a wrong key and a malformed id, on every operation', async () => {
    const unknown: Subject = {
      userId: newId(),
      clientUserId: 'nobody',
      deviceId: newId(),
      jobId: newId(),
      organizationId: newId(),
      teamId: newId(),
      managedTeamId: newId(),
      integrationTeamId: 'nowhere',
      teamKeyId: newId(),
      managementKeyId: newId(),
      webhookId: newId(),
      eventId: newEventId(new Date(0)),
      labTestId: newId(),
      pendingLabTestId: newId(),
      markerId: '1',
      labId: '1',
      providerId: 'none',
      orderId: newId(),
      transactionId: newId(),
      scheduledOrderId: newId(),
      siteOrderId: newId(),
      kitTestId: newId(),
      kitNumber: 'none',
      rawResultId: newId(),
      rejectedResultId: newId(),
      operatorResultId: newId(),
      workoutId: newId(),
      sleepId: newId(),
      queryId: newId(),
      managedQueryId: newId(),
      runId: newId(),
      stuckOrderId: newId(),
    }
    const malformed = { ...unknown, userId: 'x', organizationId: 'x', teamId: 'x' }
    for (const entry of ROUTE_CASES) {
      for (const [subject, key] of [[unknown], [unknown, 'wrong'], [malformed]] as const) {
        const { url, answer } = await send(entry, subject, key)
        assertAsDocumented(entry.method, url, answer)
        if (key !== undefined) assert.equal(answer.status, 401, url)
      }
    }
  })

  test('for refusals that have no status of their own in the document', async () => {
    const userId = await harness.makeUser('manual')
    const again = { user_id: userId }
    const duplicate = { client_user_id: 'full' }
    const refusals: [status: number, method: string, url: string, body?: unknown][] = [
      [409, 'POST', '/v2/link/provider/manual/manual', again],
      [400, 'POST', '/v2/user', duplicate],
      [413, 'POST', '/v2/user', 'x'.repeat(2_000_000)],
      [400, 'GET', `/v2/user/${userId}/put_aside?next_cursor=zzz`],
    ]
    for (const [status, method, url, body] of refusals) {
      const headers = { 'content-type': 'application/json' }
      const answer = await harness.call(method, url, body, headers)
      assert.equal(answer.status, status, answer.text)
      assertAsDocumented(method, url, answer)
    }
  })
})
