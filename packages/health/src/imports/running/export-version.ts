import { HOUR_MS } from '@salus/contracts/time-units'

/** Exports are dated from here: none is older than the first of these services. */
const FIRST_EXPORT = Date.UTC(2008, 0)

/**
 * Returns the time of writing of a record that its file does not date, epoch milliseconds: its end,
 * plus a millisecond for each hour from 2008 to the export, some three minutes in all. So the
 * record of a newer export wins over that of an older one in any order of imports, and what the
 * vendor's cloud or the phone sent, which is dated by its arrival, wins over both
 * (docs/decisions/0087-dates-of-imported-records.md).
 */
export function exportVersion(endedAt: number, exportedAt: number | null): number {
  if (exportedAt === null) return endedAt
  return endedAt + Math.max(0, Math.floor((exportedAt - FIRST_EXPORT) / HOUR_MS))
}
