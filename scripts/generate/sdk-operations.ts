import { LEFT_OUT, METHODS, REPEATABLE, RESOURCES } from './sdk-resources.registry.ts'
import type { JsonSchema } from './sdk-types.ts'

interface Media {
  schema: JsonSchema
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header' | 'cookie'
  required?: boolean
  description?: string
  schema: JsonSchema
}

interface OpenApiOperation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  deprecated?: boolean
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media> }>
}

export interface OpenApiDocument {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, JsonSchema> }
}

/** Kind of credential that an operation accepts. */
export type Audience = 'team' | 'management' | 'link' | 'none'

/** An operation of the document as a method of the SDK. */
export interface SdkOperation {
  id: string
  verb: string
  path: string
  audience: Audience
  resource: string
  method: string
  tag: string
  words: string
  pathNames: string[]
  query: Parameter[]
  headers: Parameter[]
  body?: { type: string; schema: JsonSchema; isRequired: boolean }
  /** Schema of a JSON response; undefined when there is none. */
  answer?: JsonSchema
  /** Media type of a response that is not JSON. */
  bytes?: string
  isRepeatable: boolean
}

/** Time series have a method for each form of reading, not for each series. */
const SERIES_PATH = /^\/v2\/timeseries\/\{user_id\}\/\w+(\/(grouped|merged|chart))?$/

/** Returns whether time-series.ts has a method of the operation for all series. */
export const isOfSeries = ({ path, id }: { path: string; id: string }): boolean =>
  SERIES_PATH.test(path) && id !== 'listCharts' && id !== 'readCharts'

/** Lists all operations with a method in the SDK, in the order of the document. */
export function listSdkOperations(document: OpenApiDocument): SdkOperation[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId, deprecated }]) => !deprecated && !(operationId in LEFT_OUT))
      .map(([verb, operation]) => toSdkOperation(verb.toUpperCase(), path, operation)),
  )
  checkNames(operations)
  return operations
}

function toSdkOperation(verb: string, path: string, operation: OpenApiOperation): SdkOperation {
  const { operationId: id, tags, summary, description, parameters = [], requestBody } = operation
  if (id === undefined) throw new Error(`${verb} ${path} has no operation id.`)
  const [tag = ''] = tags
  const [bodyType, bodyMedia] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.entries(content))
  const json = answers.find(([type]) => type === 'application/json')
  const bytes = answers.find(([type]) => type !== 'application/json')
  return {
    id,
    verb,
    path,
    audience: audienceOf(operation),
    ...nameOf(id, tag),
    tag,
    words: [`${summary}.`, description ?? ''].join(' ').trim(),
    pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: parameters.filter((parameter) => parameter.in === 'query'),
    headers: parameters.filter((parameter) => parameter.in === 'header'),
    ...(bodyType !== undefined &&
      bodyMedia !== undefined && {
        body: {
          type: bodyType,
          schema: bodyMedia.schema,
          isRequired: requestBody?.required === true && !isNullable(bodyMedia.schema),
        },
      }),
    ...(json !== undefined && { answer: json[1].schema }),
    ...(bytes !== undefined && { bytes: bytes[0] }),
    isRepeatable: verb !== 'POST' && verb !== 'PATCH' ? true : REPEATABLE.has(id),
  }
}

const isNullable = ({ anyOf = [], type }: JsonSchema): boolean =>
  [type].flat().includes('null') || anyOf.some((member) => isNullable(member))

function audienceOf({ security }: OpenApiOperation): Audience {
  const names = security.flatMap((scheme) => Object.keys(scheme))
  if (names.includes('teamKey')) return 'team'
  if (names.includes('managementKey')) return 'management'
  if (names.includes('linkToken')) return 'link'
  return 'none'
}

function nameOf(id: string, tag: string): { resource: string; method: string } {
  const [resource, method] = METHODS[id]?.split('.') ?? []
  if (resource !== undefined && method !== undefined) return { resource, method }
  const { name = toCamelCase(tag), drop = [] } = RESOURCES[tag] ?? {}
  const [, verb = id, rest = ''] = /^([a-z]+)(.*)$/.exec(id) ?? []
  const word = drop.find((one) => new RegExp(`${one}(?![a-z])`).test(rest))
  return { resource: name, method: verb + (word === undefined ? rest : rest.replace(word, '')) }
}

const toCamelCase = (words: string): string =>
  words
    .split(/\W+/)
    .map((word, index) => (index === 0 ? word.toLowerCase() : toTitleCase(word)))
    .join('')

/** `user_id` becomes `UserId`. */
export const toTitleCase = (name: string): string =>
  name.replaceAll(/(?:^|[_\W]+)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Throws when two operations would be one method. */
function checkNames(operations: readonly SdkOperation[]): void {
  const ids = new Map<string, string>()
  for (const operation of operations) {
    if (isOfSeries(operation)) continue
    const { id, resource, method, audience } = operation
    const name = `${audience === 'management' ? 'admin.' : ''}${resource}.${method}`
    const other = ids.get(name)
    if (other !== undefined) throw new Error(`${other} and ${id} would both be ${name}.`)
    ids.set(name, id)
  }
  for (const id of [...Object.keys(METHODS), ...REPEATABLE]) {
    if (operations.some((operation) => operation.id === id)) continue
    throw new Error(`There is no operation ${id}: mend scripts/generate/sdk-resources.registry.ts.`)
  }
}
