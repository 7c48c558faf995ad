import { isObject, type Json, type JsonObject } from './document-parts.ts'
import { wordsOfField } from './fields.ts'

/** Where words wait that belong beside the reference to a named type, not into it. */
export const BESIDE_REFERENCE = 'x-beside-reference'

/**
 * Describes the fields of a body that have no words of their own, by their name and the title of
 * the schema they stand in.
 */
export function describeFields(schema: JsonObject, title = ''): void {
  const own = typeof schema.title === 'string' ? schema.title : title
  if (isObject(schema.properties)) {
    for (const [name, field] of Object.entries(schema.properties)) {
      if (!isObject(field)) continue
      const words = wordsOfField(own, name)
      // A named type has words of its own; what it means here stands beside the reference to it.
      if (typeof field.title === 'string') field[BESIDE_REFERENCE] = words ?? null
      else if (words !== undefined) field.description = join(field.description, words)
      describeFields(field)
    }
  }
  for (const key of ['items', 'additionalProperties']) {
    if (isObject(schema[key])) describeFields(schema[key], own)
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    for (const part of (schema[key] ?? []) as JsonObject[]) describeFields(part, own)
  }
}

/** Words of the route win; where they are a unit alone, they follow those of the table. */
function join(own: Json | undefined, words: string): string {
  if (typeof own !== 'string') return words
  return own.includes(' ') || own.endsWith('.') ? own : `${words} Unit: ${own}.`
}
