import type { components } from '../../../api/openapi.generated.d.ts'
import { toLocal } from '../local-time.ts'

// The type without the stream, which is read by itself.
type Sleep = Omit<components['schemas']['MergedSleep'], 'sleep_stream'>
type SleepCycle = components['schemas']['SleepCycle']

export type Stage = 'awake' | 'rem' | 'light' | 'deep' | 'asleep'

/** Stages from the top of a hypnogram to its bottom. */
export const STAGES = ['awake', 'rem', 'light', 'deep'] as const

export const STAGE_TITLES: Record<Stage, string> = {
  awake: 'Awake',
  rem: 'REM',
  light: 'Light',
  deep: 'Deep',
  asleep: 'Asleep',
}

/** docs/contract/06-summaries.md#sleep-cycle */
const STAGE_OF_TYPE: Record<number, Stage> = { 1: 'deep', 2: 'light', 3: 'rem', 4: 'awake' }

/** A part of a night, in local hours since the midnight that its date begins with. */
export interface Segment {
  stage: Stage
  from: number
  to: number
}

export interface Night {
  sleep: Sleep
  from: number
  to: number
  /** In order of time; one of `asleep` when the stages are not known. */
  segments: Segment[]
  hasStages: boolean
}

/** Joins sleeps with their stages, the newest first. */
export function toNights(sleeps: readonly Sleep[], cycles: readonly SleepCycle[]): Night[] {
  const byId = new Map(cycles.map((cycle) => [cycle.sleep_id, cycle]))
  return sleeps
    .map((sleep) => toNight(sleep, byId.get(sleep.id)))
    .sort(
      ({ sleep: one }, { sleep: other }) =>
        other.bedtime_stop.localeCompare(one.bedtime_stop) ||
        one.source.name.localeCompare(other.source.name),
    )
}

function toNight(sleep: Sleep, cycle: SleepCycle | undefined): Night {
  const midnight = Date.parse(sleep.calendar_date)
  const hourOf = (instant: string): number =>
    (toLocal(instant, sleep.timezone_offset).getTime() - midnight) / 3_600_000
  const [from, to] = [hourOf(sleep.bedtime_start), hourOf(sleep.bedtime_stop)]
  const segments = cycle === undefined ? [] : toSegments(cycle, hourOf(cycle.session_start))
  const hasStages = segments.some(({ stage }) => stage !== 'asleep')
  return {
    sleep,
    from,
    to,
    hasStages,
    segments: segments.length > 0 ? segments : [{ stage: 'asleep', from, to }],
  }
}

function toSegments(cycle: SleepCycle, start: number): Segment[] {
  return cycle.stage_type.map((type, index) => ({
    stage: STAGE_OF_TYPE[type] ?? 'asleep',
    from: start + (cycle.stage_start_offset_second[index] ?? 0) / 3600,
    to: start + (cycle.stage_end_offset_second[index] ?? 0) / 3600,
  }))
}

export interface Axis {
  from: number
  to: number
}

/** Returns the range of whole hours that contains all nights. */
export function axisOf(nights: readonly Night[]): Axis {
  return {
    from: Math.floor(Math.min(...nights.map((night) => night.from))),
    to: Math.ceil(Math.max(...nights.map((night) => night.to))),
  }
}

/** Returns the hours with which an axis is labelled. */
export function ticksOf({ from, to }: Axis): number[] {
  const step = [1, 2, 3, 4, 6, 12].find((hours) => (to - from) / hours <= 8) ?? 24
  const first = Math.ceil(from / step) * step
  return Array.from(
    { length: Math.floor((to - first) / step) + 1 },
    (_, index) => first + index * step,
  )
}

/** Formats hours after midnight, which may be negative, as `23:00`. */
export function formatHour(hours: number): string {
  const minutes = Math.round(((((hours % 24) + 24) % 24) * 60) % 1440)
  return [Math.floor(minutes / 60), minutes % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}
