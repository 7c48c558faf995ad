/** Readers of JSON from partners: a value of another type counts as missing. */

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value as an object; empty for anything else. */
export const toRecord = (value: unknown): JsonRecord => (isRecord(value) ? value : {})

/** Returns a text without blanks at its ends, or a number as text; null when missing or empty. */
export function textOf(record: JsonRecord, key: string): string | null {
  const value = record[key]
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
  return text.trim() === '' ? null : text.trim()
}

/** Returns the objects of a list; empty for anything else. */
export function recordsOf(record: JsonRecord, key: string): JsonRecord[] {
  const value = record[key]
  return Array.isArray(value) ? value.filter(isRecord) : []
}

/** Returns the texts of a list; empty for anything else. */
export function textsOf(record: JsonRecord, key: string): string[] {
  const value = record[key]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}
