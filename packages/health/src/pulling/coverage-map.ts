import { DAY_MS } from '@salus/contracts/time-units'
import type { TimeRange } from '../connectors/index.ts'

/** Why a range is not there (docs/contract/06-summaries.md#get-v2introspecthistorical_pull). */
export type PullFailure =
  | 'provider_rate_limit_exceeded'
  | 'provider_unavailable'
  | 'transport_failure'
  | 'resource_contention'
  | 'non_retriable_error'
  | 'unexpected_error'
  | 'retry_quota_exhausted'

/** What is known of a time of a collection. */
export interface Knowledge {
  /**
   * `held`: all of it is stored. `pending`: to be asked for. `refused`: the vendor does not give it
   * to us. `unavailable`: given up after many attempts.
   */
  state: 'held' | 'pending' | 'refused' | 'unavailable'
  /** Of the history of a connection; else what polls missed, or a vendor told of, which is news. */
  isHistory?: true
  /** Of the last attempt, where it failed. */
  reason?: PullFailure
  /** Those that failed and count against the quota. */
  attempts?: number
  /** Not before this time, epoch milliseconds. */
  nextAt?: number
  /** The page that follows what is stored of this range, which is then asked for as it is. */
  cursor?: string
}

export interface CoveredRange extends TimeRange, Knowledge {}

/** Ranges in order of time that do not overlap; what lies between them was never asked for. */
export type Coverage = readonly CoveredRange[]

/**
 * Changes what is known of a range, part by part, and leaves everything else.
 * @param revise Is given what is known of a part, or undefined of a gap, and says what is known
 *   now.
 */
export function revise(
  coverage: Coverage,
  { from, to }: TimeRange,
  reviseKnowledge: (known: Knowledge | undefined) => Knowledge | undefined,
): Coverage {
  if (from >= to) return coverage
  const parts: CoveredRange[] = []
  const add = (start: number, end: number, known: Knowledge | undefined): void => {
    const revised = start < end ? reviseKnowledge(known) : undefined
    if (revised !== undefined) parts.push({ ...revised, from: start, to: end })
  }
  let at = from
  for (const range of coverage) {
    if (range.to <= from || range.from >= to) {
      parts.push(range)
      continue
    }
    if (range.from < from) parts.push(cut(range, range.from, from))
    const [start, end] = [Math.max(range.from, from), Math.min(range.to, to)]
    add(at, start, undefined)
    add(start, end, cut(range, start, end))
    if (range.to > to) parts.push(cut(range, to, range.to))
    at = end
  }
  add(at, to, undefined)
  return join(parts.sort((one, other) => one.from - other.from))
}

/** A part of a range: a cursor is one of the whole. */
function cut(range: CoveredRange, from: number, to: number): CoveredRange {
  if (range.from === from && range.to === to) return range
  const { cursor: _cursor, ...known } = range
  return { ...known, from, to }
}

/** Makes one of neighbors of which the same is known. */
function join(ranges: readonly CoveredRange[]): Coverage {
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

function isSame(one: Knowledge, other: Knowledge): boolean {
  return (
    one.state === other.state &&
    one.isHistory === other.isHistory &&
    one.reason === other.reason &&
    one.attempts === other.attempts &&
    one.nextAt === other.nextAt &&
    one.cursor === undefined &&
    other.cursor === undefined
  )
}

const PENDING = { state: 'pending' } as const
const HISTORY = { state: 'pending', isHistory: true } as const

/**
 * Asks for the history of a range: for what is not held, afresh where it was refused or given up.
 * @param again For what is held, too.
 */
export function askForHistory(coverage: Coverage, range: TimeRange, again: boolean): Coverage {
  return revise(coverage, range, (known) => (known?.state === 'held' && !again ? known : HISTORY))
}

/** Asks for what polls missed. */
export function askForGaps(coverage: Coverage, range: TimeRange): Coverage {
  return revise(coverage, range, (known) => known ?? PENDING)
}

/** Asks once more for a range in which something changed. */
export function askAgain(coverage: Coverage, range: TimeRange): Coverage {
  return revise(coverage, range, (known) => (known?.state === 'pending' ? known : PENDING))
}

/** All of the range is stored. */
export function hold(coverage: Coverage, range: TimeRange): Coverage {
  return revise(coverage, range, () => ({ state: 'held' }))
}

/**
 * What a failed attempt leaves of the pending parts of a range; what is held meanwhile stays so.
 */
export function putOff(
  coverage: Coverage,
  range: TimeRange,
  change: (known: Knowledge) => Knowledge,
): Coverage {
  return revise(coverage, range, (known) => (known?.state === 'pending' ? change(known) : known))
}

const isDue = (range: CoveredRange, now: number): boolean =>
  range.state === 'pending' && (range.nextAt ?? 0) <= now

/**
 * The newest part of what is pending and due, as long as one request may ask for; undefined: there
 * is none. Windows begin with days of UTC.
 */
export function nextWindow(
  coverage: Coverage,
  now: number,
  mostDays: number,
): CoveredRange | undefined {
  const range = coverage.findLast((candidate) => isDue(candidate, now))
  if (range === undefined || range.cursor !== undefined) return range
  const lastDay = Math.floor((range.to - 1) / DAY_MS) * DAY_MS
  const from = Math.max(range.from, lastDay - (mostDays - 1) * DAY_MS)
  return cut(range, from, range.to)
}

/** When something pending is due, epoch milliseconds; undefined: nothing is pending. */
export function nextDueAt(coverage: Coverage): number | undefined {
  const pending = coverage.filter(({ state }) => state === 'pending')
  if (pending.length === 0) return undefined
  return Math.min(...pending.map(({ nextAt }) => nextAt ?? 0))
}

/** The end of all that was ever asked for; undefined of nothing. */
export function headOf(coverage: Coverage): number | undefined {
  return coverage.at(-1)?.to
}

/** How far the history of a collection has come, once it has begun. */
export interface HistoryProgress {
  status: 'in_progress' | 'retrying' | 'success' | 'failure'
  reason: PullFailure | null
}

/** A reason is that of what failed last. */
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
