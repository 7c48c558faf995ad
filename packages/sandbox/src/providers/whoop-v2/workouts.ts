import { HOUR_MS } from '@salus/contracts/time-units'
import { activeMinutes } from '../people/activity.ts'
import type { Calendar, Span } from '../people/days.ts'
import { deriveSeed, unitAt } from '../people/noise.ts'
import { isWornDuring } from '../people/states.ts'
import { beatsOf, framed, kilojoulesOf, type Listed, meanOf, rounded } from './frame.ts'
import { uploadedAt, workoutId } from './nights.ts'

/** The vendor's names of the people's sports. */
const SPORTS: Readonly<Record<string, string>> = {
  running: 'running',
  cycling: 'cycling',
  walking: 'walking',
  strength_training: 'strength trainer',
  swimming: 'swimming',
  yoga: 'yoga',
}

/** Shares of workouts that people name later, and that they delete. */
const NAMED_LATER = 0.08
const DELETED_FROM = 0.95
const NAMED_MS = 3 * HOUR_MS
const DELETED_MS = 20 * HOUR_MS

export function workoutsOn(calendar: Calendar, day: number, now: number): Listed[] {
  const fate = unitAt(deriveSeed(calendar.person.seed, 830), day)
  return calendar
    .day(day)
    .exercises.filter((exercise) => isWornDuring(calendar, exercise))
    .flatMap((exercise) => {
      const createdAt = uploadedAt(calendar, exercise.to)
      const isDeleted = fate >= DELETED_FROM && now >= createdAt + DELETED_MS
      if (createdAt > now || isDeleted) return []
      const namedAt = createdAt + (fate < NAMED_LATER ? NAMED_MS : 0)
      const isNamed = now >= namedAt
      const make = () => ({
        id: workoutId(calendar, day),
        sport_name: isNamed ? (SPORTS[exercise.sport.name] ?? 'activity') : 'activity',
        ...framed(
          calendar,
          exercise,
          { createdAt, changedAt: isNamed ? namedAt : createdAt, now },
          () => workoutScore(calendar, exercise),
        ),
      })
      return [{ make, from: exercise.from, to: exercise.to }]
    })
}

function workoutScore(calendar: Calendar, span: Span): object {
  const beats = beatsOf(calendar, span)
  const minutes = activeMinutes(calendar, span)
  const meters = minutes.reduce((sum, minute) => sum + minute.meters, 0)
  const parts = beats.map((rate) => rate / calendar.person.maximalHeartRate)
  const zone = (from: number, to: number): number =>
    parts.filter((part) => part >= from && part < to).length * 60_000
  return {
    strain: 9.5,
    average_heart_rate: Math.round(meanOf(beats)),
    max_heart_rate: Math.max(...beats),
    kilojoule: kilojoulesOf(calendar, span),
    percent_recorded: 100,
    ...(meters > 0 && {
      distance_meter: rounded(meters, 3),
      altitude_gain_meter: rounded(meters / 100, 3),
      altitude_change_meter: 0.4,
    }),
    zone_durations: {
      zone_zero_milli: zone(0, 0.5),
      zone_one_milli: zone(0.5, 0.6),
      zone_two_milli: zone(0.6, 0.7),
      zone_three_milli: zone(0.7, 0.8),
      zone_four_milli: zone(0.8, 0.9),
      zone_five_milli: zone(0.9, 10),
    },
  }
}
