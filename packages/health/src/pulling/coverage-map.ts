import { DAY_MS } from '@salus/contracts/time-units'
import type { TimeRange } from '../connectors/index.ts'

/** Why a range is missing (docs/contract/06-summaries.md#get-v2introspecthistorical_pull). */
export type PullFailure =
  | 'provider_rate_limit_exceeded'
  | 'provider_unavailable'
  | 'transport_failure'
  | 'resource_contention'
  | 'non_retriable_error'
  | 'unexpected_error'
  | 'retry_quota_exhausted'

/** State of a time range of a collection. */
export interface RangeState {
  /**
   * `held`: all of it is stored. `pending`: to be pulled. `refused`: the vendor does not provide
   * it. `unavailable`: given up after many attempts.
   */
  state: 'held' | 'pending' | 'refused' | 'unavailable'
  /**
   * Whether it is history of a connection; otherwise it was missed by polls, or announced by a
   * vendor, and is daily data.
   */
  isHistory?: true
  /** Reason of a failed last attempt. */
  reason?: PullFailure
  /** Number of failed attempts that count against the quota. */
  attempts?: number
  /** Earliest time of the next attempt, epoch milliseconds. */
  nextAt?: number
  /** The next page of this range, which is then pulled as a whole. */
  cursor?: string
  /**
   * Whether the vendor received a request to send the range in messages. It is held when none came
   * for some time, until `nextAt`.
   */
  isRequested?: true
}

export interface CoveredRange extends TimeRange, RangeState {}

/** Ranges in order of time without overlaps; the gaps were never requested. */
export type Coverage = readonly CoveredRange[]

/**
 * Revises a range, part by part, and keeps everything else.
 * @param revise Maps the knowledge about a part, undefined for a gap, to the new one.
 */
export function reviseCoverage(
  coverage: Coverage,
  { from, to }: TimeRange,
  reviseKnowledge: (known: RangeState | undefined) => RangeState | undefined,
): Coverage {
  if (from >= to) return coverage
  const parts: CoveredRange[] = []
  const add = (start: number, end: number, known: RangeState | undefined): void => {
    const revised = start < end ? reviseKnowledge(known) : undefined
    if (revised !== undefined) parts.push({ ...revised, from: start, to: end })
  }
  let at = from
  for (const range of coverage) {
    if (range.to <= from || range.from >= to) {
      parts.push(range)
      continue
    }
    if (range.from < from) parts.push(cutRange(range, range.from, from))
    const [start, end] = [Math.max(range.from, from), Math.min(range.to, to)]
    add(at, start, undefined)
    add(start, end, cutRange(range, start, end))
    if (range.to > to) parts.push(cutRange(range, to, range.to))
    at = end
  }
  add(at, to, undefined)
  return joinRanges(parts.sort((one, other) => one.from - other.from))
}

/** A part of a range loses its cursor, which belongs to the whole. */
function cutRange(range: CoveredRange, from: number, to: number): CoveredRange {
  if (range.from === from && range.to === to) return range
  const { cursor: _cursor, ...known } = range
  return { ...known, from, to }
}

/** Joins neighbors with equal knowledge. */
function joinRanges(ranges: readonly CoveredRange[]): Coverage {
  const joined: CoveredRange[] = []
  for (const range of ranges) {
    const last = joined.at(-1)
    if (last !== undefined && last.to === range.from && isSame(last, range)) {
      joined[joined.length - 1] = { ...last, to: range.to }
    } else {
      joined.push(range)
    }
  }
  return joined
}

function isSame(one: RangeState, other: RangeState): boolean {
  return (
    one.state === other.state &&
    one.isHistory === other.isHistory &&
    one.reason === other.reason &&
    one.attempts === other.attempts &&
    one.nextAt === other.nextAt &&
    one.isRequested === other.isRequested &&
    one.cursor === undefined &&
    other.cursor === undefined
  )
}

const PENDING = { state: 'pending' } as const
const HISTORY = { state: 'pending', isHistory: true } as const

/**
 * Requests the history of a range: everything that is not held, also what was refused or given up.
 * @param again Requests what is held, too.
 */
