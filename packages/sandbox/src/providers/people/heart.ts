import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Day, Span } from './days.ts'
import { deriveSeed, normalAt, smoothAt } from './noise.ts'
import type { Person } from './person.ts'
import { type State, StateWalk } from './states.ts'

export type HeartContext = 'awake' | 'rest' | 'sleep' | 'workout'

const USE = {
  days: 299,
  slow: 300,
  quick: 301,
  beat: 302,
  variability: 303,
  temperature: 304,
  oxygen: 305,
  breath: 306,
}

/** Maximum time for which a raised heart rate lasts after exercise. */
const RECOVERY_MS = 30 * MINUTE_MS

/** Returns beats per minute above the resting heart rate for an activity. */
function effortOf(person: Person, state: State, at: number): number {
  const since = at - state.whole.from
  if (state.exercise !== undefined) {
    const reserve = person.maximalHeartRate - person.restingHeartRate
    const warm = Math.min(1, 0.35 + since / (8 * MINUTE_MS))
    return reserve * Math.min(0.93, state.exercise.sport.intensity * state.exercise.effort) * warm
  }
  if (state.kind === 'asleep') {
    // Falls through the first half of the night.
    const part = since / (state.whole.to - state.whole.from)
    return 7 * (1 - part) ** 2 - 1.5 * Math.sin(Math.PI * part)
  }
  return 15
}

function recoveryAt({ exercises }: Day, person: Person, at: number): number {
  for (const { to, sport } of exercises) {
    const since = at - to
    if (since < 0 || since >= RECOVERY_MS) continue
    const reserve = person.maximalHeartRate - person.restingHeartRate
    return 0.45 * reserve * sport.intensity * Math.exp(-since / (7 * MINUTE_MS))
  }
  return 0
}

/** Heart rates of one person; each is a function of the time alone. */
export class Heart {
  readonly #calendar: Calendar
  readonly #person: Person
  readonly #days: number
  readonly #slow: number
  readonly #quick: number
  readonly #beat: number

  constructor(calendar: Calendar) {
    this.#calendar = calendar
    this.#person = calendar.person
    this.#days = deriveSeed(calendar.person.seed, USE.days)
    this.#slow = deriveSeed(calendar.person.seed, USE.slow)
    this.#quick = deriveSeed(calendar.person.seed, USE.quick)
    this.#beat = deriveSeed(calendar.person.seed, USE.beat)
  }

  /**
   * Calls back for every step in a span in which the device was worn, in beats per minute.
   * @param stepMs Instants are whole multiples of it since 1970.
   */
  each(
    { from, to }: Span,
    stepMs: number,
    take: (at: number, beats: number, context: HeartContext) => void,
  ): void {
    const first = Math.ceil(from / stepMs) * stepMs
    if (first >= to) return
    const walk = new StateWalk(this.#calendar, first)
    for (let at = first; at < to; at += stepMs) {
      const state = walk.stateAt(at)
      if (walk.isWornAt(at)) take(at, this.#beatsAt(walk.day, state, at), contextOf(state, at))
    }
  }

  #beatsAt(day: Day, state: State, at: number): number {
    const person = this.#person
    const minutes = at / MINUTE_MS
    const isAsleep = state.kind === 'asleep'
    const swing = isAsleep ? 2 : 7
    const rate =
      person.restingHeartRate +
      effortOf(person, state, at) +
      (isAsleep ? 0 : recoveryAt(day, person, at)) +
      7 * day.illness +
      3.5 * smoothAt(this.#days, minutes / 4000) +
      swing * smoothAt(this.#slow, minutes / 23) +
      (isAsleep ? 1 : 4) * smoothAt(this.#quick, minutes / 4) +
      (isAsleep ? 0.7 : 1.6) * normalAt(this.#beat, Math.floor(minutes * 12))
    const least = person.restingHeartRate - 9
    return Math.round(Math.min(Math.max(rate, least), person.maximalHeartRate + 4))
  }

  /** Returns RMSSD at an instant of a sleep, milliseconds. */
  variabilityAt(at: number): number {
    const { restingVariability, seed } = this.#person
    const { illness } = this.#calendar.dayAt(at)
    const use = deriveSeed(seed, USE.variability)
    const minutes = at / MINUTE_MS
    const part =
      1 +
      0.22 * smoothAt(use, minutes / 40) +
      0.12 * normalAt(use, Math.floor(minutes)) +
      0.15 * smoothAt(deriveSeed(use, 1), at / (30 * HOUR_MS))
    return Math.max(6, Math.round(restingVariability * part * (1 - 0.35 * illness)))
  }
}

function contextOf(state: State, at: number): HeartContext {
  if (state.kind === 'asleep') return 'sleep'
  if (state.kind === 'exercising') return 'workout'
  // Sitting still for a while.
  return Math.floor(at / (20 * MINUTE_MS)) % 4 === 0 ? 'rest' : 'awake'
}

/** Signs of a night, besides the heart. */
export interface NightSigns {
  /** Degrees Celsius from the usual. */
  temperatureDeviation: number
  /** Breaths per minute. */
  breath: number
  /** Percent. */
  oxygen: number
  /** Disturbances of breathing in an hour. */
  disturbance: number
}

/**
 * Returns the signs of a night of the calendar; illness raises temperature and breath, and lowers
 * oxygen.
 */
export function nightSignsOn(calendar: Calendar, number: number): NightSigns {
  const { person } = calendar
  const { illness } = calendar.day(number)
  const at = (use: number): number => normalAt(deriveSeed(person.seed, use), number)
  const round = (value: number, digits: number) => Number(value.toFixed(digits))
  return {
    temperatureDeviation: round(0.13 * at(USE.temperature) + 1.1 * illness, 2),
    breath: round(13 + (person.seed % 30) / 10 + 0.35 * at(USE.breath) + 2 * illness, 3),
    oxygen: round(Math.min(99.4, 97 + 0.5 * at(USE.oxygen) - 1.4 * illness), 3),
    disturbance: Math.max(0, Math.round(7 + (person.age - 45) / 8 + 2 * at(USE.breath))),
  }
}
