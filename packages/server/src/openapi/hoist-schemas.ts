import { BESIDE_REFERENCE } from './describe-fields.ts'
import { isObject, type Json, type JsonObject } from './document-parts.ts'

/**
 * Moves every object schema with a title to the components and leaves a reference, so that a
 * document made from inline route schemas has named types. One title may stand for two shapes: a
 * field that a request may leave out is always in an answer. The shape of the request is then
 * called `...Input`, and that of a message to a webhook endpoint `...Event`.
 * @param messages Messages to webhook endpoints, in any shape.
 * @throws Error when two schemas of one title differ otherwise, because a client would then see
 *   only one of them
 */
export function hoistTitledSchemas(
  paths: JsonObject,
  messages: JsonObject,
): { paths: JsonObject; messages: JsonObject; schemas: JsonObject } {
  const { schemas, refer } = createSchemaStore()

  function walk(value: Json, suffix: Suffix): Json {
    if (Array.isArray(value)) return value.map((part) => walk(part, suffix))
    if (!isObject(value)) return value
    const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
      if (isData(key)) return [key, inner]
      if (key === 'properties' && isObject(inner)) return [key, walkEach(inner, suffix)]
      return [key, walk(inner, key === 'requestBody' ? 'Input' : suffix)]
    })
    const { [BESIDE_REFERENCE]: words, ...part } = Object.fromEntries(entries) as JsonObject
    const { title, ...schema } = part
    if (typeof title !== 'string') return part
    const beside: JsonObject = typeof words === 'string' ? { description: words } : {}
    if (schema.type === 'object') return { ...refer(title, schema, suffix), ...beside }
    if (!isNullableObject(schema)) return { ...part, ...beside }
    const reference = refer(title, { ...schema, type: 'object' }, suffix)
    return { anyOf: [reference, { type: 'null' }], ...beside }
  }

  /** Keys of the map are names of properties, not keywords. */
  const walkEach = (properties: JsonObject, suffix: Suffix): JsonObject =>
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, walk(schema, suffix)]),
    )

  // Answers come first, so that they keep the title where requests differ.
  const answers = mapOperations(paths, (operation) => ({
    ...operation,
    responses: walk(operation.responses ?? {}, null),
  }))
  const whole = mapOperations(answers, (operation) => ({
    ...(walk({ ...operation, responses: {} }, null) as JsonObject),
    responses: operation.responses ?? {},
  }))
  const moved = walk(messages, 'Event') as JsonObject
  const sorted = [...schemas].sort(([a], [b]) => (a < b ? -1 : 1))
  return { paths: whole, messages: moved, schemas: Object.fromEntries(sorted) }
}

/** Suffix of the second shape of a title; null where there can be none. */
type Suffix = 'Input' | 'Event' | null

/** Stores named schemas, each once. */
function createSchemaStore() {
  const schemas = new Map<string, JsonObject>()
  const texts = new Map<string, string>()

  function store(title: string, schema: JsonObject): boolean {
    const text = JSON.stringify(schema, sortKeys)
    if ((texts.get(title) ?? text) !== text) return false
    texts.set(title, text)
    schemas.set(title, schema)
    return true
  }

  function refer(title: string, schema: JsonObject, suffix: Suffix): JsonObject {
    const named = store(title, schema) ? title : `${title}${suffix}`
    if (named !== title && !(suffix !== null && store(named, schema))) {
      throw new Error(`Two schemas have the title ${title}: give one of them another.`)
    }
    return { $ref: `#/components/schemas/${named}` }
  }

  return { schemas, refer }
}

function mapOperations(paths: JsonObject, change: (operation: JsonObject) => JsonObject) {
  return Object.fromEntries(
    Object.entries(paths as Record<string, Record<string, JsonObject>>).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([name, operation]) => [name, change(operation)]),
      ),
    ]),
  )
}

/** Two schemas with the same keys in another order are equal. */
const sortKeys = (_key: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Values, which may have any keys, are not schemas. */
const isData = (key: string): boolean => ['example', 'examples', 'default', 'enum'].includes(key)

const isNullableObject = ({ type }: JsonObject): boolean =>
  Array.isArray(type) && type.length === 2 && type.includes('object') && type.includes('null')
