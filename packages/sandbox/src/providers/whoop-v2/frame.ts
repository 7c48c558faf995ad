import { activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Span } from '../people/days.ts'
import { Heart } from '../people/heart.ts'
import { offsetText, utcText } from '../people/local-time.ts'
import { SCORING_MS } from './nights.ts'

export interface WhoopRecord {
  readonly id: unknown
  readonly score_state: string
}

/** A record with its time, by which lists select and order. */
export interface Listed extends Span {
  /** Makes the record, which takes much longer than its time. */
  readonly make: () => WhoopRecord
}

const KILOJOULES = 4.184

export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Returns the vendor's number of a person. */
export const userIdOf = ({ person: { seed } }: Calendar): number => 10_000 + (seed % 9_000_000)

export const cycleIdOf = ({ person: { seed } }: Calendar, day: number): number =>
  (seed % 10_000) * 100_000 + day

/** `Z` at Greenwich. */
function offsetTextOf(calendar: Calendar, at: number): string {
  const text = offsetText(calendar.offsetAt(at))
  return text === '+00:00' ? 'Z' : text
}

/** The common fields of a record, with its score unless the vendor is still at it. */
export function framed(
  calendar: Calendar,
  { from, to }: { from: number; to: number | undefined },
  { createdAt, changedAt, now }: { createdAt: number; changedAt: number; now: number },
  makeScore: () => object | undefined,
) {
  const isPending = now < changedAt + SCORING_MS
  const score = isPending ? undefined : makeScore()
  return {
    user_id: userIdOf(calendar),
    created_at: utcText(createdAt),
    updated_at: utcText(isPending ? changedAt : changedAt + SCORING_MS),
    start: utcText(from),
    ...(to !== undefined && { end: utcText(to) }),
    timezone_offset: offsetTextOf(calendar, to ?? from),
    score_state: isPending ? 'PENDING_SCORE' : score === undefined ? 'UNSCORABLE' : 'SCORED',
    ...(score !== undefined && { score }),
  }
}

export function beatsOf(calendar: Calendar, span: Span): number[] {
  const beats: number[] = []
  new Heart(calendar).each(span, 60_000, (_at, rate) => beats.push(rate))
  return beats
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Returns the energy of a span, in the vendor's unit. */
export function kilojoulesOf(calendar: Calendar, span: Span): number {
  const { weightKilograms } = calendar.person
  const kilocalories = activeMinutes(calendar, span).reduce(
    (sum, { met, isWorn }) => sum + caloriesOf(isWorn ? met : 1, weightKilograms),
    0,
  )
  return rounded(kilocalories * KILOJOULES, 6)
}
