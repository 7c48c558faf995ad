import { createHash } from 'node:crypto'
import { joinParts } from './markdown.ts'
import { findValueLists, type ValueLists } from './openapi-value-lists.ts'

/** Any part of the document; its fields are looked up by name. */
type Part = Record<string, unknown>

const NOTICE = `# generated from the OpenAPI document by scripts/generate.ts; do not edit
#
# What a change does to the interface, in lines. Words are left out: titles, summaries, descriptions, examples.
#
# Operations: METHOD path operationId [keys that open it] (parameters) body > answers
#   ? is optional, ! is deprecated, = is the default; codes of refusals stand in brackets behind the status
# Schemas:    Name #hash of all that is no word, bounds and patterns too, and the properties with their types
#   Name is a schema that has its own line, [name] a list of values at the end
`

/**
 * Generates docs/openapi.digest.txt: the interface without its texts, a line for each operation,
 * schema and list of values.
 */
export function describeInterface(document: Part): string {
  const components = partOf(document.components)
  const lists = findValueLists(document)
  const schemas = Object.entries(partOf(components.schemas)).sort(byName)
  const shared = ['responses', 'parameters', 'securitySchemes'].flatMap((kind) =>
    Object.entries(partOf(components[kind]))
      .sort(byName)
      .map(([name, value]) => `${kind}/${name} ${describeShared(kind, value, lists)}`),
  )
  return joinParts(
    NOTICE.trimEnd(),
    ['## Operations', ...operationLines(partOf(document.paths), lists)].join('\n'),
    ['## Webhooks', ...operationLines(partOf(document.webhooks), lists)].join('\n'),
    [
      '## Schemas',
      ...schemas.map(([name, schema]) => describeNamed(name, partOf(schema), lists)),
    ].join('\n'),
    ['## Shared parts', ...shared].join('\n'),
    ['## Lists of values', ...lists.lines()].join('\n'),
  )
}

const partOf = (value: unknown): Part => (value ?? {}) as Part
const partsOf = (value: unknown): Part[] => (value ?? []) as Part[]

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function operationLines(paths: Part, lists: ValueLists): string[] {
  return Object.entries(paths)
    .sort(byName)
    .flatMap(([path, verbs]) =>
      Object.entries(partOf(verbs))
        .sort(byName)
        .map(([verb, operation]) =>
          describeOperation(`${verb.toUpperCase()} ${path}`, partOf(operation), lists),
        ),
    )
}

function describeOperation(address: string, operation: Part, lists: ValueLists): string {
  const { operationId, security, parameters, requestBody, responses, deprecated } = operation
  const keys = partsOf(security).map((way) => Object.keys(way).join('+'))
  const answers = Object.entries(partOf(responses)).map(([status, answer]) =>
    `${status} ${describeContent(partOf(answer), lists)}`.trimEnd(),
  )
  const body = requestBody === undefined ? [] : [describeBody(partOf(requestBody), lists)]
  return [
    `${address} ${operationId}${deprecated === true ? '!' : ''}`,
    `[${keys.join(' ')}]`,
    `(${partsOf(parameters)
      .map((parameter) => describeParameter(parameter, lists))
      .join(', ')})`,
    ...body,
    `> ${answers.join(', ')}`,
  ].join(' ')
}

function describeParameter(parameter: Part, lists: ValueLists): string {
  if (parameter.$ref !== undefined) return nameOf(parameter.$ref)
  const { name, required, deprecated, schema, in: place } = parameter
  const signs = `${deprecated === true ? '!' : ''}${required === true ? '' : '?'}`
  return `${place} ${name}${signs}: ${typeOf(partOf(schema), lists)}${boundsOf(partOf(schema), lists)}`
}

function describeBody(body: Part, lists: ValueLists): string {
  return `${body.required === true ? 'body' : 'body?'} ${describeContent(body, lists)}`
}

/** Describes the content of a body or response by its media types; JSON is not named. */
function describeContent(holder: Part, lists: ValueLists): string {
  if (holder.$ref !== undefined) return nameOf(holder.$ref)
  const kinds = Object.entries(partOf(holder.content)).map(([kind, content]) => {
    const schema = partOf(partOf(content).schema)
    const type = `${typeOf(schema, lists)}${boundsOf(schema, lists)}`
    return `${kind === 'application/json' ? '' : `${kind} `}${type}${refusalsOf(partOf(content))}`
  })
  const headers = Object.keys(partOf(holder.headers)).map((name) => ` with ${name}`)
  return [kinds.join(' or '), ...headers].join('')
}

