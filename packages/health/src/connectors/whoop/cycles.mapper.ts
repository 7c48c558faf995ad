import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { dateAtOffset } from '@salus/kernel/time/instants'
import type { PageRequest } from '../connector.ts'
import type { PageData } from '../page-data.ts'
import {
  isFields,
  type VendorInstant,
  type VendorStage,
  type VendorStageSpan,
} from '../vendor-records.ts'
import { readInstant } from '../vendor-times.ts'

import { sportOf } from '../whoop-sports.ts'
import {
  type CycleDetails,
  type CyclePart,
  detailsOf,
  type Fields,
  frameOf,
  hasStages,
  isNap,
  readRange,
  spanOf,
} from './cycle-pages.ts'

const KILOJOULES_A_KILOCALORIE = 4.184
const WEEK_MS = 7 * DAY_MS
const SCORE = [0, 100] as const

const toKilocalories = (kilojoules: number | null): number | null =>
  kilojoules === null ? null : kilojoules / KILOJOULES_A_KILOCALORIE

/** Maps a page: each cycle is a day, with its sleeps and workouts. */
export function mapCycles(
  answer: unknown,
  data: PageData,
  details: readonly unknown[],
  { range }: PageRequest,
): void {
  const { cycles, sleeps, workouts } = detailsOf(answer, range, data)
  for (const each of cycles) addDay(data, each)
  const events = details.values()
  for (const sleep of sleeps) {
    addSleep(data, sleep, hasStages(sleep) ? events.next().value : undefined)
  }
  for (const workout of workouts) addWorkout(data, workout)
}

/**
 * Returns the day of a cycle: the first that the vendor names, otherwise that on which its greater
 * part begins (docs/decisions/0067-the-day-of-a-whoop-cycle.md).
 */
function dayOf({ days }: Fields, { at, offset }: VendorInstant): unknown {
  const named = Array.isArray(days) ? days[0] : readRange(days)?.start
  return named ?? dateAtOffset(at + 12 * HOUR_MS, offset ?? 0)
}

function addDay(data: PageData, { cycle, recovery }: CycleDetails['cycles'][number]): void {
  const frame = frameOf(data, 'activity', { part: cycle, cycle })
  const reader = frame && data.read('activity', cycle)
  const rested = data.read('activity', recovery)
  if (frame === undefined || reader === undefined || rested === undefined) return
  const values = {
    calories_total: toKilocalories(reader.number('day_kilojoules')),
    heart_rate_mean: reader.measured('day_avg_heart_rate', 350),
    heart_rate_maximum: reader.measured('day_max_heart_rate', 350),
    heart_rate_resting: rested.measured('resting_heart_rate', 350),
  }
  const day = data.date('activity', dayOf(cycle, frame.start), cycle)
  if (day === undefined) return
  if (![reader, rested].every((each) => data.isValid('activity', each, cycle))) return
  // A cycle that the vendor did not measure.
  if (Object.values(values).every((value) => value === null)) return
  const { sleeps: _, workouts: __, recovery: ___, ...raw } = cycle
  data.addSummary('activity', { ...frame, calendarDate: day, values, raw })
}

const PENDING = /pending|processing/i

function addSleep(
  data: PageData,
  { recovery, ...sleep }: CycleDetails['sleeps'][number],
  events: unknown,
): void {
  const { part } = sleep
  // It comes again when it is scored: without a score the time awake would count as sleep.
  if (PENDING.test(String(part.state ?? part.score_state ?? ''))) return
  const frame = frameOf(data, 'sleep', sleep)
  if (frame === undefined) return
  const { start, end } = frame
  if (end === undefined) {
    data.quarantine('sleep', 'invalid_end_date', part)
    return
  }
  const values = sleepValuesOf(data, part, recovery ?? {})
  if (values === undefined) return
  data.addSleep({
    ...frame,
    end,
    values,
    stages: stagesOf(data, events, start.at),
    raw: recovery === undefined ? part : { ...part, recovery },
  })
}

