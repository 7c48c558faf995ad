import { DAY_MS } from '@salus/contracts/time-units'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { readLocalInstant } from '../../connectors/index.ts'
import type { LocalClock } from '../formats/import-format.ts'
import { FLOATING } from '../import-options.ts'

/**
 * Creates the clock that places local times.
 * @param timeZone IANA zone; `floating` or undefined for local times without a zone.
 */
export function createLocalClock(timeZone: string | undefined): LocalClock {
  const zone = timeZone === undefined || timeZone === FLOATING ? null : timeZone
  return {
    local(text, after) {
      const instant = readLocalInstant(text.replace(' ', 'T'), zone)
      if (instant === undefined || zone === null || after === undefined) return instant
      if (instant.at >= after.at) return instant
      // The earlier one of two was taken; the offset of the next day gives the second.
      const offset = zoneOffsetSeconds(zone, instant.at + DAY_MS) ?? 0
      const at = instant.at + ((instant.offset ?? 0) - offset) * 1000
      const isSecond = at > instant.at && zoneOffsetSeconds(zone, at) === offset
      return isSecond ? { at, offset } : instant
    },
  }
}