export function requestHistory(coverage: Coverage, range: TimeRange, again: boolean): Coverage {
  return reviseCoverage(coverage, range, (known) =>
    known?.state === 'held' && !again ? known : HISTORY,
  )
}

/** Requests what polls missed. */
export function requestGaps(coverage: Coverage, range: TimeRange): Coverage {
  return reviseCoverage(coverage, range, (known) => known ?? PENDING)
}

/** Requests a range again in which something changed. */
export function requestRangeAgain(coverage: Coverage, range: TimeRange): Coverage {
  return reviseCoverage(coverage, range, (known) => (known?.state === 'pending' ? known : PENDING))
}

/** Requests the held parts of a range again, because vendors revise. */
export function requestHeldAgain(coverage: Coverage, range: TimeRange): Coverage {
  return reviseCoverage(coverage, range, (known) => (known?.state === 'held' ? PENDING : known))
}

/** Marks the whole range as stored. */
export function recordHeld(coverage: Coverage, range: TimeRange): Coverage {
  return reviseCoverage(coverage, range, () => ({ state: 'held' }))
}

/** Revises the pending parts of a range after an attempt; what is held meanwhile stays held. */
export function revisePending(
  coverage: Coverage,
  range: TimeRange,
  change: (known: RangeState) => RangeState,
): Coverage {
  return reviseCoverage(coverage, range, (known) =>
    known?.state === 'pending' ? change(known) : known,
  )
}

/** Waits longer for messages of requested ranges, because one about a range has come. */
export function extendRequested(coverage: Coverage, about: TimeRange, until: number): Coverage {
  return coverage.map((range) =>
    range.isRequested && range.from < about.to && about.from < range.to
      ? { ...range, nextAt: until }
      : range,
  )
}

/** Whether an instant is in a range of history that is not held yet. */
export function isPendingHistory(coverage: Coverage, at: number): boolean {
  return coverage.some(
    ({ from, to, state, isHistory }) => state === 'pending' && isHistory && from <= at && at < to,
  )
}

const isDue = (range: CoveredRange, now: number): boolean =>
  range.state === 'pending' && (range.nextAt ?? 0) <= now

/**
 * Returns the newest pending and due part, limited to one request; undefined when there is none.
 * Windows begin with UTC days.
 */
export function nextWindow(
  coverage: Coverage,
  now: number,
  mostDays: number,
): CoveredRange | undefined {
  const range = coverage.findLast((candidate) => isDue(candidate, now))
  // What was requested together ends together.
  if (range === undefined || range.cursor !== undefined || range.isRequested) return range
  const lastDay = Math.floor((range.to - 1) / DAY_MS) * DAY_MS
  const from = Math.max(range.from, lastDay - (mostDays - 1) * DAY_MS)
  return cutRange(range, from, range.to)
}

/** Returns when something pending is due, epoch milliseconds; undefined when nothing is pending. */
export function nextDueAt(coverage: Coverage): number | undefined {
  const pending = coverage.filter(({ state }) => state === 'pending')
  if (pending.length === 0) return undefined
  return Math.min(...pending.map(({ nextAt }) => nextAt ?? 0))
}

/** Returns the end of everything requested; undefined for nothing. */
export function endOfCoverage(coverage: Coverage): number | undefined {
  return coverage.at(-1)?.to
}

/** Progress of the history of a collection, once it has begun. */
export interface HistoryProgress {
  status: 'in_progress' | 'retrying' | 'success' | 'failure'
  reason: PullFailure | null
}

/** The reason is that of the last failure. */
export function historyProgress(coverage: Coverage): HistoryProgress {
  const ofHistory = coverage.filter(({ isHistory }) => isHistory)
  const pending = ofHistory.filter(({ state }) => state === 'pending')
  const failed = pending.findLast(({ reason }) => reason !== undefined)
  if (failed !== undefined) return { status: 'retrying', reason: failed.reason ?? null }
  if (pending.length > 0) return { status: 'in_progress', reason: null }
  const lost = ofHistory.at(-1)
  if (lost === undefined) return { status: 'success', reason: null }
  return { status: 'failure', reason: lost.reason ?? 'unexpected_error' }
}
