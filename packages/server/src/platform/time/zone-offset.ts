import { Temporal } from 'temporal-polyfill'

/** A stretch of time in which a zone keeps one offset; `until` is exclusive. */
interface Stretch {
  from: number
  until: number
  offsetSeconds: number
}

/** Stretches already looked up, by zone. A person's data touches a handful, so the lists stay short. */
const stretchesByZone = new Map<string, Stretch[]>()

/**
 * Offset of a zone from UTC at an instant, in seconds, or null for a zone that does not exist. The
 * stretch between two changes is remembered, since one upload asks for thousands of instants.
 */
export function zoneOffsetSeconds(timeZone: string, epochMilliseconds: number): number | null {
  let stretches = stretchesByZone.get(timeZone)
  const known = stretches?.find((s) => s.from <= epochMilliseconds && epochMilliseconds < s.until)
  if (known !== undefined) return known.offsetSeconds
  const stretch = lookUp(timeZone, epochMilliseconds)
  if (stretch === undefined) return null
  if (stretches === undefined) {
    // Zone names come from clients; a bound keeps misspelled ones from filling memory.
    if (stretchesByZone.size > 1000) stretchesByZone.clear()
    stretches = []
    stretchesByZone.set(timeZone, stretches)
  }
  stretches.unshift(stretch)
  return stretch.offsetSeconds
}

function lookUp(timeZone: string, epochMilliseconds: number): Stretch | undefined {
  try {
    const instant = Temporal.Instant.fromEpochMilliseconds(epochMilliseconds)
    const at = instant.toZonedDateTimeISO(timeZone)
    // "previous" looks strictly before, so a change at this very instant must be found from after it.
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
