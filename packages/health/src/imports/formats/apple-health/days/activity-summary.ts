import { DAY_MS } from '@salus/contracts/time-units'
import { type NewSummary, newSummary } from '../../../../summaries/index.ts'
import { KILOCALORIES, numberOf, quantityOf } from '../quantities.ts'
import type { DayFacts } from './activity-facts.ts'

/** Totals of the samples of a day. */
export interface DayTotals {
  /** Totals by series, counting each instant once. */
  amounts: ReadonlyMap<string, number>
  heartRate: { mean: number; minimum: number; maximum: number } | undefined
  /** Offset from UTC in seconds at the end of the day, or null when unknown. */
  offset: number | null
}

/** Returns the date of a day counted from 1970-01-01. */
export function dateOfDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Returns the summary of a day. @param modifiedAt Its time of writing, or null. */
export function toActivitySummary(
  day: number,
  facts: DayFacts | undefined,
  { amounts, heartRate, offset }: DayTotals,
  modifiedAt: number | null,
): NewSummary<'activity'> {
  const amount = (series: string): number | null => amounts.get(series) ?? null
  const whole = (series: string): number | null => {
    const value = amounts.get(series)
    return value === undefined ? null : Math.round(value)
  }
  // Rings that count minutes of movement, those of children, have an energy of 0.
  const ring = activeCaloriesOf(facts?.element)
  const active = ring || (amount('calories_active') ?? ring)
  const basal = amount('calories_basal')
  const pushes = whole('wheelchair_push')
  const date = dateOfDay(day)
  return newSummary(
    'activity',
    {
      recordId: date,
      sourceType: 'multiple_sources',
      appId: '',
      calendarDate: date,
      startedAt: day * DAY_MS,
      endedAt: day * DAY_MS,
      timezoneOffset: offset,
      modifiedAt,
      raw: facts?.element ?? { dateComponents: date },
    },
    {
      calories_active: active,
      calories_total: basal === null ? null : basal + (active ?? 0),
      steps: whole('steps'),
      distance_meter: amount('distance'),
      floors_climbed: whole('floors_climbed'),
      duration_active_second: exerciseSecondsOf(facts),
      heart_rate_mean: heartRate?.mean ?? null,
      heart_rate_minimum: heartRate?.minimum ?? null,
      heart_rate_maximum: heartRate?.maximum ?? null,
      heart_rate_resting: facts?.restingHeartRate ?? null,
      heart_rate_mean_walking: facts?.walkingHeartRate ?? null,
      wheelchair_push: pushes,
      wheelchair_use: pushes !== null && pushes > 0 ? true : null,
    },
  )
}

function activeCaloriesOf(element: DayFacts['element']): number | null {
  if (element === undefined) return null
  const { activeEnergyBurned, activeEnergyBurnedUnit = 'kcal' } = element
  return quantityOf(KILOCALORIES, activeEnergyBurned, activeEnergyBurnedUnit)
}

function exerciseSecondsOf(facts: DayFacts | undefined): number | null {
  const minutes = numberOf(facts?.element?.appleExerciseTime) ?? facts?.exerciseMinutes
  return minutes === undefined ? null : Math.round(minutes * 60)
}
