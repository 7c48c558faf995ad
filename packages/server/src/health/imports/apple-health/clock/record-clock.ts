import type { UserRow } from '../../../../accounts/users/index.ts'
import { zoneOffsetSeconds } from '../../../../platform/time/zone-offset.ts'
import type { Sample } from '../../../ingest/index.ts'
import { type ClockReport, NO_CLOCKS } from '../../imports.schema.ts'
import type { AppleInstant } from '../apple-dates.ts'
import type { ClockEvidence } from './clock-evidence.ts'
import { ZoneTimeline } from './zone-timeline.ts'

/** How the clock of a record was found: a field of the report. */
type ClockRule = keyof ClockReport

/** What the person's clock showed at an instant. */
export interface LocalClock {
  rule: ClockRule
  /** Seconds east of UTC. */
  timezoneOffset: number
  /** IANA zone, or empty. */
  timeZone: string
  /** 0 to 999; of two clocks of one record the one that is better founded has more. */
  strength: number
  /** Whether it replaces a clock that is founded as well. */
  isRevision: boolean
}

/** The columns of a sample that its clock decides. */
export type SampleClock = Pick<
  Sample,
  'timezoneOffset' | 'timeZone' | 'modifiedAt' | 'clockOfEqual'
>

/**
 * Apple writes whole seconds. Within one of them the sample whose clock is better founded is the newer
 * one, so that of two exports with the same record the better clock stays, whichever comes first.
 * @param writtenAt Epoch milliseconds.
 */
export function toSampleClock(
  { timezoneOffset, timeZone, strength, isRevision }: LocalClock,
  writtenAt: number,
): SampleClock {
  const clockOfEqual = isRevision ? 'revised' : 'kept'
  return { timezoneOffset, timeZone, modifiedAt: writtenAt + strength, clockOfEqual }
}

/** What a user says of the own clock. */
type ClockUser = Pick<UserRow, 'fallback_time_zone' | 'fallback_time_zone_source'>

const HOUR_MS = 3_600_000
const MONTH_MS = 30 * 24 * HOUR_MS
const MOST_NAMES = 1000

/**
 * Tells where a person was by an export, whose times carry the offset of the place and day at which
 * it was made. The rules in their order, and why they are these:
 * docs/decisions/0021-clock-of-apple-health.md.
 */
export class RecordClock {
  /** How many records each rule told. */
  readonly counts: ClockReport = { ...NO_CLOCKS }
  readonly #timeline: ZoneTimeline
  readonly #hasOwnOffsets: boolean
  readonly #fallbackZone: string | null
  readonly #isFallbackChosen: boolean
  /** The place of the export has marks, so marks are where the person lives, not only of a journey. */
  readonly #hasMarksOfPlace: boolean
  /** Names of zones, once each: texts from the file would keep parts of it in memory. */
  readonly #names = new Map<string, string>()

  constructor({ marks, hasOwnOffsets, madeAt }: ClockEvidence, user: ClockUser) {
    this.#timeline = new ZoneTimeline(marks)
    this.#hasOwnOffsets = hasOwnOffsets
    this.#fallbackZone = user.fallback_time_zone
    this.#isFallbackChosen = user.fallback_time_zone_source === 'manual'
    this.#hasMarksOfPlace =
      madeAt !== undefined &&
      [...this.#timeline.zones].some(
        (zone) => zoneOffsetSeconds(zone, madeAt.epochMilliseconds) === madeAt.offsetSeconds,
      )
  }

  /** Tells the clock of a record and counts it. @param zone The one that the record names. */
  tell(at: AppleInstant, zone: string | undefined): LocalClock {
    const clock = this.find(at, zone)
    this.counts[clock.rule]++
    return clock
  }

  /** The same for a second instant of a record that is counted already. */
  find(
    { epochMilliseconds: at, offsetSeconds }: AppleInstant,
    zone: string | undefined,
  ): LocalClock {
    const own = zone === undefined ? undefined : inZone('record_zone', this.#copyOf(zone), at, 900)
    if (own !== undefined) return own
    if (this.#hasOwnOffsets) return atOffset('record_offset', offsetSeconds, 800)
    const mark = this.#timeline.nearest(at)
    const around =
      mark?.isAround &&
      inZone('zones_around', mark.zone, at, 699 - steps(mark.distance, 2 * HOUR_MS, 199))
    if (around) return around
    const chosen = this.#isFallbackChosen
    const fallback =
      this.#fallbackZone !== null &&
      inZone('fallback_zone', this.#fallbackZone, at, chosen ? 450 : 400)
    if (fallback) return { ...fallback, isRevision: chosen }
    const nearest =
      mark !== undefined &&
      this.#hasMarksOfPlace &&
      inZone('nearest_zone', mark.zone, at, 399 - steps(mark.distance, MONTH_MS, 99))
    if (nearest) return nearest
    return atOffset('export_offset', offsetSeconds, 100)
  }

  #copyOf(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    if (this.#names.size >= MOST_NAMES) this.#names.clear()
    const copy = structuredClone(name)
    this.#names.set(copy, copy)
    return copy
  }
}

const steps = (distance: number, step: number, most: number): number =>
  Math.min(most, Math.floor(distance / step))

/** Undefined for a zone that does not exist. */
function inZone(
  rule: ClockRule,
  timeZone: string,
  at: number,
  strength: number,
): LocalClock | undefined {
  const timezoneOffset = zoneOffsetSeconds(timeZone, at)
  if (timezoneOffset === null) return undefined
  return { rule, timezoneOffset, timeZone, strength, isRevision: false }
}

function atOffset(rule: ClockRule, timezoneOffset: number, strength: number): LocalClock {
  return { rule, timezoneOffset, timeZone: '', strength, isRevision: false }
}
