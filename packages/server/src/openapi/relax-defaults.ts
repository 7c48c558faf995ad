import { isObject, type JsonObject } from './document-parts.ts'

/** Makes a field with a default optional in requests, although it is always present afterwards. */
export function relaxDefaults(schema: JsonObject): void {
  const { properties, required } = schema
  if (isObject(properties) && Array.isArray(required)) {
    const needed = required.filter((name) => !hasDefault(properties[String(name)]))
    if (needed.length > 0) schema.required = needed
    else delete schema.required
  }
  for (const inner of Object.values(schema)) {
    for (const part of Array.isArray(inner) ? inner : [inner]) {
      if (isObject(part)) relaxDefaults(part)
    }
  }
}

export const hasDefault = (schema: unknown): boolean => isObject(schema) && 'default' in schema
