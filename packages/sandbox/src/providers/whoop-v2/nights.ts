import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { deriveSeed, unitAt, uuidAt } from '../people/noise.ts'
import { type Sleep, STAGE_MS, type Stage, sleepsOn } from '../people/sleep.ts'
import { isWornDuring } from '../people/states.ts'
import { type SyncHabit, syncsOn } from '../people/sync.ts'

/** The strap hands over its data often: the phone is near. */
export const STRAP_SYNC: SyncHabit = { use: 502, everyHours: [0.3, 1.2], silentDays: 0.03 }

/** Time that the vendor takes to score a record. */
export const SCORING_MS = 12 * MINUTE_MS

const LATEST_SYNC_DAYS = 6
const DAY_HOURS = 24

/** Returns when the vendor has what a strap recorded until an instant. */
export function uploadedAt(calendar: Calendar, at: number): number {
  if (calendar.person.traits.has('live')) return at
  const { number } = calendar.dayAt(at)
  for (let day = number; day < number + LATEST_SYNC_DAYS; day++) {
    const sync = syncsOn(calendar, day, STRAP_SYNC).find((time) => time >= at)
    if (sync !== undefined) return sync
  }
  return at + LATEST_SYNC_DAYS * DAY_HOURS * HOUR_MS
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** Returns the id of a record, a UUID whose last group has its day. */
export function recordId({ person: { seed } }: Calendar, use: number, day: number): string {
  return `${uuidAt(deriveSeed(seed, 800 + use), day).slice(0, 24)}${hex(use, 2)}${hex(day, 10)}`
}

/** Returns the day of the id of a record; undefined for any other text. */
export function dayOfRecord(id: string): number | undefined {
  const [, day] = /^[0-9a-f-]{24}[0-9a-f]{2}0{6}([0-9a-f]{4})$/.exec(id) ?? []
  return day === undefined ? undefined : Number.parseInt(day, 16)
}

/** A sleep as the vendor knows it at a moment. */
export interface KnownSleep extends Span {
  readonly id: string
  readonly day: number
  readonly isNap: boolean
  readonly stages: readonly Stage[]
  readonly createdAt: number
  /** When the vendor last changed it, apart from its score. */
  readonly changedAt: number
}

/** Which nights the vendor changes later, as shares of all. */
const SPLIT_UNTIL = 0.05
const CORRECTED_UNTIL = 0.13
const MERGED_MS = 6 * HOUR_MS
const CORRECTED_MS = 5 * HOUR_MS
/** Stages of five minutes by which a person corrects the start of a night. */
const CORRECTED_STAGES = 2

const USES = { night: 0, first: 1, second: 2, nap: 3, workout: 4 }

/** Returns the sleeps that end on a day, as known at a moment. */
export function knownSleeps(calendar: Calendar, day: number, now: number): KnownSleep[] {
  return sleepsOn(calendar, day)
    .filter((sleep) => isWornDuring(calendar, sleep))
    .flatMap((sleep) => versionOf(calendar, sleep, now))
}

function versionOf(calendar: Calendar, sleep: Sleep, now: number): KnownSleep[] {
  const { day, stages, from, to } = sleep
  const createdAt = uploadedAt(calendar, to)
  if (createdAt > now) return []
  const known = (use: number, first: number, end: number, changedAt: number): KnownSleep => ({
    id: recordId(calendar, use, day),
    day,
    isNap: sleep.kind === 'nap',
    stages: stages.slice(first, end),
    from: from + first * STAGE_MS,
    to: from + end * STAGE_MS,
    createdAt,
    changedAt,
  })
  const { length } = stages
  if (sleep.kind === 'nap') return [known(USES.nap, 0, length, createdAt)]
  const fate = unitAt(deriveSeed(calendar.person.seed, 810), day)
  if (fate < SPLIT_UNTIL) {
    // Two sleeps at first, which the vendor merges to one with another id.
    const merged = createdAt + MERGED_MS
    if (now >= merged) return [known(USES.night, 0, length, merged)]
    const middle = Math.floor(length / 2)
    return [known(USES.first, 0, middle, createdAt), known(USES.second, middle, length, createdAt)]
  }
  const corrected = createdAt + CORRECTED_MS
  if (fate < CORRECTED_UNTIL && now >= corrected) {
    return [known(USES.night, CORRECTED_STAGES, length, corrected)]
  }
  return [known(USES.night, 0, length, createdAt)]
}

export const workoutId = (calendar: Calendar, day: number): string =>
  recordId(calendar, USES.workout, day)
