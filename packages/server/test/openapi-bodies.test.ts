import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { ERROR_TYPES, type ErrorRow, PROBLEM_TYPES } from '@salus/kernel/errors.registry'
import { makeOpenApi } from '../../../scripts/generate/openapi.ts'
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

function* mediaOf({ operation }: Operation): Generator<[where: string, media: Document]> {
  const bodies: [string, Document][] = [['request', operation.requestBody ?? {}]]
  bodies.push(...Object.entries<Document>(operation.responses))
  for (const [where, body] of bodies) {
    for (const [type, media] of Object.entries<Document>(body.content ?? {})) {
      yield [`${where} ${type}`, media]
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
      [...mediaOf(entry)].flatMap(([where, media]) => {
        if (!where.endsWith('application/json') || media.examples !== undefined) return []
        if (media.example === undefined) return [`${entry.name} ${where}: no example`]
        const found = validate(media.schema, media.example)
        const mend = `mend it in ${TABLES}/type-examples.registry.ts, or x-body-example of the route`
        return found.map((problem) => `${entry.name} ${where}: ${problem}; ${mend}`)
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

  test('of examples name only the people of the examples', () => {
    const found = text.match(/[\w.+-]+@[\w-]+\.[\w.]+/g) ?? []
    assert.ok(found.length > 0)
    assert.deepEqual(
      found.filter((address) => !address.endsWith('@example.com')),
      [],
    )
  })
})

describe('refusals', () => {
  test('the tables of operations name what exists', () => {
    const ids = new Set(operations.map(({ operation }) => operation.operationId))
    const locations = Object.values<ErrorRow>(ERROR_TYPES).map(([, , where]) => where ?? [])
    const named = locations.filter((where) => typeof where !== 'string').flat()
    assert.deepEqual(
      named.filter((id) => !ids.has(id)),
      [],
    )
  })

  test('every code of the table is given somewhere', () => {
    const sources = readSourceFiles(
      'packages/{contracts,kernel,accounts,health,lab,fhir,rights,ops,server}/src/**/*.ts',
    ).filter(
      ({ path }) =>
        !path.endsWith('.test.ts') &&
        !path.includes('/testing/') &&
        !path.endsWith('errors.registry.ts'),
    )
    const text = sources.map((source) => source.text).join('\n')
    const codes = [...Object.keys(ERROR_TYPES), ...Object.keys(PROBLEM_TYPES)]
    // Those that Ajv names by itself
    const ofAjv = ['anyOf', 'minProperties', 'maxProperties']
    const unused = codes.filter((code) => !text.includes(`'${code}'`) && !ofAjv.includes(code))
    assert.deepEqual(unused, [])
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
