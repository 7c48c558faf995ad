import type { ComparisonLimit } from './merge-limit.ts'
import type { ChoiceReason, SameRule } from './merged-session.ts'
import type { SessionChoice } from './session-choice.ts'
import { LONGEST_WHOLE_MS, type SessionResource } from './session-record.ts'
import { coveredBy, lengthOf, overlapOf, type TimedRecord } from './session-times.ts'

/** Why a record does not count. */
export interface Loss {
  wonBy: TimedRecord
  rule: SameRule
  /** Common time of both as a share of the shorter one. */
  overlap: number
  reason: ChoiceReason
}

/** Records that count, the best first, and those that do not. */
export interface Divided {
  counting: TimedRecord[]
  losses: Map<TimedRecord, Loss>
}

/** At least this share of a record is the time of another one of the same session. */
const SAME_SHARE = 0.5
/** A session is in several pieces where none of them has this share of it. */
const WHOLE_SHARE = 0.75

/**
 * Divides records that overlap into those that count and those that do not. The records are
 * compared from the best to the last, and one of which better ones cover at least half does not
 * count. Where a source has only a part of a session, or has it in pieces, a record with all of it
 * counts instead. Yields after each record.
 */
export function* divideRecords(
  resource: SessionResource,
  records: readonly TimedRecord[],
  choice: SessionChoice,
  limit: ComparisonLimit,
): Generator<void, Divided> {
  const longestMs = LONGEST_WHOLE_MS[resource]
  const ordered = records.toSorted(choice.compare)
  const rivals = yield* findRivals(records, longestMs, limit)
  const parts = new Map<TimedRecord, Loss>()
  for (;;) {
    const counting = new Set<TimedRecord>()
    const losses = new Map<TimedRecord, Loss>()
    let whole: Whole | undefined
    for (const record of ordered) {
      if (parts.has(record)) continue
      const overlapping = rivals.get(record) ?? []
      limit.spend(overlapping.length + 1)
      yield
      const better = overlapping.filter((other) => counting.has(other)).sort(choice.compare)
      whole = findWhole(record, better, choice, longestMs)
      if (whole !== undefined) break
      const loss = findLoss(record, better, choice)
      if (loss === undefined) counting.add(record)
      else losses.set(record, loss)
    }
    if (whole === undefined)
      return { counting: [...counting], losses: new Map([...parts, ...losses]) }
    for (const part of whole.parts) parts.set(part, lossBetween(part, whole.record, whole.reason))
  }
}

/** Returns for each record the others of the same time. Yields after each record. */
function* findRivals(
  records: readonly TimedRecord[],
  longestMs: number,
  limit: ComparisonLimit,
): Generator<void, Map<TimedRecord, TimedRecord[]>> {
  const rivals = new Map<TimedRecord, TimedRecord[]>(records.map((record) => [record, []]))
  const byStart = records.toSorted((a, b) => a.from - b.from)
  for (const [at, record] of byStart.entries()) {
    const end = record.from + lengthOf(record)
    for (let next = at + 1; next < byStart.length; next++) {
      const other = byStart[next] as TimedRecord
      if (other.from >= end) break
      limit.spend(1)
      if (!areComparable(record, other, longestMs)) continue
      rivals.get(record)?.push(other)
      rivals.get(other)?.push(record)
    }
    yield
  }
  return rivals
}

const isSameId = ({ record: a }: TimedRecord, { record: b }: TimedRecord): boolean =>
  a.provider === b.provider && a.externalId !== '' && a.externalId === b.externalId

/** Whether two records overlap, and neither is so long that it only equals as long ones. */
function areComparable(a: TimedRecord, b: TimedRecord, longestMs: number): boolean {
  const overlap = overlapOf(a, b)
  if (overlap === 0) return false
  const longer = Math.max(lengthOf(a), lengthOf(b))
  return longer <= longestMs || overlap >= longer * SAME_SHARE
}

/** A record that counts instead of parts of it. */
interface Whole {
  record: TimedRecord
  parts: readonly TimedRecord[]
  reason: ChoiceReason
}

/** Finds out whether a record has all of a session of which better ones have parts. */
function findWhole(
  record: TimedRecord,
  better: readonly TimedRecord[],
  choice: SessionChoice,
  longestMs: number,
): Whole | undefined {
  const length = lengthOf(record)
  const isWithin = (other: TimedRecord): boolean =>
    overlapOf(record, other) >= lengthOf(other) * SAME_SHARE
  const parts = better.filter(isWithin)
  if (parts.length === 0 || length > longestMs) return undefined
  if (coveredBy(record, better) < length * SAME_SHARE) {
    return { record, parts, reason: 'covers_more' }
  }
  const isInPieces =
    parts.length > 1 &&
    better.every((other) => overlapOf(record, other) < length * WHOLE_SHARE) &&
    parts.every((part) => choice.mayBeJoined(part, record))
  return isInPieces ? { record, parts, reason: 'in_one_piece' } : undefined
}

/** Finds the better record that has the time of a record; undefined where it counts. */
function findLoss(
  record: TimedRecord,
  better: readonly TimedRecord[],
  choice: SessionChoice,
): Loss | undefined {
  const same = better.find((other) => isSameId(record, other))
  if (same !== undefined) return lossBetween(record, same, choice.reasonFor(same, record))
  if (coveredBy(record, better) < lengthOf(record) * SAME_SHARE) return undefined
  let winner = better[0] as TimedRecord
  for (const other of better) {
    if (overlapOf(record, other) > overlapOf(record, winner)) winner = other
  }
  return lossBetween(record, winner, choice.reasonFor(winner, record))
}

function lossBetween(lost: TimedRecord, wonBy: TimedRecord, reason: ChoiceReason): Loss {
  const common = overlapOf(lost, wonBy)
  const overlap = common / Math.min(lengthOf(lost), lengthOf(wonBy))
  return { wonBy, rule: ruleBetween(lost, wonBy, common), overlap, reason }
}

function ruleBetween(lost: TimedRecord, wonBy: TimedRecord, common: number): SameRule {
  if (isSameId(lost, wonBy)) return 'same_id'
  if (lost.isShifted !== wonBy.isShifted) return 'same_wall_clock'
  if (common < lengthOf(lost) * SAME_SHARE) return 'several_parts'
  return common < lengthOf(wonBy) * SAME_SHARE ? 'part_of_record' : 'same_time'
}
