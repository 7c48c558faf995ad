import type { ErrorType } from '@salus/kernel/errors.registry'
import { describeFields } from './describe-fields.ts'
import { isObject, type JsonObject, type Operation } from './document-parts.ts'
import {
  addErrorResponses,
  ERROR_RESPONSES,
  ERROR_SCHEMAS,
  errorExamples,
} from './error-responses.ts'
import { addBodyExample, addResponseExamples } from './examples.ts'
import { hoistTitledSchemas } from './hoist-schemas.ts'
import { nameOperation } from './name-operations.ts'
import { finishParameters } from './parameters.ts'
import { relaxDefaults } from './relax-defaults.ts'
import { securityOf, securitySchemes } from './security.ts'
import { DEPRECATED_TAG, TAG_GROUPS, TAGS } from './tags.registry.ts'
import { describeWebhooks, listWebhookMessages, WEBHOOK_HEADERS } from './webhook-messages.ts'

export interface DocumentOptions {
  baseUrl: string
  aliasesEnabled: boolean
}

/**
 * Builds the OpenAPI document from the one that the framework collected from the route schemas,
 * which it changes. Repeated texts are added here, from the tables of this folder.
 */
export function finishDocument(document: JsonObject, options: DocumentOptions): JsonObject {
  const operations = listOperations(document)
  const codes = new Set<ErrorType>()
  for (const operation of operations) {
    nameOperation(operation)
    finishParameters(operation)
    addFileBody(operation)
    describeResponses(operation)
    addUnchanged(operation)
    for (const { schema, isInput } of schemasOf(operation)) {
      showItems(schema)
      if (isInput) relaxDefaults(schema)
      describeFields(schema)
    }
    addBodyExample(operation)
    addResponseExamples(operation)
    for (const code of addErrorResponses(operation)) codes.add(code)
    addSecurity(operation, options.aliasesEnabled)
    if (operation.content.deprecated === true) operation.content.tags = [DEPRECATED_TAG]
  }
  const hoisted = hoistTitledSchemas(sortPaths(operations), listWebhookMessages())
  const { paths, messages, schemas } = hoisted
  const { openapi, info } = document
  return {
    openapi,
    info,
    servers: [{ url: options.baseUrl, description: 'Server that this document comes from.' }],
    security: securityOf('', options.aliasesEnabled),
    ...describeTags(operations),
    paths,
    webhooks: describeWebhooks(messages),
    components: {
      securitySchemes: securitySchemes(options.aliasesEnabled),
      schemas: { ...schemas, ...ERROR_SCHEMAS },
      responses: ERROR_RESPONSES,
      parameters: WEBHOOK_HEADERS,
      examples: errorExamples(codes),
    },
  } as JsonObject
}

function listOperations(document: JsonObject): Operation[] {
  return Object.entries(document.paths as Record<string, JsonObject>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, content]) => ({
      key: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      content: content as JsonObject,
    })),
  )
}

const FILE: JsonObject = { type: 'string', format: 'binary' }
const FORM: JsonObject = {
  type: 'object',
  properties: { file: { ...FILE, description: 'Content of the file.' } },
  required: ['file'],
}

/**
 * Adds the body of a file upload. Its route declares only the media types, or the parts of the
 * form, because there is no body to validate.
 */
function addFileBody({ content: operation }: Operation): void {
  const form = operation['x-form']
  if (isObject(form)) {
    const content = { 'multipart/form-data': { schema: structuredClone(form) } }
    operation.requestBody = { required: true, content }
    delete operation['x-form']
  }
  const types = operation['x-file-types']
  if (!Array.isArray(types)) return
  const contents = types.map((type) => [
    type,
    { schema: type === 'multipart/form-data' ? FORM : FILE },
  ])
  operation.requestBody = {
    required: operation['x-file-optional'] !== true,
    description: types.includes('multipart/form-data')
      ? 'Content of the file, either as the body or as the part `file` of a form.'
      : 'Bytes of the file.',
    content: structuredClone(Object.fromEntries(contents)),
  }
  delete operation['x-file-types']
  delete operation['x-file-optional']
}

/**
 * Adds the security of a route; one without a credential, or with a link token or the session of
 * the console or of the portal, declares it itself.
 */
