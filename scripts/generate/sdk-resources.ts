import { formatTypeScript } from './format.ts'
import { joinParts } from './markdown.ts'
import { positionIn, queryTypeName } from './sdk-api-types.ts'
import {
  isOfSeries,
  listSdkOperations,
  type OpenApiDocument,
  type SdkOperation,
  toTitleCase,
} from './sdk-operations.ts'
import {
  codeNotice,
  docComment,
  type JsonSchema,
  type SchemaPosition,
  typeOf,
} from './sdk-types.ts'

/** Generates packages/sdk/src/api/resources.generated.ts: a method for each operation. */
export function describeSdkResources(document: OpenApiDocument): string {
  const operations = listSdkOperations(document).filter((operation) => !isOfSeries(operation))
  const admin = operations.filter(({ audience }) => audience === 'management')
  const others = operations.filter(({ audience }) => audience !== 'management')
  const writer = { document, position: positionIn(document, 'api.') }
  const text = joinParts(
    codeNotice('docs/openapi.json'),
    [
      "import { Paged } from '../client/paged.ts'",
      "import { path } from '../client/path.ts'",
      "import type { AdminOptions, RequestOptions } from '../client/request-options.ts'",
      "import { Resource } from '../client/resource.ts'",
      "import type * as api from './types.generated.ts'",
    ].join('\n'),
    ...describeResources(others, '', writer),
    ...describeResources(admin, 'Admin', writer),
  )
  return formatTypeScript(text)
}

interface Writer {
  document: OpenApiDocument
  position: SchemaPosition
}

function describeResources(
  operations: readonly SdkOperation[],
  prefix: string,
  writer: Writer,
): string[] {
  const byResource = Map.groupBy(operations, ({ resource }) => resource)
  const classes = [...byResource].map(([resource, methods]) => {
    const members = methods.flatMap((operation) => describeMethods(operation, writer))
    return `export class ${prefix}${toTitleCase(resource)} extends Resource {\n${members.join('\n')}}`
  })
  const properties = [...byResource].map(([resource, [first]]) => {
    const words = first && byTag(first, methodsOf(byResource, resource), writer)
    const type = `${prefix}${toTitleCase(resource)}`
    return `${docComment(words ? [words] : [], '  ')}  readonly ${resource} = new ${type}(this.http)\n`
  })
  const name = prefix === '' ? 'TeamResources' : 'AdminResources'
  return [...classes, `export class ${name} extends Resource {\n${properties.join('')}}`]
}

const methodsOf = (byResource: Map<string, SdkOperation[]>, name: string): SdkOperation[] =>
  byResource.get(name) ?? []

/** Returns the description of a tag that is exactly one resource. */
function byTag(
  { tag }: SdkOperation,
  operations: readonly SdkOperation[],
  { document }: Writer,
): string | undefined {
  if (operations.some((operation) => operation.tag !== tag)) return undefined
  return document.tags.find(({ name }) => name === tag)?.description
}

/** Generates one method, and another for the bytes where a response can be either. */
function describeMethods(operation: SdkOperation, writer: Writer): string[] {
  const { answer, bytes, method } = operation
  if (bytes === undefined || answer === undefined) return [describeMethod(operation, writer)]
  const { answer: _, ...binary } = operation
  const words = `${operation.words} The response is ${bytes}.`
  return [
    describeMethod({ ...operation, bytes: undefined }, writer),
    describeMethod({ ...binary, words, method: `${method}Parquet` }, writer),
  ]
}

function describeMethod(operation: SdkOperation, writer: Writer): string {
  const { verb, path, words, method } = operation
  const parameters = parametersOf(operation, writer)
  const paging = pagingOf(operation, writer)
  const comment = docComment([words, `\`${verb} ${path}\``], '  ')
  const list = parameters.map(({ text }) => text).join(', ')
  const start = paging === undefined ? 'async ' : ''
  const context = contextOf(operation).length > 0 ? 'const at = this.http.context(options)\n' : ''
  return `${comment}  ${start}${method}(${list}): ${describeAnswer(operation, writer, paging)} {
    ${context}${describeReturn(operation, paging)}
  }
`
}

/** Returns the parameters of the path that the client knows. */
function contextOf({ path, audience }: SdkOperation): string[] {
  if (audience !== 'management') return []
  if (path.includes('/team/{team_id}/{env}')) return ['org_id', 'team_id', 'env']
  if (path.includes('/{env}/{region}')) return ['org_id', 'env', 'region']
  return path.includes('{org_id}') ? ['org_id'] : []
}

