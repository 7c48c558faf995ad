import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Day, Span } from './days.ts'
import { deriveSeed, isAt, unitAt } from './noise.ts'
import { type State, StateWalk } from './states.ts'

/** Activity of a person in a minute. */
export interface ActiveMinute {
  readonly at: number
  /** Metabolic equivalents: 1 is rest. */
  readonly met: number
  readonly steps: number
  readonly meters: number
  readonly isWorn: boolean
}

const USE = { bout: 400, walk: 401, minute: 402 }
const BOUT_MS = 10 * MINUTE_MS
const METERS_A_STEP = 0.74

/** Returns how likely a person is active at an hour after getting up. */
function activityLikelihood(day: Day, at: number): number {
  const hours = (at - day.night.to) / HOUR_MS
  if (hours < 0) return 0.1
  if (hours < 1.5) return 0.9
  if (hours > 13) return 0.45
  return 1
}

function minuteOf(
  calendar: Calendar,
  day: Day,
  state: State,
  at: number,
): Omit<ActiveMinute, 'isWorn'> {
  const { seed, activity, heightMeters } = calendar.person
  const minute = Math.floor(at / MINUTE_MS)
  if (state.exercise !== undefined) {
    const { sport, effort } = state.exercise
    const part = effort * (0.88 + 0.24 * unitAt(deriveSeed(seed, USE.minute), minute))
    const met = Math.round(sport.met * part * 10) / 10
    return {
      at,
      met,
      steps: Math.round(sport.stepsAMinute * part),
      meters: sport.metersASecond * 60 * part,
    }
  }
  if (state.kind === 'asleep') return { at, met: 0.9, steps: 0, meters: 0 }
  const chance = (0.06 + 0.22 * activity) * activityLikelihood(day, at) * (1 - 0.7 * day.illness)
  const isBout = isAt(
    deriveSeed(seed, USE.bout),
    Math.floor(at / BOUT_MS),
    day.isTravelling ? 0.2 : chance,
  )
  if (isBout && isAt(deriveSeed(seed, USE.walk), minute, 0.68)) {
    const cadence = 72 + Math.floor(46 * unitAt(deriveSeed(seed, USE.minute), minute))
    const meters = cadence * METERS_A_STEP * (heightMeters / 1.72)
    return { at, met: Math.round((1.6 + cadence / 50) * 10) / 10, steps: cadence, meters }
  }
  const fidget = unitAt(deriveSeed(seed, USE.minute), minute)
  const steps = fidget > 0.9 ? 6 : 0
  return {
    at,
    met: Math.round((1.1 + 0.5 * fidget) * 10) / 10,
    steps,
    meters: steps * METERS_A_STEP,
  }
}

/** Returns every minute of a span, the oldest first. */
export function activeMinutes(calendar: Calendar, { from, to }: Span): ActiveMinute[] {
  const minutes: ActiveMinute[] = []
  const first = Math.ceil(from / MINUTE_MS) * MINUTE_MS
  if (first >= to) return minutes
  const walk = new StateWalk(calendar, first)
  for (let at = first; at < to; at += MINUTE_MS) {
    const state = walk.stateAt(at)
    minutes.push({ ...minuteOf(calendar, walk.day, state, at), isWorn: walk.isWornAt(at) })
  }
  return minutes
}

/** Kilocalories of a minute. */
export const caloriesOf = (met: number, kilograms: number): number => (met * 3.5 * kilograms) / 200
