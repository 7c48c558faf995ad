import { MINUTE_MS } from '@salus/contracts/time-units'
import { type ActiveMinute, activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Exercise } from '../people/days.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { dateText, utcText } from '../people/local-time.ts'
import { deriveSeed, normalAt, unitAt } from '../people/noise.ts'
import { type Sleep, STAGE_MS, type Stage, secondsIn } from '../people/sleep.ts'
import {
  durationText,
  exerciseId,
  nightOn,
  polarUntil,
  STEP_MS,
  wallText,
  zonedText,
} from './frame.ts'

/** Records of Polar AccessLink v3, each a function of the person and of what was uploaded. */

/** `sport` and `detailed_sport_info` by the sport of a person. */
const SPORTS: Readonly<Record<string, readonly [sport: string, detailed: string]>> = {
  running: ['RUNNING', 'ROAD_RUNNING'],
  cycling: ['CYCLING', 'ROAD_BIKING'],
  walking: ['WALKING', 'WALKING'],
  strength_training: ['STRENGTH_TRAINING', 'STRENGTH_TRAINING'],
  swimming: ['SWIMMING', 'POOL_SWIMMING'],
  yoga: ['OTHER', 'YOGA'],
}
const OUTDOORS = new Set(['running', 'cycling', 'walking'])

/** Seconds between heart rates of an exercise, and between its other samples. */
const RATE_SECONDS = 5
const MINUTE_SECONDS = 60

export interface Parts {
  samples: boolean
  zones: boolean
  route: boolean
}

const numbersText = (values: readonly (number | null)[]): string =>
  values.map((value) => value ?? 'null').join(',')

function beatsOf(calendar: Calendar, exercise: Exercise): (number | null)[] {
  const count = (exercise.to - exercise.from) / (RATE_SECONDS * 1000)
  const beats = new Array<number | null>(count).fill(null)
  new Heart(calendar).each(exercise, RATE_SECONDS * 1000, (at, value) => {
    beats[(at - exercise.from) / (RATE_SECONDS * 1000)] = value
  })
  return beats
}

function samplesOf(
  exercise: Exercise,
  beats: (number | null)[],
  minutes: ActiveMinute[],
): object[] {
  const sample = (type: number, rate: number, values: readonly (number | null)[]) => ({
    'recording-rate': rate,
    'sample-type': String(type),
    data: numbersText(values),
  })
  let total = 0
  const distance = minutes.map(({ meters }) => {
    const before = total
    total += meters
    return Number(before.toFixed(1))
  })
  const speeds = minutes.map(({ meters }) => Number((meters * 0.06).toFixed(2)))
  const moves = exercise.sport.metersASecond > 0
  return [
    sample(0, RATE_SECONDS, beats),
    ...(moves ? [sample(1, MINUTE_SECONDS, speeds), sample(10, MINUTE_SECONDS, distance)] : []),
  ]
}

/** Polar's five zones, from half of the highest heart rate on. */
function zonesOf({ person }: Calendar, beats: readonly (number | null)[]): object[] {
  const limits = [0.5, 0.6, 0.7, 0.8, 0.9, 1].map((part) =>
    Math.round(part * person.maximalHeartRate),
  )
  return [1, 2, 3, 4, 5].map((index) => {
    const [lower = 0, upper = 0] = limits.slice(index - 1, index + 1)
    const count = beats.filter((value) => value !== null && value >= lower && value < upper).length
    return {
      index,
      'lower-limit': lower,
      'upper-limit': upper,
      'in-zone': durationText(count * RATE_SECONDS),
    }
  })
}

/** A circle of some hundred meters. */
function routeOf({ person }: Calendar, exercise: Exercise): object[] {
  const center = { latitude: 20 + (person.seed % 40), longitude: (person.seed % 300) - 150 }
  const count = Math.floor((exercise.to - exercise.from) / 10_000)
  return Array.from({ length: count }, (_, position) => {
    const angle = (2 * Math.PI * position) / 60
    return {
      latitude: Number((center.latitude + 0.003 * Math.sin(angle)).toFixed(6)),
      longitude: Number((center.longitude + 0.003 * Math.cos(angle)).toFixed(6)),
      time: `PT${position * 10}S`,
      satellites: 9,
      fix: 2,
    }
  })
}

