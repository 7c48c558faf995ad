import { isObject, type Json, type JsonObject } from './document-parts.ts'
import { wordsOfField } from './fields.ts'

/** Key of a description that belongs next to the reference to a named type, not into it. */
export const BESIDE_REFERENCE = 'x-beside-reference'

/**
 * Describes the fields of a body that have no description of their own, by their name and the title
 * of their schema.
 */
export function describeFields(schema: JsonObject, title = ''): void {
  const own = typeof schema.title === 'string' ? schema.title : title
  if (isObject(schema.properties)) {
    for (const [name, field] of Object.entries(schema.properties)) {
      if (!isObject(field)) continue
      const words = wordsOfField(own, name)
      // A named type has its own description; its meaning here is next to the reference to it.
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

/** Returns the description of the route; one that is only a unit is added to that of the table. */
function join(own: Json | undefined, words: string): string {
  if (typeof own !== 'string') return words
  return own.includes(' ') || own.endsWith('.') ? own : `${words} Unit: ${own}.`
}
