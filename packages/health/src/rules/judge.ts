import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { ValuePlan } from './rule-plan.ts'
import { type Run, SETTLING_MS, type Step } from './timeline.ts'

/** A stored episode, with what decides whether another one is the same. */
export interface KnownEpisode {
  id: string
  starts_at: number
  ends_at: number | null
}

export interface Judgement {
  /** Episodes that begin; one with an end has ended already. */
  triggered: Run[]
  /** Open episodes that ended. */
  resolved: { id: string; end: number }[]
  /** When time alone may change the outcome; null when only data can. */
  judgeAgainAt: Date | null
}

interface Moment {
  now: Date
  /** Local time of the person. */
  local: number
}

interface Limits {
  cool_down_minutes: number
  maximum_data_age_hours: number
}

/**
 * Compares the times in which a condition holds with the stored episodes. What overlaps a stored
 * episode is the same one: late data and corrections move its end, and trigger nothing again.
 */
export function judge(
  plan: ValuePlan,
  { steps, runs }: { steps: readonly Step[]; runs: readonly Run[] },
  stored: readonly KnownEpisode[],
  limits: Limits,
  moment: Moment,
): Judgement {
  const known = stored.map((episode) => ({ ...episode }))
  const open = known.find(({ ends_at: end }) => end === null)
  const judgement: Judgement = {
    triggered: [],
    resolved: [],
    judgeAgainAt: nextEnd(plan, steps, moment),
  }
  let isOpenKnown = false
  if (open !== undefined) endBeforeRuns(judgement, open, steps, runs)
  for (const run of runs) {
    const same = known.filter((episode) => overlaps(episode, run))
    if (open?.ends_at === null && same.includes(open)) {
      isOpenKnown = true
      if (run.end === null) continue
      open.ends_at = run.end
      judgement.resolved.push({ id: open.id, end: run.end })
      continue
    }
    const rest = restOf(run, same)
    if (rest === null || !mayTrigger(plan, rest, known, limits, moment.local)) continue
    judgement.triggered.push(rest)
    known.push({ id: '', starts_at: rest.start, ends_at: rest.end })
  }
  if (open?.ends_at === null && !isOpenKnown) endUnmatched(judgement, open, steps)
  return judgement
}

/** Ends an open episode from before the steps that ended before the first of their runs. */
function endBeforeRuns(
  judgement: Judgement,
  open: KnownEpisode,
  steps: readonly Step[],
  runs: readonly Run[],
): void {
  const [first] = steps
  const [run] = runs
  if (first === undefined || run === undefined || open.starts_at >= first.start) return
  const end = steps.find(({ start, isHolding }) => start < run.start && isHolding === false)
  if (end === undefined) return
  open.ends_at = end.start
  judgement.resolved.push({ id: open.id, end: end.start })
}

const overlaps = ({ starts_at: start, ends_at: end }: KnownEpisode, run: Run): boolean =>
  start < (run.end ?? Infinity) && (end ?? Infinity) > run.start

/** Returns the part of a run after the episodes that were resolved; null for none. */
function restOf(run: Run, same: readonly KnownEpisode[]): Run | null {
  const start = Math.max(run.start, ...same.map(({ ends_at: end }) => end ?? Infinity))
  if (start === run.start) return run
  if (run.lastHolding < start) return null
  return { ...run, start, triggeredAt: Math.max(run.triggeredAt, start) }
}

/** Whether a run is recent enough to be reported, and outlasts the cool-down of the one before. */
function mayTrigger(
  { kind, stepMs }: ValuePlan,
  { start, lastHolding }: Run,
  known: readonly KnownEpisode[],
  { cool_down_minutes: coolDown, maximum_data_age_hours: age }: Limits,
  local: number,
): boolean {
  const until = lastHolding + stepMs
  if (until < local - age * HOUR_MS) return false
  // A goal is reported once in its day or week.
  if (kind === 'goal') return true
  return !known.some(
    ({ starts_at: before }) => before <= start && until < before + coolDown * MINUTE_MS,
  )
}

/** Ends an open episode whose condition was corrected away, or does not hold any longer. */
function endUnmatched(judgement: Judgement, open: KnownEpisode, steps: readonly Step[]): void {
  const since = steps.filter(
    ({ start, isHolding }) => isHolding !== null && start >= open.starts_at,
  )
  if (since.at(-1)?.isHolding !== false) return
  const lastHolding = since.findLastIndex(({ isHolding }) => isHolding === true)
  const end = since[lastHolding + 1]?.start ?? open.starts_at
  // An episode that was corrected away has at least an instant.
  judgement.resolved.push({ id: open.id, end: Math.max(end, open.starts_at + 1) })
}

/** Returns when the window of a value that still grows can be judged. */
function nextEnd(
  { isJudgedAtEnd, stepMs }: ValuePlan,
  steps: readonly Step[],
  { now, local }: Moment,
): Date | null {
  if (!isJudgedAtEnd) return null
  const waiting = steps.find(
    ({ start, value }) => value !== null && start + stepMs + SETTLING_MS > local,
  )
  if (waiting === undefined) return null
  return new Date(now.getTime() + waiting.start + stepMs - local + SETTLING_MS)
}
