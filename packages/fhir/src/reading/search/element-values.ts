import { type DateRange, readDateRange } from './date-range.ts'

/** Types of search parameters that Salus has. */
export type ParameterType = 'token' | 'reference' | 'date' | 'string'

/** A code, or an identifier, with its system. */
export interface Token {
  system?: string
  code: string
}

type Element = Record<string, unknown>

const isObject = (value: unknown): value is Element => typeof value === 'object' && value !== null

/** Returns the values of an element path such as `participant.actor`, of all repetitions. */
export function valuesAt(resource: object, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (values, name) =>
      values.flatMap((value) => {
        const inner = isObject(value) ? value[name] : undefined
        return inner === undefined ? [] : [inner].flat()
      }),
    [resource],
  )
}

/** Returns the tokens of a code, Coding, CodeableConcept, Identifier or ContactPoint. */
export function tokensOf(value: unknown): Token[] {
  if (typeof value === 'string') return [{ code: value }]
  if (typeof value === 'boolean') return [{ code: String(value) }]
  if (!isObject(value)) return []
  if (Array.isArray(value.coding)) return value.coding.flatMap(tokensOf)
  const code = value.code ?? value.value
  if (typeof code !== 'string') return []
  return [typeof value.system === 'string' ? { system: value.system, code } : { code }]
}

/** Returns the reference, such as `Patient/ID`. */
export function referencesOf(value: unknown): string[] {
  return isObject(value) && typeof value.reference === 'string' ? [value.reference] : []
}

/** Returns the identifier of a logical reference. */
export function identifiersOf(value: unknown): Token[] {
  return isObject(value) ? tokensOf(value.identifier) : []
}

/** Returns the range of time of a date, dateTime, instant or Period. */
export function datesOf(value: unknown): DateRange[] {
  if (typeof value === 'string') return readDateRange(value) ?? []
  if (!isObject(value)) return []
  const [start] = typeof value.start === 'string' ? (readDateRange(value.start) ?? []) : []
  const [end] = typeof value.end === 'string' ? (readDateRange(value.end) ?? []) : []
  if (start === undefined && end === undefined) return []
  return [
    {
      from: start?.from ?? Number.NEGATIVE_INFINITY,
      until: end?.until ?? Number.POSITIVE_INFINITY,
    },
  ]
}

/** Returns the texts of a string, HumanName or Address. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!isObject(value)) return []
  return Object.entries(value)
    .filter(([name]) => name !== 'use' && name !== 'system' && name !== 'type')
    .flatMap(([, part]) => [part].flat())
    .filter((part) => typeof part === 'string')
}
