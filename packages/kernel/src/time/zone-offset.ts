import { DAY_MS } from '@salus/contracts/time-units'
import { Temporal } from 'temporal-polyfill'

/** A period in which a zone has one offset; `until` is exclusive. */
interface Stretch {
  from: number
  until: number
  offsetSeconds: number
}

/**
 * Periods already looked up, by zone. The data of a person need a handful, so the lists stay short.
 */
const stretchesByZone = new Map<string, Stretch[]>()

/**
 * Returns the offset of a zone from UTC at an instant, in seconds, or null for a zone that does not
 * exist. The period between two changes is remembered, since one upload needs thousands of
 * instants.
 */
export function zoneOffsetSeconds(timeZone: string, epochMilliseconds: number): number | null {
  let stretches = stretchesByZone.get(timeZone)
  const known = stretches?.find((s) => s.from <= epochMilliseconds && epochMilliseconds < s.until)
  if (known !== undefined) return known.offsetSeconds
  const stretch = lookUp(timeZone, epochMilliseconds)
  if (stretch === undefined) return null
  if (stretches === undefined) {
    // Zone names come from clients; a limit keeps misspelled ones from filling memory.
    if (stretchesByZone.size > 1000) stretchesByZone.clear()
    stretches = []
    stretchesByZone.set(timeZone, stretches)
  }
  stretches.unshift(stretch)
  return stretch.offsetSeconds
}

/**
 * Returns the instant of a local time in a zone, with its offset in seconds; undefined for a zone
 * that does not exist. A time that occurs twice is the earlier one; one that a change of the clock
 * leaves out is as far after the change.
 * @param local The local date and time as if it were UTC, epoch milliseconds.
 */
export function localToInstant(
  timeZone: string,
  local: number,
): { at: number; offset: number } | undefined {
  // The offset changes at most once within a day on either side.
  const before = zoneOffsetSeconds(timeZone, local - DAY_MS)
  const after = zoneOffsetSeconds(timeZone, local + DAY_MS)
  if (before === null || after === null) return undefined
  for (const offset of [before, after]) {
    const at = local - offset * 1000
    if (zoneOffsetSeconds(timeZone, at) === offset) return { at, offset }
  }
  const at = local - before * 1000
  return { at, offset: zoneOffsetSeconds(timeZone, at) as number }
}

function lookUp(timeZone: string, epochMilliseconds: number): Stretch | undefined {
  try {
    const instant = Temporal.Instant.fromEpochMilliseconds(epochMilliseconds)
    const at = instant.toZonedDateTimeISO(timeZone)
    // "previous" looks strictly before, so a change at this very instant must be found from after
    // it.
    const previous = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
    const next = at.getTimeZoneTransition('next')
    return {
      from: previous?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
      until: next?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
      offsetSeconds: at.offsetNanoseconds / 1e9,
    }
  } catch {
    return undefined
  }
}

/** Every offset of a zone within the range that can be stored, the oldest first. */
export interface ZoneOffsets {
  /** Epoch milliseconds from which each offset applies; the first also applies before. */
  instants: number[]
  /** Seconds east of UTC. */
  offsets: number[]
}

/** The years that can be stored, with one more day on both sides. */
const FIRST_INSTANT_MS = Date.UTC(1899, 11, 31)
const LAST_INSTANT_MS = Date.UTC(2300, 0, 2)

const offsetsByZone = new Map<string, ZoneOffsets>()

/**
 * Returns the offsets of a zone, for statements that compute local days themselves. The first call
 * for a zone takes about 50 ms, so the result is kept. A zone that does not exist has those of UTC.
 */
export function zoneOffsets(timeZone: string): ZoneOffsets {
  let found = offsetsByZone.get(timeZone)
  if (found === undefined) {
    found = listOffsets(timeZone)
    // Limited like the periods above.
    if (offsetsByZone.size > 1000) offsetsByZone.clear()
    offsetsByZone.set(timeZone, found)
  }
  return found
}

/**
 * Returns the seconds east of UTC of a zone at an instant, as statements with zoneOffsets do.
 * @param epochMilliseconds Of a time that can be stored.
 */
export function offsetOf({ instants, offsets }: ZoneOffsets, epochMilliseconds: number): number {
  const index = instants.findLastIndex((since) => since <= epochMilliseconds)
  return offsets[Math.max(index, 0)] as number
}

function listOffsets(timeZone: string): ZoneOffsets {
  const listed: ZoneOffsets = { instants: [FIRST_INSTANT_MS], offsets: [0] }
  const instant = Temporal.Instant.fromEpochMilliseconds(FIRST_INSTANT_MS)
  let at: Temporal.ZonedDateTime | null
  try {
    at = instant.toZonedDateTimeISO(timeZone)
  } catch {
    return listed
  }
  for (let index = 0; at !== null && at.epochMilliseconds < LAST_INSTANT_MS; index++) {
    listed.instants[index] = at.epochMilliseconds
    listed.offsets[index] = at.offsetNanoseconds / 1e9
    at = at.getTimeZoneTransition('next')
  }
  return listed
}
