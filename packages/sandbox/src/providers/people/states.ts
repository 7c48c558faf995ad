import { MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Day, Exercise, Span } from './days.ts'

/** Activity of a person for a while. */
export interface State extends Span {
  readonly kind: 'asleep' | 'exercising' | 'awake'
  /** The whole sleep or exercise of which this is a part. */
  readonly whole: Span
  readonly exercise: Exercise | undefined
}

const statesOf = new WeakMap<Day, readonly State[]>()

/** Returns all states of a day without gaps, the oldest first. */
export function statesOn(calendar: Calendar, day: Day): readonly State[] {
  const known = statesOf.get(day)
  if (known !== undefined) return known
  const within = (span: Span): Span => ({
    from: Math.max(span.from, day.from),
    to: Math.min(span.to, day.to),
  })
  const sleeps = [day.night, ...(day.nap ? [day.nap] : []), calendar.day(day.number + 1).night]
  const busy: State[] = [
    ...sleeps.map((whole) => ({
      ...within(whole),
      kind: 'asleep' as const,
      whole,
      exercise: undefined,
    })),
    ...day.exercises.map((exercise) => ({
      ...within(exercise),
      kind: 'exercising' as const,
      whole: exercise,
      exercise,
    })),
  ]
    .filter(({ from, to }) => from < to)
    .sort((one, other) => one.from - other.from)
  const states: State[] = []
  let at = day.from
  const wake = (to: number): void => {
    const whole = { from: at, to }
    if (to > at) states.push({ ...whole, kind: 'awake', whole, exercise: undefined })
  }
  for (const state of busy) {
    wake(state.from)
    states.push(state)
    at = state.to
  }
  wake(day.to)
  statesOf.set(day, states)
  return states
}

/** Reads the states of time in forward direction only. */
export class StateWalk {
  readonly #calendar: Calendar
  day: Day
  #states: readonly State[]
  #position = 0

  constructor(calendar: Calendar, from: number) {
    this.#calendar = calendar
    this.day = calendar.dayAt(from)
    this.#states = statesOn(calendar, this.day)
  }

  /** @param at Not before that of the previous call. */
  stateAt(at: number): State {
    while (at >= this.day.to) {
      this.day = this.#calendar.day(this.day.number + 1)
      this.#states = statesOn(this.#calendar, this.day)
      this.#position = 0
    }
    let state = this.#states[this.#position] as State
    while (at >= state.to) {
      this.#position += 1
      state = this.#states[this.#position] as State
    }
    return state
  }

  isWornAt(at: number): boolean {
    for (const { from, to } of this.day.unworn) if (at >= from && at < to) return false
    return true
  }
}

/** Whether a device was on for most of a span. */
export function isWornDuring(calendar: Calendar, span: Span): boolean {
  const walk = new StateWalk(calendar, span.from)
  let worn = 0
  let all = 0
  for (let at = span.from; at < span.to; at += 5 * MINUTE_MS) {
    walk.stateAt(at)
    all += 1
    if (walk.isWornAt(at)) worn += 1
  }
  return worn > all * 0.6
}