const toLocal = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns names of the path first, then required parameters, then optional ones. */
function parametersOf(
  operation: SdkOperation,
  { position }: Writer,
): { text: string; isRequired: boolean }[] {
  const { pathNames, query, body, id, audience } = operation
  const context = contextOf(operation)
  const parameters = pathNames
    .filter((name) => !context.includes(name))
    .map((name) => ({ text: `${toLocal(name)}: ${typeOfPathName(name)}`, isRequired: true }))
  if (body !== undefined) {
    const type = isFile(body.type) ? 'Blob | Uint8Array | ReadableStream<Uint8Array>' : ''
    const shown = type || typeOf(body.schema, { ...position, path: id })
    const { isRequired } = body
    parameters.push({ text: `body${isRequired ? '' : '?'}: ${shown}`, isRequired })
  }
  if (query.length > 0) {
    const isRequired = query.some(({ required }) => required === true)
    const type = `api.${queryTypeName(id)}`
    parameters.push({ text: isRequired ? `query: ${type}` : `query: ${type} = {}`, isRequired })
  }
  const options = audience === 'management' ? 'AdminOptions' : 'RequestOptions'
  parameters.push({ text: `options: ${options} = {}`, isRequired: false })
  return parameters.sort((one, other) => Number(other.isRequired) - Number(one.isRequired))
}

const typeOfPathName = (name: string): string => (name === 'number' ? 'number' : 'string')

const isFile = (type: string): boolean => /zip|octet-stream|ndjson|parquet/.test(type)

function describeAnswer(
  operation: SdkOperation,
  { position }: Writer,
  paging: Paging | undefined,
): string {
  const { answer, bytes, id } = operation
  if (answer === undefined) return bytes === undefined ? 'Promise<void>' : 'Promise<Response>'
  const type = typeOf(answer, { ...position, path: id })
  if (paging === undefined) return `Promise<${type}>`
  return `Paged<${type}, ${paging.items}>`
}

interface Paging {
  kind: 'cursor' | 'offset' | 'page'
  /** Field of a page that has the items. */
  field: string
  /** Type of an item. */
  items: string
}

/** Returns how a list is paged, derived from its parameters and the list in its response. */
function pagingOf(
  { query, answer, id }: SdkOperation,
  { document, position }: Writer,
): Paging | undefined {
  const names = query.map(({ name }) => name)
  const kind = names.includes('next_cursor')
    ? 'cursor'
    : names.includes('offset')
      ? 'offset'
      : names.includes('page')
        ? 'page'
        : undefined
  if (kind === undefined || answer === undefined) return undefined
  const { properties = {} } = resolveSchema(answer, document)
  const lists = Object.entries(properties).filter(([, schema]) => schema.type === 'array')
  const [list, another] = lists
  if (list === undefined || another !== undefined) {
    throw new Error(`${id}: a page is to have one list, and has ${lists.length}.`)
  }
  const [field, schema] = list
  const items = typeOf(schema.items ?? {}, { ...position, path: id })
  return { kind, field, items }
}

function resolveSchema(schema: JsonSchema, { components }: OpenApiDocument): JsonSchema {
  if (schema.$ref === undefined) return schema
  return components.schemas[schema.$ref.replace('#/components/schemas/', '')] ?? {}
}

/** Generates the statement that sends the request. */
function describeReturn(operation: SdkOperation, paging: Paging | undefined): string {
  const { verb, body, query, answer, bytes, audience, headers, isRepeatable } = operation
  const settings = [
    body !== undefined && BODY_NAMES[kindOf(body.type)],
    query.length > 0 && 'query',
    audience !== 'team' && `audience: '${audience}'`,
    isRepeatable && !['GET', 'PUT', 'DELETE'].includes(verb) && 'isRepeatable: true',
    headers.some(({ name }) => name === 'x-idempotency-key') && 'isKeyed: true',
    answer === undefined && bytes !== undefined && `accept: '${bytes}'`,
    'options',
  ].filter((setting) => setting !== false)
  const call = `'${verb}', ${describePath(operation)}, { ${settings.join(', ')} }`
  if (answer === undefined && bytes !== undefined) return `return this.http.bytes(${call})`
  if (paging === undefined) return `return this.http.json(${call})`
  return `return new Paged('${paging.kind}', '${paging.field}', query, (query) => this.http.json(${call}))`
}

type BodyKind = 'json' | 'form' | 'multipart' | 'file'

const BODY_NAMES: Record<BodyKind, string> = {
  json: 'body',
  form: 'form: body',
  multipart: 'multipart: body',
  file: 'file: body',
}

function kindOf(type: string): BodyKind {
  if (type === 'application/json') return 'json'
  if (type === 'application/x-www-form-urlencoded') return 'form'
  if (type === 'multipart/form-data') return 'multipart'
  if (isFile(type)) return 'file'
  throw new Error(`No body is made of the media type ${type}.`)
}

/** Path parameters that the client knows. */
const CONTEXT: Record<string, string> = {
  org_id: 'at.orgId',
  team_id: 'at.teamId',
  env: 'at.environment',
  region: 'at.region',
}

function describePath(operation: SdkOperation): string {
  const context = contextOf(operation)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = context.includes(name) ? CONTEXT[name] : toLocal(name)
    return `\${${value}}`
  })
  return `path\`${path}\``
}
