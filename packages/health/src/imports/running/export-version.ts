import { HOUR_MS } from '@salus/contracts/time-units'
import type { ImportFile } from '../files/import-files.ts'

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

/**
 * Returns when an archive was written, by the newest of its files, epoch milliseconds; null where
 * it is unknown or to come. Zips have local times without a zone: some hours do not matter here.
 */
export function writtenAtOf(files: readonly ImportFile[], now: Date): number | null {
  const newest = files.reduce((latest, { writtenAt }) => Math.max(latest, writtenAt ?? 0), 0)
  return newest > 0 && newest <= now.getTime() ? newest : null
}
