import { HOUR_MS, SECOND_MS } from '@salus/contracts/time-units'
import { areSportsAlike, type SessionRecord } from './session-record.ts'

/** A record with the time at which it is compared, epoch milliseconds. */
export interface TimedRecord {
  record: SessionRecord
  from: number
  to: number
  /** Whether its stored time was found to be a wall clock, so that it is not that time. */
  isShifted: boolean
}

/** Ends of two records of one session differ at most by this much of the longer one. */
const TOLERANCE_SHARE = 0.05
const LEAST_TOLERANCE_MS = 90 * SECOND_MS
const FURTHEST_OFFSET_MS = 14 * HOUR_MS

interface Interval {
  from: number
  to: number
}

const timeOf = ({ startedAt, endedAt }: SessionRecord): Interval => ({
  from: startedAt,
  to: endedAt,
})

/** Whether two intervals begin and end at the same time, as clocks and portions allow. */
function areEqual(a: Interval, b: Interval): boolean {
  const longer = Math.max(a.to - a.from, b.to - b.from)
  const tolerance = Math.max(LEAST_TOLERANCE_MS, longer * TOLERANCE_SHARE)
  return Math.abs(a.from - b.from) <= tolerance && Math.abs(a.to - b.to) <= tolerance
}

/**
 * Returns records with the times at which they are compared. The time of a record without an offset
 * is an instant, unless a record with an offset has the same local time and none has the same
 * instant: then it is a wall clock, and the offset of that other record makes it an instant.
 */
export function* timeRecords(records: readonly SessionRecord[]): Generator<void, TimedRecord[]> {
  const placed = records
    .filter(({ offset, startedAt, endedAt }) => offset !== null && endedAt > startedAt)
    .sort((a, b) => a.startedAt - b.startedAt || (a.id < b.id ? -1 : 1))
  const timed: TimedRecord[] = []
  for (const record of records) {
    const shiftMs = record.offset === null ? wallClockShift(record, placed) : 0
    const { from, to } = timeOf(record)
    timed.push({ record, from: from - shiftMs, to: to - shiftMs, isShifted: shiftMs !== 0 })
    yield
  }
  return timed
}

/** Returns by how much the wall clock of a record is ahead of UTC, in milliseconds; else 0. */
function wallClockShift(record: SessionRecord, placed: readonly SessionRecord[]): number {
  const time = timeOf(record)
  if (time.to <= time.from) return 0
  const shifts: number[] = []
  const least = time.from - FURTHEST_OFFSET_MS - HOUR_MS
  const most = time.from + FURTHEST_OFFSET_MS + HOUR_MS
  for (let at = firstFrom(placed, least); at < placed.length; at++) {
    const other = placed[at] as SessionRecord
    if (other.startedAt > most) break
    if (!areSportsAlike(other, record)) continue
    const { from, to } = timeOf(other)
    if (areEqual(time, { from, to })) return 0
    const shift = (other.offset as number) * SECOND_MS
    if (areEqual(time, { from: from + shift, to: to + shift })) shifts.push(shift)
  }
  return shifts.sort((a, b) => Math.abs(a) - Math.abs(b) || a - b)[0] ?? 0
}

/** Returns the position of the first record that starts at an instant or later. */
function firstFrom(records: readonly SessionRecord[], instant: number): number {
  let low = 0
  let high = records.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((records[middle] as SessionRecord).startedAt < instant) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the length of a record in milliseconds; one of no length counts as one millisecond. */
export const lengthOf = ({ from, to }: Interval): number => Math.max(1, to - from)

/** Returns the common time of two records in milliseconds; 0 when they only touch. */
export const overlapOf = (a: Interval, b: Interval): number =>
  Math.max(0, Math.min(a.from + lengthOf(a), b.from + lengthOf(b)) - Math.max(a.from, b.from))

/** Returns the time of one interval that the others cover together, in milliseconds. */
export function coveredBy(interval: Interval, others: readonly Interval[]): number {
  const { from } = interval
  const to = from + lengthOf(interval)
  let covered = 0
  let reached = from
  for (const other of others.toSorted((a, b) => a.from - b.from)) {
    const start = Math.max(reached, other.from)
    const end = Math.min(to, other.from + lengthOf(other))
    if (end > start) covered += end - start
    reached = Math.max(reached, end)
  }
  return covered
}
