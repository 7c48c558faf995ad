import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { TimeRange } from '../../connectors/index.ts'
import {
  askForGaps,
  type Coverage,
  hold,
  type Knowledge,
  type PullFailure,
  putOff,
  revise,
} from '../coverage-map.ts'
import type { PullTaskRow } from '../pull-tasks.global.repository.ts'
import { pollsFrom, type Step, schedule } from './next-step.ts'

/** What became of a step. */
export type StepOutcome =
  | { readonly kind: 'held' }
  /** There is nothing to ask, such as of a connection that is paused. */
  | { readonly kind: 'parked' }
  /** Not done, and nobody's fault: the process ends, or a budget is used up. */
  | { readonly kind: 'put_off'; readonly cursor: string | null; readonly until: number }
  | {
      readonly kind: 'failed'
      readonly cursor: string | null
      readonly reason: PullFailure
      /**
       * The attempts after which a range is given up; null: it never is, and this one does not
       * count.
       */
      readonly quota: number | null
      /** The vendor's word on when to come again, epoch milliseconds. */
      readonly until: number | null
    }

/** How long until the next regular poll. */
export interface Timing {
  pollMs: number
  /** Of 0 to 1, for jitter. */
  random: () => number
}

const MOST_BACKOFF_MS = 6 * 60 * MINUTE_MS

/** Longer with every failure in a row, and never the same for all that failed together. */
export function backoffMs(failures: number, random: () => number): number {
  const plain = Math.min(MINUTE_MS * 2 ** (failures - 1), MOST_BACKOFF_MS)
  return plain * (0.75 + random() / 2)
}

/**
 * The task after a step, ready for the next.
 * @param startedAt When it was claimed.
 */
export function settleTask(
  task: PullTaskRow,
  step: Step | undefined,
  outcome: StepOutcome,
  { startedAt, now, timing }: { startedAt: number; now: number; timing: Timing },
): PullTaskRow {
  let settled: PullTaskRow = { ...task, lease: null }
  if (outcome.kind === 'parked') return { ...settled, due_at: null }
  if (step?.kind === 'poll')
    settled = settlePoll(settled, step, outcome, { startedAt, now, timing })
  if (step?.kind === 'window') settled = settleWindow(settled, step, outcome, now, timing)
  if (step !== undefined && outcome.kind !== 'put_off') {
    const at = new Date(startedAt)
    settled.attempted_at = at
    if (outcome.kind === 'held') settled.succeeded_at = at
    settled.reason = outcome.kind === 'failed' ? outcome.reason : null
  }
  return { ...settled, ...schedule(settled, now) }
}

function settlePoll(
  task: PullTaskRow,
  { range }: Step,
  outcome: Exclude<StepOutcome, { kind: 'parked' }>,
  { startedAt, now, timing }: { startedAt: number; now: number; timing: Timing },
): PullTaskRow {
  // Whoever asked while it was under way may want what came after.
  const isAnswered = task.wanted_at !== null && task.wanted_at.getTime() <= startedAt
  const wanted_at = isAnswered && outcome.kind !== 'put_off' ? null : task.wanted_at
  if (outcome.kind === 'put_off') {
    const rest = restOfPoll(task, range, outcome)
    if (rest === undefined) return { ...task, wanted_at: null, poll_at: new Date(outcome.until) }
    return { ...task, wanted_at: null, coverage: rest, poll_at: nextPollAt(startedAt, timing) }
  }
  if (outcome.kind === 'failed') {
    const failures = task.failures + 1
    const delay = outcome.quota === 1 ? DAY_MS : backoffMs(failures, timing.random)
    const poll_at = new Date(Math.max(outcome.until ?? 0, now + delay))
    return { ...task, wanted_at, failures, poll_at }
  }
  const poll_at = nextPollAt(startedAt, timing)
  const held = hold(task.coverage, range)
  const coverage = askForGaps(held, { from: pollsFrom(task), to: range.from })
  return { ...task, wanted_at, failures: 0, poll_at, coverage }
}

const nextPollAt = (startedAt: number, { pollMs, random }: Timing): Date =>
  new Date(startedAt + pollMs * (0.9 + random() / 5))

/**
 * A poll that was put off after some pages goes on as a window, at the page where it was; undefined
 * where there is nothing to go on with, or where something of the range waits already.
 */
function restOfPoll(
  { coverage }: PullTaskRow,
  range: TimeRange,
  { cursor, until }: { cursor: string | null; until: number },
): Coverage | undefined {
  const isOpen = coverage.some(({ state, to }) => state !== 'held' && to > range.from)
  if (cursor === null || isOpen) return undefined
  return revise(coverage, range, () => ({ state: 'pending', cursor, nextAt: until }))
}

function settleWindow(
  task: PullTaskRow,
  { range }: Step,
  outcome: Exclude<StepOutcome, { kind: 'parked' }>,
  now: number,
  { random }: Timing,
): PullTaskRow {
  if (outcome.kind === 'held') return { ...task, coverage: hold(task.coverage, range) }
  const after = (known: Knowledge): Knowledge => {
    const { cursor: _cursor, nextAt: _nextAt, ...rest } = known
    const kept = outcome.cursor === null ? rest : { ...rest, cursor: outcome.cursor }
    if (outcome.kind === 'put_off') return { ...kept, nextAt: outcome.until }
    const { reason, quota, until } = outcome
    if (quota === null) {
      const nextAt = Math.max(until ?? 0, now + backoffMs(1, random))
      return { ...kept, reason, nextAt }
    }
    // Who comes further with every attempt gets to the end: only what fails at one page again
    // counts.
    const isFurther = outcome.cursor !== null && outcome.cursor !== (known.cursor ?? null)
    const attempts = (isFurther ? 0 : (known.attempts ?? 0)) + 1
    if (attempts < quota) {
      const nextAt = Math.max(until ?? 0, now + backoffMs(attempts, random))
      return { ...kept, reason, attempts, nextAt }
    }
    const history = known.isHistory ? { isHistory: known.isHistory } : {}
    // One attempt is all where the vendor does not give it to us.
    if (quota === 1) return { ...history, state: 'refused', reason, attempts }
    const last = reason === 'provider_unavailable' ? 'retry_quota_exhausted' : reason
    return { ...history, state: 'unavailable', reason: last, attempts }
  }
  return { ...task, coverage: putOff(task.coverage, range, after) }
}
