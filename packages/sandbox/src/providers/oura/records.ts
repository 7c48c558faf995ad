import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Exercise } from '../people/days.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { dateText, localText, utcText } from '../people/local-time.ts'
import { betweenAt, deriveSeed, isAt, normalAt, pickAt, smoothAt } from '../people/noise.ts'
import { type Sleep, STAGE_MS, type Stage, secondsIn, sleepsOn } from '../people/sleep.ts'
import { isWornDuring } from '../people/states.ts'
import { recordId } from './record-id.ts'

/** Records of Oura's API v2, each a function of the person, the day and the upload time. */

const DIGITS: Record<Stage, string> = { deep: '1', light: '2', rem: '3', awake: '4' }

const clampScore = (value: number): number => Math.round(Math.min(Math.max(value, 1), 100))

/** From 1 to 100, about `mean`. */
const scoreAt = (calendar: Calendar, use: number, day: number, mean: number): number =>
  clampScore(mean + 7 * normalAt(deriveSeed(calendar.person.seed, 700 + use), day))

/** Returns sleeps that end on a day and were recorded and uploaded by a ring. */
export function seenSleeps(calendar: Calendar, day: number, until: number): Sleep[] {
  return sleepsOn(calendar, day).filter(
    (sleep) => sleep.to <= until && isWornDuring(calendar, sleep),
  )
}

function samplesOf(calendar: Calendar, sleep: Sleep) {
  const heart = new Heart(calendar)
  const count = sleep.stages.length
  const beats: (number | null)[] = new Array(count).fill(null)
  const variability: (number | null)[] = new Array(count).fill(null)
  const seed = deriveSeed(calendar.person.seed, 720)
  heart.each(sleep, MINUTE_MS, (at, rate) => {
    const position = Math.floor((at - sleep.from) / STAGE_MS)
    // A ring that slipped measures nothing for a while.
    if (beats[position] !== null || isAt(seed, Math.floor(at / STAGE_MS), 0.03)) return
    beats[position] = rate
    variability[position] = heart.variabilityAt(at)
  })
  return { beats, variability }
}

const averageOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

const rounded = (value: number | null, digits = 0): number | null =>
  value === null ? null : Number(value.toFixed(digits))

function movementOf(sleep: Sleep, seed: number): string {
  let text = ''
  for (const [position, stage] of sleep.stages.entries()) {
    for (let half = 0; half < 10; half++) {
      const restless = stage === 'awake' ? 0.6 : stage === 'deep' ? 0.01 : 0.06
      const isRestless = isAt(seed, sleep.day * 4096 + position * 10 + half, restless)
      text += isRestless ? (stage === 'awake' ? '3' : '2') : '1'
    }
  }
  return text
}