/** Returns an exercise as `GET /v3/exercises` lists it. */
export function exerciseRecord(
  calendar: Calendar,
  day: number,
  exercise: Exercise,
  parts: Parts,
): object {
  const { from, to, sport } = exercise
  const minutes = activeMinutes(calendar, exercise)
  const beats = beatsOf(calendar, exercise)
  const known = beats.filter((value) => value !== null)
  const [name, detailed] = SPORTS[sport.name] ?? ['OTHER', 'OTHER']
  const meters = minutes.reduce((sum, minute) => sum + minute.meters, 0)
  const { weightKilograms } = calendar.person
  const kilocalories = minutes.reduce((sum, { met }) => sum + caloriesOf(met, weightKilograms), 0)
  const isRoute = OUTDOORS.has(sport.name)
  return {
    id: exerciseId(calendar, day),
    upload_time: utcText(to + 10 * MINUTE_MS),
    polar_user: 'https://www.polaraccesslink.com/v3/users/1',
    device: 'Polar Vantage V3',
    device_id: deviceIdOf(calendar),
    start_time: wallText(calendar, from),
    start_time_utc_offset: calendar.offsetAt(from) / MINUTE_MS,
    duration: durationText((to - from) / 1000),
    calories: Math.round(kilocalories),
    ...(meters > 0 && { distance: Number(meters.toFixed(1)) }),
    heart_rate: {
      average: Math.round(known.reduce((sum, value) => sum + value, 0) / known.length),
      maximum: Math.max(...known),
    },
    sport: name,
    has_route: isRoute,
    detailed_sport_info: detailed,
    ...(parts.samples && { samples: samplesOf(exercise, beats, minutes) }),
    ...(parts.zones && { heart_rate_zones: zonesOf(calendar, beats) }),
    ...(parts.route && isRoute && { route: routeOf(calendar, exercise) }),
  }
}

export const deviceIdOf = ({ person }: Calendar): string =>
  person.seed.toString(16).toUpperCase().padStart(8, '0')

const CODES: Readonly<Record<Stage, number>> = { awake: 0, rem: 1, light: 3, deep: 4 }

/** `23:41` at an instant. */
const clockOf = (calendar: Calendar, at: number): string => wallText(calendar, at).slice(11, 16)

/** Returns a night as `GET /v3/users/sleep` lists it. */
export function nightRecord(calendar: Calendar, sleep: Sleep): object {
  const { from, to, day, stages } = sleep
  const hypnogram: Record<string, number> = {}
  for (const [position, stage] of stages.entries()) {
    if (stages[position - 1] === stage) continue
    hypnogram[clockOf(calendar, from + position * STAGE_MS)] = CODES[stage]
  }
  const rates: Record<string, number> = {}
  new Heart(calendar).each(sleep, STEP_MS, (at, value) => {
    rates[clockOf(calendar, at)] = value
  })
  const score = 78 + 8 * normalAt(deriveSeed(calendar.person.seed, 520), day)
  return {
    polar_user: 'https://www.polaraccesslink.com/v3/users/1',
    date: dateText(day),
    sleep_start_time: zonedText(calendar, from),
    sleep_end_time: zonedText(calendar, to),
    device_id: deviceIdOf(calendar),
    continuity: Number((2 + 2.5 * unitAt(calendar.person.seed, day)).toFixed(1)),
    continuity_class: 3,
    light_sleep: secondsIn(sleep, 'light'),
    deep_sleep: secondsIn(sleep, 'deep'),
    rem_sleep: secondsIn(sleep, 'rem'),
    unrecognized_sleep_stage: 0,
    sleep_score: Math.round(Math.min(Math.max(score, 1), 100)),
    total_interruption_duration: secondsIn(sleep, 'awake'),
    // For some weeks there is no usual level.
    sleep_charge: -1,
    sleep_goal: 28_800,
    sleep_rating: 0,
    sleep_cycles: 5,
    hypnogram,
    heart_rate_samples: rates,
  }
}

/** Returns the nightly recharge of a night. */
export function rechargeRecord(calendar: Calendar, { from, day }: Sleep): object {
  const heart = new Heart(calendar)
  // Four hours, from half an hour after falling asleep.
  const steps = Array.from({ length: 48 }, (_, step) => from + (step + 6) * STEP_MS)
  const mean = (values: readonly number[]) =>
    Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
  const breath = Number(nightSignsOn(calendar, day).breath.toFixed(1))
  const { restingHeartRate } = calendar.person
  return {
    polar_user: 'https://www.polaraccesslink.com/v3/users/1',
    date: dateText(day),
    heart_rate_avg: restingHeartRate,
    beat_to_beat_avg: Math.round(60_000 / restingHeartRate),
    heart_rate_variability_avg: mean(steps.map((at) => heart.variabilityAt(at))),
    breathing_rate_avg: breath,
    nightly_recharge_status: 4,
    ans_charge: 0.7,
    ans_charge_status: 3,
    breathing_samples: Object.fromEntries(steps.map((at) => [clockOf(calendar, at), breath])),
  }
}

