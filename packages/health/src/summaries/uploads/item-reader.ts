import { parseDate, parseInstant } from '@salus/kernel/time/instants'
import { cleanIdentifier, type QuarantineReason } from '../../ingest/index.ts'

export type { QuarantineReason }

export type Fields = Record<string, unknown>

/** Whether a value is a JSON object, not an array or null. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const plainSpelling = (key: string): string => key.replaceAll('_', '').toLowerCase()

const plainKeysOf = new WeakMap<Fields, Map<string, string>>()

/**
 * Returns the value of a key in any spelling of clients: `heart_rate_zone_1` of Android is
 * `heart_rate_zone1` on iOS, and `awake_sleep_samples` of iOS `awakeSleepSamples` on Android.
 */
export function readKey(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name]
  let keys = plainKeysOf.get(fields)
  if (keys === undefined) {
    keys = new Map(Object.keys(fields).map((key) => [plainSpelling(key), key]))
    plainKeysOf.set(fields, keys)
  }
  const key = keys.get(plainSpelling(name))
  return key === undefined ? undefined : fields[key]
}

/** Returns an item without the lists that are stored as samples, to be kept as the raw item. */
export function withoutLists(fields: Fields, names: readonly string[]): Fields {
  const dropped = new Set(names.map(plainSpelling))
  return Object.fromEntries(
    Object.entries(fields).filter(([key]) => !dropped.has(plainSpelling(key))),
  )
}

/** Returns the entries of a list; none where the key is missing or not a list. */
export function readList(fields: Fields, name: string): readonly unknown[] {
  const value = readKey(fields, name)
  return Array.isArray(value) ? value : []
}

/** Reads an identifier or other short text so that it can be stored; empty when there is none. */
export function readText(fields: Fields, name: string): string {
  const value = readKey(fields, name)
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? cleanIdentifier(value.toWellFormed()) : ''
}

/** Date columns cannot store earlier dates. */
const EARLIEST_DATE = '1900-01-01'
const LATEST_DATE = '2299-12-31'

/** Returns the calendar date with which a text begins, in the local time of its writer. */
export function toDate(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const date = parseDate(value) ?? (parseInstant(value) && parseDate(value.slice(0, 10)))
  if (date === undefined || date < EARLIEST_DATE || date > LATEST_DATE) return undefined
  return date
}

/** Returns the value of a key exactly as it is written. */
export const readExactKey = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/** Reads the columns of one item; the first invalid one is the reason to quarantine the item. */
export class ItemReader {
  readonly #fields: Fields
  readonly #read: typeof readKey
  /** Why the item cannot be stored. */
  problem: QuarantineReason | undefined

  /** @param read How keys are found; by default in any spelling of clients. */
  constructor(fields: Fields, read = readKey) {
    this.#fields = fields
    this.#read = read
  }

  /** Reads a number, or null when there is none. */
  number(name: string, least = 0, most = Number.MAX_SAFE_INTEGER): number | null {
    const value = this.#read(this.#fields, name) ?? null
    if (value === null) return null
    if (typeof value !== 'number' || !Number.isFinite(value))
      return this.#setProblem('invalid_value')
    return value >= least && value <= most ? value : this.#setProblem('out_of_range')
  }

  /** Reads a whole number; clients send some as fractions. */
  integer(name: string, least = 0, most = Number.MAX_SAFE_INTEGER): number | null {
    const value = this.number(name, least, most)
    return value === null ? null : Math.round(value)
  }

  /** Reads a measurement of which 0 means that there is none. */
  measured(name: string, most: number): number | null {
    return this.number(name, 0, most) || null
  }

  /** Reads a heart rate in whole beats per minute, or null. */
  heartRate(name: string): number | null {
    const value = this.measured(name, 350)
    return value === null ? null : Math.round(value)
  }

  /** Reads a calendar date, or null. */
  date(name: string): string | null {
    const value = this.#read(this.#fields, name) ?? null
    if (value === null) return null
    return toDate(value) ?? this.#setProblem('invalid_date')
  }

  boolean(name: string): boolean | null {
    const value = this.#read(this.#fields, name) ?? null
    return value === null || typeof value === 'boolean' ? value : this.#setProblem('invalid_value')
  }

  #setProblem(reason: QuarantineReason): null {
    this.problem ??= reason
    return null
  }
}
