import type { Calendar } from '../people/days.ts'
import { bitsAt, deriveSeed } from '../people/noise.ts'

/** The collections of Oura, in the order of their numbers in ids. */
export const OURA_COLLECTIONS = [
  'daily_activity',
  'daily_sleep',
  'sleep',
  'daily_readiness',
  'daily_spo2',
  'daily_stress',
  'workout',
  'session',
  'tag',
  'vO2_max',
  'ring_configuration',
] as const

export type OuraCollection = (typeof OURA_COLLECTIONS)[number]

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/**
 * Returns the id of a record, as a UUID whose last group identifies the record, so that it can be
 * read by its id.
 * @param day Days since 1970-01-01.
 * @param position Position among those of the day.
 */
export function recordId(
  { person: { seed } }: Calendar,
  collection: OuraCollection,
  day: number,
  position: number,
): string {
  const number = OURA_COLLECTIONS.indexOf(collection)
  const own = deriveSeed(seed, 760 + number)
  const [one, other] = [
    bitsAt(own, day * 8 + position),
    bitsAt(deriveSeed(own, 1), day * 8 + position),
  ]
  const start = `${hex(one, 8)}-${hex(other & 0xffff, 4)}-4${hex((other >>> 16) & 0xfff, 3)}`
  return `${start}-8${hex(position, 3)}-${hex(number, 2)}${hex(day, 10)}`
}

/** Returns the day of the id of a record; undefined for any other text. */
export function dayOfRecord(id: string): number | undefined {
  const [, day] =
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{2}([0-9a-f]{10})$/.exec(id) ?? []
  return day === undefined ? undefined : Number.parseInt(day, 16)
}
