import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from './days.ts'
import { deriveSeed, isAt, normalAt, unitAt } from './noise.ts'

export type Stage = 'deep' | 'light' | 'rem' | 'awake'

export interface Sleep extends Span {
  readonly kind: 'night' | 'nap'
  /** Day on which they wake up, days since 1970-01-01. */
  readonly day: number
  /** One entry for each stage of five minutes. */
  readonly stages: readonly Stage[]
}

export const STAGE_MS = 5 * MINUTE_MS
const CYCLE_SLOTS = 18

/** Deep sleep comes early, REM sleep comes late; in between there are wake times. */
function stageOf(seed: number, position: number, count: number, illness: number): Stage {
  if (position < 1 + Math.floor(3 * unitAt(deriveSeed(seed, 1), 0))) return 'awake'
  if (isAt(deriveSeed(seed, 2), position, 0.045 + 0.08 * illness)) return 'awake'
  const cycle = Math.floor(position / CYCLE_SLOTS)
  const part = (position % CYCLE_SLOTS) / CYCLE_SLOTS
  const late = position / Math.max(count, 1)
  const deepUntil = 0.72 - 0.75 * late + 0.06 * normalAt(deriveSeed(seed, 3), cycle)
  if (part > 0.16 && part < deepUntil) return 'deep'
  const dreamFrom = 0.94 - 0.4 * late + 0.05 * normalAt(deriveSeed(seed, 4), cycle)
  return part > dreamFrom ? 'rem' : 'light'
}

function makeSleep(
  seed: number,
  kind: Sleep['kind'],
  span: Span,
  day: number,
  illness: number,
): Sleep {
  const count = Math.round((span.to - span.from) / STAGE_MS)
  const own = deriveSeed(seed, 200 + (kind === 'nap' ? 1 : 0))
  const nightly = deriveSeed(own, day)
  const stages = Array.from({ length: count }, (_, position) =>
    stageOf(nightly, position, count, illness),
  )
  return { ...span, kind, day, stages }
}

/** Returns the sleeps that end on a day, the oldest first. */
export function sleepsOn(calendar: Calendar, number: number): Sleep[] {
  const { night, nap, illness } = calendar.day(number)
  const { seed } = calendar.person
  const slept = makeSleep(seed, 'night', night, number, illness)
  return nap === undefined ? [slept] : [slept, makeSleep(seed, 'nap', nap, number, illness)]
}

/** Returns the stage at an instant of a sleep that lasts from `whole.from` on. */
export function secondsIn(sleep: Sleep, stage: Stage): number {
  let count = 0
  for (const one of sleep.stages) if (one === stage) count += 1
  return (count * STAGE_MS) / 1000
}
