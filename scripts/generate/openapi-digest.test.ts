import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeInterface } from './openapi-digest.ts'

/** A small document; each test changes a copy of it. */
const DOCUMENT = {
  paths: {
    '/v2/user/{user_id}': {
      get: {
        operationId: 'getUser',
        summary: 'Read a user',
        description: 'Returns the user.',
        security: [{ teamKey: [] }, { appToken: [] }],
        parameters: [
          {
            name: 'user_id',
            in: 'path',
            required: true,
            schema: { type: 'string', format: 'uuid' },
          },
          {
            name: 'provider',
            in: 'query',
            required: false,
            description: 'Only connections to this provider.',
            schema: { type: 'string', enum: ['oura', 'fitbit', 'garmin', 'whoop', 'polar'] },
          },
          {
            name: 'limit',
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
          },
        ],
        responses: {
          200: {
            description: 'Done.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } },
          },
          409: {
            description: 'Refused.',
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Refusal' },
                examples: { legal_hold: { $ref: '#/components/examples/legal_hold' } },
              },
            },
          },
          503: { $ref: '#/components/responses/Unavailable' },
        },
      },
      patch: {
        operationId: 'updateUser',
        deprecated: true,
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', properties: { name: { type: ['string', 'null'] } } },
            },
          },
        },
        responses: { 204: { description: 'Changed.' } },
      },
    },
  },
  webhooks: {},
  components: {
    schemas: {
      User: {
        type: 'object',
        description: 'A person.',
        required: ['user_id', 'description'],
        properties: {
          user_id: { type: 'string', format: 'uuid' },
          description: { type: 'string', maxLength: 100, description: 'Words about the person.' },
          source: { type: 'string', enum: ['oura', 'fitbit', 'garmin', 'whoop', 'polar'] },
          friends: { type: 'array', items: { anyOf: [{ $ref: '#/components/schemas/User' }] } },
          state: { type: ['string', 'null'], enum: ['new', 'old', null] },
        },
      },
    },
    responses: {},
    parameters: {},
    securitySchemes: {},
  },
}

type Document = typeof DOCUMENT

/** Lines that a change takes out of the digest, and those that it puts in. */
function changesBy(change: (document: Document) => void): { removed: string[]; added: string[] } {
  const changed = structuredClone(DOCUMENT)
  change(changed)
  const before = describeInterface(DOCUMENT).split('\n')
  const after = describeInterface(changed).split('\n')
  return {
    removed: before.filter((line) => !after.includes(line)),
    added: after.filter((line) => !before.includes(line)),
  }
}

const operationOf = (document: Document) => document.paths['/v2/user/{user_id}'].get