function sleepValuesOf(data: PageData, part: Fields, recovery: Fields) {
  const reader = data.read('sleep', part)
  const rested = data.read('sleep', { ...recovery, hrv: variabilityOf(recovery) })
  if (reader === undefined || rested === undefined) return undefined
  const seconds = (name: string): number | null => {
    const milliseconds = reader.number(name, 0, WEEK_MS)
    return milliseconds === null ? null : Math.round(milliseconds / 1000)
  }
  const light = seconds('light_sleep_duration')
  const deep = seconds('slow_wave_sleep_duration')
  const rem = seconds('rem_sleep_duration')
  const isStaged = light !== null && deep !== null && rem !== null
  const values = {
    type: isNap(part) ? 'acknowledged_nap' : null,
    stage_asleep_second: isStaged ? light + deep + rem : null,
    stage_awake_second: seconds('wake_duration'),
    stage_light_second: light,
    stage_rem_second: rem,
    stage_deep_second: deep,
    stage_unknown_second: seconds('no_data_duration'),
    latency_second: seconds('latency'),
    respiratory_rate: reader.measured('respiratory_rate', 120),
    score: reader.integer('score', ...SCORE),
    recovery_readiness_score: rested.integer('recovery_score', ...SCORE),
    heart_rate_resting: rested.heartRate('resting_heart_rate'),
    hrv_mean_rmssd: rested.measured('hrv', 1000),
    skin_temperature: rested.measured('skin_temp_celsius', 60),
  }
  const isValid = [reader, rested].every((each) => data.isValid('sleep', each, part))
  return isValid ? values : undefined
}

/**
 * Returns the variability in milliseconds. Present answers have seconds, and some under the name of
 * milliseconds, of which no person has less than one.
 */
function variabilityOf({ hrv_rmssd: inSeconds, hrv_rmssd_milli: named }: Fields): unknown {
  const value = named ?? inSeconds
  if (typeof value !== 'number') return value
  return named === undefined || named === null || value < 1 ? value * 1000 : value
}

/** Names of stages in lower case; in a disturbance the person was awake for a moment. */
const STAGES: Readonly<Record<string, VendorStage>> = {
  deep: 'deep',
  sws: 'deep',
  slow_wave: 'deep',
  slow_wave_sleep: 'deep',
  rem: 'rem',
  light: 'light',
  awake: 'awake',
  wake: 'awake',
  latency: 'awake',
  disturbance: 'awake',
  disturbances: 'awake',
  no_data: 'unknown',
}

/** Returns the stages of a sleep; none for an answer without them. */
function stagesOf(data: PageData, events: unknown, startAt: number): VendorStageSpan[] {
  const list = Array.isArray(events) ? events : listIn(events)
  return list.flatMap((event) => {
    const name = isFields(event) ? String(event.stage ?? event.type).toLowerCase() : ''
    const stage = Object.hasOwn(STAGES, name) ? STAGES[name] : undefined
    if (!isFields(event) || stage === undefined) return []
    const { start, end } = spanOf(event)
    const [from, to] = [start, end].map((text) => readInstant(text)?.at)
    if (from === undefined || to === undefined || to < from) {
      data.quarantine('sleep_cycle', 'invalid_field', event)
      return []
    }
    return [
      { stage, from: Math.round((from - startAt) / 1000), to: Math.round((to - startAt) / 1000) },
    ]
  })
}

/** The vendor has had the events in a list, and in one of the fields of an object. */
function listIn(answer: unknown): readonly unknown[] {
  const values = isFields(answer) ? Object.values(answer) : []
  const isList = (value: unknown): value is unknown[] =>
    Array.isArray(value) && value.some((item) => isFields(item) && 'during' in item)
  return values.find(isList) ?? []
}

function addWorkout(data: PageData, workout: CyclePart): void {
  const { part } = workout
  const frame = frameOf(data, 'workouts', workout)
  if (frame === undefined) return
  if (frame.end === undefined) {
    data.quarantine('workouts', 'invalid_end_date', part)
    return
  }
  const reader = data.read('workouts', part)
  // Both names occur.
  const zones = data.read('workouts', part.zone_durations ?? part.zone_duration ?? {})
  if (reader === undefined || zones === undefined) return
  const seconds = (zone: string): number | null => {
    const milliseconds = zones.number(`zone_${zone}_milli`, 0, WEEK_MS)
    return milliseconds === null ? null : milliseconds / 1000
  }
  const values = {
    heart_rate_mean: reader.heartRate('average_heart_rate'),
    heart_rate_maximum: reader.heartRate('max_heart_rate'),
    // Below 50 % of the highest heart rate, 50 to 60 %, …, 90 % and more.
    heart_rate_zone_1: seconds('zero'),
    heart_rate_zone_2: seconds('one'),
    heart_rate_zone_3: seconds('two'),
    heart_rate_zone_4: seconds('three'),
    heart_rate_zone_5: seconds('four'),
    heart_rate_zone_6: seconds('five'),
    distance_meter: reader.number('distance_meter') ?? reader.number('distance'),
    elevation_gain_meter: reader.number('altitude_gain_meter'),
    calories: toKilocalories(reader.number('kilojoules')),
  }
  if (![reader, zones].every((each) => data.isValid('workouts', each, part))) return
  data.addWorkout({ ...frame, sport: sportOf(part), values })
}
