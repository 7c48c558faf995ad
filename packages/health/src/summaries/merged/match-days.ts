import { HOUR_MS, SECOND_MS } from '@salus/contracts/time-units'
import type { ComparisonLimit } from './merge-limit.ts'
import type { MergedSession } from './merged-session.ts'
import type { SessionChoice } from './session-choice.ts'
import {
  areSportsAlike,
  isDayOnly,
  type SessionRecord,
  type SessionResource,
  sourceKey,
} from './session-record.ts'

/** A sleep of at least this length may be the main one of its day. */
const MAIN_SLEEP_SECONDS = (3 * HOUR_MS) / SECOND_MS
/** Sources disagree about time asleep by up to half; about a workout by up to a fifth. */
const SLEEP_LIKENESS = 0.5
const WORKOUT_LIKENESS = 0.8

interface Matching {
  choice: SessionChoice
  /** Sessions so far; those of days without a match are added. */
  sessions: Map<SessionRecord, MergedSession>
  limit: ComparisonLimit
}

/**
 * Adds records that name only a day to the sessions of that day: each to the one that it is like,
 * else as a session of its own. Two records of one source are different sessions, so where both are
 * like the same one, neither is added to it. Yields after each source of a day.
 */
export function* matchDays(
  resource: SessionResource,
  records: readonly SessionRecord[],
  { choice, sessions, limit }: Matching,
): Generator<void, void> {
  const byDay = Map.groupBy(sessions.keys(), ({ day }) => day)
  const asTimed = (record: SessionRecord) => ({ record, from: 0, to: 0, isShifted: false })
  const ordered = records.toSorted((a, b) => choice.compare(asTimed(a), asTimed(b)))
  const groups = Map.groupBy(ordered, (record) => `${record.day} ${sourceKey(record)}`)
  for (const ofSource of groups.values()) {
    const candidates = byDay.get(ofSource[0]?.day ?? '') ?? []
    limit.spend(ofSource.length * (candidates.length + 1))
    yield
    const matches = ofSource.map((record) => findAlike(resource, record, candidates))
    const counts = new Map<SessionRecord, number>()
    for (const match of matches) if (match) counts.set(match, (counts.get(match) ?? 0) + 1)
    const alone: SessionRecord[] = []
    for (const [at, record] of ofSource.entries()) {
      const match = matches[at]
      if (match === undefined || counts.get(match) !== 1) {
        sessions.set(record, { record, setAside: [] })
        alone.push(record)
        continue
      }
      const reason = isDayOnly(match)
        ? choice.reasonFor(asTimed(match), asTimed(record))
        : 'times_known'
      sessions
        .get(match)
        ?.setAside.push({ record, rule: 'same_day', overlap: null, wonBy: match, reason })
    }
    byDay.set(ofSource[0]?.day ?? '', [...candidates, ...alone])
  }
}

const secondsOf = (record: SessionRecord): number | null =>
  record.seconds ?? (isDayOnly(record) ? null : (record.endedAt - record.startedAt) / SECOND_MS)

/** Returns the smaller of two amounts as a share of the larger; null if one is unknown. */
function likeness(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return null
  return a === b ? 1 : Math.min(a, b) / Math.max(a, b)
}

function findAlike(
  resource: SessionResource,
  record: SessionRecord,
  candidates: readonly SessionRecord[],
): SessionRecord | undefined {
  return resource === 'sleep' ? mainSleep(record, candidates) : likeWorkout(record, candidates)
}

/** Returns the longest sleep of the day, if the record may be it. */
function mainSleep(
  record: SessionRecord,
  candidates: readonly SessionRecord[],
): SessionRecord | undefined {
  let main: SessionRecord | undefined
  for (const one of candidates) {
    const isLonger = main === undefined || (secondsOf(one) ?? 0) > (secondsOf(main) ?? 0)
    if (isLonger) main = one
  }
  if (main === undefined) return undefined
  const [length, own] = [secondsOf(main), secondsOf(record)]
  if (length !== null && length < MAIN_SLEEP_SECONDS) return undefined
  return (likeness(length, own) ?? 1) >= SLEEP_LIKENESS ? main : undefined
}

/** Returns the workout of the same sport that is most like the record in time and distance. */
function likeWorkout(
  record: SessionRecord,
  candidates: readonly SessionRecord[],
): SessionRecord | undefined {
  let best: SessionRecord | undefined
  let most = 0
  for (const one of candidates) {
    if (!areSportsAlike(one, record)) continue
    const known = [
      likeness(secondsOf(one), secondsOf(record)),
      likeness(one.meters, record.meters),
    ].filter((share) => share !== null)
    // With neither known, the two may be any workouts of the day.
    if (known.length === 0) continue
    const least = Math.min(...known)
    if (least >= WORKOUT_LIKENESS && least > most) [best, most] = [one, least]
  }
  return best
}