const ZONES: readonly (readonly [least: number, zone: string])[] = [
  [6, 'VIGOROUS'],
  [3, 'MODERATE'],
  [1.6, 'LIGHT'],
  [1, 'SEDENTARY'],
  [0, 'SLEEP'],
]
const zoneOf = (met: number): string => ZONES.find(([least]) => met >= least)?.[1] ?? 'SLEEP'

/** Returns a day as `GET /v3/users/activities` lists it, as far as it was uploaded. */
export function dayRecord(calendar: Calendar, number: number, now: number, hasZones: boolean) {
  const { from, to } = calendar.day(number)
  const until = Math.min(to, polarUntil(calendar, now))
  const { weightKilograms } = calendar.person
  const minutes = activeMinutes(calendar, { from, to: until })
  const worn = minutes.filter(({ isWorn }) => isWorn)
  const sum = (list: readonly ActiveMinute[], value: (minute: ActiveMinute) => number) =>
    list.reduce((total, minute) => total + value(minute), 0)
  const active = minutes.filter(({ met }) => met >= 1.6)
  const samples: { zone: string; timestamp: string }[] = []
  for (const { at, met } of minutes) {
    const zone = zoneOf(met)
    if (samples.at(-1)?.zone !== zone) samples.push({ zone, timestamp: wallText(calendar, at) })
  }
  return {
    start_time: `${dateText(number)}T00:00`,
    end_time: wallText(calendar, until - (until === to ? 1000 : 0)),
    active_duration: durationText(active.length * 60),
    inactive_duration: durationText(
      minutes.filter(({ met }) => zoneOf(met) === 'SEDENTARY').length * 60,
    ),
    daily_activity: 92.5,
    calories: Math.round(sum(minutes, ({ met }) => caloriesOf(met, weightKilograms))),
    active_calories: Math.round(
      sum(worn, ({ met }) => caloriesOf(Math.max(0, met - 1.2), weightKilograms)),
    ),
    steps: sum(worn, ({ steps }) => steps),
    inactivity_alert_count: 1,
    distance_from_steps: Number(sum(worn, ({ meters }) => meters).toFixed(2)),
    ...(hasZones && {
      samples: { date: dateText(number), activity_zones: { samples } },
    }),
  }
}

/** Heart rates are measured at this second of a minute. */
export const secondOf = ({ person }: Calendar): number => 3 + (person.seed % 50)

/** Returns the heart rates of a day; those of exercises are not among them. */
export function heartRateRecord(calendar: Calendar, number: number, now: number) {
  const { from, to } = calendar.day(number)
  const until = polarUntil(calendar, now)
  const samples: object[] = []
  const second = String(secondOf(calendar)).padStart(2, '0')
  new Heart(calendar).each({ from, to: Math.min(to, until) }, STEP_MS, (at, value, context) => {
    if (context === 'workout') return
    samples.push({ heart_rate: value, sample_time: `${clockOf(calendar, at)}:${second}` })
  })
  return {
    polar_user: 'https://www.polaraccesslink.com/v3/users/1',
    date: dateText(number),
    heart_rate_samples: samples,
  }
}

export function physicalInfo({ person }: Calendar): object {
  return {
    weight: person.weightKilograms,
    height: Number((person.heightMeters * 100).toFixed(1)),
    created: '2024-06-01T12:00:00Z',
    modified: '2025-06-10T12:00:00Z',
    birthday: `${2025 - person.age}-04-12`,
    gender: person.sex.toUpperCase(),
    maximum_heart_rate: person.maximalHeartRate,
    resting_heart_rate: person.restingHeartRate,
    vo2_max: 47,
    weight_source: 'SOURCE_USER',
  }
}

/** Returns the nights of days, of those that have one. */
export const nightsOf = (calendar: Calendar, days: readonly number[], until: number): Sleep[] =>
  days.flatMap((day) => nightOn(calendar, day, until) ?? [])
