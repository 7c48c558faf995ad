import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { makeOpenApi } from '../../../scripts/generate/openapi.ts'
import { BODY_EXAMPLES } from '../src/openapi/body-examples.registry.ts'
import { ERROR_TYPES, ERRORS_OF_OPERATION } from '../src/openapi/errors.registry.ts'
import { createValueCheck, type Document } from './contract-check.ts'
import { readSourceFiles } from './source-files.ts'

/** Bodies of requests, answers and refusals in the document, and their examples. */

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

function* mediaOf({ operation }: Operation): Generator<[place: string, media: Document]> {
  const bodies: [string, Document][] = [['request', operation.requestBody ?? {}]]
  bodies.push(...Object.entries<Document>(operation.responses))
  for (const [place, body] of bodies) {
    for (const [type, media] of Object.entries<Document>(body.content ?? {})) {
      yield [`${place} ${type}`, media]
    }
  }
}

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

  test('the tables of operations name what exists', () => {
    const ids = new Set(operations.map(({ operation }) => operation.operationId))
    const named = [...Object.keys(ERRORS_OF_OPERATION), ...Object.keys(BODY_EXAMPLES)]
    assert.deepEqual(
      named.filter((id) => !ids.has(id)),
      [],
    )
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
