import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { makeOpenApi } from '../../../scripts/generate/openapi.ts'
import { DEPRECATED_TAG, TAGS } from '../src/openapi/tags.registry.ts'
import { EVENT_CATALOG } from '../src/webhooks/event-catalog/index.ts'
import { createValueCheck, type Document } from './contract-check.ts'

/**
 * What a reader and a generator of clients need of the document. It is made without stores: a
 * failure names the route and the line that mends it.
 */

const TABLES = 'packages/server/src/openapi'

interface Operation {
  name: string
  operation: Document
}

let text: string
let document: Document
let operations: Operation[]
let validate: ReturnType<typeof createValueCheck>

before(async () => {
  text = await makeOpenApi()
  document = JSON.parse(text)
  operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
  validate = createValueCheck(document)
})

const collect = (find: (entry: Operation) => string[]): string[] => operations.flatMap(find)

describe('operations', () => {
  test('have an id that makes a good method name, each its own', () => {
    const missing = collect(({ name, operation }) => {
      if (/^[a-z]+[A-Z][A-Za-z0-9]+$/.test(operation.operationId ?? '')) return []
      return [`${name}: add an operationId, verbNoun, to its schema`]
    })
    assert.deepEqual(missing, [])
    const ids = operations.map(({ operation }) => operation.operationId.toLowerCase())
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    )
  })

  test('say in a line and in a sentence or more what they do', () => {
    const missing = collect(({ name, operation }) => [
      ...(operation.summary?.length > 3
        ? []
        : [`${name}: add a summary to the schema of the route`]),
      ...(operation.description?.length > 10 ? [] : [`${name}: add a description to its schema`]),
    ])
    assert.deepEqual(missing, [])
  })

  test('have one tag, and the tags stand in the order of the table, deprecated ones last', () => {
    const known = TAGS.map(({ name }) => name)
    const unknown = collect(({ name, operation: { tags } }) =>
      tags?.length === 1 && known.includes(tags[0])
        ? []
        : [`${name}: ${tags} is not one tag of ${TABLES}/tags.registry.ts`],
    )
    assert.deepEqual(unknown, [])
    const listed: string[] = document.tags.map((tag: Document) => tag.name)
    assert.deepEqual(
      listed,
      known.filter((name) => listed.includes(name)),
    )
    assert.equal(listed.at(-1), DEPRECATED_TAG)
    const misplaced = collect(({ name, operation: { deprecated = false, tags } }) =>
      deprecated === (tags[0] === DEPRECATED_TAG) ? [] : [name],
    )
    assert.deepEqual(misplaced, [])
  })

  test('a further name of one thing says whose it is', () => {
    for (const [path, id, word] of [
      ['/v2/timeseries/{user_id}/fat', 'uploadFat', 'uploadBodyFat'],
      ['/v2/timeseries/{user_id}/temperature', 'uploadTemperature', 'uploadBodyTemperature'],
      [
        '/v1/org/{org_id}/team/{team_id}/create_access_token',
        'createTeamAccessTokenAlias',
        'createTeamAccessToken',
      ],
    ] as const) {
      const { post } = document.paths[path]
      assert.equal(post.operationId, id)
      assert.ok(post.description.includes(`\`${word}\``), path)
    }
  })
})

describe('parameters', () => {
  test('have a description, and an example that their schema takes', () => {
    const problems = collect(({ name, operation }) =>
      (operation.parameters ?? []).flatMap((parameter: Document) => {
        const where = `${name}: ${parameter.name}`
        if (!(parameter.description?.length > 5)) {
          return [`${where}: add it to ${TABLES}/parameters.registry.ts, or describe its schema`]
        }
        if (parameter.example === undefined) return [`${where}: add an example to the table`]
        return validate(parameter.schema, parameter.example).map((problem) => `${where}${problem}`)
      }),
    )
    assert.deepEqual(problems, [])
  })

  test('with a default may be left out', () => {
    const withDefault = operations
      .flatMap(({ operation }) => operation.parameters ?? [])
      .filter(({ schema }: Document) => 'default' in schema)
    assert.ok(withDefault.length > 200)
    assert.deepEqual(
      withDefault.filter(({ required }: Document) => required),
      [],
    )
  })
})

