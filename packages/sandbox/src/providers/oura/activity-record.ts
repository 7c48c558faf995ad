import { HOUR_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar } from '../people/days.ts'
import { dateText, localText } from '../people/local-time.ts'
import { deriveSeed, normalAt } from '../people/noise.ts'
import { recordId } from './record-id.ts'

/** Oura's day of activity begins at four in the morning. */
export const DAY_BEGINS_MS = 4 * HOUR_MS

const LEVELS = ['non_wear', 'resting', 'sedentary', 'low', 'medium', 'high'] as const
type Level = (typeof LEVELS)[number]

function levelOf(met: number, isWorn: boolean): Level {
  if (!isWorn) return 'non_wear'
  if (met < 1.05) return 'resting'
  if (met < 2) return 'sedentary'
  if (met < 3.2) return 'low'
  return met < 6 ? 'medium' : 'high'
}

interface Totals {
  seconds: Record<Level, number>
  metMinutes: Record<Level, number>
  steps: number
  meters: number
  calories: number
  activeCalories: number
  metItems: number[]
  classes: string
}

function totalsOf(calendar: Calendar, from: number, to: number): Totals {
  const nothing = () =>
    Object.fromEntries(LEVELS.map((level) => [level, 0])) as Record<Level, number>
  const totals: Totals = {
    seconds: nothing(),
    metMinutes: nothing(),
    steps: 0,
    meters: 0,
    calories: 0,
    activeCalories: 0,
    metItems: [],
    classes: '',
  }
  const { weightKilograms } = calendar.person
  let highest: Level = 'non_wear'
  const minutes = activeMinutes(calendar, { from, to })
  for (const [position, { met, steps, meters, isWorn }] of minutes.entries()) {
    const level = levelOf(met, isWorn)
    totals.seconds[level] += 60
    totals.metItems.push(isWorn ? met : 0.1)
    totals.calories += caloriesOf(isWorn ? met : 1, weightKilograms)
    if (LEVELS.indexOf(level) > LEVELS.indexOf(highest)) highest = level
    if (isWorn) {
      totals.metMinutes[level] += level === 'resting' ? 0 : met - 1
      totals.steps += steps
      totals.meters += meters
      if (met >= 2) totals.activeCalories += caloriesOf(met - 1, weightKilograms)
    }
    if (position % 5 === 4) {
      totals.classes += LEVELS.indexOf(highest)
      highest = 'non_wear'
    }
  }
  return totals
}

/** Returns a document of `daily_activity`, as far as the ring uploaded it. */
export function activityRecord(calendar: Calendar, day: number, until: number): object {
  const from = calendar.day(day).from + DAY_BEGINS_MS
  const end = calendar.day(day + 1).from + DAY_BEGINS_MS
  const totals = totalsOf(calendar, from, Math.min(end, until))
  const { seconds, metMinutes } = totals
  const seed = deriveSeed(calendar.person.seed, 770)
  const score = (use: number): number =>
    Math.round(Math.min(Math.max(82 + 9 * normalAt(deriveSeed(seed, use), day), 1), 100))
  const targetMeters = 8000
  const metMean =
    totals.metItems.reduce((sum, met) => sum + met, 0) / Math.max(1, totals.metItems.length)
  const timestamp = localText(from, calendar.offsetAt(from))
  return {
    id: recordId(calendar, 'daily_activity', day, 0),
    class_5_min: totals.classes,
    score: score(0),
    active_calories: Math.round(totals.activeCalories),
    average_met_minutes: Number(metMean.toFixed(5)),
    contributors: {
      meet_daily_targets: score(1),
      move_every_hour: score(2),
      recovery_time: score(3),
      stay_active: score(4),
      training_frequency: score(5),
      training_volume: score(6),
    },
    equivalent_walking_distance: Math.round(totals.meters * 1.06),
    high_activity_met_minutes: Math.round(metMinutes.high),
    high_activity_time: seconds.high,
    inactivity_alerts: Math.floor(seconds.sedentary / 14_400),
    low_activity_met_minutes: Math.round(metMinutes.low),
    low_activity_time: seconds.low,
    medium_activity_met_minutes: Math.round(metMinutes.medium),
    medium_activity_time: seconds.medium,
    met: { interval: 60, items: totals.metItems, timestamp },
    meters_to_target: Math.round(targetMeters - totals.meters),
    non_wear_time: seconds.non_wear,
    resting_time: seconds.resting,
    sedentary_met_minutes: Math.round(metMinutes.sedentary),
    sedentary_time: seconds.sedentary,
    steps: totals.steps,
    target_calories: 450,
    target_meters: targetMeters,
    total_calories: Math.round(totals.calories),
    day: dateText(day),
    timestamp,
  }
}
