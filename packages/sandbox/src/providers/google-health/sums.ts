import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Span } from '../people/days.ts'
import { Heart } from '../people/heart.ts'
import { deriveSeed, unitAt } from '../people/noise.ts'
import { activeCaloriesOf } from './measures.ts'
import { rounded } from './points.ts'

/** Sums and means of a window of time. */

/** Floors that a person climbs in an hour of UTC; more when they walk much. */
export function floorsIn(calendar: Calendar, hour: number): number {
  const span = { from: hour * HOUR_MS, to: (hour + 1) * HOUR_MS }
  const steps = activeMinutes(calendar, span).reduce(
    (sum, minute) => sum + (minute.isWorn ? minute.steps : 0),
    0,
  )
  return Math.floor((steps / 700) * unitAt(deriveSeed(calendar.person.seed, 850), hour))
}

const worn = (calendar: Calendar, span: Span) =>
  activeMinutes(calendar, span).filter(({ isWorn }) => isWorn)

/** Minutes of a window by intensity. */
export function intensitiesOf(
  calendar: Calendar,
  span: Span,
): [light: number, moderate: number, vigorous: number] {
  const minutes: [number, number, number] = [0, 0, 0]
  for (const { met } of worn(calendar, span)) {
    if (met >= 6) minutes[2] += 1
    else if (met >= 3.2) minutes[1] += 1
    else if (met >= 2) minutes[0] += 1
  }
  return minutes
}

/** Returns the content of a window, by data type; undefined where there is nothing in it. */
export const SUMS: Readonly<
  Record<string, (calendar: Calendar, span: Span) => object | undefined>
> = {
  steps(calendar, span) {
    const sum = worn(calendar, span).reduce((total, { steps }) => total + steps, 0)
    return { steps: { countSum: String(sum) } }
  },
  distance(calendar, span) {
    const sum = worn(calendar, span).reduce(
      (total, { meters }) => total + Math.round(meters * 1000),
      0,
    )
    return { distance: { millimetersSum: String(sum) } }
  },
  floors(calendar, { from, to }) {
    let sum = 0
    for (let hour = Math.ceil(from / HOUR_MS); (hour + 1) * HOUR_MS <= to; hour += 1) {
      sum += floorsIn(calendar, hour)
    }
    return { floors: { countSum: String(sum) } }
  },
  'total-calories'(calendar, span) {
    const { weightKilograms } = calendar.person
    const sum = activeMinutes(calendar, span).reduce(
      (total, { met, isWorn }) => total + caloriesOf(isWorn ? met : 1, weightKilograms),
      0,
    )
    return { totalCalories: { kcalSum: rounded(sum, 4) } }
  },
  'active-energy-burned'(calendar, span) {
    const sum = worn(calendar, span).reduce(
      (total, minute) => total + activeCaloriesOf(calendar, minute),
      0,
    )
    return { activeEnergyBurned: { kcalSum: rounded(sum, 4) } }
  },
  'active-minutes'(calendar, span) {
    const [light, moderate, vigorous] = intensitiesOf(calendar, span)
    const of = (activityLevel: string, count: number) => ({
      activityLevel,
      activeMinutesSum: String(count),
    })
    return {
      activeMinutes: {
        activeMinutesRollupByActivityLevel: [
          of('LIGHT', light),
          of('MODERATE', moderate),
          of('VIGOROUS', vigorous),
        ],
      },
    }
  },
  'heart-rate'(calendar, span) {
    const beats: number[] = []
    new Heart(calendar).each(span, MINUTE_MS, (_at, rate) => beats.push(rate))
    if (beats.length === 0) return undefined
    const sum = beats.reduce((total, rate) => total + rate, 0)
    return {
      heartRate: {
        beatsPerMinuteAvg: sum / beats.length,
        beatsPerMinuteMin: Math.min(...beats),
        beatsPerMinuteMax: Math.max(...beats),
      },
    }
  },
}
