import type { SourceRanking } from '../../source-priorities/index.ts'
import type { ChoiceReason } from './merged-session.ts'
import type { SessionResource } from './session-record.ts'
import type { TimedRecord } from './session-times.ts'

/** Levels that decide, before how a session is divided, and after it. */
const LEVELS = {
  sleep: {
    before: ['preferred_by_request', 'priority_of_person', 'priority_of_team', 'zone_known'],
    own: ['stages_known'],
    after: ['kind_of_source', 'more_detail'],
  },
  workouts: {
    before: ['preferred_by_request', 'priority_of_person', 'priority_of_team', 'zone_known'],
    own: ['kind_of_source'],
    after: ['more_detail'],
  },
} as const satisfies Record<SessionResource, Record<string, readonly ChoiceReason[]>>

/** Orders the records of one session. */
export interface SessionChoice {
  /** Negative when `a` counts before `b`; 0 only for the same record. */
  compare(a: TimedRecord, b: TimedRecord): number
  /** Returns the first level at which two records differ. */
  reasonFor(a: TimedRecord, b: TimedRecord): ChoiceReason
  /** Whether nothing prefers `a` to `b` that is more important than an undivided session. */
  mayBeJoined(a: TimedRecord, b: TimedRecord): boolean
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Creates the order of the records of a resource by a ranking of their sources. */
export function createChoice(resource: SessionResource, ranking: SourceRanking): SessionChoice {
  const { before, own, after } = LEVELS[resource]
  const important: readonly ChoiceReason[] = [...before, ...own]
  const all: readonly ChoiceReason[] = [...important, ...after]
  const standings = new Map<TimedRecord, readonly number[]>()
  const standingOf = (timed: TimedRecord): readonly number[] => {
    let found = standings.get(timed)
    if (found === undefined) {
      const values = valuesOf(timed, ranking)
      found = all.map((level) => values[level] ?? 0)
      standings.set(timed, found)
    }
    return found
  }
  const firstDifference = (a: TimedRecord, b: TimedRecord): number => {
    const other = standingOf(b)
    return standingOf(a).findIndex((value, level) => value !== other[level])
  }
  return {
    compare(a, b) {
      const level = firstDifference(a, b)
      if (level !== -1) return (standingOf(b)[level] as number) - (standingOf(a)[level] as number)
      return (
        compareTexts(a.record.provider, b.record.provider) ||
        compareTexts(a.record.sourceType, b.record.sourceType) ||
        compareTexts(a.record.appId, b.record.appId) ||
        compareTexts(a.record.id, b.record.id)
      )
    },
    reasonFor: (a, b) => all[firstDifference(a, b)] ?? 'alphabet',
    mayBeJoined(a, b) {
      const level = firstDifference(a, b)
      return level === -1 || level >= important.length
    },
  }
}

/** Returns what a record has at each level; the larger counts first. */
function valuesOf(
  { record, isShifted }: TimedRecord,
  ranking: SourceRanking,
): Partial<Record<ChoiceReason, number>> {
  const { request, person, team, kind } = ranking.levels(record)
  return {
    preferred_by_request: request,
    priority_of_person: person,
    priority_of_team: team,
    zone_known: isShifted ? 0 : 1,
    stages_known: record.hasStages ? 1 : 0,
    kind_of_source: kind,
    more_detail: record.detail,
  }
}