/** Returns a document of `sleep`. */
export function sleepRecord(calendar: Calendar, sleep: Sleep): object {
  const offset = calendar.offsetAt(sleep.to)
  const startOffset = calendar.offsetAt(sleep.from)
  const { beats, variability } = samplesOf(calendar, sleep)
  const inBed = (sleep.to - sleep.from) / 1000
  const awake = secondsIn(sleep, 'awake')
  const known = beats.filter((value) => value !== null)
  const latencySlots = sleep.stages.findIndex((stage) => stage !== 'awake')
  const timestamp = localText(sleep.from, startOffset)
  const movement = movementOf(sleep, deriveSeed(calendar.person.seed, 721))
  return {
    id: recordId(calendar, 'sleep', sleep.day, sleep.kind === 'nap' ? 1 : 0),
    average_breath: nightSignsOn(calendar, sleep.day).breath,
    average_heart_rate: rounded(averageOf(beats), 3),
    average_hrv: rounded(averageOf(variability)),
    awake_time: awake,
    bedtime_end: localText(sleep.to, offset),
    bedtime_start: timestamp,
    day: dateText(sleep.day),
    deep_sleep_duration: secondsIn(sleep, 'deep'),
    efficiency: Math.round(((inBed - awake) / inBed) * 100),
    heart_rate: { interval: 300, items: beats, timestamp },
    hrv: { interval: 300, items: variability, timestamp },
    latency: (Math.max(0, latencySlots) * STAGE_MS) / 1000,
    light_sleep_duration: secondsIn(sleep, 'light'),
    low_battery_alert: false,
    lowest_heart_rate: known.length === 0 ? null : Math.min(...known),
    movement_30_sec: movement,
    period: sleep.kind === 'nap' ? 1 : 0,
    readiness: sleep.kind === 'night' ? readinessPart(calendar, sleep.day) : null,
    readiness_score_delta: 0,
    rem_sleep_duration: secondsIn(sleep, 'rem'),
    restless_periods: movement.split('').filter((sign) => sign !== '1').length,
    ring_id: recordId(calendar, 'ring_configuration', ringOn(calendar, sleep.day), 0),
    sleep_algorithm_version: 'v2',
    sleep_analysis_reason: 'foreground_sleep_analysis',
    sleep_phase_30_sec: sleep.stages.map((stage) => DIGITS[stage].repeat(10)).join(''),
    sleep_phase_5_min: sleep.stages.map((stage) => DIGITS[stage]).join(''),
    sleep_score_delta: 0,
    time_in_bed: inBed,
    total_sleep_duration: inBed - awake,
    type: sleep.kind === 'nap' ? 'late_nap' : 'long_sleep',
  }
}

/** Records of daily data have the local midnight of their day. */
function midnightText(calendar: Calendar, day: number): string {
  const { from } = calendar.day(day)
  return localText(from, calendar.offsetAt(from))
}

function sleepScores(calendar: Calendar, sleep: Sleep) {
  const asleep = (sleep.to - sleep.from) / 1000 - secondsIn(sleep, 'awake')
  const hours = asleep / 3600
  return {
    deep_sleep: clampScore(40 + (secondsIn(sleep, 'deep') / asleep) * 300),
    efficiency: clampScore((asleep / ((sleep.to - sleep.from) / 1000)) * 100),
    latency: scoreAt(calendar, 1, sleep.day, 80),
    rem_sleep: clampScore(35 + (secondsIn(sleep, 'rem') / asleep) * 250),
    restfulness: scoreAt(calendar, 2, sleep.day, 78),
    timing: scoreAt(calendar, 3, sleep.day, 85),
    total_sleep: clampScore(100 - 22 * Math.max(0, 7.8 - hours)),
  }
}

const meanOf = (values: Record<string, number>): number => {
  const all = Object.values(values)
  return clampScore(all.reduce((sum, value) => sum + value, 0) / all.length)
}

/** Returns a document of `daily_sleep`, for a day with a night. */
export function dailySleepRecord(calendar: Calendar, night: Sleep): object {
  const contributors = sleepScores(calendar, night)
  return {
    id: recordId(calendar, 'daily_sleep', night.day, 0),
    contributors,
    day: dateText(night.day),
    score: meanOf(contributors),
    timestamp: midnightText(calendar, night.day),
  }
}

function readinessPart(calendar: Calendar, day: number) {
  const { illness } = calendar.day(day)
  const well = 84 - 38 * illness
  const score = (use: number): number => scoreAt(calendar, use, day, well)
  const contributors = {
    activity_balance: score(10),
    body_temperature: scoreAt(calendar, 11, day, 95 - 55 * illness),
    hrv_balance: score(12),
    previous_day_activity: score(13),
    previous_night: score(14),
    recovery_index: score(15),
    resting_heart_rate: score(16),
    sleep_balance: score(17),
  }
  const { temperatureDeviation } = nightSignsOn(calendar, day)
  return {
    contributors,
    score: meanOf(contributors),
    temperature_deviation: temperatureDeviation,
    temperature_trend_deviation: Number((temperatureDeviation * 0.6).toFixed(2)),
  }
}

