import { DAY_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { dateText, localDayOf, utcText } from '../people/local-time.ts'
import { STAGE_MS, type Stage } from '../people/sleep.ts'
import { cycleIdOf, userIdOf, type WhoopRecord } from '../whoop-v2/frame.ts'
import { dayOfRecord, knownSleeps } from '../whoop-v2/nights.ts'
import { recordsIn, recordsOn, type WhoopKind } from '../whoop-v2/records.ts'

/** Records of WHOOP's own apps: those of the official interface in another form. */

type Fields = Record<string, unknown>

const SPORT_IDS: Readonly<Record<string, number>> = {
  activity: -1,
  running: 0,
  cycling: 1,
  swimming: 33,
  yoga: 44,
  walking: 63,
  'strength trainer': 123,
}

const EVENTS: Readonly<Record<Stage, string>> = {
  deep: 'SWS',
  light: 'LIGHT',
  rem: 'REM',
  awake: 'WAKE',
}

/** A range as PostgreSQL writes it; one that goes on has no end. */
const rangeText = (start: string, end: string | undefined): string =>
  `['${start}',${end === undefined ? '' : `'${end}'`})`

const fieldsOf = (record: unknown): Fields => (record ?? {}) as Fields

const madeOn = (calendar: Calendar, kind: WhoopKind, day: number, now: number): Fields[] =>
  recordsOn(calendar, kind, day, now).map(({ make }) => fieldsOf(make()))

/** The common fields of a record, in this form. */
function framed({ start, end, timezone_offset: place, created_at, updated_at }: Fields): Fields {
  return {
    created_at,
    updated_at,
    during: rangeText(start as string, end as string | undefined),
    timezone_offset: place === 'Z' ? '+0000' : String(place).replace(':', ''),
  }
}

/** A cycle with all that happened in it, as known at a moment. */
export function cycleRecord(calendar: Calendar, day: number, now: number): Fields | undefined {
  const [cycle] = madeOn(calendar, 'cycle', day, now)
  if (cycle === undefined) return undefined
  const score = fieldsOf(cycle.score)
  const until = Date.parse(String(cycle.end ?? utcText(now)))
  const lastDay = Math.max(day, localDayOf(calendar.zoneAt(until), until))
  return {
    cycle: {
      id: cycleIdOf(calendar, day),
      user_id: userIdOf(calendar),
      ...framed(cycle),
      days: rangeText(dateText(day), dateText(lastDay + 1)),
      data_state: cycle.score === undefined ? 'processing' : 'complete',
      scaled_strain: score.strain ?? null,
      day_kilojoules: score.kilojoule ?? null,
      day_avg_heart_rate: score.average_heart_rate ?? null,
      day_max_heart_rate: score.max_heart_rate ?? null,
    },
    recovery: recoveryOf(calendar, day, now),
    sleeps: madeOn(calendar, 'sleep', day, now).map(sleepRecord),
    workouts: madeOn(calendar, 'workout', day, now).map(workoutRecord),
    v2_activities: [],
  }
}

/** Heart rate variability is in seconds. */
function recoveryOf(calendar: Calendar, day: number, now: number): Fields | null {
  const [recovery] = madeOn(calendar, 'recovery', day, now)
  if (recovery === undefined) return null
  const score = fieldsOf(recovery.score)
  return {
    cycle_id: recovery.cycle_id,
    sleep_id: recovery.sleep_id,
    created_at: recovery.created_at,
    updated_at: recovery.updated_at,
    state: 'complete',
    calibrating: false,
    recovery_score: score.recovery_score,
    resting_heart_rate: score.resting_heart_rate,
    hrv_rmssd: (score.hrv_rmssd_milli as number) / 1000,
    spo2: score.spo2_percentage,
    skin_temp_celsius: score.skin_temp_celsius,
  }
}

/** Durations are in milliseconds. */
function sleepRecord(sleep: Fields): Fields {
  const score = fieldsOf(sleep.score)
  const stages = fieldsOf(score.stage_summary)
  const isScored = sleep.score !== undefined
  return {
    activity_id: sleep.id,
    cycle_id: sleep.cycle_id,
    ...framed(sleep),
    is_nap: sleep.nap,
    state: isScored ? 'complete' : 'pending',
    ...(isScored && {
      score: score.sleep_performance_percentage,
      time_in_bed: stages.total_in_bed_time_milli,
      light_sleep_duration: stages.total_light_sleep_time_milli,
      slow_wave_sleep_duration: stages.total_slow_wave_sleep_time_milli,
      rem_sleep_duration: stages.total_rem_sleep_time_milli,
      wake_duration: stages.total_awake_time_milli,
      no_data_duration: stages.total_no_data_time_milli,
      respiratory_rate: score.respiratory_rate,
      in_sleep_efficiency: (score.sleep_efficiency_percentage as number) / 100,
      sleep_consistency: score.sleep_consistency_percentage,
      disturbances: stages.disturbance_count,
      cycles_count: stages.sleep_cycle_count,
    }),
  }
}

function workoutRecord(workout: Fields): Fields {
  const score = fieldsOf(workout.score)
  return {
    activity_id: workout.id,
    ...framed(workout),
    sport_id: SPORT_IDS[String(workout.sport_name)] ?? -1,
    ...(workout.score !== undefined && {
      score: score.strain,
      kilojoules: score.kilojoule,
      average_heart_rate: score.average_heart_rate,
      max_heart_rate: score.max_heart_rate,
      percent_recorded: score.percent_recorded,
      zone_durations: score.zone_durations,
      gps_enabled: score.distance_meter !== undefined,
      distance_meter: score.distance_meter,
      altitude_gain_meter: score.altitude_gain_meter,
    }),
  }
}

/** Returns the cycles that a span overlaps, the newest first. */
export function cyclesIn(calendar: Calendar, span: Span, now: number): Fields[] {
  const days = recordsIn(calendar, 'cycle', span, now).map(({ make }) => dayOfCycle(make()))
  return days.flatMap((day): Fields[] => {
    const record = cycleRecord(calendar, day, now)
    return record === undefined ? [] : [record]
  })
}

/** The last five digits of the id. */
const dayOfCycle = ({ id }: WhoopRecord): number => Number(id) % 100_000

/** Returns the stages of a sleep; undefined for an id of none. */
export function stageEvents(calendar: Calendar, id: string, now: number): Fields[] | undefined {
  const day = dayOfRecord(id)
  if (day === undefined || day * DAY_MS > now + 2 * DAY_MS) return undefined
  const sleep = knownSleeps(calendar, day, now).find((one) => one.id === id)
  if (sleep === undefined) return undefined
  const runs: { stage: Stage; from: number; to: number }[] = []
  for (const [position, stage] of sleep.stages.entries()) {
    const last = runs.at(-1)
    if (last?.stage === stage) last.to = position + 1
    else runs.push({ stage, from: position, to: position + 1 })
  }
  const at = (position: number): string => utcText(sleep.from + position * STAGE_MS)
  return runs.map(({ stage, from, to }) => ({
    type: EVENTS[stage],
    during: rangeText(at(from), at(to)),
  }))
}
