import swagger from '@fastify/swagger'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'
import { VERSION } from '../version.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Moves every schema with a title to components/schemas and leaves a reference, so that a document
 * made from inline route schemas has named types.
 */
function hoistTitledSchemas(document: JsonObject): JsonObject {
  const schemas: JsonObject = {}
  const walk = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    const entries = Object.entries(value)
      .filter(([key]) => key !== 'x-items')
      .map(([key, inner]) => [key, walk(inner)] as const)
    const result: JsonObject = Object.fromEntries(entries)
    // Items that the service checks one by one are documented beside the list.
    if (value['x-items'] !== undefined) result.items = walk(value['x-items'])
    if (typeof result.title !== 'string' || result.type !== 'object') return result
    const { title, ...schema } = result
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }
  const paths = walk(document.paths ?? {})
  const components = isObject(document.components) ? document.components : {}
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { ...document, paths, components: { ...components, schemas: sorted } }
}

/** Error answers that every operation can give (contract 01, section 4). */
const ERROR_RESPONSES: JsonObject = {
  default: { $ref: '#/components/responses/Error' },
  '401': { $ref: '#/components/responses/Error' },
  '404': { $ref: '#/components/responses/NotFound' },
  '422': { $ref: '#/components/responses/Invalid' },
}

function addErrorResponses(document: JsonObject): void {
  for (const path of Object.values(document.paths as JsonObject)) {
    for (const operation of Object.values(path as JsonObject)) {
      if (isObject(operation) && isObject(operation.responses)) {
        operation.responses = { ...operation.responses, ...ERROR_RESPONSES }
      }
    }
  }
}

const FILE: JsonObject = { type: 'string', format: 'binary' }
const FORM: JsonObject = { type: 'object', properties: { file: FILE }, required: ['file'] }

/** Routes that take a file declare only its media types, because there is no body to validate. */
function addFileBodies(document: JsonObject): void {
  for (const path of Object.values(document.paths as JsonObject)) {
    for (const operation of Object.values(path as JsonObject)) {
      if (!isObject(operation) || !Array.isArray(operation['x-file-types'])) continue
      const content = operation['x-file-types'].map((type) => [
        type,
        { schema: type === 'multipart/form-data' ? FORM : FILE },
      ])
      operation.requestBody = { required: true, content: Object.fromEntries(content) }
      delete operation['x-file-types']
    }
  }
}

const jsonOf = (schema: JsonObject, description: string): JsonObject => ({
  description,
  content: { 'application/json': { schema } },
})

const TEXT: JsonObject = { type: 'string' }
const RESPONSES: JsonObject = {
  Error: jsonOf(
    {
      type: 'object',
      required: ['detail'],
      properties: {
        detail: {
          type: 'object',
          required: ['error_type'],
          properties: { error_type: TEXT, error_message: TEXT },
        },
      },
    },
    'The request is refused; detail says why.',
  ),
  NotFound: jsonOf(
    { type: 'object', properties: { detail: TEXT } },
    'The id is unknown, or belongs to another team.',
  ),
  Invalid: jsonOf(
    {
      type: 'object',
      properties: {
        detail: {
          type: 'array',
          items: {
            type: 'object',
            properties: { loc: { type: 'array', items: {} }, msg: TEXT, type: TEXT },
          },
        },
      },
    },
    'The request does not match the schema.',
  ),
}

const TAGS = [
  'Users',
  'Connections',
  'Source priorities',
  'Ingestion',
  'Time series',
  'Summaries',
  'Aggregate queries',
  'Continuous queries',
  'Introspection',
  'Imports',
  'Lab tests',
  'Compendium',
  'Orders',
  'Documents',
  'Results',
  'Unmatched results',
  'Sandbox',
  'Team',
  'Management',
  'Webhooks',
]

/** Registers the OpenAPI document, made from the route schemas. Call it before the routes. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Salus',
        version: VERSION,
        description: 'Health data from wearables and laboratory ordering in one interface.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: {
        securitySchemes: {
          teamKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' },
          managementKey: { type: 'apiKey', in: 'header', name: 'x-management-key' },
        },
      },
      security: [{ teamKey: [] }],
      // The order in which the pages show them.
      tags: TAGS.map((name) => ({ name })),
    },
    transformObject: (input) => {
      if (!('openapiObject' in input)) return input.swaggerObject
      const plain = JSON.parse(JSON.stringify(input.openapiObject)) as JsonObject
      const document = hoistTitledSchemas(plain)
      addErrorResponses(document)
      addFileBodies(document)
      const components = document.components as JsonObject
      return { ...document, components: { ...components, responses: RESPONSES } } as never
    },
  })
}

/** Registers /openapi.json and the pages to read it and try it. Call it after the routes. */
export async function registerDocs(app: FastifyInstance): Promise<void> {
  // Routes do not change while the process runs, and making the document takes a tenth of a second.
  let document: string | undefined
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(document)
  })
  await app.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      title: 'Salus',
      // The page must work on a machine without internet, and tell nobody.
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  })
}