/** Returns a document of `daily_readiness`. */
export function readinessRecord(calendar: Calendar, day: number): object {
  return {
    id: recordId(calendar, 'daily_readiness', day, 0),
    ...readinessPart(calendar, day),
    day: dateText(day),
    timestamp: midnightText(calendar, day),
  }
}

/** Returns a document of `daily_spo2`. */
export function oxygenRecord(calendar: Calendar, day: number): object {
  const { oxygen, disturbance } = nightSignsOn(calendar, day)
  return {
    id: recordId(calendar, 'daily_spo2', day, 0),
    breathing_disturbance_index: disturbance,
    day: dateText(day),
    spo2_percentage: { average: oxygen },
  }
}

/** Returns a document of `daily_stress`; the measured time grows during the day. */
export function stressRecord(calendar: Calendar, day: number, until: number): object {
  const { night, to, illness } = calendar.day(day)
  const seed = deriveSeed(calendar.person.seed, 730)
  let stress = 0
  let recovery = 0
  for (let at = night.to; at < Math.min(to, until); at += 15 * MINUTE_MS) {
    const level = smoothAt(seed, at / (2.5 * HOUR_MS)) + 0.6 * illness
    if (level > 0.55) stress += 900
    if (level < -0.6) recovery += 900
  }
  const summary = stress > recovery + 5400 ? 'stressful' : recovery > stress ? 'restored' : 'normal'
  return {
    id: recordId(calendar, 'daily_stress', day, 0),
    day: dateText(day),
    day_summary: summary,
    recovery_high: recovery,
    stress_high: stress,
  }
}

/** Returns a document of `workout`. */
export function workoutRecord(calendar: Calendar, day: number, exercise: Exercise): object {
  const { from, to, sport, effort } = exercise
  const { weightKilograms, seed } = calendar.person
  const minutes = activeMinutes(calendar, exercise)
  const calories = minutes.reduce((sum, { met }) => sum + caloriesOf(met, weightKilograms), 0)
  const meters = minutes.reduce((sum, { meters }) => sum + meters, 0)
  const hard = sport.intensity * effort
  return {
    id: recordId(calendar, 'workout', day, 0),
    activity: sport.name,
    calories: Number(calories.toFixed(3)),
    day: dateText(day),
    distance: meters > 0 ? Number(meters.toFixed(1)) : null,
    end_datetime: localText(to, calendar.offsetAt(to)),
    intensity: hard > 0.65 ? 'hard' : hard > 0.4 ? 'moderate' : 'easy',
    label: null,
    source: pickAt(deriveSeed(seed, 740), day, ['confirmed', 'autodetected', 'workout_heart_rate']),
    start_datetime: localText(from, calendar.offsetAt(from)),
  }
}

/** Returns the number of the ring worn on a day: people buy a new one after some years. */
export function ringOn({ person: { seed } }: Calendar, day: number): number {
  return Math.floor((day + (seed % 700)) / 700)
}

/** Returns a document of `ring_configuration`, by the number of the ring. */
export function ringRecord(calendar: Calendar, ring: number): object {
  const seed = deriveSeed(calendar.person.seed, 750)
  const setUpAt = (ring * 700 - (calendar.person.seed % 700)) * 24 * HOUR_MS + 15 * HOUR_MS
  return {
    id: recordId(calendar, 'ring_configuration', ring, 0),
    color: pickAt(seed, ring, ['glossy_black', 'silver', 'stealth_black', 'titanium', 'gold']),
    design: pickAt(deriveSeed(seed, 1), ring, ['heritage', 'horizon']),
    firmware_version: `2.${Math.floor(betweenAt(seed, -ring, 5, 12))}.3`,
    hardware_type: pickAt(deriveSeed(seed, 2), ring, ['gen3', 'gen4']),
    set_up_at: utcText(setUpAt),
    size: Math.floor(betweenAt(deriveSeed(seed, 3), 0, 6, 14)),
  }
}
