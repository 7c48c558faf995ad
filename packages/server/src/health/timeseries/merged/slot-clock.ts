import { zoneOffsetSeconds } from '../../../platform/time/zone-offset.ts'

export const DAY_MS = 86_400_000

/** Slots by name, in milliseconds. A day is a calendar day of the person, of 23 to 25 hours or any number on a journey. */
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
 * Tells which slot an instant is in, by the clock of the place where a sample was made. A place is an
 * offset in milliseconds, or FALLBACK_PLACE.
 */
export interface SlotClock {
  /** The place of a sample, from its start and its offset in seconds (or NaN when unknown). */
  place(startedAt: number, offset: number): number
  /** Milliseconds east of UTC at an instant in a place. */
  offsetMs(instant: number, place: number): number
  /**
   * Number that tells the slot from others and orders slots: of a day the count of days since 1970-01-01,
   * of others the instant of their start.
   */
  key(instant: number, place: number): number
  /** The instants at which the slot of an instant begins and ends. */
  start(instant: number, place: number): number
  end(instant: number, place: number): number
}

/** Where the clocks go by the fallback zone of the person, changes of the clock included. */
const FALLBACK_PLACE = Number.NaN

/**
 * @param slotMs Length of a slot; at 24 hours it is a local day.
 * @param fallbackZone IANA zone of the person, for samples that do not say where they were made.
 */
export function createSlotClock(slotMs: number, fallbackZone: string): SlotClock {
  const isDay = slotMs === DAY_MS
  const zoneMs = (instant: number): number => (zoneOffsetSeconds(fallbackZone, instant) ?? 0) * 1000
  const offsetMs = (instant: number, place: number): number =>
    Number.isNaN(place) ? zoneMs(instant) : place
  const localStart = (instant: number, place: number): number =>
    Math.floor((instant + offsetMs(instant, place)) / slotMs) * slotMs

  /** The instant of a local midnight; of one that the clock jumped over, that of the jump. */
  const midnight = (local: number, near: number, place: number): number => {
    const guess = local - offsetMs(near, place)
    const instant = local - offsetMs(guess, place)
    return instant + offsetMs(instant, place) < local ? Math.max(guess, instant) : instant
  }
  const start = (instant: number, place: number): number => {
    const local = localStart(instant, place)
    return isDay ? midnight(local, instant, place) : local - offsetMs(instant, place)
  }
  return {
    offsetMs,
    start,
    place: (startedAt, offset) => {
      // A person at the offset of the zone is in the zone: the next change of its clock counts too.
      const own = offset * 1000
      return own === zoneMs(startedAt) ? FALLBACK_PLACE : own
    },
    end: (instant, place) => {
      if (!isDay) return start(instant, place) + slotMs
      return midnight(localStart(instant, place) + slotMs, instant, place)
    },
    key: (instant, place) => (isDay ? localStart(instant, place) / DAY_MS : start(instant, place)),
  }
}
