import {
  maximumRateAt,
  measureHeartRates,
  measureSleep,
  orderStages,
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
export function sleepValues({
  start,
  end,
  values: said,
  stages = [],
  readings = {},
}: VendorSleep): Partial<SummaryValues<'sleep'>> {
  const duration = Math.round((end.at - start.at) / 1000)
  const spans = stages.map(({ stage, from, to }) => ({ kind: STAGES.indexOf(stage), from, to }))
  const arranged = orderStages(spans, duration)
  const asleep = said.stage_asleep_second ?? asleepWithout(stages, said, duration)
  const session = { startedAt: start.at, endedAt: end.at }
  const values: Partial<SummaryValues<'sleep'>> = {
    ...summarizeStages(arranged, duration),
    duration_second: duration,
    stage_start_offset_second: arranged.startOffsets,
    stage_end_offset_second: arranged.endOffsets,
    stage_type: arranged.types,
  }
  if (asleep !== null) {
    values.stage_asleep_second = asleep
    values.efficiency = duration > 0 ? Math.min(100, (100 * asleep) / duration) : null
  }
  setKnown(values, measureSleep({ ...NO_READINGS, ...readings }, session, said))
  setKnown(values, said)
  return values
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
export function workoutValues({
  start,
  end = start,
  values: said,
  sport,
  heartRates = [],
}: VendorWorkout): Partial<SummaryValues<'workouts'>> {
  const { name, slug } = toSport(sport)
  const session = { startedAt: start.at, endedAt: end.at }
  const values = measureHeartRates(heartRates, session, maximumRateAt(null, start.at), said)
  setKnown(values, said)
  values.sport_name = name
  values.sport_slug = slug
  return values
}

/** Removes nulls, so that computed values replace them. */
export function withoutNulls<Values extends object>(values: Values): Partial<Values> {
  const known: Partial<Values> = {}
  setKnown(known, values)
  return known
}

/** Copies all values but nulls. */
function setKnown<Values extends object>(target: Values, values: Values): void {
  for (const name of Object.keys(values) as (keyof Values)[]) {
    const value = values[name]
    if (value !== null && value !== undefined) target[name] = value
  }
}
