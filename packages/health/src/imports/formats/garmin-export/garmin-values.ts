import { parseDate } from '@salus/kernel/time/instants'
import { readInstant, readLocalInstant } from '../../../connectors/index.ts'
import { isFields } from '../../../summaries/index.ts'

export type Fields = Record<string, unknown>

const QUARTER_SECONDS = 900
const MOST_OFFSET = 18 * 3600

/** Reads `2026-02-15T01:08:45.0` of a field in UTC, or a number, as epoch milliseconds. */
export function readGmt(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  const text = value.replace(' ', 'T')
  return (readInstant(text) ?? readLocalInstant(text, 0))?.at
}

/** Reads a calendar date, which some files have with a time or inside an object. */
export function dateIn(value: unknown): string | undefined {
  const text = isFields(value) ? value.date : value
  return typeof text === 'string' ? parseDate(text.slice(0, 10)) : undefined
}

/** Returns the offset in seconds of one instant as local time and in UTC; null where unknown. */
export function offsetBetween(local: unknown, gmt: unknown): number | null {
  const [a, b] = [readGmt(local), readGmt(gmt)]
  const seconds = a === undefined || b === undefined ? Number.NaN : (a - b) / 1000
  const isSound = seconds % QUARTER_SECONDS === 0 && Math.abs(seconds) <= MOST_OFFSET
  return isSound ? seconds : null
}

/** Removes what stands for no data: null, -1 and -2. */
export function withoutGaps(record: Fields): Fields {
  return Object.fromEntries(
    Object.entries(record).filter(([, value]) => value !== null && value !== -1 && value !== -2),
  )
}

export const pickFields = (record: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])),
  )
