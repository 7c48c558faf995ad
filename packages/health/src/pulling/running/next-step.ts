import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Collection, Connector, TimeRange } from '../../connectors/index.ts'
import { endOfCoverage, nextDueAt, nextWindow } from '../coverage-map.ts'
import type { ChangedRecord, PullTaskRow } from '../pull-tasks.global.repository.ts'

/** Interval of polls (docs/contract/03-link.md#after-a-connection-is-made). */
const POLL_MS = HOUR_MS / 4
/** A collection whose records only arrive in messages is not polled. */
const NEVER_MS = 100 * 366 * DAY_MS

/** Returns the time between two polls of a collection. */
export function pollMsOf(
  { pollMinutes }: Pick<Connector, 'pollMinutes'>,
  { history }: Pick<Collection, 'history'>,
): number {
  if (history === 'by_message') return NEVER_MS
  return pollMinutes === undefined ? POLL_MS : pollMinutes * MINUTE_MS
}
/** Newer data wait this long for a history without trouble, so that events are in order. */
const HISTORY_FIRST_MS = 6 * HOUR_MS

/** The next work on a collection. */
export type Step = RangeStep | RecordStep

/** A record that a message named is pulled or removed. */
export interface RecordStep {
  kind: 'record'
  record: ChangedRecord
  isHistory: false
}

/** The records of a range are pulled. */
export interface RangeStep {
  kind: 'poll' | 'window'
  range: TimeRange
  /**
   * The earlier part of the overlap of a poll that one request cannot cover too. It is requested
   * again as a window of its own, or late records of yesterday would be lost at a vendor of one day
   * a request.
   */
  restOfOverlap?: TimeRange
  /** The page to continue with. */
  cursor: string | null
  /** History has one event in total; daily data have one event each. */
  isHistory: boolean
  /** Whether the vendor received a request to send the range in messages; no more are expected. */
  isRequested: boolean
}

/** Returns undefined when nothing is due. */
export function chooseStep(
  task: PullTaskRow,
  collection: Collection,
  now: number,
): Step | undefined {
  const { coverage, records } = task
  const record = records.find(({ nextAt = 0 }) => nextAt <= now)
  if (record !== undefined) return { kind: 'record', record, isHistory: false }
  const window = nextWindow(coverage, now, mostDaysOf(collection))
  const isPollDue = task.wanted_at !== null || task.poll_at.getTime() <= now
  if (isPollDue && !waitsForHistory(task, now)) {
    const range = planPoll(task, collection, now)
    return { kind: 'poll', ...range, cursor: null, isHistory: false, isRequested: false }
  }
  if (window === undefined) return undefined
  const { from, to, cursor = null, isHistory = false, isRequested = false } = window
  return { kind: 'window', range: { from, to }, cursor, isHistory, isRequested }
}

/** History without trouble precedes polls for some hours. */
function waitsForHistory({ coverage, planned_at: plannedAt }: PullTaskRow, now: number): boolean {
  if (now - plannedAt.getTime() > HISTORY_FIRST_MS) return false
  return coverage.some(
    ({ state, isHistory, reason }) => state === 'pending' && isHistory && reason === undefined,
  )
}

/**
 * Returns the range from the end of the newest records to now, with an overlap where they are held,
 * because vendors revise; the newest part of it where one request may not cover it all.
 */
function planPoll(
  task: PullTaskRow,
  collection: Collection,
  now: number,
): Pick<RangeStep, 'range' | 'restOfOverlap'> {
  const { overlapHours, history } = collection
  const to = now
  const today = Math.floor((to - 1) / DAY_MS) * DAY_MS
  const earliest = today - (mostDaysOf(collection) - 1) * DAY_MS
  if (history === 'none') return { range: { from: earliest, to } }
  const last = task.coverage.at(-1)
  const head = pollStartOf(task)
  const heldFrom = last?.state === 'held' && last.to === head ? last.from : head
  const overlapFrom = Math.max(heldFrom, head - overlapHours * HOUR_MS)
  // A clock may have gone back.
  const from = Math.min(Math.max(overlapFrom, earliest), to - 1)
  const rest = { from: overlapFrom, to: Math.min(from, head) }
  return { range: { from, to }, ...(rest.from < rest.to && { restOfOverlap: rest }) }
}

/** A walk from the newest record back reaches any range only through all newer records. */
const mostDaysOf = ({ history, mostDaysAtOnce }: Collection): number =>
  history === 'newest_first' ? Number.POSITIVE_INFINITY : mostDaysAtOnce

/** Returns the instant from which polls continue. */
export function pollStartOf({ coverage, polls_from: start }: PullTaskRow): number {
  return Math.max(start.getTime(), endOfCoverage(coverage) ?? 0)
}

/** Returns when a task is due, and its kind. */
export function scheduleTask(task: PullTaskRow, now: number): Pick<PullTaskRow, 'kind' | 'due_at'> {
  const recordAt = Math.min(...task.records.map(({ nextAt = now }) => nextAt))
  const rangeAt = nextDueAt(task.coverage)
  const backfillAt = recordAt < (rangeAt ?? Number.POSITIVE_INFINITY) ? recordAt : rangeAt
  const pollAt = task.wanted_at === null ? task.poll_at.getTime() : now
  const isFirst = backfillAt !== undefined && (backfillAt < pollAt || waitsForHistory(task, now))
  if (isFirst) {
    return { kind: 'backfill', due_at: new Date(Math.max(backfillAt, now)) }
  }
  return { kind: 'poll', due_at: new Date(pollAt) }
}