function addSecurity({ path, content }: Operation, aliasesEnabled: boolean): void {
  if (content['x-link-token'] === true) content.security = [{ linkToken: [] }]
  if (content['x-console-session'] === true) content.security = [{ consoleSession: [] }]
  if (content['x-portal-session'] === true) content.security = [{ portalSession: [] }]
  delete content['x-link-token']
  delete content['x-console-session']
  delete content['x-portal-session']
  content.security ??= securityOf(path, aliasesEnabled, content['x-app-access'] === true)
  delete content['x-app-access']
}

const MEANING_OF_STATUS: Record<string, string> = {
  '200': 'The request succeeded.',
  '201': 'The object was created.',
  '202': 'The request was accepted, and the work continues in the background.',
  '204': 'The request succeeded, and the answer has no body.',
}

/** Replaces the default text of the framework. */
function describeResponses({ content: { responses } }: Operation): void {
  for (const [status, response] of Object.entries(responses as Record<string, JsonObject>)) {
    if (response.description !== 'Default Response') continue
    response.description = MEANING_OF_STATUS[status] ?? 'Answer to the request.'
  }
}

/** Returns the schemas of bodies, which the steps above change in place. */
function schemasOf({ content: operation }: Operation): { schema: JsonObject; isInput: boolean }[] {
  const schemasIn = (body: unknown, isInput: boolean) =>
    Object.values(((body as JsonObject | undefined)?.content ?? {}) as Record<string, JsonObject>)
      .filter(({ schema }) => isObject(schema))
      .map(({ schema }) => ({ schema: schema as JsonObject, isInput }))
  return [
    ...schemasIn(operation.requestBody, true),
    ...Object.values(operation.responses as JsonObject).flatMap((body) => schemasIn(body, false)),
  ]
}

/** Items that the service checks one by one are declared next to the list. */
function showItems(schema: JsonObject): void {
  if (isObject(schema['x-items'])) schema.items = schema['x-items']
  delete schema['x-items']
  for (const inner of Object.values(schema)) {
    for (const part of Array.isArray(inner) ? inner : [inner]) if (isObject(part)) showItems(part)
  }
}

/**
 * Returns paths in the order of the tags, with deprecated operations at the end of each path and of
 * all.
 */
function sortPaths(operations: readonly Operation[]): JsonObject {
  const order = TAGS.map(({ name }) => name)
  const rankOf = ({ content: { tags } }: Operation): number => {
    const rank = order.indexOf(String((tags as string[])[0]))
    return rank === -1 ? order.length : rank
  }
  const sorted = operations
    .map((operation) => ({ operation, rank: rankOf(operation) }))
    .sort((a, b) => a.rank - b.rank)
  const paths: Record<string, JsonObject> = {}
  for (const { operation } of sorted) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: sortKeys(operation.content),
    }
  }
  return paths
}

const KEYS = ['operationId', 'summary', 'description', 'deprecated', 'tags', 'security']

/** Sorts keys, so that the important ones come first. */
function sortKeys(content: JsonObject): JsonObject {
  const first = KEYS.filter((key) => key in content).map((key) => [key, content[key]] as const)
  return { ...Object.fromEntries(first), ...content } as JsonObject
}

/** Returns the tags of the operations, in the order of the pages. */
function describeTags(operations: readonly Operation[]): JsonObject {
  const used = new Set(operations.map(({ content }) => (content.tags as string[])[0]))
  const groups = TAG_GROUPS.map((name) => ({
    name,
    tags: TAGS.filter((tag) => tag.group === name && used.has(tag.name)).map((tag) => tag.name),
  }))
  return {
    tags: TAGS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({
      name,
      description,
    })),
    'x-tagGroups': groups.filter(({ tags }) => tags.length > 0),
  }
}

/** Adds what a read with an ETag answers to a client that has its answer (docs/http.md). */
function addUnchanged({ content }: Operation): void {
  if (content['x-tag'] === true) {
    const responses = content.responses as Record<string, JsonObject>
    const description = 'Version of the answer, for `If-None-Match`; missing where it has none.'
    const etag = { description, schema: { type: 'string' }, example: 'W/"4fC1cJ8pXh0mM1pG6s3oQw"' }
    Object.assign(responses['200'] as JsonObject, { headers: { ETag: etag } })
    responses['304'] = { description: 'The answer is the one whose ETag is in `If-None-Match`.' }
  }
  delete content['x-tag']
}
