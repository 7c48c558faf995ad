export type Fields = Readonly<Record<string, unknown>>

const MOST_OFFSET_MINUTES = 18 * 60

/** Returns an object; undefined for any other value. */
export function fieldsOf(value: unknown): Fields | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Fields) : undefined
}

/** Returns the objects of a list, or the object that stands for one; other values are left out. */
export function entriesOf(list: unknown): Fields[] {
  const entries: Fields[] = []
  for (const entry of Array.isArray(list) ? list : [list]) {
    const fields = fieldsOf(entry)
    if (fields !== undefined) entries.push(fields)
  }
  return entries
}

/** Returns the first of some fields that is there: generations of the export differ. */
export function firstOf(fields: Fields, names: readonly string[]): unknown {
  for (const name of names) {
    const value = fields[name]
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** @returns seconds; null for no offset, undefined for a wrong one */
export function offsetOfMinutes(minutes: unknown): number | null | undefined {
  if (minutes === undefined || minutes === null) return null
  const isOffset = typeof minutes === 'number' && Math.abs(minutes) <= MOST_OFFSET_MINUTES
  return isOffset ? minutes * 60 : undefined
}

/** Older files write a space between date and time. */
export const isoText = (text: string): string => text.replace(' ', 'T')