/** Returns the error codes of a response, which are the names of its examples. */
function refusalsOf({ examples }: Part): string {
  const codes = Object.entries(partOf(examples))
    .filter(([, example]) => partOf(example).$ref !== undefined)
    .map(([code]) => code)
  return codes.length === 0 ? '' : `(${codes.join(' ')})`
}

function describeShared(kind: string, value: unknown, lists: ValueLists): string {
  const part = partOf(value)
  if (kind === 'responses') return describeContent(part, lists)
  return kind === 'parameters' ? describeParameter(part, lists) : `#${hashOf(part)}`
}

function describeNamed(name: string, schema: Part, lists: ValueLists): string {
  return `${name} #${hashOf(withoutLists(schema, lists))} ${typeOf(schema, lists)}`
}

const nameOf = (ref: unknown): string => String(ref).replace(/^.*\//, '')

/**
 * Describes the type of a schema in a few characters; schemas and lists with lines of their own are
 * named.
 */
function typeOf(schema: Part, lists: ValueLists): string {
  const { $ref, anyOf, items, type } = schema
  if ($ref !== undefined) return nameOf($ref)
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return lists.typeOf(schema.enum as unknown[])
  if (anyOf !== undefined)
    return [...new Set(partsOf(anyOf).map((one) => typeOf(one, lists)))].join('|')
  if (type === undefined) return 'any'
  return [type]
    .flat()
    .map((kind) => {
      if (kind === 'object') return objectType(schema, lists)
      if (kind === 'array') return `${inBrackets(typeOf(partOf(items), lists))}[]`
      return kind === 'string' && schema.format !== undefined ? schema.format : kind
    })
    .join('|')
}

const inBrackets = (type: string): string => (/^[^{]*\|/.test(type) ? `(${type})` : type)

function objectType(schema: Part, lists: ValueLists): string {
  const required = (schema.required ?? []) as string[]
  const members = Object.entries(partOf(schema.properties)).map(([name, property]) => {
    const part = partOf(property)
    const signs = `${part.deprecated === true ? '!' : ''}${required.includes(name) ? '' : '?'}`
    return `${name}${signs}: ${typeOf(part, lists)}`
  })
  const others = [...Object.values(partOf(schema.patternProperties)), schema.additionalProperties]
    .filter((other) => typeof other === 'object')
    .map((other) => `*: ${typeOf(partOf(other), lists)}`)
  return `{${[...members, ...others].join(', ')}}`
}

/** Keywords that the type of a schema shows. */
const SHOWN = new Set(['$ref', 'const', 'enum', 'type', 'format', 'deprecated', 'default'])

/**
 * Returns the parts of a schema without a line of its own that its type does not show: its default,
 * and a hash of bounds and patterns.
 */
function boundsOf(schema: Part, lists: ValueLists): string {
  const { default: usual, properties, ...rest } = withoutWords(withoutLists(schema, lists)) as Part
  const bounds = Object.fromEntries(Object.entries(rest).filter(([key]) => !SHOWN.has(key)))
  const isPlain = properties === undefined && Object.keys(bounds).length === 0
  const start = usual === undefined ? '' : ` = ${JSON.stringify(usual)}`
  return `${start}${isPlain ? '' : ` #${hashOf({ ...bounds, properties })}`}`
}

/** Keywords with texts, which may change freely. */
const WORDS = new Set(['title', 'summary', 'description', 'example', 'examples'])

/** Removes the texts of a schema; a property may have the name of a keyword. */
function withoutWords(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((member) => withoutWords(member))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => isNames || !WORDS.has(key))
  return Object.fromEntries(
    kept.map(([key, member]) => [key, withoutWords(member, key === 'properties' && !isNames)]),
  )
}

/** Replaces lists that have lines by their names, so that a new value changes one line. */
function withoutLists(value: unknown, lists: ValueLists): unknown {
  if (Array.isArray(value)) return value.map((member) => withoutLists(member, lists))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isList = key === 'enum' && Array.isArray(member)
      return [key, isList ? lists.typeOf(member) : withoutLists(member, lists)]
    }),
  )
}

/** Eight characters are enough to distinguish two versions of a line. */
function hashOf(value: unknown): string {
  const text = JSON.stringify(withoutWords(value))
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
