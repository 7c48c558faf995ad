import type { UserRow } from '@salus/accounts/users'
import { HOUR_MS } from '@salus/contracts/time-units'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import type { Sample } from '../../../../ingest/index.ts'
import { type LocalTimeCounts, NO_LOCAL_TIME_COUNTS } from '../../../imports.schema.ts'
import type { AppleInstant } from '../apple-dates.ts'
import type { ZoneEvidence } from './zone-evidence.ts'
import { ZoneTimeline } from './zone-timeline.ts'

/** Rule by which the local time of a record was found: a field of the import summary. */
type LocalTimeRule = keyof LocalTimeCounts

/** The user's local time at an instant. */
export interface LocalTime {
  rule: LocalTimeRule
  /** Offset from UTC in seconds. */
  timezoneOffset: number
  /** IANA zone, or empty. */
  timeZone: string
  /** 0 to 999; of two local times of one record the one with stronger evidence has more. */
  strength: number
  /** Whether it replaces a local time of equal strength. */
  isRevision: boolean
}

/** The columns of a sample that its local time decides. */
export type SampleLocalTime = Pick<
  Sample,
  'timezoneOffset' | 'timeZone' | 'modifiedAt' | 'localTimeOfEqual'
>

/**
 * Converts a local time to columns of a sample. Apple writes whole seconds; within a second the
 * stronger local time counts as newer, so that of two exports with the same record it wins in any
 * order.
 * @param writtenAt Epoch milliseconds.
 */
export function toSampleLocalTime(
  { timezoneOffset, timeZone, strength, isRevision }: LocalTime,
  writtenAt: number,
): SampleLocalTime {
  const localTimeOfEqual = isRevision ? 'revised' : 'kept'
  return { timezoneOffset, timeZone, modifiedAt: writtenAt + strength, localTimeOfEqual }
}

/** The local time settings of a user. */
type FallbackUser = Pick<UserRow, 'fallback_time_zone' | 'fallback_time_zone_source'>

const MONTH_MS = 30 * 24 * HOUR_MS
const MOST_NAMES = 1000

/**
 * Finds the local times of a user in an export, whose times have the offset of the place and time
 * of the export. docs/decisions/0021-clock-of-apple-health.md has the rules in their order, and the
 * reasons.
 */
export class LocalTimes {
  /** Number of records that each rule decided. */
  readonly counts: LocalTimeCounts = { ...NO_LOCAL_TIME_COUNTS }
  readonly #timeline: ZoneTimeline
  readonly #hasOwnOffsets: boolean
  readonly #fallbackZone: string | null
  readonly #isFallbackChosen: boolean
  /** Whether there are observations where the export was made, not only on a journey. */
  readonly #hasObservationsOfExport: boolean
  /** Names of zones, once each: texts from the file would keep parts of it in memory. */
  readonly #names = new Map<string, string>()

  constructor({ observations, hasOwnOffsets, madeAt }: ZoneEvidence, user: FallbackUser) {
    this.#timeline = new ZoneTimeline(observations)
    this.#hasOwnOffsets = hasOwnOffsets
    this.#fallbackZone = user.fallback_time_zone
    this.#isFallbackChosen = user.fallback_time_zone_source === 'manual'
    this.#hasObservationsOfExport =
      madeAt !== undefined &&
      [...this.#timeline.zones].some(
        (zone) => zoneOffsetSeconds(zone, madeAt.epochMilliseconds) === madeAt.offsetSeconds,
      )
  }

  /**
   * Returns the local time of a record and counts it. @param zone The one that the record names.
   */
  localTimeOfRecord(at: AppleInstant, zone: string | undefined): LocalTime {
    const localTime = this.localTimeAt(at, zone)
    this.counts[localTime.rule]++
    return localTime
  }

  /** Returns the local time of a second instant of a record that is already counted. */
  localTimeAt(
    { epochMilliseconds: at, offsetSeconds }: AppleInstant,
    zone: string | undefined,
  ): LocalTime {
    const own = zone === undefined ? undefined : inZone('record_zone', this.#copyOf(zone), at, 900)
    if (own !== undefined) return own
    if (this.#hasOwnOffsets) return atOffset('record_offset', offsetSeconds, 800)
    const observation = this.#timeline.nearest(at)
    const around =
      observation?.isAround &&
      inZone(
        'zones_around',
        observation.zone,
        at,
        699 - stepsWithin(observation.distance, 2 * HOUR_MS, 199),
      )
    if (around) return around
    const chosen = this.#isFallbackChosen
    const fallback =
      this.#fallbackZone !== null &&
      inZone('fallback_zone', this.#fallbackZone, at, chosen ? 450 : 400)
    if (fallback) return { ...fallback, isRevision: chosen }
    const nearest =
      observation !== undefined &&
      this.#hasObservationsOfExport &&
      inZone(
        'nearest_zone',
        observation.zone,
        at,
        399 - stepsWithin(observation.distance, MONTH_MS, 99),
      )
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

const stepsWithin = (distance: number, step: number, most: number): number =>
  Math.min(most, Math.floor(distance / step))

/** Returns undefined for a zone that does not exist. */
function inZone(
  rule: LocalTimeRule,
  timeZone: string,
  at: number,
  strength: number,
): LocalTime | undefined {
  const timezoneOffset = zoneOffsetSeconds(timeZone, at)
  if (timezoneOffset === null) return undefined
  return { rule, timezoneOffset, timeZone, strength, isRevision: false }
}

function atOffset(rule: LocalTimeRule, timezoneOffset: number, strength: number): LocalTime {
  return { rule, timezoneOffset, timeZone: '', strength, isRevision: false }
}
