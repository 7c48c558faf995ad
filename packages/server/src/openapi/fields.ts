import type { Json, JsonObject } from './document-parts.ts'
import { FIELDS } from './fields.registry.ts'
import { fitsSchema } from './fits.ts'
import { PARAMETERS } from './parameters.registry.ts'
import { TYPE_EXAMPLES } from './type-examples.registry.ts'

/**
 * Returns the description of a field that has none of its own: for the schema with the title, or
 * for any.
 */
export function wordsOfField(title: string, name: string): string | undefined {
  const row = FIELDS[`${title}.${name}`] ?? FIELDS[`${title}.*`] ?? FIELDS[name]
  return row?.[0] ?? (name.endsWith('_id') ? PARAMETERS[name]?.description : undefined)
}

/** Returns the example of the tables for a field of this name, where the schema accepts it. */
export function exampleOfField(schema: JsonObject, name: string, title: string): Json | undefined {
  const ofType = TYPE_EXAMPLES[title] ?? {}
  const [, ...ofName] = FIELDS[name] ?? []
  const candidates = [
    ...(name in ofType ? [ofType[name]] : []),
    ...ofName,
    ...(PARAMETERS[name]?.examples ?? []),
  ]
  return candidates.find((candidate) => fitsSchema(schema, candidate)) as Json | undefined
}
