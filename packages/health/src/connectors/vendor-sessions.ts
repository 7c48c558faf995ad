import {
  arrangeStages,
  maximumRateAt,
  measureHeartRates,
  measureSleep,
  type Reading,
  type SleepReadings,
  type SummaryValues,
  summarizeStages,
  toSport,
} from '../summaries/index.ts'
import type { VendorSleep, VendorStage, VendorStageSpan, VendorWorkout } from './vendor-records.ts'

/**
 * In the order in which the stages of uploads are ranked: where spans overlap the first one counts.
 */
const STAGES: readonly VendorStage[] = ['deep', 'rem', 'light', 'awake', 'asleep', 'unknown']

const NO_READINGS: SleepReadings = {
  heartRates: [],
  rmssd: [],
  sdnn: [],
  respiratoryRates: [],
  skinTemperatures: [],
}

/** The columns of a sleep: what the vendor says, then what stages and readings tell. */
export function sleepValues(
  { start, end, values: said }: Pick<VendorSleep, 'start' | 'end' | 'values'>,
  stages: readonly VendorStageSpan[],
  readings: Partial<SleepReadings>,
): Partial<SummaryValues<'sleep'>> {
  const duration = Math.round((end.at - start.at) / 1000)
  const spans = stages.map(({ stage, from, to }) => ({ kind: STAGES.indexOf(stage), from, to }))
  const arranged = arrangeStages(spans, duration)
  const told = summarizeStages(arranged, duration)
  const asleep = said.stage_asleep_second ?? asleepWithout(stages, said, duration)
  const session = { startedAt: start.at, endedAt: end.at }
  return {
    duration_second: duration,
    ...told,
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

/** Seconds asleep of a sleep without stages whose vendor says how long the person lay awake. */
function asleepWithout(
  stages: readonly VendorStageSpan[],
  { stage_awake_second: awake }: VendorSleep['values'],
  duration: number,
): number | null {
  return stages.length > 0 ? null : Math.max(0, duration - (awake ?? 0))
}

/** The columns of a workout: what the vendor says, then what its heart rates tell. */
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

/** Unknown is what is told by others. */
function withoutNulls<Values extends object>(values: Values): Partial<Values> {
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(known) as Partial<Values>
}