describe('readers of other makers', () => {
  /** Two of the contract's addresses each; the router takes the literal part, and so do we here. */
  const AMBIGUOUS = /\/v2\/user\/(resolve\/\{client_user_id\}|(providers|refresh)\/\{user_id\})`/

  test('find no error and no warning by the recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
    const found = problems
      .filter(
        ({ ruleId, message }) => !(ruleId === 'no-ambiguous-paths' && AMBIGUOUS.test(message)),
      )
      .map(({ severity, ruleId, message, location }) =>
        [severity, ruleId, message, location[0]?.pointer].join(' '),
      )
    assert.deepEqual(found, [])
  })

  test('learn where the server is and which credential opens what', () => {
    assert.deepEqual(
      document.servers.map(({ url }: Document) => url),
      ['http://127.0.0.1:8787'],
    )
    const { securitySchemes } = document.components
    assert.equal(securitySchemes.teamKey.name, 'x-service-api-key')
    assert.equal(securitySchemes.teamKeyAlias.name, 'x-vital-api-key')
    assert.equal(securitySchemes.managementKey.name, 'x-management-key')
    assert.equal(securitySchemes.managementKeyAlias.name, 'x-vital-org-key')
    assert.deepEqual(
      [securitySchemes.teamToken.type, securitySchemes.teamToken.scheme],
      ['http', 'bearer'],
    )
  })

  test('learn the public address that is set, or the one that the request came to', async () => {
    const served = JSON.parse(await makeOpenApi({}, 'salus.test:8443'))
    assert.equal(served.servers[0].url, 'http://salus.test:8443')
    const settings = { SALUS_BASE_URL: 'https://health.test/' }
    const configured = JSON.parse(await makeOpenApi(settings, 'salus.test:8443'))
    assert.equal(configured.servers[0].url, 'https://health.test')
  })

  test('see no header names of public clients where they are switched off', async () => {
    const without = JSON.parse(await makeOpenApi({ SALUS_COMPAT_ALIASES: 'false' }))
    const names = Object.keys(without.components.securitySchemes)
    assert.deepEqual(names.sort(), [
      'appToken',
      'consoleSession',
      'linkToken',
      'managementKey',
      'portalSession',
      'teamKey',
      'teamToken',
    ])
    assert.doesNotMatch(JSON.stringify(without), /KeyAlias/)
  })
})

describe('messages to webhook endpoints', () => {
  test('have each a schema that its example fits, and no other event', () => {
    const messages = Object.entries<Document>(document.webhooks)
    assert.deepEqual(
      messages.map(([name]) => name),
      EVENT_CATALOG.map(({ name }) => name),
    )
    for (const [name, { post }] of messages) {
      const { schema, example } = post.requestBody.content['application/json']
      assert.deepEqual(validate(schema, example), [], name)
      assert.notDeepEqual(validate(schema, { ...example, event_type: 'other' }), [], name)
      assert.notDeepEqual(validate(schema, { ...example, data: 1 }), [], name)
    }
  })
})

test('operations name the refusals that clients meet', () => {
  const responsesOf = (path: string, method: string) => document.paths[path][method].responses
  const codesOf = ({ content }: Document): string[] =>
    Object.keys(content['application/json'].examples)
  const slots = responsesOf('/v3/order/psc/appointment/availability', 'post')
  assert.equal(slots[404].$ref, '#/components/responses/NotFound')
  for (const path of [
    '/v3/lab_test',
    '/v3/lab_tests/{lab_test_id}/markers',
    '/v3/order/area/info',
  ]) {
    assert.ok(codesOf(responsesOf(path, 'get')[400]).includes('lab_account_invalid'), path)
  }
  const app = responsesOf('/v2/user/{user_id}/info/latest', 'get')
  assert.equal(app[403].$ref, '#/components/responses/OutOfReach')
  assert.deepEqual(codesOf(document.components.responses.OutOfReach), [
    'own_user_only',
    'one_user_only',
    'read_only',
    'insufficient_scope',
  ])
  for (const { name, operation } of operations) assert.ok(operation.responses[406], name)
  const { schema } = responsesOf('/v2/user', 'post')[400].content['application/json']
  const detail = { error_type: 'INVALID_REQUEST', error_message: 'It is taken.' }
  const existing = { user_id: 'not a uuid', created_on: '2026-01-01T00:00:00+00:00' }
  const duplicate = document.components.schemas.DuplicateUser
  assert.deepEqual(schema.anyOf[0].$ref, '#/components/schemas/DuplicateUser')
  assert.notDeepEqual(validate(duplicate, { detail: { ...detail, ...existing } }), [])
  assert.notDeepEqual(validate(duplicate, { detail }), [])
})
