import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { EXAMPLE_IDS } from '@salus/contracts/examples'
import { type ContractCheck, createContractCheck, type Document } from '../contract-check.ts'
import type { Answer, Harness } from '../harness.ts'
import { isOpenCase, ROUTE_CASES, type RouteCase } from '../route-cases.ts'
import type { Subject } from '../subject.ts'
import type { RouteWalk } from './route-walk.ts'
import { unknownSubject } from './unknown-subject.ts'

let harness: Harness
let document: Document
let check: ContractCheck
let send: RouteWalk['send']
let subjects: RouteWalk['subjects']

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

function assertAsDocumented(
  method: string,
  url: string,
  answer: Awaited<ReturnType<Harness['call']>>,
): void {
  const problems = check.problemsOf(method, url, answer)
  assert.deepEqual(problems, [], `${method} ${url}: ${answer.status} ${answer.text.slice(0, 500)}`)
}

/** The example of the document has the fields that the server sends, at the top of the body. */
function assertLikeExample({ method, path }: RouteCase, { status, body }: Answer): void {
  const { responses } = document.paths[path][method.toLowerCase()]
  const example = responses[status].content?.['application/json']?.example
  const [shown, sent] = [example, body].map((value) => (Array.isArray(value) ? value[0] : value))
  if (typeof shown !== 'object' || shown === null || sent === undefined) return
  // Maps have keys of their own.
  const schema = JSON.stringify(responses[status].content['application/json'].schema)
  if (schema.includes('additionalProperties')) return
  const missing = Object.keys(sent).filter((key) => !(key in shown))
  assert.deepEqual(missing, [], `${method} ${path}: fields that the example lacks`)
}

/**
 * The document, and that answers are what it says. The requests of the owner succeed, which shows
 * that the refusals to strangers were about the key, and use the subjects up.
 */
export function describeContract(walk: () => RouteWalk): void {
  before(async () => {
    ;({ harness, send, subjects } = walk())
    document = (await harness.call('GET', '/openapi.json')).body
    check = createContractCheck(document)
  })

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

    test('every operation says what it answers, and how it refuses', () => {
      for (const [name, operation] of operationsOf()) {
        const statuses = Object.keys(operation.responses)
        assert.ok(
          statuses.some((status) => /^[23]/.test(status)),
          `${name}: success`,
        )
        const expected = ['401', '503', 'default']
        if (name.includes('{')) expected.push('404', '422')
        for (const status of expected) assert.ok(statuses.includes(status), `${name}: ${status}`)
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

    test('holds nothing of how it is made', () => {
      const text = JSON.stringify(document)
      assert.doesNotMatch(
        text,
        /"x-(items|file-types|file-optional|app-access|beside-reference)"|"\$id"|def-\d|base_url/,
      )
    })
  })

  describe('answers match the document', () => {
    test('for a success of every operation', async () => {
      for (const entry of ROUTE_CASES) {
        const { url, answer } = await send(entry)
        const isRefused = entry.isRefused === true && answer.status === 403
        assert.ok(
          isRefused || [200, 201, 202, 204, 307].includes(answer.status),
          `${entry.method} ${url}: ${answer.status} ${answer.text}`,
        )
        assertAsDocumented(entry.method, url, answer)
        assertLikeExample(entry, answer)
      }
      assert.deepEqual(
        check.operations.filter((operation) => !check.succeeded.has(operation)),
        ROUTE_CASES.filter(({ isRefused }) => isRefused).map(
          ({ method, path }) => `${method} ${path}`,
        ),
      )
    })

    test('for the examples of requests, which the server takes as they are', async () => {
      const refused: string[] = []
      for (const entry of ROUTE_CASES) {
        const operation = document.paths[entry.path][entry.method.toLowerCase()]
        const example = operation.requestBody?.content['application/json']?.example
        if (example === undefined) continue
        const subject = subjects.get(entry) as Subject
        const isOfKit = entry.path.endsWith('/testkit')
        const own = JSON.stringify(example)
          .replaceAll(EXAMPLE_IDS.user, subject.userId)
          .replaceAll(EXAMPLE_IDS.linkToken, subject.linkToken)
          .replaceAll(EXAMPLE_IDS.linkContinuation, subject.linkContinuation)
          .replaceAll(EXAMPLE_IDS.labTest, isOfKit ? subject.kitTestId : subject.labTestId)
          .replaceAll(EXAMPLE_IDS.order, subject.orderId)
          .replaceAll(EXAMPLE_IDS.team, subject.managedTeamId)
          .replaceAll('quest-main', subject.connectionName)
        const { url, answer } = await send({ ...entry, body: () => JSON.parse(own) }, subject)
        assertAsDocumented(entry.method, url, answer)
        // What the success before has used up is refused by a rule, but not for its shape.
        const isOnce = entry.subject === 'fresh' || entry.isOnce === true
        const isUsedUp = isOnce && answer.status !== 422
        if (entry.isRefused && answer.status === 403) continue
        const isTaken = answer.status < 300 && (answer.body?.problems ?? []).length === 0
        if (isTaken || isUsedUp) continue
        refused.push(`${operation.operationId}: ${answer.status} ${answer.text}`)
      }
      assert.deepEqual(refused, [])
    })

    test('every series that was uploaded is read back with a sample in it', async () => {
      const reads = ROUTE_CASES.filter(({ path }) => path.endsWith('/grouped'))
      assert.equal(reads.length, 51)
      for (const entry of reads) {
        const { answer } = await send(entry)
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
      const unknown = unknownSubject()
      const malformed = { ...unknown, userId: 'x', organizationId: 'x', teamId: 'x' }
      for (const entry of ROUTE_CASES) {
        for (const [subject, key] of [[unknown], [unknown, 'wrong'], [malformed]] as const) {
          const { url, answer } = await send(entry, subject, key)
          assertAsDocumented(entry.method, url, answer)
          if (key !== undefined && !isOpenCase(entry)) assert.equal(answer.status, 401, url)
        }
      }
    })

    test('for refusals that have no status of their own in the document', async () => {
      const userId = await harness.makeUser('manual')
      const duplicate = { client_user_id: 'full' }
      const refusals: [status: number, method: string, url: string, body?: unknown][] = [
        [409, 'POST', '/v2/link/provider/manual/manual', { user_id: userId }],
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
}
