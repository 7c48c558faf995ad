import { MINUTE_MS } from '@salus/contracts/time-units'
import { parseDate, parseInstant } from '@salus/kernel/time/instants'
import type { VendorInstant } from '../../../connectors/index.ts'
import type { SamsungRow, SamsungTable } from './samsung-table.ts'

/** Whether the times of a table are in UTC, or in the local time of their offset. */
export type TimeBasis = 'utc' | 'local'

const OFFSET = /^UTC([+-])(\d{2}):?(\d{2})$/
const MOST_OFFSET_HOURS = 14
const EPOCH = /^\d{12,13}$/
/** Rows that say enough about a table. */
const MOST_ROWS = 20_000
/** A row is written this soon after it was measured; later ones say nothing. */
const SOON_MS = 30 * MINUTE_MS
/** Clocks of a watch and of its phone differ. */
const TOLERANCE_MS = 2 * MINUTE_MS

/** @returns seconds; null for an empty text, undefined for a wrong one such as `UTC+28550` */
export function offsetOf(text: string): number | null | undefined {
  if (text === '') return null
  if (text === 'UTC' || text === 'Z') return 0
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? []
  if (sign === undefined || Number(hours) > MOST_OFFSET_HOURS || Number(minutes) > 59) {
    return undefined
  }
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

/** Returns epoch milliseconds of a date-time without an offset, as if it were UTC. */
function plainTime(text: string): number {
  if (EPOCH.test(text)) return Number(text)
  return parseInstant(`${text.replace(' ', 'T')}Z`)?.epochMilliseconds ?? Number.NaN
}

/**
 * Returns an instant of a row; undefined for a time or an offset that is none. Without an offset a
 * time in UTC is known, and a local one is not.
 */
export function instantIn(
  row: SamsungRow,
  column: string,
  basis: TimeBasis,
): VendorInstant | undefined {
  const text = row.get(column)
  const offset = offsetOf(row.get('time_offset'))
  const at = plainTime(text)
  if (offset === undefined || Number.isNaN(at)) return undefined
  if (basis === 'utc' || EPOCH.test(text)) return { at, offset }
  return offset === null ? undefined : { at: at - offset * 1000, offset }
}

/** Returns the time of the last change, which is in UTC; undefined where it is no past time. */
export function modifiedIn(row: SamsungRow, now: Date): { modifiedAt?: number } {
  const at = plainTime(row.get('update_time') || row.get('create_time'))
  return at > 0 && at <= now.getTime() ? { modifiedAt: at } : {}
}

/**
 * Returns the local date of `day_time`: midnight of that date as if it were UTC, as a number or a
 * text.
 */
export function dayIn(row: SamsungRow): string | undefined {
  const text = row.get('day_time')
  const at = parseDate(text) === undefined ? plainTime(text) : Date.parse(text)
  if (Number.isNaN(at) || Math.abs(at) > 8e15) return undefined
  return parseDate(new Date(at).toISOString().slice(0, 10))
}

/** Votes of rows for either basis. */
export interface Votes {
  utc: number
  local: number
}

/**
 * Counts what the rows of a table say about its times. Sources disagree whether they are local; so
 * each row is a vote for the basis that explains when it was written, by `create_time` in UTC.
 */
export async function countVotes(table: SamsungTable): Promise<Votes> {
  const votes = { utc: 0, local: 0 }
  let seen = 0
  for await (const rows of table.batches()) {
    for (const row of rows) {
      const offset = offsetOf(row.get('time_offset')) ?? 0
      const at = plainTime(row.get('end_time') || row.get('start_time'))
      const written = plainTime(row.get('create_time'))
      if (offset === 0 || Number.isNaN(at) || Number.isNaN(written)) continue
      const vote = voteOf(written - at, written - (at - offset * 1000))
      if (vote !== undefined) votes[vote]++
    }
    seen += rows.length
    if (seen > MOST_ROWS) break
  }
  return votes
}

/**
 * Returns which of two lags of a row is possible: nothing is written before it was measured. Where
 * both are, the one that is soon.
 */
function voteOf(utc: number, local: number): TimeBasis | undefined {
  const isPossible = (lag: number) => lag >= -TOLERANCE_MS
  const isSoon = (lag: number) => lag <= SOON_MS
  if (isPossible(utc) !== isPossible(local)) return isPossible(utc) ? 'utc' : 'local'
  if (!isPossible(utc) || isSoon(utc) === isSoon(local)) return undefined
  return isSoon(utc) ? 'utc' : 'local'
}

/** Returns the basis by the majority of votes; undefined without one. */
export function basisOf({ utc, local }: Votes): TimeBasis | undefined {
  if (utc === local) return undefined
  return local > utc ? 'local' : 'utc'
}
