import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { makeOpenApi } from '../../../scripts/generate/openapi.ts'
import { BODY_EXAMPLES } from '../src/openapi/body-examples.registry.ts'
import { ERROR_TYPES, ERRORS_OF_OPERATION } from '../src/openapi/errors.registry.ts'
import { OPERATIONS } from '../src/openapi/operations.registry.ts'
import { DEPRECATED_TAG, TAGS } from '../src/openapi/tags.registry.ts'
import { parseDate, parseInstant } from '../src/platform/time/instants.ts'
import type { Document } from './contract-check.ts'
import { readSourceFiles } from './source-files.ts'

/**
 * What a reader and a generator of clients need of the document. It is made without stores: a failure
 * names the route and the line that mends it.
 */

const TABLES = 'packages/server/src/openapi'
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/

interface Operation {
  name: string
  operation: Document
}

let text: string
let document: Document
let operations: Operation[]
let validate: (schema: Document, value: unknown) => string[]

before(async () => {
  text = await makeOpenApi()
  document = JSON.parse(text)
  operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
  validate = createValidator()
})

/** Problems of a value under a schema of the document. */
function createValidator() {
  const isInstant = (value: string) => parseInstant(value) !== undefined
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: {
      uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      date: /^\d{4}-\d{2}-\d{2}$/,
      'date-time': DATE_TIME,
      instant: isInstant,
      'date-or-date-time': (value: string) => parseDate(value) !== undefined || isInstant(value),
      'iana-time-zone': /^[A-Z]\w+\/\w+$/,
      email: /^\S+@\S+$/,
      uri: /^https?:\/\//,
      binary: true,
    },
  })
  ajv.addSchema(document, 'document', undefined, false)
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  return (schema: Document, value: unknown): string[] => {
    const own = JSON.stringify(schema).replaceAll('"#/', '"document#/')
    const check = compiled.get(own) ?? ajv.compile(JSON.parse(own))
    compiled.set(own, check)
    if (check(value)) return []
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

const collect = (find: (entry: Operation) => string[]): string[] => operations.flatMap(find)

function* mediaOf({ operation }: Operation): Generator<[place: string, media: Document]> {
  const bodies: [string, Document][] = [['request', operation.requestBody ?? {}]]
  bodies.push(...Object.entries<Document>(operation.responses))
  for (const [place, body] of bodies) {
    for (const [type, media] of Object.entries<Document>(body.content ?? {})) {
      yield [`${place} ${type}`, media]
    }
  }
}

describe('operations', () => {
  test('have an id that makes a good method name, each its own', () => {
    const missing = collect(({ name, operation }) => {
      if (/^[a-z]+[A-Z][A-Za-z0-9]+$/.test(operation.operationId ?? '')) return []
      return [
        `${name}: add [verbNoun] to ${TABLES}/operations.registry.ts, or operationId to its schema`,
      ]
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
      ...(operation.description?.length > 10
        ? []
        : [`${name}: add a description to its schema, or to ${TABLES}/operations.registry.ts`]),
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

  test('the tables name no operation that does not exist', () => {
    const names = new Set(operations.map(({ name }) => name))
    const ids = new Set(operations.map(({ operation }) => operation.operationId))
    assert.deepEqual(
      Object.keys(OPERATIONS).filter((name) => !names.has(name)),
      [],
    )
    assert.deepEqual(
      Object.keys(ERRORS_OF_OPERATION).filter((id) => !ids.has(id)),
      [],
    )
    assert.deepEqual(
      Object.keys(BODY_EXAMPLES).filter((id) => !ids.has(id)),
      [],
    )
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
        const place = `${name}: ${parameter.name}`
        if (!(parameter.description?.length > 5)) {
          return [`${place}: add it to ${TABLES}/parameters.registry.ts, or describe its schema`]
        }
        if (parameter.example === undefined) return [`${place}: add an example to the table`]
        return validate(parameter.schema, parameter.example).map((problem) => `${place}${problem}`)
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

describe('bodies', () => {
  /** Every schema in a schema, following references once each. */
  function* schemasIn(schema: Document, seen = new Set<string>()): Generator<Document> {
    if (typeof schema !== 'object' || schema === null) return
    if (typeof schema.$ref === 'string') {
      if (seen.has(schema.$ref)) return
      seen.add(schema.$ref)
      const keys = schema.$ref.slice(2).split('/')
      yield* schemasIn(
        keys.reduce((part: Document, key: string) => part[key], document),
        seen,
      )
      return
    }
    yield schema
    for (const inner of Object.values(schema.properties ?? {})) yield* schemasIn(inner, seen)
    for (const key of ['items', 'additionalProperties']) yield* schemasIn(schema[key], seen)
    for (const inner of schema.anyOf ?? []) yield* schemasIn(inner, seen)
  }
  const requestSchemas = () => {
    const seen = new Set<string>()
    return operations.flatMap(({ name, operation }) =>
      Object.values<Document>(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
        [...schemasIn(schema, seen)].map((found) => ({ name, schema: found })),
      ),
    )
  }

  test('of requests describe every field', () => {
    const missing = requestSchemas().flatMap(({ name, schema }) =>
      Object.entries<Document>(schema.properties ?? {})
        .filter(([, field]) => !(field.description?.length > 2) && field.$ref === undefined)
        .filter(([, field]) => !(field.anyOf?.[0]?.$ref !== undefined))
        .map(([field]) => `${name}: add ${field} to ${TABLES}/fields.registry.ts, or describe it`),
    )
    assert.deepEqual(missing, [])
  })

  test('of requests need no field that has a default', () => {
    const needed = requestSchemas().flatMap(({ name, schema }) =>
      (schema.required ?? [])
        .filter((field: string) => 'default' in (schema.properties?.[field] ?? {}))
        .map((field: string) => `${name}: ${field}`),
    )
    assert.deepEqual(needed, [])
  })

  test('that are JSON have an example, and it fits', () => {
    const problems = collect((entry) =>
      [...mediaOf(entry)].flatMap(([place, media]) => {
        if (!place.endsWith('application/json') || media.examples !== undefined) return []
        if (media.example === undefined) return [`${entry.name} ${place}: no example`]
        const found = validate(media.schema, media.example)
        const mend = `mend it in ${TABLES}/type-examples.registry.ts or body-examples.registry.ts`
        return found.map((problem) => `${entry.name} ${place}: ${problem}; ${mend}`)
      }),
    )
    assert.deepEqual(problems, [])
  })

  test('that are files say their media types', () => {
    const answers = (name: string): string[] => {
      const entry = operations.find(({ operation }) => operation.operationId === name)
      return Object.keys(entry?.operation.responses['200'].content)
    }
    assert.deepEqual(answers('getOrderRequisition'), ['application/pdf'])
    assert.deepEqual(answers('followEvents'), ['text/event-stream'])
    assert.deepEqual(answers('queryUserData'), [
      'application/json',
      'application/vnd.service.tar+gzip+parquet',
      'application/vnd.vital.tar+gzip+parquet',
    ])
    const upload = document.paths['/v2/user/{user_id}/import/apple_health'].post.requestBody
    assert.ok('multipart/form-data' in upload.content)
    assert.ok('application/zip' in upload.content)
  })

  test('of examples name nobody but the people of the examples', () => {
    const found = text.match(/[\w.+-]+@[\w-]+\.[\w.]+/g) ?? []
    assert.ok(found.length > 0)
    assert.deepEqual(
      found.filter((address) => !address.endsWith('@example.com')),
      [],
    )
  })
})

describe('refusals', () => {
  test('every code that the service raises is in the table, with its status', () => {
    const raised = new Map<string, { status: number | undefined; path: string }>()
    const statuses: Record<string, number> = { badRequest: 400, forbidden: 403, conflict: 409 }
    const pattern = /\b(?:(badRequest|forbidden|conflict)\(|new AppError\(\s*(\d+),)\s*'(\w+)'/g
    for (const { path, lines } of readSourceFiles('packages/server/src/**/*.ts')) {
      if (path.includes('/testing/') || path.endsWith('.test.ts')) continue
      for (const [, call, status, code] of lines.join('\n').matchAll(pattern)) {
        raised.set(String(code), { status: statuses[String(call)] ?? Number(status), path })
      }
    }
    assert.ok(raised.size > 80)
    const missing = [...raised]
      .filter(([code, { status }]) => ERROR_TYPES[code]?.[0] !== status)
      .map(
        ([code, { status, path }]) =>
          `${code} of ${path}: add it to ERROR_TYPES of ${TABLES}/errors.registry.ts with ${status}, and to the operations that raise it`,
      )
    assert.deepEqual(missing, [])
  })

  test('the codes of operations are known', () => {
    const codes = Object.values(ERRORS_OF_OPERATION).flat()
    assert.deepEqual(
      codes.filter((code) => !(code in ERROR_TYPES)),
      [],
    )
  })

  test('have the shape of their status', () => {
    const { Refusal, NotFound, InvalidRequest } = document.components.schemas
    assert.ok(Refusal && NotFound && InvalidRequest)
    for (const [code, { value }] of Object.entries<Document>(document.components.examples)) {
      assert.deepEqual(validate({ $ref: '#/components/schemas/Refusal' }, value), [], code)
      assert.equal(value.detail.error_type, code)
    }
  })
})

describe('readers of other makers', () => {
  /** Two of the contract's addresses each; the router takes the literal part, and so do we here. */
  const AMBIGUOUS = /\/v2\/user\/(resolve\/\{client_user_id\}|providers\/\{user_id\})`/

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
})