test('an operation is a line with its keys, parameters, body and answers', () => {
  const lines = describeInterface(DOCUMENT).split('\n')
  assert.deepEqual(
    lines
      .filter((line) => line.includes('/v2/user'))
      .map((line) => line.replaceAll(/#[0-9a-f]{8}/g, '#hash')),
    [
      'GET /v2/user/{user_id} getUser [teamKey appToken] (path user_id: uuid, query provider?: [source], query limit?: integer = 50 #hash) > 200 User, 409 Refusal(legal_hold), 503 Unavailable',
      'PATCH /v2/user/{user_id} updateUser! [] () body {name?: string|null} #hash > 204',
    ],
  )
})

test('a schema is a line with its properties, and a long list of values has a line for each', () => {
  const text = describeInterface(DOCUMENT)
  assert.match(
    text,
    /^User #[0-9a-f]{8} \{user_id: uuid, description: string, source\?: \[source\], friends\?: User\[\], state\?: "new"\|"old"\|null\}$/m,
  )
  assert.match(text, /^source\n {2}oura\n {2}fitbit\n {2}garmin\n {2}whoop\n {2}polar$/m)
})

test('words change nothing', () => {
  const changes = changesBy((document) => {
    const operation = operationOf(document)
    operation.description = 'Returns the person.'
    operation.summary = 'Read one'
    operation.responses[200].description = 'All is well.'
    document.components.schemas.User.description = 'A user.'
    document.components.schemas.User.properties.description.description = 'Notes.'
  })
  assert.deepEqual(changes, { removed: [], added: [] })
})

test('a property that is called like a keyword of words is part of the shape', () => {
  const { removed, added } = changesBy((document) => {
    const { description: _, ...properties } = document.components.schemas.User.properties
    document.components.schemas.User.properties = properties as never
  })
  assert.equal(removed.length, 1)
  assert.match(added[0] ?? '', /^User #[0-9a-f]{8} \{user_id: uuid, source/)
})

test('a type that changes is one line, of its schema', () => {
  const { removed, added } = changesBy((document) => {
    document.components.schemas.User.properties.user_id.format = 'date'
  })
  assert.deepEqual([removed.length, added.length], [1, 1])
  assert.match(removed[0] ?? '', /^User .*user_id: uuid/)
  assert.match(added[0] ?? '', /^User .*user_id: date/)
})

test('a bound that changes is one line, though no type shows it', () => {
  const ofSchema = changesBy((document) => {
    document.components.schemas.User.properties.description.maxLength = 200
  })
  const withoutHash = (lines: string[]) => lines.map((line) => line.replaceAll(/#[0-9a-f]{8}/g, ''))
  assert.equal(ofSchema.added.length, 1)
  assert.deepEqual(withoutHash(ofSchema.removed), withoutHash(ofSchema.added))
  const ofParameter = changesBy((document) => {
    const [, , limit] = operationOf(document).parameters
    if (limit?.schema.maximum !== undefined) limit.schema.maximum = 500
  })
  assert.equal(ofParameter.added.length, 1)
  assert.deepEqual(withoutHash(ofParameter.removed), withoutHash(ofParameter.added))
})

test('a parameter that is removed is missing in the line of its operation', () => {
  const { removed, added } = changesBy((document) => {
    operationOf(document).parameters.pop()
  })
  assert.deepEqual([removed.length, added.length], [1, 1])
  assert.equal(added[0], removed[0]?.replace(/, query limit\?: integer = 50 #[0-9a-f]{8}/, ''))
})

test('a default that changes is the line of its operation', () => {
  const { added } = changesBy((document) => {
    const [, , limit] = operationOf(document).parameters
    if (limit?.schema.default !== undefined) limit.schema.default = 20
  })
  assert.equal(added.length, 1)
  assert.match(added[0] ?? '', /query limit\?: integer = 20 #/)
})

test('a code of a refusal that is added is the line of its operation', () => {
  const { added } = changesBy((document) => {
    const { examples } = operationOf(document).responses[409].content['application/json']
    Object.assign(examples, { user_gone: { $ref: '#/components/examples/user_gone' } })
  })
  assert.equal(added.length, 1)
  assert.match(added[0] ?? '', /409 Refusal\(legal_hold user_gone\)/)
})

test('a value more in a list that many have is one line', () => {
  const { removed, added } = changesBy((document) => {
    document.components.schemas.User.properties.source.enum.push('suunto')
    operationOf(document).parameters[1]?.schema.enum?.push('suunto')
  })
  assert.deepEqual([removed, added], [[], ['  suunto']])
})

test('a list of several operations keeps its name when another operation has it first', () => {
  const withLists = structuredClone(DOCUMENT)
  const values = ['a', 'b', 'c', 'd', 'e']
  const operation = (operationId: string) => ({
    get: {
      operationId,
      parameters: [{ name: 'source', in: 'query', required: true, schema: { enum: values } }],
    },
  })
  Object.assign(withLists.paths, { '/b': operation('b'), '/c': operation('c') })
  const more = { ...withLists, paths: { '/a': operation('a'), ...withLists.paths } }
  const linesOf = (document: object) =>
    describeInterface(document as Record<string, unknown>)
      .split('\n')
      .filter((line) => line.startsWith('GET /b '))
  assert.deepEqual(linesOf(more), linesOf(withLists))
})
