import { DAY_MS } from '@salus/contracts/time-units'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'

/**
 * Slots by name, in milliseconds. A day is a local day of the user, of 23 to 25 hours or any number
 * on a journey.
 */
export const SLOT_MS = {
  minute: 60_000,
  '5_minutes': 300_000,
  '15_minutes': 900_000,
  hour: 3_600_000,
  day: DAY_MS,
} as const
export type SlotName = keyof typeof SLOT_MS
export const SLOT_NAMES = Object.keys(SLOT_MS) as SlotName[]

/**
 * Slots in the local time of a sample. Its zone is an offset in milliseconds, or FALLBACK_ZONE.
 */
export interface LocalSlots {
  /**
   * Returns the zone of a sample, from its start and its offset in seconds (or NaN when unknown).
   */
  zoneOf(startedAt: number, offset: number): number
  /** Returns the offset from UTC in milliseconds at an instant in a zone. */
  offsetMs(instant: number, zone: number): number
  /**
   * Returns a number that identifies and orders slots: for a day the count of days since
   * 1970-01-01, for others the instant of their start.
   */
  key(instant: number, zone: number): number
  /** Return the instants at which the slot of an instant begins and ends. */
  start(instant: number, zone: number): number
  end(instant: number, zone: number): number
}

/** Zone of samples in the user's fallback zone, whose offset may change. */
const FALLBACK_ZONE = Number.NaN

/**
 * @param slotMs Length of a slot; at 24 hours it is a local day.
 * @param fallbackZone IANA zone of the user, for samples without a known place.
 */
export function createLocalSlots(slotMs: number, fallbackZone: string): LocalSlots {
  const isDay = slotMs === DAY_MS
  const zoneMs = (instant: number): number => (zoneOffsetSeconds(fallbackZone, instant) ?? 0) * 1000
  const offsetMs = (instant: number, zone: number): number =>
    Number.isNaN(zone) ? zoneMs(instant) : zone
  const localStart = (instant: number, zone: number): number =>
    Math.floor((instant + offsetMs(instant, zone)) / slotMs) * slotMs

  /**
   * Returns the instant of a local midnight; for one that local time skipped, that of the change.
   */
  const midnight = (local: number, near: number, zone: number): number => {
    const guess = local - offsetMs(near, zone)
    const instant = local - offsetMs(guess, zone)
    return instant + offsetMs(instant, zone) < local ? Math.max(guess, instant) : instant
  }
  const start = (instant: number, zone: number): number => {
    const local = localStart(instant, zone)
    return isDay ? midnight(local, instant, zone) : local - offsetMs(instant, zone)
  }
  return {
    offsetMs,
    start,
    zoneOf: (startedAt, offset) => {
      // A user at the offset of the zone is in the zone: the next change of its offset counts too.
      const own = offset * 1000
      return own === zoneMs(startedAt) ? FALLBACK_ZONE : own
    },
    end: (instant, zone) => {
      if (!isDay) return start(instant, zone) + slotMs
      return midnight(localStart(instant, zone) + slotMs, instant, zone)
    },
    key: (instant, zone) => (isDay ? localStart(instant, zone) / DAY_MS : start(instant, zone)),
  }
}
