import {
  maximumRateAt,
  measureHeartRates,
  measureSleep,
  orderStages,
  type Reading,
  type SleepReadings,
  type SummaryValues,
  summarizeStages,
  toSport,
} from '../summaries/index.ts'
import type { VendorSleep, VendorStage, VendorStageSpan, VendorWorkout } from './vendor-records.ts'

/** In the order of the stages of uploads: where spans overlap the first one counts. */
const STAGES: readonly VendorStage[] = [
  'deep',
  'rem',
  'light',
  'awake',
  'asleep',
  'manual',
  'unknown',
]

const NO_READINGS: SleepReadings = {
  heartRates: [],
  rmssd: [],
  sdnn: [],
  respiratoryRates: [],
  skinTemperatures: [],
}

/** Returns the columns of a sleep: what the vendor reports, completed by stages and readings. */
export function sleepValues(
  { start, end, values: said }: Pick<VendorSleep, 'start' | 'end' | 'values'>,
  stages: readonly VendorStageSpan[],
  readings: Partial<SleepReadings>,
): Partial<SummaryValues<'sleep'>> {
  const duration = Math.round((end.at - start.at) / 1000)
  const spans = stages.map(({ stage, from, to }) => ({ kind: STAGES.indexOf(stage), from, to }))
  const arranged = orderStages(spans, duration)
  const fromStages = summarizeStages(arranged, duration)
  const asleep = said.stage_asleep_second ?? asleepWithout(stages, said, duration)
  const session = { startedAt: start.at, endedAt: end.at }
  return {
    duration_second: duration,
    ...fromStages,
    ...(asleep !== null && {
      stage_asleep_second: asleep,
      efficiency: duration > 0 ? Math.min(100, (100 * asleep) / duration) : null,
    }),
    stage_start_offset_second: arranged.startOffsets,
    stage_end_offset_second: arranged.endOffsets,
    stage_type: arranged.types,
    ...withoutNulls(measureSleep({ ...NO_READINGS, ...readings }, session, said)),
    ...withoutNulls(said),
  }
}

/** Returns the seconds asleep of a sleep without stages whose vendor reports the time awake. */
function asleepWithout(
  stages: readonly VendorStageSpan[],
  { stage_awake_second: awake }: VendorSleep['values'],
  duration: number,
): number | null {
  return stages.length > 0 ? null : Math.max(0, duration - (awake ?? 0))
}

/** Returns the columns of a workout: what the vendor reports, completed by its heart rates. */
export function workoutValues(
  { start, end = start, values: said }: Pick<VendorWorkout, 'start' | 'end' | 'values'>,
  sport: string,
  heartRates: readonly Reading[],
): Partial<SummaryValues<'workouts'>> {
  const { name, slug } = toSport(sport)
  const session = { startedAt: start.at, endedAt: end.at }
  return {
    ...measureHeartRates(heartRates, session, maximumRateAt(null, start.at), said),
    ...withoutNulls(said),
    sport_name: name,
    sport_slug: slug,
  }
}

/** Removes nulls, so that computed values replace them. */
function withoutNulls<Values extends object>(values: Values): Partial<Values> {
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(known) as Partial<Values>
}
