import { isObject, type Json, type JsonObject } from './document-parts.ts'

/**
 * Whether the schema accepts the value, as precisely as choosing a candidate of the tables needs.
 */
export function fitsSchema(schema: JsonObject, value: unknown): boolean {
  const { anyOf, type, enum: allowed, pattern, format, minLength = 0, maxLength } = schema
  if (Array.isArray(anyOf)) return anyOf.some((part) => isObject(part) && fitsSchema(part, value))
  if (Array.isArray(allowed)) return allowed.includes(value as Json)
  if (type !== undefined && ![type].flat().some((name) => isOfType(String(name), value)))
    return false
  if (typeof value === 'number') return isWithin(schema, value)
  if (Array.isArray(value)) {
    return value.every((item) => fitsSchema((schema.items ?? {}) as JsonObject, item))
  }
  if (typeof value !== 'string') return true
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) return false
  if (value.length < Number(minLength) || value.length > Number(maxLength ?? value.length))
    return false
  return FORMATS[String(format)]?.test(value) ?? true
}

const isWithin = ({ minimum, maximum }: JsonObject, value: number): boolean =>
  value >= Number(minimum ?? value) && value <= Number(maximum ?? value)

const FORMATS: Record<string, RegExp> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/,
  instant: /^\d{4}-\d\d-\d\dT/,
  'date-or-date-time': /^\d{4}-\d\d-\d\d/,
  email: /^\S+@\S+$/,
  uri: /^https?:/,
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
