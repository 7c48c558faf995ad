import type { VendorInstant } from '../../../../connectors/index.ts'

type Fields = Record<string, unknown>

/** Lower times count from the start of a device whose clock was not set (FIT protocol). */
const FIRST_CLOCK = 631_065_600_000 + 0x10000000 * 1000
const QUARTER_SECONDS = 900
/** A device may write the local time some seconds after the other one. */
const MOST_DIFFERENCE = 60
const MOST_OFFSET = 18 * 3600

/** Returns a time of the parser, epoch milliseconds; undefined where there is none. */
export function timeOf(value: unknown): number | undefined {
  const at = value instanceof Date ? value.getTime() : Number.NaN
  return at >= FIRST_CLOCK ? at : undefined
}

/**
 * Returns the offset from UTC in seconds by a message with the same instant as both UTC and local
 * time; null where it has none.
 */
export function offsetOf(message: Fields | undefined): number | null {
  const at = timeOf(message?.timestamp)
  const local = message?.local_timestamp
  if (at === undefined || !(local instanceof Date)) return null
  const seconds = (local.getTime() - at) / 1000
  const offset = Math.round(seconds / QUARTER_SECONDS) * QUARTER_SECONDS
  const isSound = Math.abs(seconds - offset) <= MOST_DIFFERENCE && Math.abs(offset) <= MOST_OFFSET
  return isSound ? offset : null
}

export const at = (ms: number, offset: number | null): VendorInstant => ({ at: ms, offset })

/** Returns some fields of a message, to keep or to quarantine it without its other fields. */
export const pick = (message: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = message[name]
      if (value === undefined) return []
      return [[name, value instanceof Date ? value.toISOString() : value]]
    }),
  )
