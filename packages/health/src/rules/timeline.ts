import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { ValuePlan } from './rule-plan.ts'
import type { Comparison, EpisodeStep, RuleFunction } from './rules.schema.ts'

/** Values of a step by function; a step without readings is not there. */
export type Bucket = Readonly<Partial<Record<RuleFunction, number>>>
/** Buckets by the local time at which they begin, in milliseconds as if it were UTC. */
export type Buckets = ReadonlyMap<number, Bucket>

/** A range of local time, half-open. */
export interface LocalRange {
  from: number
  to: number
}

interface Step {
  start: number
  value: number | null
  /** Whether the condition holds; null where that is not known. */
  isHolding: boolean | null
}

/** A time in which a condition holds, long enough to trigger. */
export interface Run {
  start: number
  /** Start of the step in which it triggers. */
  triggeredAt: number
  /** Start of the last step in which it is known to hold. */
  lastHolding: number
  /** Start of the first step in which it does not; null while it holds. */
  end: number | null
  value: number
}

/** Local times of data may be so far ahead of those of the person's own zone. */
const ZONES_MS = 15 * HOUR_MS

/** How long after its end a window that grows is judged, so that data on their way count. */
export const SETTLING_MS = HOUR_MS

/** Steps without a reading after which a condition that has not triggered begins anew. */
const MOST_EMPTY_STEPS = 2

const WEEK_MS = 7 * DAY_MS
/** 1970-01-01 was a Thursday. */
const MONDAY_MS = 4 * DAY_MS

const floorTo = (time: number, length: number): number => Math.floor(time / length) * length
const startOfWeek = (time: number): number => floorTo(time - MONDAY_MS, WEEK_MS) + MONDAY_MS

/** Returns the start of the period of a goal. */
const startOfPeriod = ({ windowSteps }: ValuePlan, day: number): number =>
  windowSteps === 7 ? startOfWeek(day) : day

/**
 * Returns the steps to judge for what happened within the last `backMs`, and what they read.
 * @param now local time of the person
 */
export function rangesOf(
  plan: ValuePlan,
  now: number,
  backMs: number,
): { steps: LocalRange; read: LocalRange } {
  const { kind, stepMs, windowSteps, forMs, trend } = plan
  const earliest = now - backMs - (forMs > 0 ? forMs + MOST_EMPTY_STEPS * stepMs : 0)
  const from = kind === 'goal' ? startOfPeriod(plan, floorTo(earliest, stepMs)) : earliest
  const steps = { from: floorTo(from, stepMs), to: floorTo(now + ZONES_MS, stepMs) + stepMs }
  const days = trend.recentDays + trend.baselineDays
  const backSteps = kind === 'trend' ? days - 1 : kind === 'threshold' ? windowSteps - 1 : 0
  return { steps, read: { from: steps.from - backSteps * stepMs, to: steps.to } }
}

const COMPARE: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
}

/**
 * Judges each step of a range. A step without a reading of its own is not judged: a person who
 * measures nothing is what a condition of silence is for.
 */
export function stepsOf(
  plan: ValuePlan,
  buckets: Buckets,
  { from, to }: LocalRange,
  now: number,
): Step[] {
  const { stepMs, comparison, threshold, isJudgedAtEnd } = plan
  const steps: Step[] = []
  for (let start = from; start < to; start += stepMs) {
    const hasReading = (buckets.get(start)?.count ?? 0) > 0
    const value = hasReading ? valueAt(plan, buckets, start) : null
    const isEarly = isJudgedAtEnd && start + stepMs + SETTLING_MS > now
    const isHolding = value === null || isEarly ? null : COMPARE[comparison](value, threshold)
    steps.push({ start, value, isHolding })
  }
  return steps
}

function valueAt(plan: ValuePlan, buckets: Buckets, start: number): number | null {
  const { kind, stepMs, windowSteps } = plan
  if (kind === 'trend') return changeAt(plan, buckets, start)
  const first = kind === 'goal' ? startOfPeriod(plan, start) : start - (windowSteps - 1) * stepMs
  return combine(plan, bucketsBetween(buckets, first, start, stepMs))
}

function bucketsBetween(buckets: Buckets, first: number, last: number, stepMs: number): Bucket[] {
  const found: Bucket[] = []
  for (let start = first; start <= last; start += stepMs) {
    const bucket = buckets.get(start)
    if (bucket !== undefined && (bucket.count ?? 0) > 0) found.push(bucket)
  }
  return found
}

