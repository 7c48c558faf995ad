import { DAY_MS } from '@salus/contracts/time-units'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { ZoneObservation } from './zone-observations.ts'

/** How far an observation that stands alone speaks for the time before and after it. */
const REACH_MS = DAY_MS
/**
 * Two observations of one local time speak for all between them when they lie no further apart.
 * Whoever has observations has them at home most of all, so a month without any other one was not
 * spent elsewhere.
 */
const LONGEST_STAY_MS = 30 * DAY_MS
/**
 * Between two local times the person changed from one to the other; halfway is the least wrong of a
 * few days.
 */
const LONGEST_WAY_MS = 7 * DAY_MS

/** The observation that is nearest to an instant. */
interface NearestObservation {
  zone: string
  /** Milliseconds from it. */
  distance: number
  /** It is near enough to speak for the instant. */
  isAround: boolean
}

/** Where the person was over time, as far as observations tell. */
export class ZoneTimeline {
  readonly #times: Float64Array
  readonly #zones: string[]
  /**
   * The observations before and after the instant that was asked for last; neighbors mostly share
   * them.
   */
  #before = -1

  /** @param observations In order of time. */
  constructor(observations: readonly ZoneObservation[]) {
    this.#times = Float64Array.from(observations, ({ at }) => at)
    this.#zones = observations.map(({ zone }) => zone)
  }

  /** The zones that were observed, once each. */
  get zones(): ReadonlySet<string> {
    return new Set(this.#zones)
  }

  /**
   * Undefined where there is no observation at all. Of two that are equally near the earlier
   * counts.
   */
  nearest(at: number): NearestObservation | undefined {
    const before = this.#indexBefore(at)
    const sinceBefore = at - this.#timeOf(before)
    const untilAfter = this.#timeOf(before + 1) - at
    const zone = this.#zones[sinceBefore <= untilAfter ? before : before + 1]
    if (zone === undefined) return undefined
    const distance = Math.min(sinceBefore, untilAfter)
    const isAround = distance <= REACH_MS || this.#isBridged(before)
    return { zone, distance, isAround }
  }

  /** Whether an observation and the next one speak for all the time between them. */
  #isBridged(index: number): boolean {
    const [from, to] = [this.#timeOf(index), this.#timeOf(index + 1)]
    const [zone, next] = [this.#zones[index], this.#zones[index + 1]]
    if (zone === undefined || next === undefined || to - from > LONGEST_STAY_MS) return false
    if (zone === next || to - from <= LONGEST_WAY_MS) return true
    return [from, to].every((at) => zoneOffsetSeconds(zone, at) === zoneOffsetSeconds(next, at))
  }

  /** Time of an observation; those before the first and after the last are infinitely far. */
  #timeOf(index: number): number {
    if (index < 0) return Number.NEGATIVE_INFINITY
    return this.#times[index] ?? Number.POSITIVE_INFINITY
  }

  /** Index of the last observation that is not after an instant, or -1. */
  #indexBefore(at: number): number {
    if (this.#timeOf(this.#before) <= at && at < this.#timeOf(this.#before + 1)) return this.#before
    let low = 0
    let high = this.#times.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#timeOf(middle) <= at) low = middle + 1
      else high = middle
    }
    this.#before = low - 1
    return this.#before
  }
}
