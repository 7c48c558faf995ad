import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { Heart, nightSignsOn } from '../people/heart.ts'
import { utcText } from '../people/local-time.ts'
import { betweenAt, deriveSeed } from '../people/noise.ts'
import { STAGE_MS, type Stage } from '../people/sleep.ts'
import { isWornDuring } from '../people/states.ts'
import { syncedUntil } from '../people/sync.ts'
import {
  beatsOf,
  cycleIdOf,
  framed,
  kilojoulesOf,
  type Listed,
  meanOf,
  rounded,
  userIdOf,
  type WhoopRecord,
} from './frame.ts'
import { type KnownSleep, knownSleeps, SCORING_MS, STRAP_SYNC, uploadedAt } from './nights.ts'
import { workoutsOn } from './workouts.ts'

/** Records of WHOOP's API v2, each a function of the person, the day and the present time. */

export const WHOOP_KINDS = ['cycle', 'sleep', 'workout', 'recovery'] as const
export type WhoopKind = (typeof WHOOP_KINDS)[number]

/** A cycle lasts from one night to the next; the last one has no end yet. */
function cyclesOn(calendar: Calendar, day: number, now: number): Listed[] {
  const { night } = calendar.day(day)
  const next = calendar.day(day + 1).night
  const createdAt = uploadedAt(calendar, night.to)
  if (createdAt > now) return []
  const nextAt = uploadedAt(calendar, next.to)
  const to = nextAt <= now ? next.from : undefined
  const until = Math.min(to ?? next.from, syncedUntil(calendar, now, STRAP_SYNC))
  const span = { from: night.from, to: Math.max(until, night.from) }
  const changedAt = to === undefined ? createdAt : nextAt
  const make = () => ({
    id: cycleIdOf(calendar, day),
    ...framed(calendar, { from: night.from, to }, { createdAt, changedAt, now }, () => {
      if (!isWornDuring(calendar, span)) return undefined
      const beats = beatsOf(calendar, span)
      const kilojoule = kilojoulesOf(calendar, span)
      return {
        strain: rounded(Math.min(21, 4 + kilojoule / 1255), 4),
        kilojoule,
        average_heart_rate: Math.round(meanOf(beats)),
        max_heart_rate: Math.max(...beats),
      }
    }),
  })
  return [{ make, from: night.from, to: to ?? now }]
}

const millisecondsIn = (stages: readonly Stage[], stage: Stage): number =>
  stages.filter((one) => one === stage).length * STAGE_MS

/** From 0 to 100, as a share of eight hours. */
const performanceOf = (stages: readonly Stage[]): number =>
  Math.round(
    Math.min(100, ((stages.length * STAGE_MS - millisecondsIn(stages, 'awake')) / HOUR_MS) * 12.5),
  )

function sleepRecord(calendar: Calendar, sleep: KnownSleep, now: number): WhoopRecord {
  const { stages, day } = sleep
  const awake = millisecondsIn(stages, 'awake')
  const inBed = stages.length * STAGE_MS
  return {
    id: sleep.id,
    cycle_id: cycleIdOf(calendar, day),
    nap: sleep.isNap,
    ...framed(calendar, sleep, { ...sleep, now }, () => ({
      stage_summary: {
        total_in_bed_time_milli: inBed,
        total_awake_time_milli: awake,
        total_no_data_time_milli: 0,
        total_light_sleep_time_milli: millisecondsIn(stages, 'light'),
        total_slow_wave_sleep_time_milli: millisecondsIn(stages, 'deep'),
        total_rem_sleep_time_milli: millisecondsIn(stages, 'rem'),
        sleep_cycle_count: Math.round(stages.length / 18),
        disturbance_count: 4,
      },
      sleep_needed: {
        baseline_milli: 8 * HOUR_MS,
        need_from_sleep_debt_milli: 0,
        need_from_recent_strain_milli: 600_000,
        need_from_recent_nap_milli: 0,
      },
      respiratory_rate: nightSignsOn(calendar, day).breath,
      sleep_performance_percentage: performanceOf(stages),
      sleep_consistency_percentage: 80,
      sleep_efficiency_percentage: rounded(((inBed - awake) / inBed) * 100, 2),
    })),
  } as WhoopRecord
}

function sleepsListed(calendar: Calendar, day: number, now: number): Listed[] {
  return knownSleeps(calendar, day, now).map((sleep) => ({
    make: () => sleepRecord(calendar, sleep, now),
    from: sleep.from,
    to: sleep.to,
  }))
}

/** Skin of the wrist in a usual night. */
const SKIN_CELSIUS = 33.5

/** A night has one once it is scored; of a divided night it is that of the second part. */
function recoveriesOn(calendar: Calendar, day: number, now: number): Listed[] {
  const night = knownSleeps(calendar, day, now).findLast(({ isNap }) => !isNap)
  if (night === undefined || now < night.changedAt + SCORING_MS) return []
  const { person } = calendar
  const { temperatureDeviation, oxygen } = nightSignsOn(calendar, day)
  const { illness } = calendar.day(day)
  const at = utcText(night.changedAt + SCORING_MS)
  const record = {
    cycle_id: cycleIdOf(calendar, day),
    sleep_id: night.id,
    user_id: userIdOf(calendar),
    created_at: at,
    updated_at: at,
    score_state: 'SCORED',
    score: {
      user_calibrating: false,
      recovery_score: Math.round(
        betweenAt(deriveSeed(person.seed, 820), day, 30, 99) * (1 - 0.6 * illness),
      ),
      resting_heart_rate: Math.round(person.restingHeartRate + 6 * illness),
      hrv_rmssd_milli: new Heart(calendar).variabilityAt(night.to - HOUR_MS),
      spo2_percentage: oxygen,
      skin_temp_celsius: rounded(SKIN_CELSIUS + temperatureDeviation, 2),
    },
  }
  // Only within the emulator: a recovery has no id of its own.
  return [{ make: () => ({ id: night.id, ...record }), from: night.from, to: night.to }]
}

const MAKERS: Readonly<Record<WhoopKind, typeof cyclesOn>> = {
  cycle: cyclesOn,
  sleep: sleepsListed,
  workout: workoutsOn,
  recovery: recoveriesOn,
}

/** Number of days before now at which the data of an account begin. */
const PAST_DAYS = 400

/** Returns the records of a kind that end on a day, or for a cycle begin with its night. */
export const recordsOn = (
  calendar: Calendar,
  kind: WhoopKind,
  day: number,
  now: number,
): Listed[] => MAKERS[kind](calendar, day, now)

/** Returns the records that a span overlaps, the newest first. */
export function recordsIn(calendar: Calendar, kind: WhoopKind, span: Span, now: number): Listed[] {
  const from = Math.max(span.from, now - PAST_DAYS * DAY_MS)
  const to = Math.min(span.to, now)
  if (from >= to) return []
  const listed: Listed[] = []
  const last = calendar.dayAt(to).number + 1
  for (let day = calendar.dayAt(from).number - 1; day <= last; day++) {
    listed.push(...recordsOn(calendar, kind, day, now))
  }
  return listed
    .filter((one) => one.to > from && one.from < to)
    .sort((one, other) => other.from - one.from)
}