const total = (buckets: readonly Bucket[], name: RuleFunction): number =>
  buckets.reduce((sum, bucket) => sum + (bucket[name] ?? 0), 0)
const known = (buckets: readonly Bucket[], name: RuleFunction): number[] =>
  buckets.flatMap((bucket) => bucket[name] ?? [])

/** Makes the value of a window from those of its steps. */
function combine({ func, parts }: ValuePlan, buckets: readonly Bucket[]): number | null {
  if (buckets.length === 0) return null
  switch (func) {
    case 'mean':
      // One step has the mean of the query itself.
      if (!parts.includes('sum')) return buckets[0]?.mean ?? null
      return total(buckets, 'sum') / total(buckets, 'count')
    case 'sum':
    case 'count':
      return total(buckets, func)
    case 'min':
      return Math.min(...known(buckets, func))
    case 'max':
      return Math.max(...known(buckets, func))
    default:
      return known(buckets, func).at(-1) ?? null
  }
}

/** Returns the change of the mean of the days' values, or null with too few readings. */
function changeAt(
  { func, trend, stepMs }: ValuePlan,
  buckets: Buckets,
  day: number,
): number | null {
  const { recentDays, baselineDays, minimumReadings, isPercent } = trend
  const middle = day - recentDays * stepMs
  const meanOf = (days: readonly Bucket[]): number | null => {
    if (total(days, 'count') < minimumReadings) return null
    const values = known(days, func)
    return values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length
  }
  const recent = meanOf(bucketsBetween(buckets, middle + stepMs, day, stepMs))
  const first = middle - (baselineDays - 1) * stepMs
  const before = meanOf(bucketsBetween(buckets, first, middle, stepMs))
  if (recent === null || before === null) return null
  if (!isPercent) return recent - before
  return before === 0 ? null : ((recent - before) / Math.abs(before)) * 100
}

/** Returns the times in which the condition holds long enough, oldest first. */
export function runsOf(plan: ValuePlan, steps: readonly Step[]): Run[] {
  return plan.kind === 'goal' ? goalsOf(plan, steps) : holdingRuns(plan, steps)
}

function holdingRuns({ stepMs, forMs }: ValuePlan, steps: readonly Step[]): Run[] {
  const runs: Run[] = []
  let open: {
    start: number
    lastHolding: number
    triggered?: { at: number; value: number }
  } | null = null
  let empty = 0
  const close = (end: number | null): void => {
    if (open?.triggered !== undefined) {
      const { start, lastHolding, triggered } = open
      runs.push({ start, triggeredAt: triggered.at, lastHolding, end, value: triggered.value })
    }
    open = null
  }
  for (const { start, value, isHolding } of steps) {
    if (isHolding === null || value === null) {
      empty += 1
      if (empty > MOST_EMPTY_STEPS && open?.triggered === undefined) open = null
      continue
    }
    empty = 0
    if (!isHolding) {
      close(start)
      continue
    }
    open ??= { start, lastHolding: start }
    open.lastHolding = start
    if (start + stepMs - open.start >= forMs) open.triggered ??= { at: start, value }
  }
  close(null)
  return runs
}

/** A goal is reached once in its day or week, and ends with it. */
function goalsOf(plan: ValuePlan, steps: readonly Step[]): Run[] {
  const runs = new Map<number, Run>()
  for (const { start: day, value, isHolding } of steps) {
    const start = startOfPeriod(plan, day)
    if (isHolding !== true || value === null || runs.has(start)) continue
    const end = start + plan.windowSteps * plan.stepMs
    runs.set(start, { start, triggeredAt: day, lastHolding: day, end, value })
  }
  return [...runs.values()]
}

/** Steps that an episode shows. */
const SHOWN_STEPS = 48

/** Returns the steps until one, oldest first, in the unit of the rule. */
export function shownSteps(
  { toRuleUnit }: ValuePlan,
  steps: readonly Step[],
  until = Infinity,
  most = SHOWN_STEPS,
): EpisodeStep[] {
  return steps
    .filter(({ start, value }) => start <= until && value !== null)
    .slice(-most)
    .map(({ start, value, isHolding }) => ({
      start: formatLocal(start),
      value: value === null ? null : toRuleUnit(value),
      is_holding: isHolding,
    }))
}

/** Formats a local time, held as if it were UTC, as queries do. */
export const formatLocal = (local: number): string => new Date(local).toISOString().slice(0, 19)

export type { Step }
