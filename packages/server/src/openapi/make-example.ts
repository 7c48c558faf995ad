import { isObject, type Json, type JsonObject } from './document-parts.ts'
import { exampleOfField } from './fields.ts'
import { fitsSchema } from './fits.ts'

export interface ExampleOptions {
  /**
   * An example of a request has the required fields; one of an answer has all fields that the
   * server sends.
   */
  isInput: boolean
  /** Values of single fields that are better than those of the tables. */
  values?: Readonly<Record<string, unknown>>
}

/**
 * Returns an example that the schema allows: that of the tables for the field's name, or else one
 * made from the schema. `name` is that of the field, empty at the top, and `title` that of its
 * type.
 */
export function makeExample(
  schema: JsonObject,
  name: string,
  options: ExampleOptions,
  title = '',
): Json {
  if ('example' in schema) return schema.example as Json
  if (!options.isInput && /^next(_cursor)?$/.test(name) && fitsSchema(schema, null)) return null
  const better = options.values?.[name]
  if (better !== undefined && fitsSchema(schema, better)) return better as Json
  const known = exampleOfField(schema, name, title)
  if (known !== undefined) return known
  if (schema.deprecated === true && fitsSchema(schema, null)) return null
  if ('const' in schema) return schema.const as Json
  if (Array.isArray(schema.enum)) return schema.enum[0] as Json
  if ('default' in schema && schema.default !== null) return schema.default as Json
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const [first] = (schema[key] ?? []) as JsonObject[]
    if (first !== undefined) return makeExample(first, name, options, title)
  }
  return makeOfType(schema, name, options, title)
}

function makeOfType(
  schema: JsonObject,
  name: string,
  options: ExampleOptions,
  title: string,
): Json {
  if (isUnknownText(schema)) return null
  switch ([schema.type].flat()[0]) {
    case 'object':
      return makeObject(schema, options)
    case 'array': {
      const item = makeExample((schema.items ?? {}) as JsonObject, singular(name), options, title)
      return item === null ? [] : [item]
    }
    case 'string':
      return makeText(schema)
    case 'integer':
    case 'number':
      return Math.max(Number(schema.minimum ?? 1), 1)
    case 'boolean':
      return false
    default:
      return isObject(schema.properties) ? makeObject(schema, options) : null
  }
}

function makeObject(schema: JsonObject, options: ExampleOptions): JsonObject {
  const { properties = {}, required = [], additionalProperties } = schema
  const title = String(schema.title ?? '')
  const fields = Object.entries(properties as Record<string, JsonObject>)
  const needed = fields.filter(([name]) => (required as string[]).includes(name))
  const shown = options.isInput && needed.length > 0 ? needed : fields
  const entries = shown.map(
    ([name, field]) => [name, makeExample(field, name, options, title)] as const,
  )
  if (entries.length === 0 && isObject(additionalProperties)) {
    return { [keyOf(schema)]: makeExample(additionalProperties, '', options) }
  }
  return Object.fromEntries(entries)
}

/** Returns a key of a map, which is derived from its description as far as an example needs it. */
function keyOf({ description }: JsonObject): string {
  return /provider/i.test(String(description)) ? 'oura' : 'key'
}

const TEXTS: Record<string, string> = {
  uuid: '5f0c0d6e-8a51-4c3b-9d27-000000000011',
  date: '2026-02-10',
  'date-time': '2026-02-10T08:00:00+00:00',
  instant: '2026-02-10T08:00:00Z',
  'date-or-date-time': '2026-02-10',
  'iana-time-zone': 'Europe/Vienna',
  email: 'ada.moreau@example.com',
  uri: 'https://example.com/',
}

/** Null is better than a placeholder. */
const isUnknownText = ({ type }: JsonObject): boolean =>
  Array.isArray(type) && type.includes('string') && type.includes('null')

const makeText = ({ format }: JsonObject): string => TEXTS[String(format)] ?? 'text'

const singular = (name: string): string => name.replace(/s$/, '')
