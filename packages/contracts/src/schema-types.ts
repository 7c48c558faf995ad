import Type, { type TSchema } from 'typebox'

/**
 * Makes a schema nullable as `type: [T, "null"]`, which reports one clear problem for a wrong value
 * where a union would report three.
 */
export function Nullable<S extends TSchema>(schema: S) {
  const { type, enum: values, ...rest } = schema as unknown as Record<string, unknown>
  if (typeof type !== 'string') {
    return Type.Unsafe<Type.Static<S> | null>({ anyOf: [schema, { type: 'null' }] })
  }
  const enumeration = Array.isArray(values) ? { enum: [...values, null] } : {}
  return Type.Unsafe<Type.Static<S> | null>({ ...rest, ...enumeration, type: [type, 'null'] })
}

/** One of a list of strings. */
export function TextEnum<const T extends readonly string[]>(values: T, options: object = {}) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

/** A UUID in either case. */
export const Uuid = Type.String({ format: 'uuid' })

/** A calendar date, YYYY-MM-DD. */
export const DateOnly = Type.String({ format: 'date' })

/** An instant in UTC, whole seconds. */
export const DateTime = Type.String({ format: 'date-time' })

/**
 * A date or a date-time, as query parameters take it
 * (docs/contract/01-conventions.md#dates-and-times).
 */
export const DateOrDateTime = Type.String({
  format: 'date-or-date-time',
  description:
    'A date (YYYY-MM-DD) or an ISO 8601 date-time. A date-time without an offset is UTC.',
})

/** A date-time as clients write it: ISO 8601; without an offset it is UTC. */
export const DateTimeInput = Type.String({ format: 'instant' })

/** An IANA time zone identifier. */
export const TimeZoneId = Type.String({ format: 'iana-time-zone' })

export const Success = Type.Object({ success: Type.Boolean() }, { title: 'Success' })
