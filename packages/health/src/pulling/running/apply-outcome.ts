import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { TimeRange } from '../../connectors/index.ts'
import {
  type Coverage,
  type PullFailure,
  type RangeState,
  recordHeld,
  requestGaps,
  requestHeldAgain,
  reviseCoverage,
  revisePending,
} from '../coverage-map.ts'
import type { PullTaskRow } from '../pull-tasks.global.repository.ts'
import {
  pollStartOf,
  type RangeStep,
  type RecordStep,
  type Step,
  scheduleTask,
} from './next-step.ts'

/** The outcome of a step. */
export type StepOutcome =
  | { readonly kind: 'held' }
  /** The vendor sends the range in messages. */
  | { readonly kind: 'requested' }
  /** Nothing can be pulled, for example because the connection is paused. */
  | { readonly kind: 'parked' }
  /** Postponed without a failure: the process ends, or a budget is exhausted. */
  | {
      readonly kind: 'put_off'
      readonly cursor: string | null
      readonly until: number
      /** Whether answers are kept, with which the same range goes on. */
      readonly isBegun?: boolean
    }
  | {
      readonly kind: 'failed'
      readonly cursor: string | null
      readonly reason: PullFailure
      /**
       * Attempts after which a range is given up; null when it never is, and this attempt does not
       * count.
       */
      readonly quota: number | null
      /** Time at which the vendor accepts the next request, epoch milliseconds. */
      readonly until: number | null
    }

/** Time until the next regular poll. */
export interface Timing {
  pollMs: number
  /** Returns a number from 0 to 1, for jitter. */
  random: () => number
}

type Outcome = Exclude<StepOutcome, { kind: 'parked' }>

/**
 * Time for which messages about a requested range are awaited. A vendor without records of the
 * range sends none.
 */
const FIRST_MESSAGE_MS = 6 * HOUR_MS
const MOST_BACKOFF_MS = 6 * 60 * MINUTE_MS

/** Grows with every consecutive failure, with jitter against simultaneous retries. */
export function backoffMs(failures: number, random: () => number): number {
  const plain = Math.min(MINUTE_MS * 2 ** (failures - 1), MOST_BACKOFF_MS)
  return plain * (0.75 + random() / 2)
}

/**
 * Returns the task after a step, ready for the next.
 * @param startedAt Time of the claim.
 */
export function applyOutcome(
  task: PullTaskRow,
  step: Step | undefined,
  outcome: StepOutcome,
  { startedAt, now, timing }: { startedAt: number; now: number; timing: Timing },
): PullTaskRow {
  let settled: PullTaskRow = { ...task, lease: null }
  if (outcome.kind === 'parked') return { ...settled, due_at: null }
  if (step?.kind === 'poll')
    settled = applyPollOutcome(settled, step, outcome, { startedAt, now, timing })
  if (step?.kind === 'window') settled = applyWindowOutcome(settled, step, outcome, now, timing)
  if (step?.kind === 'record') settled = applyRecordOutcome(settled, step, outcome, now, timing)
  if (step !== undefined && outcome.kind !== 'put_off') {
    const at = new Date(startedAt)
    settled.attempted_at = at
    if (outcome.kind !== 'failed') settled.succeeded_at = at
    settled.reason = outcome.kind === 'failed' ? outcome.reason : null
  }
  return { ...settled, ...scheduleTask(settled, now) }
}

