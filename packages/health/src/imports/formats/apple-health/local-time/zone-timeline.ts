import { DAY_MS } from '@salus/contracts/time-units'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { ZoneObservation } from './zone-observations.ts'

/** How far a single observation is valid before and after it. */
const REACH_MS = DAY_MS
/**
 * Two observations of one local time also cover the time between them up to this length. Users
 * mostly have observations at home, so a month without any other one was not spent elsewhere.
 */
const LONGEST_STAY_MS = 30 * DAY_MS
/**
 * Between two different local times the change is assumed halfway, the least wrong guess within a
 * few days.
 */
const LONGEST_WAY_MS = 7 * DAY_MS

/** The observation nearest to an instant. */
interface NearestObservation {
  zone: string
  /** Distance from the instant in milliseconds. */
  distance: number
  /** Whether it is near enough to be valid at the instant. */
  isAround: boolean
}

/** Finds where the user was over time from observations. */
export class ZoneTimeline {
  readonly #times: Float64Array
  readonly #zones: string[]
  /** Caches the observations around the last instant; consecutive instants mostly share them. */
  #before = -1

  /** @param observations In order of time. */
  constructor(observations: readonly ZoneObservation[]) {
    this.#times = Float64Array.from(observations, ({ at }) => at)
    this.#zones = observations.map(({ zone }) => zone)
  }

  /** Returns the distinct zones of the observations. */
  get zones(): ReadonlySet<string> {
    return new Set(this.#zones)
  }

  /** Returns undefined without any observation. Of two that are equally near the earlier counts. */
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

  /** Whether an observation and the next one cover all the time between them. */
  #isBridged(index: number): boolean {
    const [from, to] = [this.#timeOf(index), this.#timeOf(index + 1)]
    const [zone, next] = [this.#zones[index], this.#zones[index + 1]]
    if (zone === undefined || next === undefined || to - from > LONGEST_STAY_MS) return false
    if (zone === next || to - from <= LONGEST_WAY_MS) return true
    return [from, to].every((at) => zoneOffsetSeconds(zone, at) === zoneOffsetSeconds(next, at))
  }

  /** Returns the time of an observation; infinite before the first and after the last. */
  #timeOf(index: number): number {
    if (index < 0) return Number.NEGATIVE_INFINITY
    return this.#times[index] ?? Number.POSITIVE_INFINITY
  }

  /** Returns the index of the last observation that is not after an instant, or -1. */
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
