import { Temporal } from 'temporal-polyfill'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** Weeks of all zones that are remembered; some seventy years of one zone. */
const MOST_WEEKS = 4096

/** By zone and week since 1970: seconds, or null for a week in which the offset changes. */
const weeks = new Map<string, number | null>()

/**
 * Returns the offset of a zone from UTC, in seconds, at a time near which it does not change: from
 * a day before its week until a day after it. Undefined near a change. It spares most messages the
 * calendar, which takes ten times as long as the rest of reading a time.
 * @param at epoch milliseconds; of an instant, or of a local time as if it were UTC
 * @throws RangeError for a zone that does not exist
 */
export function findSteadyOffset(zone: string, at: number): number | undefined {
  const week = Math.floor(at / WEEK_MS)
  const key = `${zone} ${week}`
  let offset = weeks.get(key)
  if (offset === undefined) {
    if (weeks.size >= MOST_WEEKS) weeks.clear()
    offset = readWeek(zone, week * WEEK_MS)
    weeks.set(key, offset)
  }
  return offset ?? undefined
}

/** Zones keep an offset for longer than the days between two of these looks. */
function readWeek(zone: string, from: number): number | null {
  const offsets = [-DAY_MS, WEEK_MS / 2, WEEK_MS + DAY_MS].map((after) => {
    const instant = Temporal.Instant.fromEpochMilliseconds(from + after)
    return instant.toZonedDateTimeISO(zone).offsetNanoseconds / 1e9
  })
  const [first = 0] = offsets
  return offsets.every((offset) => offset === first) ? first : null
}
