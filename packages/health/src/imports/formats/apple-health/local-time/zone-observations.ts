import { HOUR_MS } from '@salus/contracts/time-units'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'

/** A zone that a record names, at an instant of that record. */
export interface ZoneObservation {
  /** Epoch milliseconds. */
  at: number
  zone: string
}

/** Sixty years of observations in every hour; more can only be a fault, and would fill memory. */
const MOST_HOURS = 500_000
const MOST_NAMES = 1000
/** Zones that belong to no place; they apply only to their own record. */
const NOWHERE = /^(?:[+-]|Etc\/|(?:UTC|UCT|GMT|Zulu|Universal|Greenwich)\b)/i

/**
 * Collects the zones that an export names over time. For each hour and zone the first and the last
 * instant are kept: memory grows with the years of a user, not with the records of a file.
 */
export class ZoneObservations {
  readonly #hours = new Map<string, Map<number, { first: number; last: number }>>()
  /** Known names as copies, since texts of the file retain a part of it; null for no place. */
  readonly #names = new Map<string, string | null>()
  #size = 0

  /**
   * @returns Whether the name belongs to a place, so that the record's offset can be compared with
   *   it.
   */
  add(name: string, startedAt: number, endedAt: number): boolean {
    const zone = this.#zoneOf(name)
    if (zone === null) return false
    this.#addInstant(zone, startedAt)
    this.#addInstant(zone, endedAt)
    return true
  }

  /** Returns the observations in order of time, then of names. */
  list(): ZoneObservation[] {
    const observations: ZoneObservation[] = []
    for (const [zone, hours] of this.#hours) {
      for (const { first, last } of hours.values()) {
        observations.push({ at: first, zone })
        if (last !== first) observations.push({ at: last, zone })
      }
    }
    return observations.sort((a, b) => a.at - b.at || (a.zone < b.zone ? -1 : 1))
  }

  #addInstant(zone: string, at: number): void {
    const hours = this.#hours.get(zone) ?? new Map<number, { first: number; last: number }>()
    this.#hours.set(zone, hours)
    const hour = Math.floor(at / HOUR_MS)
    const known = hours.get(hour)
    if (known !== undefined) {
      known.first = Math.min(known.first, at)
      known.last = Math.max(known.last, at)
    } else if (this.#size < MOST_HOURS) {
      this.#size++
      hours.set(hour, { first: at, last: at })
    }
  }

  #zoneOf(name: string): string | null {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    if (this.#names.size >= MOST_NAMES) this.#names.clear()
    const isZone = !NOWHERE.test(name) && zoneOffsetSeconds(name, 0) !== null
    const copy = structuredClone(name)
    this.#names.set(copy, isZone ? copy : null)
    return isZone ? copy : null
  }
}