function applyPollOutcome(
  task: PullTaskRow,
  { range, restOfOverlap }: RangeStep,
  outcome: Outcome,
  { startedAt, now, timing }: { startedAt: number; now: number; timing: Timing },
): PullTaskRow {
  // A refresh that was requested during the step may need later data.
  const isAnswered = task.wanted_at !== null && task.wanted_at.getTime() <= startedAt
  const wanted_at = isAnswered && outcome.kind !== 'put_off' ? null : task.wanted_at
  if (outcome.kind === 'put_off') {
    const rest = remainingPollWindow(task, range, outcome)
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
  const held = recordHeld(task.coverage, range)
  const whole = requestGaps(held, { from: pollStartOf(task), to: range.from })
  const coverage = restOfOverlap ? requestHeldAgain(whole, restOfOverlap) : whole
  return { ...task, wanted_at, failures: 0, poll_at, coverage }
}

/** Removes a record that was handled, or delays it; one that fails again and again is dropped. */
function applyRecordOutcome(
  task: PullTaskRow,
  { record }: RecordStep,
  outcome: Outcome,
  now: number,
  { random }: Timing,
): PullTaskRow {
  const others = task.records.filter(({ id }) => id !== record.id)
  const known = task.records.find(({ id }) => id === record.id)
  // A later message said that the record was deleted.
  if (known === undefined || known.isDeleted !== record.isDeleted) return task
  if (outcome.kind === 'put_off') {
    return { ...task, records: [...others, { ...known, nextAt: outcome.until }] }
  }
  if (outcome.kind !== 'failed') return { ...task, records: others }
  const attempts = (known.attempts ?? 0) + (outcome.quota === null ? 0 : 1)
  if (outcome.quota !== null && attempts >= outcome.quota) return { ...task, records: others }
  const nextAt = Math.max(outcome.until ?? 0, now + backoffMs(Math.max(1, attempts), random))
  return { ...task, records: [...others, { ...known, attempts, nextAt }] }
}

const nextPollAt = (startedAt: number, { pollMs, random }: Timing): Date =>
  new Date(startedAt + pollMs * (0.9 + random() / 5))

/**
 * Returns a poll that was postponed after some answers as a window that continues with them;
 * undefined without any, or where part of the range is pending already.
 */
function remainingPollWindow(
  { coverage }: PullTaskRow,
  range: TimeRange,
  { cursor, until, isBegun = false }: Extract<Outcome, { kind: 'put_off' }>,
): Coverage | undefined {
  const isOpen = coverage.some(({ state, to }) => state !== 'held' && to > range.from)
  if ((cursor === null && !isBegun) || isOpen) return undefined
  const rest = { ...(cursor !== null && { cursor }), nextAt: until }
  return reviseCoverage(coverage, range, () => ({ state: 'pending', ...rest }))
}

function applyWindowOutcome(
  task: PullTaskRow,
  { range }: RangeStep,
  outcome: Outcome,
  now: number,
  { random }: Timing,
): PullTaskRow {
  if (outcome.kind === 'held') return { ...task, coverage: recordHeld(task.coverage, range) }
  if (outcome.kind === 'requested') {
    const requested = { isRequested: true, nextAt: now + FIRST_MESSAGE_MS } as const
    const coverage = revisePending(task.coverage, range, ({ isHistory }) => ({
      state: 'pending',
      ...(isHistory && { isHistory }),
      ...requested,
    }))
    return { ...task, coverage }
  }
  const after = (known: RangeState): RangeState => {
    const { cursor: _cursor, nextAt: _nextAt, ...rest } = known
    const kept = outcome.cursor === null ? rest : { ...rest, cursor: outcome.cursor }
    if (outcome.kind === 'put_off') return { ...kept, nextAt: outcome.until }
    const { reason, quota, until } = outcome
    if (quota === null) {
      const nextAt = Math.max(until ?? 0, now + backoffMs(1, random))
      return { ...kept, reason, nextAt }
    }
    // Attempts with progress reach the end: only repeated failures at one page count.
    const isFurther = outcome.cursor !== null && outcome.cursor !== (known.cursor ?? null)
    const attempts = (isFurther ? 0 : (known.attempts ?? 0)) + 1
    if (attempts < quota) {
      const nextAt = Math.max(until ?? 0, now + backoffMs(attempts, random))
      return { ...kept, reason, attempts, nextAt }
    }
    const history = known.isHistory ? { isHistory: known.isHistory } : {}
    // One attempt is enough where the vendor does not provide it.
    if (quota === 1) return { ...history, state: 'refused', reason, attempts }
    const last = reason === 'provider_unavailable' ? 'retry_quota_exhausted' : reason
    return { ...history, state: 'unavailable', reason: last, attempts }
  }
  return { ...task, coverage: revisePending(task.coverage, range, after) }
}
